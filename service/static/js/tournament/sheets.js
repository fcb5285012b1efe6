// What an organiser prints for a round: the pairings to hang up, and a slip for each table.
import { textOn, seatColour } from "../board/colours.js";
import { fileOf } from "../base/files.js";
import { address } from "../base/router.js";
import { tr } from "../base/text.js";
import { html } from "../base/ui.js";
import { words } from "../base/words.js";

const SHEETS = { pairings: Pairings, slips: Slips };

/** The way to print what is in sight; only on a screen. */
export const PrintButton = () =>
  html`<button type="button" class="unprinted" data-part="print" onClick=${() => window.print()}>Print</button>`;

/** The ways to what is printed beside the tabs. *round*: its number, or the newest. */
export function SheetLinks({ store, round = store.rounds.value.at(-1)?.round }) {
  const to = (query) => address(`/t/${store.id}`, query);
  return html`<span class="row unprinted"><${PrintButton}/>
    ${round && store.tournament.value.you.director && html`<a class="button" data-part="to-pairings" href=${to({ sheet: "pairings", round })}>Pairings to print</a>
      <a class="button" data-part="to-slips" href=${to({ sheet: "slips", round })}>Slips to print</a>`}
    <a class="button" data-part="to-screen" href=${to({ screen: "on" })}>Big screen</a></span>`;
}

/** True if there is such a sheet. */
export const isSheet = (name) => Object.hasOwn(SHEETS, name);

/** The sheet *name* of a round, ready to be printed. */
export function Sheet({ store, t, name, number }) {
  const round = store.rounds.value.find((one) => one.round === Number(number)) || store.rounds.value.at(-1);
  const Content = SHEETS[name];
  return html`<div class="page sheet" data-tournament=${t.id} data-sheet=${name}>
    <link rel="stylesheet" href=${fileOf("css/sheets.css")}/>
    <p class="row unprinted"><a class="button" href=${address(`/t/${t.id}`, { tab: "rounds" })}>Back to the tournament</a>${
      round && html`<${PrintButton}/>`}<span class="hint">A4, black on white. Each table has its own code: it leads a phone to the table.</span></p>
    ${round ? html`<${Content} store=${store} t=${t} round=${round}/>` : html`<p class="none">No round is paired yet. Pair one, then print its sheets.</p>`}
  </div>`;
}

/** Who a sheet is for, in the names of the tournament. */
const nameOf = (store, entrant) => store.byName.value.get(entrant)?.name || entrant;

/** The address that the code of a table leads to. */
const codeOf = (t, round, table) => `/t/${t.id}/${round.round}/${table.table}/code.svg`;

function Pairings({ store, t, round }) {
  const seats = Math.max(...round.tables.map((table) => table.holders.length), 0);
  return html`<h1><bdi>${t.name || tr("A tournament")}</bdi></h1><h2>Round ${round.round}: who plays where</h2>
    <table class="pairings" data-part="pairings"><thead><tr><th scope="col">Table</th><th scope="col"
      colspan=${seats}>Players, in the order of their seats</th></tr></thead>
      <tbody>${round.tables.map((table) => html`<tr key=${table.table} data-table=${table.table}><th scope="row">${table.table}</th>${
        Array.from({ length: seats }, (_, seat) => html`<td key=${seat}>${seat < table.holders.length ? html`<bdi>${
          nameOf(store, table.holders[seat])}</bdi>${table.colours[seat] && html`<br/><small>${words(table.colours[seat])}</small>`}` : ""}</td>`)}</tr>`)}</tbody></table>
    ${round.byes.length > 0 && html`<p data-part="byes"><b>Without a game:</b> ${round.byes.map((one, index) => html`${index ? ", " : ""}<bdi
      key=${one}>${nameOf(store, one)}</bdi>`)}</p>`}`;
}

function Slips({ store, t, round }) {
  return html`<ul class="slips">${round.tables.map((table) => html`<li key=${table.table} class="slip" data-table=${table.table}>
    <div class="slip-head"><div><p><bdi>${t.name || tr("A tournament")}</bdi></p><h2>Round ${round.round}, table ${table.table}</h2></div>
      <img src=${codeOf(t, round, table)} alt=${tr("A code that leads to table {table}", { table: table.table })} width="113" height="113"/></div>
    <table><thead><tr><th scope="col">Seat</th><th scope="col">Player</th><th scope="col">Place</th><th scope="col">Points</th><th
      scope="col">Signature</th></tr></thead>
      <tbody>${table.holders.map((name, seat) => html`<tr key=${seat}><td><${Colour} seat=${seat} name=${table.colours[seat]}/></td>
        <th scope="row"><bdi>${nameOf(store, name)}</bdi></th><td></td><td></td><td></td></tr>`)}</tbody></table>
  </li>`)}</ul>`;
}

/** A seat's number in its colour, and the word for it: not every printer has colours. */
function Colour({ seat, name }) {
  const colour = seatColour(seat, { colour: name });
  return html`<b class="badge tone-seat" style=${{ "--tone": colour, "--on-tone": textOn(colour) }}>${seat}</b>${name && ` ${words(name)}`}`;
}
