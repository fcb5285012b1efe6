// The table of one game: what this seat sees, what it may do, what has happened, and the way through time.
import { Actions } from "./actions.js";
import { request } from "./api.js";
import { account, ensureAccount } from "./account.js";
import { Clocks } from "./clocks.js";
import { openGame } from "./game.js";
import { History } from "./history.js";
import { complain } from "./notices.js";
import { Panels } from "./panels.js";
import { lines, postKept, receiptsKept } from "./proof/receipts.js";
import { amend, go, route } from "./router.js";
import { SeatRow, Seats } from "./seats.js";
import { Together } from "./together.js";
import { loadTitle, loadTitles, rulesOf, titleName } from "./titles.js";
import { classes, effect, html, useEffect, useMemo, useState } from "./ui.js";
import { Voyage } from "./voyage.js";
import { winners } from "./lobby.js";
import { count, seatName } from "./words.js";

export function TablePage({ id }) {
  const store = useMemo(() => openGame(id, wish()), [id, account.value?.id]);
  useEffect(() => {
    void loadTitles().catch(complain);
    // The address follows the traveller, so that it can be sent to somebody ...
    const mirror = effect(() => amend(`games/${id}`, { at: store.table.at.value, seat: store.eyes.value }));
    // ... and the traveller follows the address.
    const obey = () => route.value.id === id && (store.lookThrough(wish().seat), store.table.go(wish().at));
    window.addEventListener("hashchange", obey);
    return () => {
      mirror();
      window.removeEventListener("hashchange", obey);
      store.close();
    };
  }, [store]);

  const game = store.game.value;
  if (!game)
    return html`<div class="page">${store.problem.value ? html`<${Missing} store=${store}/>` : html`<p
      class="hint">…</p>`}</div>`;
  return html`<${Seats.Provider} value=${game.seats}>
    <div class=${classes("table-page", store.table.travelling.value && "travelling")}>
      <${Head} store=${store} game=${game}/>
      ${
        store.problem.value &&
        html`<p class="failure strip" role="alert">${store.problem.value.detail || String(store.problem.value)}
        <button type="button" onClick=${store.refresh}>Try again</button></p>`
      }
      ${game.status === "open" ? html`<${Waiting} store=${store} game=${game}/>` : html`<${Table} store=${store}
        game=${game}/>`}
    </div>
  <//>`;
}

/** What the address asks for. */
function wish() {
  const { at, seat } = route.value.query;
  const number = (text) => (/^\d+$/.test(text ?? "") ? Number(text) : null);
  return { at: number(at), seat: seat === "spectator" ? seat : number(seat) };
}

function Missing({ store }) {
  const problem = store.problem.value;
  return html`<h1>${problem.status === 404 ? "No such game" : "The game cannot be shown"}</h1>
    <p class="failure" role="alert">${problem.detail || String(problem)}</p>
    <p class="row"><button type="button" onClick=${store.refresh}>Try again</button><a class="button"
      href="#/">Back to the harbour</a></p>`;
}

function awaitedSeats(store) {
  const open = store.decisions.value?.decisions || [];
  return [...new Set(open.filter((each) => !each.free && each.seat !== null).map((each) => each.seat))];
}

