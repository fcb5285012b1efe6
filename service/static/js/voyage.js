// The way through time: a slider over all events, with steps, the start and now.
import { html, useEffect } from "./ui.js";

export function Voyage({ store, children }) {
  const { wanted, travelling, go, step } = store.table;
  const last = store.last.value;
  const here = wanted.value;
  useEffect(() => {
    const keys = (event) => steer(event, store.table);
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }, [store]);
  return html`<footer class="voyage" aria-label="Travel through the game">
    <div class="transport">
      <button type="button" aria-label="First event" title="First event (Home)" disabled=${here <= 1}
        onClick=${() => go(1)}><${Icon} name="first"/></button>
      <button type="button" aria-label="One event back" title="One event back (←)" disabled=${here <= 1}
        onClick=${() => step(-1)}><${Icon} name="back"/></button>
      <button type="button" aria-label="One event on" title="One event on (→)" disabled=${!travelling.value}
        onClick=${() => step(1)}><${Icon} name="on"/></button>
      <button type="button" class="now" title="Back to now (End)" disabled=${!travelling.value}
        onClick=${() => go(null)}>now</button>
    </div>
    <input class="slider" type="range" min="1" max=${Math.max(1, last)} value=${here} aria-label="Event"
      aria-valuetext=${`event ${here} of ${last}`} onInput=${(event) => go(Number(event.target.value))}/>
    <output class="where"><b>${here}</b> / ${last}</output>
    ${children}
  </footer>`;
}

const SHAPES = {
  first: "M5 4v16M19 5 9 12l10 7z",
  back: "M16 5 7 12l9 7z",
  on: "M8 5l9 7-9 7z",
};

function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path
    d=${SHAPES[name]}/></svg>`;
}

/** The arrow keys travel, except where they already mean something. */
function steer(event, table) {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented) return;
  if (event.target.closest("input, select, textarea, dialog, [contenteditable]")) return;
  // A wide table or map scrolls sideways by these keys; the history only up and down.
  const scroller = event.target.closest(".scrolls");
  if (scroller && !(scroller.matches(".lines") && /^Arrow/.test(event.key))) return;
  const course = {
    ArrowLeft: () => table.step(-1),
    ArrowRight: () => table.travelling.value && table.step(1),
    Home: () => table.go(1),
    End: () => table.go(null),
  }[event.key];
  if (!course) return;
  event.preventDefault();
  course();
}
