// The table of one game: what this seat sees, what it may do, what has happened, and the way through time.
import { account } from "../account/account.js";
import { Acting, openActing } from "../acting/acting.js";
import { Advise, mayBeAdvised } from "../acting/advise.js";
import { Bar } from "../acting/bar.js";
import { Drawings, Rules } from "../titles/clauses.js";
import { Clocks } from "./clocks.js";
import { AuditFile } from "./downloads.js";
import { Analyse, Forks } from "./forks.js";
import { openGame } from "./game.js";
import { Head, TABS } from "./gamehead.js";
import { Guide } from "../titles/guide.js";
import { History } from "../time/history.js";
import { recall } from "../base/kept.js";
import { LIVELY } from "../base/live.js";
import { Lost } from "../account/lost.js";
import { Charts } from "../board/map.js";
import { complain } from "../base/notices.js";
import { Panel, Panels } from "../board/panels.js";
import { reading } from "../board/reading.js";
import { Replay } from "../time/replay.js";
import { amend, route } from "../base/router.js";
import { Edges, useInSight } from "../board/insight.js";
import { OPEN, useStop, wander } from "../board/roving.js";
import { isShortcut } from "../base/shortcuts.js";
import { rememberSeats } from "../account/sat.js";
import { Seats } from "../board/seats.js";
import { TalkStrip } from "../talk/said.js";
import { newest } from "../time/timeline.js";
import { loadDisplay, rulesOf } from "../titles/titles.js";
import { tr } from "../base/text.js";
import { Together } from "./together.js";
import { classes, effect, html, useEffect, useLate, useLayoutEffect, useMemo, useRef, useState } from "../base/ui.js";
import { Share } from "./share.js";
import { seatName, words } from "../base/words.js";

export function TablePage({ id }) {
  const store = useMemo(() => openGame(id, { ...wish(), talks: true }), [id, account.value?.id]);
  const acting = useMemo(() => openActing(store), [store]);
  const [tab, setTab] = useState(TABS.includes(route.value.query.tab) ? route.value.query.tab : "board");
  useEffect(() => {
    // The address follows the traveller, so that it can be sent to somebody ...
    const mirror = effect(() =>
      amend(`${route.value.embedded ? "/embed" : ""}/g/${id}`, {
        at: store.table.at.value,
        seat: store.eyes.value,
        tab: tab === "board" ? null : tab,
        replay: store.replay ? 1 : null,
      }),
    );
    // ... and the traveller follows the address.
    const obey = () => route.value.id === id && (store.lookThrough(wish().seat), store.table.go(wish().at));
    window.addEventListener("popstate", obey);
    return () => {
      mirror();
      window.removeEventListener("popstate", obey);
    };
  }, [store, tab]);
  useEffect(
    () => () => {
      acting.close();
      store.close();
    },
    [store],
  );
  const told = Boolean(store.decisions.value);
  useEffect(() => void (told && acting.resume()), [told && store.looking.value]);

  const game = store.game.value;
  if (!game)
    return html`<main id="main" tabindex="-1" class="page" data-page="game">${
      store.problem.value ? html`<${Missing} store=${store}/>` : html`<p class="hint">…</p>`}</main>`;
  return html`<${Seats.Provider} value=${seated(store, game)}><${Acting.Provider} value=${acting}>
    <${Game} store=${store} acting=${acting} game=${game} tab=${tab} setTab=${setTab}/>
  <//><//>`;
}

/** The seats, each with whether the game waits for it, and whether one looks through it. */
function seated(store, game) {
  const [awaited, looking, here] = [store.awaited.value, store.looking.value, store.presence.value?.seats ?? []];
  const told = ({ seat }) => ({ awaited: awaited.includes(seat), looking: seat === looking, here: here.includes(seat) });
  return game.seats.map((seat) => ({ ...seat, ...told(seat) }));
}

