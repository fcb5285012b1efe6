// The cross table: everybody's rounds beside each other, with whom they met and what they won.
import { Download } from "../base/download.js";
import { tr } from "../base/text.js";
import { html } from "../base/ui.js";
import { list } from "../base/words.js";
import { Name, points } from "./said.js";
import { SheetLinks } from "./sheets.js";

export function CrossTable({ store }) {
  const told = store.standings.value;
  if (!told?.standings.length) return html`<p class="none">There are no standings yet.</p>`;
  const rounds = store.rounds.value.filter((one) => one.started_at);
  const ranks = new Map(told.standings.map((line) => [line.entrant, line.rank]));
  const duels = isOfDuels(store);
  return html`<section aria-labelledby="cross-heading"><h2 id="cross-heading">Cross table</h2>
    <div class="scrolls table-scroll" tabindex="0" role="group" aria-label="Cross table"><table class="cross-table" data-part="cross-table">
      <thead><tr><th scope="col" class="number">#</th><th scope="col">Player</th>${rounds.map((one) => html`<th key=${one.round}
        scope="col">Round ${one.round}</th>`)}<th scope="col" class="number">Points</th></tr></thead>
      <tbody>${told.standings.map((line) => html`<tr key=${line.entrant} data-entrant=${line.entrant}>
        <td class="number">${line.rank}</td><th scope="row"><${Name} of=${store.byName.value.get(line.entrant)} entrant=${line.entrant}/></th>
        ${rounds.map((one) => html`<td key=${one.round} data-round=${one.round}><${Cell} store=${store} round=${one}
          entrant=${line.entrant} ranks=${ranks} duels=${duels}/></td>`)}
        <td class="number"><b>${points(line.points, told.unit)}</b></td></tr>`)}</tbody>
    </table></div>
    <p class="note">${duels ? tr("The number of the opponent, and the result: + won, = shared, − lost.") : tr("The table, and the place at it.")} The
      points of the round stand below. A cell leads to its game.</p>
    <p class="row"><${Download} path=${`tournaments/${store.id}/standings`} query=${{ format: "cross_table" }}
      name=${`${store.id}-cross-table.csv`}>As a spreadsheet<//>
      ${duels && html`<${Download} path=${`tournaments/${store.id}/standings`} query=${{ format: "trf16" }} name=${`${store.id}.trf`}>For FIDE (TRF16)<//>`}
      <${SheetLinks} store=${store}/></p>
  </section>`;
}

/** True if all tables are of two. */
const isOfDuels = (store) => store.tournament.value.settings.table.size === 2;

/** A round of one entrant. */
function Cell({ store, round, entrant, ranks, duels }) {
  const table = round.tables.find((one) => one.entrants.includes(entrant));
  if (!table) return round.byes.includes(entrant) ? html`<span class="hint">bye</span>` : "–";
  const seat = table.entrants.indexOf(entrant);
  const others = table.entrants.filter((other) => other !== entrant);
  const met = tr("Table {table}: against {list}", { table: table.table, list: list(others.map((other) => store.byName.value.get(other)?.name || other)) });
  const result = duels ? `${ranks.get(others[0]) ?? "–"} ${sign(table.places, seat)}` : `T${table.table} ${placeOf(table.places, seat)}`;
  const text = html`${result}${table.points && html`<br/><small>${points(table.points[seat])}</small>`}`;
  return table.game ? html`<a href=${`/g/${table.game}`} title=${met} aria-label=${`${met}. ${spoken(table, seat)}`}>${text}</a>` : text;
}

const placeOf = (places, seat) => (places ? `${places[seat]}.` : "…");

/** How a table of two ended for a seat, in a sign. */
function sign(places, seat) {
  if (!places) return "…";
  const [mine, other] = [places[seat], places[1 - seat]];
  return mine < other ? "+" : mine > other ? "−" : "=";
}

const spoken = (table, seat) =>
  table.places ? tr("Place {places}, points {points}.", { places: table.places[seat], points: points(table.points[seat]) }) : tr("No result yet.");
