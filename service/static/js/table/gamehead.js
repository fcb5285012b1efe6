// The head of a game: its name, the views of it, through whose eyes one looks, and whether it is live.
import { Proof } from "./downloads.js";
import { Source } from "./forks.js";
import { Brand, Who } from "../base/frame.js";
import { Live } from "../base/live.js";
import { receiptsKept } from "../proof/receipts.js";
import { Badge } from "../board/seats.js";
import { keyed, tr } from "../base/text.js";
import { Notify, mark, tell } from "./turn.js";
import { classes, html, useEffect, useRef, useState } from "../base/ui.js";
import { seatName } from "../base/words.js";

const NAMES = { board: keyed("Board"), log: keyed("Log"), tables: keyed("Tables"), graph: keyed("Graph"), rules: keyed("Rules"), notes: keyed("Notes"), talk: keyed("Talk") };
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
    document.title = `${myMove ? tr("● Your move · ") : ""}${name} · Rutter`;
    return () => {
      document.title = "Rutter";
    };
  }, [myMove, name]);
  return html`<header class="game-head">
    <${Brand}/>
    <h1>${name}</h1>
    <${Live} state=${store.connection.value}/>
    ${store.presence.value?.spectators > 0 && html`<span class="tag" data-part="spectators" title="People who watch now">${store.presence.value.spectators} <span class="told">watching</span></span>`}
    ${game.analysis && html`<span class="tag">analysis</span>`}
    <${Source} game=${game}/>
    ${game.tournament && html`<a class="tag" data-part="tournament" href=${`/t/${game.tournament.id}`}>round ${game.tournament.round}, table ${game.tournament.table}</a>`}
    ${game.status !== "open" && html`<${Tabs} store=${store} tab=${tab} setTab=${setTab}/>`}
    <${More} store=${store} game=${game}/>
    ${store.mine.value.length > 0 && game.status === "running" && html`<${Notify}/>`}
    <${Who}/>
  </header>`;
}

/** The views of a game: one stop of the Tab key, arrows lead from one to the next. */
function Tabs({ store, tab, setTab }) {
  const { unread, manner } = store.talk;
  const views = TABS.filter((each) => each !== "talk" || manner.value !== "none" || tab === each);
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
      tabindex=${tab === each ? 0 : -1} aria-selected=${String(tab === each)} onClick=${() => setTab(each)}>${tr(NAMES[each])}${each === "talk" && unread.value > 0 && html` <b class="count" data-part="unread">${
        unread.value
      }<span class="sr"> unread</span></b>`}</button>`,
  )}</div>`;
}

/** Receipts and eyes: in the head where it is wide, else in a menu (game.css). */
function More({ store, game }) {
  const [open, setOpen] = useState(false);
  const box = useRef(null);
  useEffect(() => {
    if (!open) return;
    const leave = (event) => {
      if (event.type === "keydown" ? event.key === "Escape" : !box.current.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("keydown", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("keydown", leave);
    };
  }, [open]);
  const eyes = eyesOf(store);
  if (!eyes.length && !receiptsKept(game.id)) return null;
  return html`<div class=${classes("head-more", open && "open")} ref=${box}>
    <button type="button" class="head-menu" data-part="menu" aria-expanded=${String(open)} onClick=${() => setOpen(!open)}><span
      class="sr">Menu: </span>${eyes.length ? html`<${Eye} store=${store} eye=${store.looking.value}/>` : tr("Receipts")} <span
      aria-hidden="true">▾</span></button>
    <div class="head-box"><${Proof} game=${game}/>${eyes.length > 0 && html`<${Eyes} store=${store} eyes=${eyes}
      done=${() => setOpen(false)}/>`}</div>
  </div>`;
}

/** Through whose eyes I may look, where there is a choice. */
function eyesOf(store) {
  const mine = store.mine.value;
  if (store.game.value.status === "open") return [];
  const options = store.ended.value
    ? [...store.seats.value.map((each) => each.seat), "all", "spectator"]
    : [...mine, "spectator"];
  return options.length < 2 ? [] : options;
}

/** One of the eyes, by name. */
function Eye({ store, eye }) {
  const mine = store.mine.value;
  if (eye === "spectator") return html`<span>Public<span class="spare"> view</span></span>`;
  if (eye === "all") return tr("All hands");
  return html`<${Badge} seat=${eye}/> ${
    mine.length === 1 && mine[0] === eye
      ? html`<span>My<span class="spare"> view</span></span>`
      : html`<bdi class="eye-name">${seatName(store.seats.value[eye])}</bdi>`
  }`;
}

function Eyes({ store, eyes, done }) {
  const look = (eye) => () => {
    store.lookThrough(eye);
    done();
  };
  return html`<p class="eyes segments" data-part="eyes" role="group" aria-label="View as">${eyes.map(
    (eye) => html`<button key=${eye} type="button" data-eyes=${eye}
    aria-pressed=${String(store.looking.value === eye)} onClick=${look(eye)}><${Eye} store=${store} eye=${eye}/></button>`,
  )}</p>`;
}