function Game({ store, acting, game, tab, setTab }) {
  const [title, setTitle] = useState(); // null if it cannot be told
  const [listed, setListed] = useState(false);
  const [advised, setAdvised] = useState(false); // whether a bot is asked at each event
  const [near, setNear] = useState(false); // whether the pointer or the focus has been on the table
  const Popover = useLate(near || acting.chosen.value.length, () => import("../board/popover.js").then((module) => module.Popover));
  const Lively = useLate(near || store.table.travelling.value, () => import("../lively/lively.js").then((module) => module.Lively));
  const Actions = useLate(listed, () => import("../acting/actions.js").then((module) => module.Actions));
  const Graph = useLate(tab === "graph", () => import("../time/graph.js").then((module) => module.Graph));
  useEffect(() => void loadDisplay(game.title, game.version).catch(complain).then((told) => setTitle(told ?? null)), [game.title, game.version]);
  const [calm, setCalm] = useState(false); // whether all that is needed to play has had its time to come
  useEffect(() => {
    const timer = title && setTimeout(() => setCalm(true), CALM);
    return () => clearTimeout(timer);
  }, [title]);
  const Art = useLate(calm && title?.art, () => import("../lively/art.js").then((module) => module.Art));
  const Waiting = useLate(game.status === "open", () => import("./waiting.js").then((module) => module.Waiting));
  const Notes = useLate(tab === "notes", () => import("./notes.js").then((module) => module.Notes));
  const Talk = useLate(tab === "talk", () => import("../talk/talk.js").then((module) => module.Talk));
  const looking = store.looking.value;
  const owes = store.awaited.value.includes(looking) && store.mine.value.includes(looking);
  const asked = owes && Boolean(store.answerable.value);
  const Enlarged = useLate(reading.value, () => import("../board/enlarged.js").then((module) => module.Enlarged));
  useStop(acting);
  const over = store.table.shown.value?.seq;
  const question = [looking, asked, over, tab, [...acting.lit.value].join(" ")].join("|");
  useInSight(question);
  useEffect(() => rememberSeats(game), [game.id, store.mine.value.length]);
  // Behind the curtain nothing of either hand is in the page.
  const panels = (store.curtain.value === null && store.table.shown.value?.panels) || [];
  const by = (role) => panels.filter((panel) => panel.role === role);
  const held = useRef(false); // whether there was a hand: its room stays, and the board where it is
  held.current ||= by("hand").length > 0;
  const { nameOf, textOf } = useNames(panels);
  const press = (event) => {
    const target = pressable(event);
    const ref = refOf(event);
    if (store.pace.under.value && event.target.closest(".stage")) store.pace.skip();
    else if (tab === "talk" && whisperTo(store, event.target.closest(".player"))) reading.value = null;
    else if (ref && !event.target.closest(".popover")) acting.press(ref, target.getBoundingClientRect());
  };
  const readHand = (event) => {
    if (event.key !== "Enter" || event.target !== event.currentTarget) return;
    const cards = by("hand").flatMap((panel) => (panel.kind === "cards" ? panel.items : []));
    if (cards.length) reading.value = { title: tr("Your hand"), cards };
  };
  const leaveList = () => {
    setListed(false);
    if (document.activeElement?.closest(".list")) document.getElementById("ask")?.focus({ preventScroll: true });
  };
  const rest = (event) => acting.point(refOf(event));
  const stopAt = (event) => {
    setNear(true);
    const ref = event.target.closest(OPEN)?.dataset.ref;
    if (ref) acting.stop.value = ref;
  };
  const undo = () => (store.grace.held.value ? store.grace.cancel() : store.undo().catch(complain));
  const keys = (event) => {
    if (event.key === "Escape" && event.target.closest(".list") && !acting.chosen.value.length) return leaveList();
    if (event.target.closest("input, select, textarea, dialog")) return;
    if (event.key === "Escape") letGo(store, acting) || leaveList();
    else if (event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey) {
      event.preventDefault();
      undo();
    }
    else if (!event.shiftKey && wander(event.target, event.key)) event.preventDefault();
    else if (event.key === "l" && isShortcut(event)) setListed((open) => !open);
    else if ((event.key === "Enter" || event.key === " ") && event.target.closest(OPEN)) {
      event.preventDefault();
      press(event);
      // Who chooses by keys goes on among what is left to choose between.
      requestAnimationFrame(() => document.querySelector(".popover .command")?.focus());
    } else if (event.key === "Enter" && !event.target.closest("button, a, summary"))
      document.querySelector(".popover .primary")?.click();
  };
  useLayoutEffect(() => {
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }, [acting]);
  useEffect(() => acting.point(null), [listed]);
  const spoiled = store.replay;
  const advisable = mayBeAdvised(store);
  const advising = advisable && advised;
  const Advice = useLate(advising, () => import("../acting/advice.js").then((module) => module.Advice));
  const guided = game.status === "running" && store.mine.value.length > 0 && !spoiled && !route.value.embedded;
  const taught = guided && recall("rutter.lesson", null, localStorage)?.game === game.id;
  const Lesson = useLate(taught, () => import("../titles/lesson.js").then((module) => module.Lesson));
  const ahead = guided && !taught && store.mine.value.includes(looking) && title?.standing.length > 0;
  const Standing = useLate(ahead && (near || calm), () => import("../acting/standing.js").then((module) => module.Standing));
  const Learn = useLate(tab === "rules", () => import("../titles/learn.js").then((module) => module.LearnById));
  return html`<${Rules.Provider} value=${title}><${Drawings.Provider} value=${Art}><main id="main" tabindex="-1" class=${classes("game-page", `tab-${tab}`, route.value.embedded && "embedded", store.table.travelling.value && "travelling")}
    data-page="game" data-game=${game.id} data-seq=${over} data-last=${spoiled ? undefined : store.last.value} data-eyes=${looking}
    data-status=${game.status} data-asked=${String(asked)} data-live=${LIVELY[store.connection.value]} onClick=${press} onPointerOver=${() => setNear(true)} onFocusIn=${stopAt} onMouseOver=${listed ? rest : undefined}>
    ${game.status === "open"
      ? html`<div class="opening"><${Lost} game=${game}/><${Trouble} store=${store}/>${Waiting && html`<${Waiting} store=${store} game=${game}/>`}</div>`
      : html`
    <${Curtain} store=${store} game=${game}/>
    <${Bar} store=${store} acting=${acting} game=${game} undo=${undo} listed=${listed} onList=${() => setListed(!listed)}>${
      ahead && Standing && html`<${Standing} key=${looking} store=${store} acting=${acting} title=${title}/>`}<//>
    <section class=${classes("hand", held.current && "held")} tabindex="0" aria-label="Your hand. Enter shows the cards in full" onKeyDown=${readHand}>${by("hand").map((panel, index) => html`<${Panel} key=${`${panel.title} ${index}`} panel=${panel}/>`)}</section>
    <section class=${classes("stage", guided && title === undefined && "held")} aria-label="The board" aria-busy=${!title || over !== store.table.wanted.value}>
      <${Trouble} store=${store}/><${Lost} game=${game}/><${Frozen} game=${game}/>
      <${Charts.Provider} value=${title?.charts || {}}>
        <div class=${classes("boards", by("board").length > 1 && "several")} hidden=${!BESIDE.has(tab)}>${
          panels.length
            ? by("board").map((panel, index) => html`<${Panel} key=${`${panel.kind} ${index}`} panel=${panel}
              name=${`${game.title} ${index}`}/>`)
            : html`<p class="none">The game had not begun yet. Players were still joining.</p>`
        }</div>
        ${tab === "tables" && html`<div class="tab-page"><${Panels} panels=${[...by("status"), ...by("table")]}/>
          <${Forks} store=${store}/><p class="row"><${AuditFile} store=${store} game=${game}/></p><${Share} store=${store} game=${game}/></div>`}
        ${tab === "graph" && Graph && html`<${Graph} store=${store}/>`}
        ${tab === "notes" && Notes && html`<${Notes} store=${store}/>`}
        ${tab === "rules" && html`${Learn && html`<${Learn} id=${game.title}/>`}<iframe class="tab-page rules" title="Rules" src=${rulesOf(game.title, game.version)}></iframe>`}
      <//>
    </section>
    <aside class="side" aria-label="Players and what happened">
      ${by("seats").map((panel) => html`<${Panel} key="seats" panel=${panel}/>`)}
      ${game.status === "running" && game.clock && html`<${Clocks} clock=${game.clock} seats=${game.seats}/>`}
      <div class="status-line" tabindex="0" role="group" aria-label="State of the game">${by("status").map((panel, index) => html`<${Panel} key=${index} panel=${panel}/>`)}</div>
      <${Together} store=${store} game=${game}/>
      <div class="talk-line" role="status">${tab !== "talk" && html`<${TalkStrip} store=${store} onOpen=${() => setTab("talk")}/>`}</div>
      ${tab === "talk" && Talk ? html`<${Talk} store=${store}/>` : html`<${History} store=${store}/>`}
    </aside>
    <${Said} store=${store}/>
    ${advising && Advice && html`<${Advice} store=${store} close=${() => setAdvised(false)}/>`}
    ${guided && !advising && tab !== "talk" && (taught
      ? Lesson && html`<${Lesson} key=${game.id} store=${store} acting=${acting} game=${game}/>`
      : html`<${Guide} key=${game.title} title=${title} game=${game}/>`)}
    <${Replay} store=${store}>${advisable && html`<${Advise} asked=${advising} ask=${setAdvised}/>`}<${Analyse} store=${store}/><${Share} store=${store} game=${game}/><//>
    ${listed && html`<section class="list" data-part="list" aria-label="All commands">
      <button type="button" class="quiet close" aria-label="Close" onClick=${() => setListed(false)}>×</button>
      ${Actions && html`<${Actions} store=${store}/>`}</section>`}
    <${Edges} question=${question}/>
    ${Enlarged && html`<${Enlarged}/>`}
    ${Lively && html`<${Lively} store=${store}/>`}
    ${Popover && html`<${Popover} store=${store} acting=${acting} nameOf=${nameOf} textOf=${textOf} onCompose=${() => setListed(true)}/>`}`}
    <${Head} store=${store} game=${game} name=${title?.name || ""} tab=${tab} setTab=${setTab}/>
  </main><//><//>`;
}

