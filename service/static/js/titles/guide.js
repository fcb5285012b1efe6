// A first turn of a title: what one plays for, how a move is made, what to look at. Who has read it never sees it again.
import { keep, recall } from "../base/kept.js";
import { tr } from "../base/text.js";
import { rulesOf } from "./titles.js";
import { Clause, html, useState } from "../base/ui.js";

const KEEP = "rutter.guided"; // by title how many of its hints have been read

/** The next of the hints of *title* that has not been read here. */
export function Guide({ title, game }) {
  const read = () => recall(KEEP, {}, localStorage);
  const [at, setAt] = useState(read()[game.title] ?? 0);
  const hints = title?.guide || [];
  if (at >= hints.length) return null;
  const go = (next) => {
    keep(KEEP, { ...read(), [game.title]: next }, localStorage);
    setAt(next);
  };
  const { text, clause } = hints[at];
  const last = at + 1 === hints.length;
  return html`<aside class="guide" data-part="guide" aria-label="Your first turn">
    <p tabindex="0">${text} <${Clause} href=${`${rulesOf(game.title, game.version)}#${clause}`}/></p>
    <div><span class="hint">${at + 1} of ${hints.length}</span>
      <button type="button" data-part="understood" onClick=${() => go(at + 1)}>${last ? tr("Got it") : tr("Next")}</button>
      ${!last && html`<button type="button" class="quiet" aria-label="No more hints" onClick=${() => go(hints.length)}>×</button>`}</div>
  </aside>`;
}
