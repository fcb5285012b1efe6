// Disputes and rulings, with what was written; players may appeal.
import { html, useState } from "../base/ui.js";
import { clock, count, isolated, list, words } from "../base/words.js";
import { ENTRANT } from "./commands.js";
import { CommandForm } from "./form.js";
import { points } from "./said.js";

export function Rulings({ store }) {
  const { disputes, rulings } = store.judged.value;
  const name = (who) => store.byName.value.get(who)?.name || directorName(store, who);
  const plays = Boolean(store.tournament.value.you.entrant) && !store.tournament.value.over;
  return html`<section aria-labelledby="disputes-heading"><h2 id="disputes-heading">Disputes</h2>
      ${disputes.length === 0 && html`<p class="none">There are no disputes.</p>`}
      <ul class="judged">${disputes.map((one) => html`<li key=${one.dispute} data-dispute=${one.dispute} data-open=${String(one.open)}>
        <p><b>Dispute ${one.dispute}</b> by <bdi>${name(one.by)}</bdi>${one.table ? `, round ${one.round}, table ${one.table}` : ""}${
          one.against && html`, against <bdi>${name(one.against)}</bdi>`} <span class="tag">${one.open ? "open" : "decided"}</span></p>
        ${one.text && html`<blockquote dir="auto"><bdi>${one.text}</bdi></blockquote>`}
      </li>`)}</ul>
      ${plays && html`<details class="more"><summary>Raise a dispute</summary><${CommandForm} store=${store}
        command=${ENTRANT.raise_dispute}/></details>`}
    </section>
    <section aria-labelledby="rulings-heading"><h2 id="rulings-heading">Rulings</h2>
      ${rulings.length === 0 && html`<p class="none">There are no rulings.</p>`}
      <ul class="judged">${rulings.map((one) => html`<li key=${one.ruling} data-ruling=${one.ruling}>
        <p><b>Ruling ${one.ruling}</b> (${words(one.kind)}) by <bdi>${name(one.by)}</bdi>, ${clock(one.at)}${
          one.dispute ? `, on dispute ${one.dispute}` : ""}${one.appeal ? `, on the appeal against ruling ${one.appeal}` : ""}
          ${one.appealed && html`<span class="tag">appealed</span>`}</p>
        ${one.text && html`<blockquote dir="auto"><bdi>${one.text}</bdi></blockquote>`}
        <ul class="effects">${one.effects.map((effect, index) => html`<li key=${index}><bdi>${effectText(effect, name)}</bdi></li>`)}</ul>
        ${plays && !one.appealed && html`<${Appeal} store=${store} ruling=${one.ruling}/>`}
      </li>`)}</ul>
    </section>`;
}

const directorName = (store, who) => store.tournament.value.directors.find((one) => one.director === who)?.name || who;

function Appeal({ store, ruling }) {
  const [open, setOpen] = useState(false);
  if (!open) return html`<button type="button" class="quiet-link" onClick=${() => setOpen(true)}>Appeal</button>`;
  return html`<${CommandForm} store=${store} command=${ENTRANT.appeal} extra=${{ ruling }} onDone=${() => setOpen(false)}/>`;
}

const SAID = {
  result: (told) => `Round ${told.round}, table ${told.table}: places ${told.places.join(", ")} by seat`,
  points: (told, name) => `${told.add < 0 ? "−" : "+"}${count(Number(points(Math.abs(told.add))), "point")} for ${name(told.entrant)}`,
  replay: (told) => `Round ${told.round}, table ${told.table} is played again`,
  forfeit: (told, name) => `${name(told.entrant)} forfeits round ${told.round}`,
  disqualify: (told, name) => `${name(told.entrant)} is disqualified`,
  warn: (told, name) => `${name(told.entrant)} is warned`,
  add_time: (told) => `${count(Math.round(told.add_ms / 6000) / 10, "minute")} more for seat ${told.seat} of a game`,
  end_game: () => "A game is ended",
  rating: () => "The game does not count for ratings",
};

/** An effect in words. */
function effectText(effect, name) {
  const apart = (who) => isolated(name(who));
  return list(Object.entries(effect).filter(([, told]) => told).map(([kind, told]) => SAID[kind]?.(told, apart) || words(kind)));
}
