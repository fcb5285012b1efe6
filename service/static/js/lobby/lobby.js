// The lobby: my games, games to join, games to watch.
import { account, ensureAccount, unknown } from "../account/account.js";
import { Listing, TitleFilter, useSettled } from "../base/listing.js";
import { complain } from "../base/notices.js";
import { PlayNow } from "./playnow.js";
import { sitDown } from "../proof/contribution.js";
import { go } from "../base/router.js";
import { Ending, SeatRow } from "../board/seats.js";
import { loadTitles, olderVersion, titleName } from "../titles/titles.js";
import { tr } from "../base/text.js";
import { classes, html, useEffect, useState } from "../base/ui.js";
import { ago, count } from "../base/words.js";

const LISTS = ["open", "running", "finished"];

export function Lobby() {
  const [title, setTitle] = useState("");
  const [settled, found] = useSettled(LISTS);
  const me = account.value?.id;
  const list = (status, heading, none) => html`<${GameList} key=${`${status} ${me}`} heading=${heading} query=${{ status, title }}
    none=${none} onFound=${found(status)}/>`;
  useEffect(() => void loadTitles().catch(complain), []);
  return html`<div class="page lobby">
    <header class="page-head"><div><h1>Games</h1>
      <p class="lead" data-part="what">On Rutter you play historical board games against people or bots, in your own time,
        and can replay and verify every move.</p></div></header>
    ${
      account.value &&
      html`<${GameList} key=${`mine ${me}`} heading="My games" query=${{ mine: true, title }}
      none="You have no games yet. Join an open game below, or create one."/>`
    }
    <${PlayNow}/>
    <div hidden=${!settled}>
      ${!unknown.value && !account.value && html`<p
        class="welcome">You can watch without signing in. To join or create a game, you only need a name.</p>`}
      <p class="row lobby-tools">
        <a class="button primary" href="/new">Create a game</a>
        <${TitleFilter} title=${title} onChange=${setTitle}/>
      </p>
      ${list("open", tr("Open games"), tr("No other game is waiting for players."))}
      ${list("running", tr("Running"), tr("No other game is running."))}
      ${list("finished", tr("Finished"), tr("No other game has finished yet."))}
    </div>
  </div>`;
}

function myTurnFirst(games) {
  const rank = (game) => (myTurn(game) ? 0 : { running: 1, open: 2, finished: 3 }[game.status]);
  return [...games].sort((a, b) => rank(a) - rank(b));
}

function myTurn(game) {
  return game.status === "running" && game.seats.some((seat) => seat.you && game.waiting_for?.includes(seat.seat));
}

function GameList({ query, ...rest }) {
  // My own games stand in their own list, on top.
  const select = (found) =>
    query.mine ? myTurnFirst(found) : found.filter((game) => !game.seats.some((seat) => seat.you));
  return html`<${Listing} path="games" query=${query} select=${select} Line=${GameLine} ...${rest}/>`;
}

function GameLine({ each: game }) {
  const mine = game.seats.some((seat) => seat.you);
  const free = game.seats.filter((seat) => seat.open).length;
  return html`<li class=${classes("game", myTurn(game) && "my-turn")}>
    <a class="game-link" href=${`/g/${game.id}`}>
      <span class="game-title">${titleName(game.title)}</span>
      ${myTurn(game) && html`<span class="flag-turn">your move</span>`}
      ${game.analysis && html`<span class="tag">analysis</span>`}
      ${game.status === "open" && game.undo !== "none" && html`<span class="tag"
        data-part="terms">${game.undo === "own" ? tr("undo") : tr("undo if all agree")}</span>`}
      ${game.tournament && html`<span class="tag">tournament</span>`}
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
  if (game.status === "open") return tr("{seats} · created {when}", { seats: count(free, "free seat"), when });
  if (game.status === "finished") return html`<${Ending} game=${game}/> · ${count(game.seq, "event")} · ${when}`;
  return tr("{events} · began {when}", { events: count(game.seq, "event"), when });
}

async function join(game) {
  if (!(await ensureAccount())) return;
  try {
    await sitDown(game);
    go(`/g/${game.id}`);
  } catch (problem) {
    complain(problem);
  }
}