const CALM = 1500; // ms
const BESIDE = new Set(["board", "log", "talk"]); // views that leave the board where it is

/** Turn to *player*, on whom somebody clicked who talks, for a whisper. Answers whether that is possible. */
function whisperTo(store, player) {
  if (!player || !store.talk.turnTo(Number(player.dataset.owner))) return false;
  document.querySelector("[name=message]")?.focus();
  return true;
}

const pressable = (event) => event.target.closest("[data-lit], [data-selected], [data-free], [data-under]");

/** The ref of what *event* happened to, if it may be pressed there. */
function refOf(event) {
  const target = pressable(event);
  return target?.dataset.ref || target?.dataset.under;
}

/** Escape takes back the last thing that was begun: a question, a choice, a journey. Answers whether there was one. */
function letGo(store, acting) {
  acting.point(null);
  if (store.grace.held.value) store.grace.cancel();
  else if (acting.asked.value) acting.asked.value = null;
  else if (acting.chosen.value.length || acting.failure.value) {
    acting.clear();
    document.querySelector(`${OPEN}[tabindex="0"]`)?.focus({ preventScroll: true });
  } else if (store.table.travelling.value) store.table.go(null);
  else return false;
  return true;
}

/** For who listens: a sentence for each command that comes; the rest can be read in the log. */
function Said({ store }) {
  const line = newest(store.history.value);
  const before = useRef(line?.seq); // what had happened when the page was opened is no news
  before.current ??= line?.seq;
  const told = line && line.seq !== before.current && store.curtain.value === null && !store.replay;
  return html`<p class="sr" data-part="said" role="status">${told ? line.text : ""}</p>`;
}

