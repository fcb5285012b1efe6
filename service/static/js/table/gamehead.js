// The head of a game: its name, the views of it, through whose eyes one looks, and whether it is live.
import { Proof } from "./downloads.js";
import { Source } from "./forks.js";
import { Brand, Who } from "../base/frame.js";
import { Live } from "../base/live.js";
import { Badge, Holder } from "../board/seats.js";
import { Notify, mark, tell } from "./turn.js";
import { html, useEffect, useRef } from "../base/ui.js";
import { seatName } from "../base/words.js";

const NAMES = { board: "Board", log: "Log", tables: "Tables", graph: "Graph", rules: "Rules", notes: "Notes", talk: "Talk" };
export const TABS = Object.keys(NAMES);

export function Head({ store, game, name, tab, setTab }) {
  const awaited = store.awaited.value;
  const myMove = game.seats.some((seat) => seat.you && awaited.includes(seat.seat));
  const toldOf = useRef(null);
  useEffect(() => {
    mark(myMove);
    if (myMove && toldOf.current === false) tell(name);
    toldOf.current = myMove;
    return () => mark(false);
  }, [myMove, name]);
  useEffect(() => {
    document.title = `${myMove ? "● Your move · " : ""}${name} · Rutter`;
    return () => {
      document.title = "Rutter";
    };
  }, [myMove, name]);
  return html`<header class="game-head">
    <${Brand}/>
    <h1>${name}</h1>
    <${Live} state=${store.connection.value}/>
    ${game.analysis && html`<span class="tag">analysis</span>`}
    <${Source} game=${game}/>
    ${game.tournament && html`<a class="tag" data-part="tournament" href=${`/t/${game.tournament.id}`}>round ${game.tournament.round}, table ${game.tournament.table}</a>`}
    ${game.status === "finished" && !store.replay && html`<span class="tag places" data-part="result">${places(game)}</span>`}
    ${game.status !== "open" && html`<${Tabs} store=${store} tab=${tab} setTab=${setTab}/>`}
    <${Proof} game=${game}/>
    <${Eyes} store=${store}/>
    ${store.mine.value.length > 0 && game.status === "running" && html`<${Notify}/>`}
    <${Who}/>
  </header>`;
}

/** The views of a game: one stop of the Tab key, arrows lead from one to the next. */
function Tabs({ store, tab, setTab }) {
  const { unread, manner } = store.talk;
  const views = TABS.filter((each) => each !== "talk" || (manner.value !== null && manner.value !== "none") || tab === each);
  const turn = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = views[(views.indexOf(tab) + by + views.length) % views.length];
    setTab(next);
    event.currentTarget.querySelector(`[data-tab=${next}]`).focus();
  };
  return html`<div class="tabs" role="tablist" aria-label="Views" onKeyDown=${turn}>${views.map(
    (each) => html`<button key=${each} type="button" role="tab" data-part="tab" data-tab=${each}
      tabindex=${tab === each ? 0 : -1} aria-selected=${String(tab === each)} onClick=${() => setTab(each)}>${NAMES[each]}${each === "talk" && unread.value > 0 && html` <b class="count" data-part="unread">${
        unread.value
      }<span class="sr"> unread</span></b>`}</button>`,
  )}</div>`;
}

/** The order of the table at the end, if it has one. */
function places(game) {
  const { places: rank, scores } = game.outcome || {};
  if (!rank || !scores) return "";
  const order = game.seats
    .map((seat, index) => ({ seat, rank: rank[index], score: scores[index] }))
    .sort((a, b) => a.rank - b.rank);
  return order.map(({ seat, rank: place, score }, index) => html`<span key=${seat.seat}>${index > 0 && " · "}${place}. <${Holder}
    seat=${seat}/>: ${score}</span>`);
}

/** Through whose eyes I look, where there is a choice. */
function Eyes({ store }) {
  const mine = store.mine.value;
  const seats = store.seats.value;
  if (store.game.value.status === "open") return null;
  const open = store.ended.value;
  const options = open ? [...seats.map((each) => each.seat), "all", "spectator"] : [...mine, "spectator"];
  if (options.length < 2) return null;
  const name = (eye) => {
    if (eye === "spectator") return html`Public<span class="spare"> view</span>`;
    if (eye === "all") return "All hands";
    return mine.length === 1 && mine[0] === eye ? html`My<span class="spare"> view</span>` : html`<bdi>${seatName(seats[eye])}</bdi>`;
  };
  return html`<p class="eyes segments" data-part="eyes" role="group" aria-label="View as">${options.map(
    (eye) => html`<button key=${eye} type="button" data-eyes=${eye}
    aria-pressed=${String(store.looking.value === eye)} onClick=${() => store.lookThrough(eye)}>${
      typeof eye === "number" && html`<${Badge} seat=${eye}/>`
    } ${name(eye)}</button>`,
  )}</p>`;
}
