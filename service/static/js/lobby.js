// The lobby: my games, games to join, games to watch.
import { account, ensureAccount, unknown } from "./account.js";
import { get, samePlace } from "./api.js";
import { complain } from "./notices.js";
import { sitDown } from "./proof/contribution.js";
import { go } from "./router.js";
import { SeatRow } from "./seats.js";
import { loadTitles, olderVersion, titleName, titles } from "./titles.js";
import { classes, html, useEffect, useState } from "./ui.js";
import { ago, count, list } from "./words.js";

const AGAIN = 15_000;

export function Lobby() {
  const [title, setTitle] = useState("");
  const me = account.value?.id;
  useEffect(() => void loadTitles().catch(complain), []);
  return html`<div class="page lobby">
    <header class="page-head">
      <div><h1>The harbour</h1><p class="lead">Games in preparation, at sea and come home.</p></div>
      <p class="row">
        <label class="inline"><span>Title</span><select name="title" value=${title}
          onChange=${(event) => setTitle(event.target.value)}>
          <option value="">all titles</option>
          ${titles.value.map((each) => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}
        </select></label>
        <a class="button primary" href="#/new">Create a game</a>
      </p>
    </header>
    ${
      account.value &&
      html`<${GameList} key=${`mine ${me}`} heading="My games" query=${{ mine: true, title }} sort=${myTurnFirst}
      none="You sit nowhere yet. Join an open game below, or create one."/>`
    }
    ${!unknown.value && !account.value && html`<p
      class="welcome">Look round freely. When you join or create a game you are asked for a name, nothing else.</p>`}
    <${GameList} key=${`open ${me}`} heading="Open games" query=${{ status: "open", title }}
      none="No other game waits for players just now."/>
    <${GameList} key=${`running ${me}`} heading="Running" query=${{ status: "running", title }}
      none="No other game is running."/>
    <${GameList} key=${`finished ${me}`} heading="Finished" query=${{ status: "finished", title }}
      none="No other game has been finished yet."/>
    <section class="titles" aria-labelledby="titles-heading"><h2 id="titles-heading">Titles</h2>
      <ul class="title-list">${titles.value.map(
        (each) => html`<li key=${each.id}>
        <a href=${`#/titles/${each.id}`}>${each.name}</a> <span
          class="hint">${each.seats.min}–${each.seats.max} seats</span></li>`,
      )}</ul>
    </section>
  </div>`;
}

function myTurnFirst(games) {
  const rank = (game) => (myTurn(game) ? 0 : { running: 1, open: 2, finished: 3, abandoned: 3 }[game.status]);
  return [...games].sort((a, b) => rank(a) - rank(b));
}

function myTurn(game) {
  return game.status === "running" && game.seats.some((seat) => seat.you && game.waiting_for?.includes(seat.seat));
}

function GameList({ heading, query, none, sort = (games) => games }) {
  const [games, setGames] = useState(null);
  const [next, setNext] = useState(null);
  const key = JSON.stringify(query);
  // My own games stand in their own list, on top.
  const shown = (found) => (query.mine ? found : found.filter((game) => !game.seats.some((seat) => seat.you)));
  useEffect(() => {
    const controller = new AbortController();
    const load = () =>
      get("games", { ...query, limit: 20 }, { signal: controller.signal }).then((page) => {
        setGames(shown(page.games));
        setNext(page.next);
      }, complain);
    load();
    const timer = setInterval(() => document.hidden || load(), AGAIN);
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, [key]);
  const more = () =>
    get(samePlace(next)).then((page) => {
      setGames([...games, ...shown(page.games)]);
      setNext(page.next);
    }, complain);
  const id = `list-${heading.toLowerCase().replace(/ /g, "-")}`;
  return html`<section class="games" aria-labelledby=${id}>
    <h2 id=${id}>${heading}</h2>
    ${
      games === null
        ? html`<p class="hint">…</p>`
        : games.length === 0
          ? html`<p class="none">${none}</p>`
          : html`<ul class="game-list">${sort(games).map((game) => html`<${GameLine} key=${game.id}
            game=${game}/>`)}</ul>`
    }
    ${next && html`<p><button type="button" onClick=${more}>More</button></p>`}
  </section>`;
}

function GameLine({ game }) {
  const mine = game.seats.some((seat) => seat.you);
  const free = game.seats.filter((seat) => seat.open).length;
  return html`<li class=${classes("game", myTurn(game) && "my-turn")}>
    <a class="game-link" href=${`#/games/${game.id}`}>
      <span class="game-title">${titleName(game.title)}</span>
      ${myTurn(game) && html`<span class="flag-turn">your move</span>`}
      ${game.analysis && html`<span class="tag">analysis</span>`}
      ${olderVersion(game) && html`<span class="tag">version ${game.version}</span>`}
    </a>
    <${SeatRow} seats=${game.seats} awaited=${game.status === "running" ? game.waiting_for || [] : []}/>
    <p class="game-facts">${facts(game, free)}</p>
    ${game.status === "open" && free > 0 && !mine && html`<button type="button" class="primary"
      onClick=${() => join(game)}>Join</button>`}
  </li>`;
}

function facts(game, free) {
  const when = ago(game.created_at);
  if (game.status === "open") return `${count(free, "free seat")} · created ${when}`;
  if (game.status === "abandoned") return `abandoned before it began · ${when}`;
  if (game.status === "finished") return `${winners(game)} · ${count(game.seq, "event")} · ${when}`;
  return `${count(game.seq, "event")} · began ${when}`;
}

/** Who won, in words. */
export function winners(game) {
  const won = game.outcome?.winners || [];
  if (!won.length) return "Nobody won";
  const names = won.map((number) => game.seats.find((seat) => seat.seat === number)?.label || `seat ${number}`);
  return `Won by ${list(names)}`;
}

async function join(game) {
  if (!(await ensureAccount())) return;
  try {
    await sitDown(game);
    go(`#/games/${game.id}`);
  } catch (problem) {
    complain(problem);
  }
}