function Head({ store, game }) {
  const awaited = awaitedSeats(store);
  const myMove = game.seats.some((seat) => seat.you && awaited.includes(seat.seat));
  const name = titleName(game.title);
  useEffect(() => {
    document.title = `${myMove ? "● Your move · " : ""}${name} · Rutter`;
    return () => {
      document.title = "Rutter";
    };
  }, [myMove, name]);
  return html`<header class="table-head">
    <div class="table-title">
      <h1>${name}</h1>
      <p class="states">
        <span class="status ${game.status}">${game.status}</span>
        ${game.analysis && html`<span class="tag">analysis</span>`}
        ${game.status === "running" && html`<${Live} state=${store.connection.value}/>`}
        <span class="hint">version ${game.version}</span>
        <a class="quiet-link" href=${`#/titles/${game.title}`}>Reference</a>
        <a class="quiet-link" href=${rulesOf(game.title, game.version)} target="_blank" rel="noopener">Rules</a>
        <${More} store=${store} game=${game}/>
        <${Proof} game=${game}/>
      </p>
      <${Eyes} store=${store}/>
    </div>
    ${game.status !== "open" && html`<${SeatRow} seats=${game.seats} awaited=${awaited}/>`}
    ${game.status === "running" && game.clock && html`<${Clocks} clock=${game.clock} seats=${game.seats}/>`}
    ${game.status === "abandoned" && html`<p class="outcome">The game was abandoned: it has no result. The history
      says why.</p>`}
    ${game.status === "finished" && html`<p class="outcome"><strong>${winners(game)}.</strong> ${places(game)}</p>`}
  </header>`;
}

/** The order of the table at the end, if it has one. */
function places(game) {
  const { places: rank, scores } = game.outcome || {};
  if (!rank || !scores) return "";
  const order = game.seats
    .map((seat, index) => ({ seat, rank: rank[index], score: scores[index] }))
    .sort((a, b) => a.rank - b.rank);
  return order.map(({ seat, rank: place, score }) => `${place}. ${seatName(seat)} (${score})`).join(" · ");
}

const LIVE = { live: "live", connecting: "connecting …", reconnecting: "reconnecting …", off: "not live" };

function Live({ state }) {
  return html`<span class="live ${state}" role="status"><i aria-hidden="true"></i>${LIVE[state]}</span>`;
}

/** Which chair I look from, where there is a choice. */
function Eyes({ store }) {
  const mine = store.mine.value;
  const seats = store.seats.value;
  if (!mine.length || store.game.value.status === "open") return null;
  const options = [...mine, "spectator"];
  const name = (eye) =>
    eye === "spectator"
      ? "Public view"
      : mine.length > 1
        ? seatName(seats.find((seat) => seat.seat === eye))
        : "My view";
  return html`<p class="eyes segments" role="group" aria-label="Look through">${options.map(
    (eye) => html`<button key=${eye} type="button"
    aria-pressed=${store.looking.value === eye} onClick=${() => store.lookThrough(eye)}>${name(eye)}</button>`,
  )}</p>`;
}

function More({ store, game }) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      await saveAudit(store, game);
    } catch (problem) {
      complain(problem);
    } finally {
      setBusy(false);
    }
  };
  if (game.status === "open") return null;
  return html`<button type="button" class="quiet-link" disabled=${busy} onClick=${download}
    title="The record of this game as you may know it, for an offline check with rutter verify">Audit file</button>`;
}

async function saveAudit(store, game) {
  const seat = typeof store.looking.value === "number" ? store.looking.value : "spectator";
  const answer = await request("GET", `${store.path}/audit`, {
    query: { seat },
    headers: { Accept: "application/x-ndjson" },
  });
  save(await answer.blob(), `${game.title}-${game.id.slice(0, 8)}.ndjson`);
}

function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** What this browser holds against a service that would take something back. */
function Proof({ game }) {
  const kept = receiptsKept(game.id);
  if (!kept) return null;
  const download = () =>
    save(new Blob([lines(game.id)], { type: "application/x-ndjson" }), `receipts-${game.id}.ndjson`);
  return html`<span class="proof" title="The service has signed for what happened here: it cannot take it back">
    ${count(kept, "receipt")} <button type="button" class="quiet-link" onClick=${download}
      title="For rutter verify --receipts">Save receipts</button></span>`;
}

function Waiting({ store, game }) {
  const mine = store.mine.value.length > 0;
  const full = !game.seats.some((seat) => seat.open);
  const act = (action) => async () => {
    if (await ensureAccount()) action().catch(complain);
  };
  return html`<section class="waiting-room">
    <p class="lead">${full ? "Every seat is taken. Whoever created the game can begin it."
      : "This game waits for players. Send its address to somebody."}</p>
    <${SeatRow} seats=${game.seats} action=${(seat) =>
      seat.open &&
      !mine &&
      html`<button type="button" class="primary" onClick=${act(() => store.join(seat.seat))}>Sit here</button>`}/>
    ${mine && full && html`<p class="row"><button type="button" class="primary large"
      onClick=${act(store.begin)}>Begin the game</button></p>`}
    ${mine && !full && html`<p class="hint">This page notices by itself when somebody sits down.</p>`}
  </section>`;
}

function Table({ store, game }) {
  const [title, setTitle] = useState(null);
  useEffect(() => void loadTitle(game.title, game.version).then(setTitle, complain), [game.title, game.version]);
  const table = store.table.shown.value;
  const { travelling, wanted, go: travelTo } = store.table;
  return html`<div class="table-grid">
      <section class="board" aria-label="The table" aria-busy=${table?.seq !== wanted.value}>
        ${
          travelling.value &&
          html`<p class="looking-back" role="status">
          <span>You are looking at event <b>${wanted.value}</b> of ${store.last.value}.</span>
          <button type="button" class="primary" onClick=${() => travelTo(null)}>Back to now</button>
          <${Analyse} store=${store}/></p>`
        }
        ${
          !table
            ? html`<p class="hint">…</p>`
            : table.panels.length
              ? html`<${Panels} panels=${table.panels}/>`
              : html`<p class="none">The game had not begun yet: players were still sitting down.</p>`
        }
      </section>
      <aside class="desk">
        ${game.status === "running" && html`<${Actions} store=${store} title=${title}/>`}
        <${Together} store=${store} game=${game}/>
        <${History} store=${store}/>
      </aside>
    </div>
    <${Voyage} store=${store}>${!travelling.value && html`<${Analyse} store=${store}/>`}<//>`;
}

/** A new analysis game from the event looked at. */
function Analyse({ store }) {
  const [busy, setBusy] = useState(false);
  const analyse = async () => {
    if (busy || !(await ensureAccount())) return;
    setBusy(true);
    try {
      const fork = await postKept(`${store.path}/forks`, { at: store.table.wanted.value });
      go(`#/games/${fork.id}`);
    } catch (problem) {
      complain(problem);
    } finally {
      setBusy(false);
    }
  };
  return html`<button type="button" class="analyse" disabled=${busy} onClick=${analyse}
    title="Take another course from this event, in a game of your own">Analyse<span
    class="spare"> from here</span></button>`;
}