/** One person with several seats: after a command the next of them that is awaited comes, behind a curtain. */
function Curtain({ store, game }) {
  const next = store.curtain.value;
  if (next === null) return null;
  const open = () => {
    store.curtain.value = null;
  };
  return html`<div class="curtain" role="dialog" aria-modal="true" aria-label="Hand over" data-part="curtain"><div>
    <h2>Pass to <bdi>${seatName(game.seats[next])}</bdi></h2>
    <button type="button" class="primary large" autofocus onClick=${open}>I am <bdi>${seatName(game.seats[next])}</bdi></button>
  </div></div>`;
}

function Trouble({ store }) {
  const problem = store.problem.value;
  if (!problem) return null;
  return html`<p class="failure strip" role="alert">${problem.detail || String(problem)}
    <button type="button" onClick=${store.refresh}>Try again</button></p>`;
}

/** What came after that event was lost with the log that held it. */
function Frozen({ game }) {
  if (game.frozen === undefined) return null;
  return html`<p class="failure strip" data-part="frozen" role="status">This game is frozen at event ${game.frozen}. Later events
    were lost, so it cannot continue.</p>`;
}

/** What a ref is called, the name of what is drawn with it, and what stands on it. */
function useNames(panels) {
  return useMemo(() => {
    const names = new Map();
    const walk = (value) => {
      if (!value || typeof value !== "object") return;
      if (value.ref && !names.has(value.ref)) names.set(value.ref, { name: value.name || value.detail || value.text || value.title, text: value.name && value.text });
      for (const inner of Object.values(value)) walk(inner);
    };
    walk(panels);
    return { nameOf: (ref) => names.get(ref)?.name || words(ref.split(":").at(-1)), textOf: (ref) => names.get(ref)?.text };
  }, [panels]);
}

/** What the address asks for. */
function wish() {
  const { at, seat } = route.value.query;
  const number = (text) => (/^\d+$/.test(text ?? "") ? Number(text) : null);
  const replay = route.value.query.replay === "1";
  return { at: number(at) ?? (replay ? 1 : null), seat: ["spectator", "all"].includes(seat) ? seat : number(seat), replay };
}

function Missing({ store }) {
  const problem = store.problem.value;
  return html`<h1>${problem.status === 404 ? tr("No such game") : tr("The game cannot be shown")}</h1>
    <p class="failure" role="alert">${problem.detail || String(problem)}</p>
    <p class="row"><button type="button" onClick=${store.refresh}>Try again</button><a class="button"
      href="/">Back to the games</a></p>`;
}
