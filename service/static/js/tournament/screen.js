// The view for a big screen in the room: standings and tables by turns, without anybody at the keys.
import { fileOf } from "../base/files.js";
import { Live } from "../base/live.js";
import { route } from "../base/router.js";
import { keyed, plural, tr } from "../base/text.js";
import { classes, html, useEffect, useState } from "../base/ui.js";
import { count } from "../base/words.js";
import { points } from "./said.js";

const SECONDS = 12; // that a slide stays
const LINES = 11; // of the standings on one slide
const HEIGHT = 19; // of the tables on one slide, in lines
const ACROSS = 3; // tables beside each other
const ENDED = ["ended", "confirmed", "disputed"];

/** Standings and tables of the newest round in large type, a slide after the other. */
export function Screen({ store, t }) {
  const slides = slidesOf(store);
  const [turn, setTurn] = useState(0);
  const seconds = Math.max(1, Number(route.value.query.seconds) || SECONDS);
  useEffect(() => {
    const timer = setInterval(() => setTurn((old) => old + 1), seconds * 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  useEffect(keepAwake, []);
  const round = store.rounds.value.at(-1);
  const slide = slides[turn % slides.length];
  return html`<div class="big-screen" data-tournament=${t.id} data-slide=${slide.kind} data-page=${slide.page}>
    <link rel="stylesheet" href=${fileOf("css/sheets.css")}/>
    <header><h1><bdi>${t.name || tr("A tournament")}</bdi></h1><p>${round ? tr("Round {round}", { round: round.round }) : tr(t.status)}${progress(round)}</p></header>
    <section aria-live="off">${slide.kind === "standings" ? html`<${Places} store=${store} lines=${slide.lines}/>` : slide.kind === "tables"
      ? html`<${Tables} store=${store} tables=${slide.tables}/>` : html`<p class="big-none">${count(t.entrants, "entrant")}</p>`}</section>
    <footer><img src=${`/t/${t.id}/code.svg`} alt="A code that leads to this tournament" width="120" height="120"/>
      <p>Follow every table on your phone.</p><p class="of-slides">${slides.length > 1 && tr("{value} of {count}", { value: (turn % slides.length) + 1, count: slides.length })} <${Live}
      state=${store.connection.value}/></p></footer>
  </div>`;
}

/** How many tables of a round have their result. */
function progress(round) {
  if (!round?.started_at || !round.tables.length) return "";
  const done = round.tables.filter((table) => table.places).length;
  return plural(done, ": {n} of {tables} has a result", ": {n} of {tables} have a result", {
    tables: count(round.tables.length, "table"),
  });
}

function slidesOf(store) {
  const lines = store.standings.value?.standings || [];
  const tables = [...(store.rounds.value.at(-1)?.tables || [])];
  // Those that still play come first: they are what the room waits for.
  tables.sort((one, other) => ENDED.includes(one.status) - ENDED.includes(other.status) || one.table - other.table);
  const standings = pagesOf(lines, LINES).map((part, page) => ({ kind: "standings", page, lines: part }));
  const seats = Math.max(2, ...tables.map((table) => table.holders.length));
  const rows = Math.max(1, Math.floor(HEIGHT / (seats + 2.5)));
  const played = pagesOf(tables, rows * ACROSS).map((part, page) => ({ kind: "tables", page, tables: part }));
  return standings.length + played.length ? [...played, ...standings] : [{ kind: "none", page: 0 }];
}

const pagesOf = (all, size) =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, page) => all.slice(page * size, (page + 1) * size));

const nameOf = (store, entrant) => store.byName.value.get(entrant)?.name || entrant;

function Places({ store, lines }) {
  const { unit } = store.standings.value;
  return html`<h2>Standings</h2><table><tbody>${lines.map((line) => html`<tr key=${line.entrant} data-entrant=${line.entrant}><td
    class="number">${line.rank}</td><th scope="row"><bdi>${nameOf(store, line.entrant)}</bdi></th><td class="number">${
      points(line.points, unit)}</td></tr>`)}</tbody></table>`;
}

const SAID = { paired: keyed("soon"), starting: keyed("starts"), playing: keyed("playing"), ended: keyed("over"), confirmed: keyed("over"), disputed: keyed("in dispute") };

function Tables({ store, tables }) {
  return html`<h2>Tables</h2><ul class="big-tables">${tables.map((table) => html`<li key=${table.table}
    class=${classes("big-table", table.status === "playing" && "playing")} data-table=${table.table} data-status=${table.status}>
    <p><b>Table ${table.table}</b> <span>${tr(SAID[table.status])}</span></p>
    <ol>${table.holders.map((name, seat) => html`<li key=${seat}><bdi>${nameOf(store, name)}</bdi>${
      table.places && html` <b>${table.places[seat]}.</b>`}</li>`)}</ol></li>`)}</ul>`;
}

/** Ask the browser not to darken the screen; where it cannot, its settings must do. */
function keepAwake() {
  let lock = null;
  let left = false;
  const ask = () =>
    document.hidden ||
    navigator.wakeLock?.request("screen").then(
      (got) => (left ? got.release() : (lock = got)),
      () => null,
    );
  ask();
  document.addEventListener("visibilitychange", ask); // a browser takes it back from a hidden page
  return () => {
    left = true;
    document.removeEventListener("visibilitychange", ask);
    void lock?.release();
  };
}
