// What is left to choose between, beside the place that was pointed at.
import { missing, steps } from "../acting/acting.js";
import { Counter } from "../acting/counter.js";
import { Choice } from "./choice.js";
import { Clauses } from "../titles/clauses.js";
import { Odds } from "../acting/odds.js";
import { Clause, html, useEffect, useLayoutEffect, useRef } from "../base/ui.js";

const SHOWN = 8; // candidates in sight; more of them means: point at more

/** The popover; nothing while nothing has been pointed at. */
export function Popover({ store, acting, nameOf, textOf, onCompose }) {
  const box = useRef(null);
  const chosen = acting.chosen.value;
  const asked = acting.asked.value;
  const failure = acting.failure.value;
  const left = acting.candidates.value;
  const open = !store.busy.value && (chosen.length > 0 || asked || failure);
  useLayoutEffect(() => {
    if (open) stand(box.current, acting.anchor.value);
  }, [open, chosen, asked, left.length, failure]);
  useEffect(() => {
    if (asked) box.current?.querySelector("[data-part=confirm] .primary")?.focus();
  }, [asked]);
  if (!open) return null;
  const busy = store.busy.value;
  if (asked)
    return html`<section class="popover" ref=${box} role="alertdialog" aria-label="Confirm">
      <div data-part="confirm" class="confirm"><p><strong>${asked.label}?</strong> This cannot be undone.</p><${Odds} store=${store} item=${asked}/>
        <p class="row"><button type="button" class="primary" data-part="give" disabled=${busy}
          onClick=${() => acting.give(asked, true).catch(() => {})}>Yes</button>
        <button type="button" onClick=${() => { acting.asked.value = null; }}>No</button></p></div></section>`;
  const sorted = [...left].sort((one, other) => missing(one, chosen) - missing(other, chosen));
  const whole = sorted.filter((item) => !missing(item, chosen));
  // A row is laid piece by piece: there is nothing to press before it is whole.
  // What cannot be undone is no answer to a first click as long as something else is meant by it as well.
  const hasty = whole.length > 0 && whole.length < left.length && whole.every((item) => item.grave);
  const loose = sorted.filter((item) => !item.ordered);
  const groups = hasty ? withLast(steps(loose.filter((item) => !whole.includes(item))), steps(whole)) : steps(whole.length ? whole : loose);
  const shown = chosen.length ? groups.slice(0, SHOWN) : [];
  const unlaid = whole.length ? 0 : Math.min(...left.filter((item) => item.ordered).map((item) => missing(item, chosen)));
  const more = left.length - shown.reduce((sum, group) => sum + group.items.length, 0);
  return html`<section class="popover" ref=${box} aria-label="What you can do here">
    <header><strong>${chosen.map(nameOf).join(" → ")}</strong>
      <span class="rests-on">${chosen.map((ref) => html`<${Clauses} key=${ref} of=${ref}/>`)}</span>
      <button type="button" class="quiet" aria-label="Clear the selection (Escape)" onClick=${acting.clear}>×</button></header>
    ${chosen.length > 0 && textOf(chosen.at(-1)) && html`<p class="said-on-it">${textOf(chosen.at(-1))}</p>`}
    ${failure && html`<p class="failure" role="alert">${failure.detail || String(failure)} <${Clause}
      href=${failure.clause}/></p>`}
    <div class="candidates">${shown.map(
      (group, index) => html`<${Choice} key=${JSON.stringify(group.items[0].command)} group=${group} acting=${acting}
        busy=${busy} primary=${index === 0 && !hasty && (whole.length > 0 || left.length === 1)}
        part=${!hasty && (whole.length === 1 || left.length === 1) ? "give" : "candidate"}/>`,
    )}</div>
    ${chosen.length > 0 && html`<${Counter} store=${store} acting=${acting} items=${left} onCompose=${onCompose}/>`}
    ${wars(left).map((item) => html`<${Odds} key=${item.war} store=${store} item=${item}/>`)}
    ${shown.length > 0 && more > 0 && html`<p class="hint">${more} more. Click another highlighted thing.</p>`}
    ${!shown.length && left.length > 0 && html`<p class="hint" data-part="unlaid" role="status">${unlaid} more in this row. Click the next.</p>`}
  </section>`;
}

/** As many *groups* as there is room for, and the *last* ones after them. */
const withLast = (groups, last) => [...groups.slice(0, SHOWN - last.length), ...last];

/** Of the wars that may be begun one against each enemy, if there is one enemy only. */
function wars(items) {
  const enemies = new Map(items.filter((item) => item.war !== undefined).map((item) => [item.war, item]));
  return enemies.size === 1 ? [...enemies.values()] : [];
}

const GAP = 14;

/** Put *box* beside *anchor*, where it hides as little as may be of what is lit. */
function stand(box, anchor) {
  if (!box || matchMedia("(max-width: 46rem)").matches) return;
  const { offsetWidth: width, offsetHeight: height } = box;
  const game = box.parentElement.getBoundingClientRect();
  const at = anchor || { left: game.right - width, right: game.right, top: 120, bottom: 120 };
  const lit = [...document.querySelectorAll("[data-lit], [data-part=ask], [data-part=answer]")].map((each) => each.getBoundingClientRect());
  const middle = (at.left + at.right) / 2 - width / 2;
  const level = (at.top + at.bottom) / 2 - height / 2;
  const places = [
    [at.right + GAP, level], [at.left - width - GAP, level], [middle, at.bottom + GAP], [middle, at.top - height - GAP],
    [at.right + GAP, at.bottom + GAP], [at.left - width - GAP, at.bottom + GAP],
    [at.right + GAP, at.top - height - GAP], [at.left - width - GAP, at.top - height - GAP],
    [game.left + GAP, game.top + 100], [game.right - width - GAP, game.top + 100], [game.left + GAP, game.bottom - height - 60],
  ].map(([left, top]) => ({
    left: Math.max(game.left + 8, Math.min(game.right - width - 8, left)),
    top: Math.max(game.top + 8, Math.min(game.bottom - height - 8, top)),
  }));
  const hides = ({ left, top }) =>
    lit.filter((each) => {
      const [x, y] = [(each.left + each.right) / 2, (each.top + each.bottom) / 2];
      return x > left - 8 && x < left + width + 8 && y > top - 8 && y < top + height + 8;
    }).length;
  const best = places.reduce((one, other) => (hides(other) < hides(one) ? other : one));
  box.style.left = `${best.left - game.left}px`;
  box.style.top = `${best.top - game.top}px`;
}
