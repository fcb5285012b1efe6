// Rounds: who meets whom, how each table goes, and its board to watch beside the others.
import { openGame } from "../table/game.js";
import { Charts } from "../board/map.js";
import { complain } from "../base/notices.js";
import { Panel } from "../board/panels.js";
import { Seats } from "../board/seats.js";
import { loadDisplay } from "../titles/titles.js";
import { keyed, plural, tr } from "../base/text.js";
import { classes, html, useEffect, useMemo, useState } from "../base/ui.js";
import { count } from "../base/words.js";
import { Name, Names, points } from "./said.js";
import { SheetLinks } from "./sheets.js";

/** All rounds, the newest first; *newest*: only that one. */
export function Rounds({ store, newest = false }) {
  const [watched, setWatched] = useState(null);
  const rounds = [...store.rounds.value].reverse().slice(0, newest ? 1 : undefined);
  if (!rounds.length) return html`<p class="none">No round is paired yet.</p>`;
  return rounds.map((round) => html`<section key=${round.round} class="round" data-round=${round.round} data-status=${round.status}>
    <h3>Round ${round.round} <span class=${`status ${round.status === "running" ? "running" : ""}`}>${tr(round.status)}</span></h3>
    ${!newest && html`<p class="row"><${SheetLinks} store=${store} round=${round.round}/></p>`}
    ${round.status === "running" && html`<p class="hint" data-part="progress">${progress(round)}</p>`}
    <ul class="tables">${round.tables.map((table) => html`<${Table} key=${table.table} store=${store} table=${table} round=${round}
      watched=${Boolean(table.game) && watched === table.game} onWatch=${() => setWatched(watched === table.game ? null : table.game)}/>`)}</ul>
    ${round.byes.length > 0 && html`<p class="hint" data-part="byes">Without a game: <${Names} names=${round.byes.map(
      (name) => store.byName.value.get(name)?.name || name,
    )}/>.</p>`}
    ${round.draw && html`<p class="hint">Paired by draw ${round.draw.k} of the randomness that was committed before entry. ${
      round.repeats ? plural(round.repeats, "{n} pair had met before", "{n} pairs had met before") : tr("No two players at a table had met before")}.</p>`}
  </section>`);
}

/** What a running round waits for, in a sentence for everybody. */
function progress({ tables }) {
  const open = tables.filter((table) => table.status === "playing" || table.status === "starting").length;
  if (open) return plural(open, "{n} table of {all} still plays.", "{n} tables of {all} still play.", { all: tables.length });
  if (tables.some((table) => !table.places)) return tr("All tables are over. A director has to rule on those without a result.");
  if (tables.some((table) => table.status !== "confirmed")) return tr("All tables are over. The round closes when their results stand.");
  return tr("All results stand.");
}

const STATUS = {
  paired: keyed("paired"),
  starting: keyed("starting"),
  playing: keyed("playing"),
  ended: keyed("ended, may be disputed"),
  confirmed: keyed("result stands"),
  disputed: keyed("disputed"),
};

function Table({ store, table, round, watched, onWatch }) {
  const mine = table.holders.includes(store.tournament.value.you.entrant);
  const playing = table.status === "playing";
  return html`<li class=${classes("table-card", mine && "mine")} data-table=${table.table} data-status=${table.status}>
    <p class="row"><b>Table ${table.table}</b><span class=${classes("tag", table.status === "disputed" && "frozen")}>${
      tr(STATUS[table.status])}</span>
      ${table.game && html`<a class=${classes("button", mine && playing && "primary")} href=${`/g/${table.game}`}>${
        mine && playing ? tr("Play") : playing ? tr("Watch") : tr("The game")}</a>`}
      ${table.game && html`<button type="button" aria-expanded=${String(watched)} onClick=${onWatch}>Board</button>`}</p>
    <ol class="sitting">${table.entrants.map((name, seat) => html`<li key=${seat} data-place=${table.places?.[seat]}>
      <span class="place">${table.places ? `${table.places[seat]}.` : ""}</span>
      <${Name} of=${store.byName.value.get(name)} entrant=${name}/>
      ${table.holders[seat] !== name && html`<span class="hint"> (substitute: <bdi>${
        store.byName.value.get(table.holders[seat])?.name || table.holders[seat]}</bdi>)</span>`}
      <span class="gained">${table.points ? points(table.points[seat]) : ""}</span>
    </li>`)}</ol>
    ${mine && table.status === "ended" && table.places && html`<${Confirm} store=${store} table=${table} round=${round}/>`}
    ${watched && html`<${LiveBoard} id=${table.game}/>`}
  </li>`;
}

/** A player says that the result is right: then nobody needs to wait for it. */
function Confirm({ store, table, round }) {
  if (table.confirmed_by?.includes(store.tournament.value.you.entrant)) return html`<p class="hint">You have confirmed the result.</p>`;
  const confirm = () => store.give("confirm_result", { table: table.table, round: round.round }).catch(complain);
  return html`<p class="row"><button type="button" onClick=${confirm}>Confirm the result</button></p>`;
}

/** The board of a game as everybody may see it, kept fresh while it is open. */
function LiveBoard({ id }) {
  const store = useMemo(() => openGame(id, { seat: "spectator" }), [id]);
  const [charts, setCharts] = useState({});
  const game = store.game.value;
  useEffect(() => () => store.close(), [store]);
  useEffect(() => void (game && loadDisplay(game.title, game.version).then((title) => setCharts(title.charts), complain)), [
    game?.title,
    game?.version,
  ]);
  const panels = store.table.shown.value?.panels || [];
  const drawn = panels.filter((panel) => panel.role === "board" || panel.role === "status");
  if (!game || !drawn.length) return html`<p class="hint">…</p>`;
  return html`<${Seats.Provider} value=${game.seats}><${Charts.Provider} value=${charts}>
    <div class="live-board" data-part="live-board" data-seq=${store.table.shown.value.seq}>${drawn.map(
      (panel, index) => html`<${Panel} key=${`${panel.kind} ${index}`} panel=${panel} name=${`${id} ${index}`}/>`,
    )}</div>
  <//><//>`;
}
