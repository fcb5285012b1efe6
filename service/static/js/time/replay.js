// The bar to replay a game: a slider over all events with a mark for each turn, steps by command and by turn, playing.
import { keyed, tr } from "../base/text.js";
import { myLast, stations } from "./timeline.js";
import { isShortcut } from "../base/shortcuts.js";
import { html, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../base/ui.js";

const AS_TAKEN = keyed("as played"); // each command stays as long as the players took for the next
const TEMPOS = [1, 2, 4, 8, AS_TAKEN];
const BEAT = 1000; // ms between two commands at tempo 1
const SHORTEST = 120; // ms, however quick they were
const LONGEST = 20_000; // and however long they thought

/** The ms that the command which ends at event *here* is shown at *tempo*. */
function stay(tempo, lines, here, next) {
  if (tempo !== AS_TAKEN) return BEAT / tempo;
  const taken = Date.parse(lines[next - 1]?.at) - Date.parse(lines[here - 1]?.at);
  return Math.max(SHORTEST, Math.min(LONGEST, taken || 0));
}

const after = (stops, here) => stops.find((stop) => stop > here) ?? null;
const before = (stops, here) => stops.findLast((stop) => stop < here) ?? 1;

export function Replay({ store, children }) {
  const { wanted, travelling, go, step } = store.table;
  const lines = store.history.value;
  const last = store.last.value;
  const here = wanted.value;
  const stops = useMemo(() => stations(lines), [lines.length, lines[0]]);
  const [tempo, setTempo] = useState(0); // 0: standing still
  const state = useRef({});
  // While a page opens it knows its table before what happened: then each event is a stop.
  const known = (lines.at(-1)?.seq ?? 0) >= here;
  const onward = () => after(stops.commands, here) ?? here + 1;
  const controls = {
    back: () => (known ? go(before(stops.commands, here)) : step(-1)),
    on: () => travelling.value && go(onward()),
    eventBack: () => step(-1),
    eventOn: () => travelling.value && step(1),
    turnBack: () => go(before(stops.turns, here)),
    turnOn: () => travelling.value && go(after(stops.turns, here)),
    first: () => go(1),
    now: () => store.pace.skip() || go(null),
    mine: () => go(myLast(lines, store.mine.value) || null),
    play: () => {
      if (!tempo && !travelling.value) go(1);
      setTempo((before) => (before ? 0 : 1));
    },
  };
  state.current = controls;
  useLayoutEffect(() => {
    const keys = (event) => steer(event, state.current);
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }, []);
  useEffect(() => {
    if (!tempo) return;
    const next = travelling.value && onward();
    const timer = setTimeout(() => (next ? go(next) : setTempo(0)), next ? stay(tempo, lines, here, next) : 0);
    return () => clearTimeout(timer);
  }, [tempo, here, travelling.value, lines.length]);
  const faster = () => setTempo(TEMPOS[(TEMPOS.indexOf(tempo) + 1) % TEMPOS.length]);
  const hidden = store.replay;
  const turn = stops.turns.findLastIndex((seq) => seq <= here) + 1;
  return html`<footer class="replay" data-part="transport" aria-label="Travel through the game">
    <div class="transport">
      <button type="button" aria-label="First event" title="First event (Home)" disabled=${here <= 1}
        onClick=${controls.first}><${Icon} name="first"/></button>
      <button type="button" class="wide" aria-label="One turn back" title="One turn back (↓)" disabled=${here <= 1}
        onClick=${controls.turnBack}>◂ turn</button>
      <button type="button" aria-label="One command back" title="One command back (←); one event: Shift+←" disabled=${here <= 1}
        onClick=${controls.back}><${Icon} name="back"/></button>
      <button type="button" class="wide" aria-pressed=${String(tempo !== 0)} title="Play (space)"
        onClick=${controls.play}>${tempo ? "❚❚" : "▶"} play</button>
      ${tempo !== 0 && html`<button type="button" data-part="tempo" title="Speed. “as played” takes as long as the players did"
        onClick=${faster}>${tempo === AS_TAKEN ? tr(tempo) : `×${tempo}`}</button>`}
      <button type="button" aria-label="One command on" title="One command on (→); one event: Shift+→"
        disabled=${!travelling.value} onClick=${controls.on}><${Icon} name="on"/></button>
      <button type="button" class="wide" aria-label="One turn on" title="One turn on (↑)" disabled=${!travelling.value}
        onClick=${controls.turnOn}>turn ▸</button>
      <button type="button" class="now" title="Back to now (End)"
        disabled=${!travelling.value && !store.pace.under.value} onClick=${controls.now}>now</button>
    </div>
    <div class="timeline">
      <input class="slider" type="range" min="1" max=${hidden ? Math.max(here, 2) : Math.max(1, last)} value=${here} aria-label="Event"
        aria-valuetext=${hidden ? tr("event {here}", { here }) : tr("event {here} of {last}", { here, last })} onInput=${(event) => go(Number(event.target.value))}/>
      ${!hidden && last > 1 && html`<div class="marks" aria-hidden="true">${stops.turns.map(
        (seq, index) => html`<i key=${seq} data-part="mark" data-seq=${seq} title=${tr("Turn {value}", { value: index + 1 })}
          style=${{ left: `${((seq - 1) / (last - 1)) * 100}%` }} onClick=${() => go(seq)}></i>`,
      )}</div>`}
    </div>
    <output class="where">${turn > 1 && html`<span class="spare">turn ${turn} · </span>`}<b>${here}</b>${!hidden && ` / ${last}`}</output>
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

/** Keys travel, except where they already mean something. */
function steer(event, controls) {
  if (event.defaultPrevented || !isShortcut(event)) return;
  const arrow = /^Arrow/.test(event.key);
  // A wide table scrolls by these keys, and so does a map.
  const scroller = event.target.closest(".scrolls, .map-scroll, .tab-page");
  if (scroller && !(scroller.matches(".lines") && arrow)) return;
  // From one lit thing to the next: see roving.js.
  if (arrow && event.target.closest("[data-lit], [data-selected]")) return;
  if (event.key === " " && event.target.closest("button, a, summary, [role=button]")) return;
  const way = {
    ArrowLeft: event.shiftKey ? controls.eventBack : controls.back,
    ArrowRight: event.shiftKey ? controls.eventOn : controls.on,
    ArrowDown: controls.turnBack,
    ArrowUp: controls.turnOn,
    Home: controls.first,
    End: controls.now,
    " ": controls.play,
    m: controls.mine,
  }[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!way) return;
  event.preventDefault();
  way();
}
