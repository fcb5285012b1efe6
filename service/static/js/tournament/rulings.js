// Disputes and rulings, with what was written; players may appeal.
import { tr } from "../base/text.js";
import { html, useState } from "../base/ui.js";
import { clock, count, isolated, list, words } from "../base/words.js";
import { ENTRANT } from "./commands.js";
import { CommandForm } from "./form.js";
import { pointsOf, tableName } from "./said.js";

export function Rulings({ store }) {
  const { disputes, rulings } = store.judged.value;
  const name = (who) => store.byName.value.get(who)?.name || directorName(store, who);
  const tableOf = (game) => store.tables.value.find((table) => table.game === game);
  const plays = Boolean(store.tournament.value.you.entrant) && !store.tournament.value.over;
  return html`<section aria-labelledby="disputes-heading"><h2 id="disputes-heading">Disputes</h2>
      ${disputes.length === 0 && html`<p class="none">There are no disputes.</p>`}
      <ul class="judged">${disputes.map((one) => html`<li key=${one.dispute} data-dispute=${one.dispute} data-open=${String(one.open)}>
        <p><b>Dispute ${one.dispute}</b> by <bdi>${name(one.by)}</bdi>${one.table ? tr(", round {round}, table {table}", { round: one.round, table: one.table }) : ""}${
          one.against && html`, against <bdi>${name(one.against)}</bdi>`} <span class="tag">${one.open ? tr("open") : tr("decided")}</span></p>
        ${one.text && html`<blockquote dir="auto"><bdi>${one.text}</bdi></blockquote>`}
      </li>`)}</ul>
      ${plays && html`<details class="more"><summary>Raise a dispute</summary><${CommandForm} store=${store}
        command=${ENTRANT.raise_dispute}/></details>`}
    </section>
    <section aria-labelledby="rulings-heading"><h2 id="rulings-heading">Rulings</h2>
      ${rulings.length === 0 && html`<p class="none">There are no rulings.</p>`}
      <ul class="judged">${rulings.map((one) => html`<li key=${one.ruling} data-ruling=${one.ruling}>
        <p><b>Ruling ${one.ruling}</b> (${words(one.kind)}) by <bdi>${name(one.by)}</bdi>, ${clock(one.at)}${
          one.dispute ? tr(", on dispute {dispute}", { dispute: one.dispute }) : ""}${one.appeal ? tr(", on the appeal against ruling {appeal}", { appeal: one.appeal }) : ""}
          ${one.appealed && html`<span class="tag">appealed</span>`}</p>
        ${one.text && html`<blockquote dir="auto"><bdi>${one.text}</bdi></blockquote>`}
        <ul class="effects">${one.effects.map((effect, index) => html`<li key=${index}><bdi>${effectText(effect, name, tableOf)}</bdi></li>`)}</ul>
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
  result: (told) => tr("Round {round}, table {table}: places {places} by seat", { ...told, places: told.places.join(", ") }),
  points: (told, name) => tr("{points} for {name}", {
      points: (told.add < 0 ? "−" : "+") + count(pointsOf(Math.abs(told.add)), "point"),
      name: name(told.entrant),
    }),
  replay: (told) => tr("Round {round}, table {table} is played again", { round: told.round, table: told.table }),
  forfeit: (told, name) => tr("{name} forfeits round {round}", { name: name(told.entrant), round: told.round }),
  disqualify: (told, name) => tr("{name} is disqualified", { name: name(told.entrant) }),
  warn: (told, name) => tr("{name} is warned", { name: name(told.entrant) }),
  add_time: (told, name, tableOf) => moreTime(told, name, tableOf(told.game)),
  end_game: (told, name, tableOf) => endedGame(tableOf(told.game)),
  rating: () => tr("The game does not count for ratings"),
};

/** More time for a player; *table*: none if the game was replaced since. */
function moreTime({ add_ms, seat }, name, table) {
  const minutes = count(Math.round(add_ms / 6000) / 10, "minute");
  if (!table) return tr("{minutes} more for seat {seat} of a game", { minutes, seat });
  return tr("{minutes} more for {name} ({table})", { minutes, name: name(table.holders[seat]), table: tableName(table) });
}

const endedGame = (table) => (table ? tr("The game is ended ({table})", { table: tableName(table) }) : tr("A game is ended"));

/** An effect in words. */
function effectText(effect, name, tableOf) {
  const apart = (who) => isolated(name(who));
  return list(Object.entries(effect).filter(([, told]) => told).map(([kind, told]) => SAID[kind]?.(told, apart, tableOf) || words(kind)));
}
