// The page of a player: ratings, results by title, and the games themselves.
import { get } from "../base/api.js";
import { Listing } from "../base/listing.js";
import { complain } from "../base/notices.js";
import { Ending, SeatRow } from "../board/seats.js";
import { loadTitles, titleName } from "../titles/titles.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { ago, count } from "../base/words.js";
import { poolName } from "./ratings.js";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function Profile({ id }) {
  const [profile, setProfile] = useState(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    void loadTitles().catch(complain);
    find(id).then(setProfile, (problem) => setFailure(problem.detail || problem.message));
  }, [id]);
  useEffect(() => {
    if (profile) document.title = `${profile.name} · Rutter`;
    return () => {
      document.title = "Rutter";
    };
  }, [profile]);
  if (failure)
    return html`<div class="page"><h1>No such player</h1><p class="failure" role="alert">${failure}</p>
      <p><a class="button" href="/">Back to the games</a></p></div>`;
  if (!profile) return html`<div class="page"><p class="hint">…</p></div>`;
  return html`<div class="page profile" data-account=${profile.id}>
    <header class="page-head"><div><h1><bdi>${profile.name}</bdi></h1><p class="lead">${facts(profile)}</p></div></header>
    <section class="games" aria-labelledby="ratings-heading"><h2 id="ratings-heading">Ratings</h2><${Ratings} ratings=${profile.ratings}/></section>
    <section class="games" aria-labelledby="results-heading"><h2 id="results-heading">Results</h2><${Results} results=${profile.results}/></section>
    <${Listing} path="games" query=${{ player: profile.id }} heading="Games" none="No public game yet." Line=${Game}/>
  </div>`;
}

/** Whom an address names: a handle, or the id of who has none. */
async function find(id) {
  const account = ID.test(id) ? id : await called(id);
  return get(`accounts/${account}`);
}

async function called(handle) {
  const found = await get("accounts", { handle: handle.toLowerCase() }).catch((problem) => {
    if (problem.status >= 500 || problem.status === 0) throw problem;
    return { accounts: [] }; // it cannot be anybody's
  });
  if (!found.accounts.length) throw new Error(tr("No account has the handle {handle}. Check its spelling.", { handle }));
  return found.accounts[0].id;
}

function facts(profile) {
  const kind = profile.kind === "service" ? tr("a program") : "";
  const reliable = profile.reliability === undefined ? "" : tr("answers {reliability} % in time", { reliability: profile.reliability });
  return [profile.handle && `@${profile.handle}`, kind, reliable].filter(Boolean).join(" · ");
}

function Ratings({ ratings }) {
  if (!ratings.length) return html`<p class="none">No rated game yet.</p>`;
  return html`<div class="scrolls table-scroll" tabindex="0" role="group" aria-label="Ratings"><table>
    <thead><tr><th scope="col">Pool</th><th scope="col" class="number">Rating</th><th scope="col" class="number">±</th><th scope="col"
      class="number">Games</th></tr></thead>
    <tbody>${ratings.map((one) => html`<tr key=${one.pool} data-pool=${one.pool}><th scope="row"><a
      href=${`/ratings?pool=${encodeURIComponent(one.pool)}`}>${poolName(one.pool)}</a></th>
      <td class="number">${one.rating}${one.provisional ? "?" : ""}</td><td class="number">${one.deviation}</td><td
      class="number">${one.games}</td></tr>`)}</tbody></table></div>
    ${ratings.some((one) => one.provisional) && html`<p class="note">? means provisional: too few games so far.</p>`}`;
}

function Results({ results }) {
  if (!results.length) return html`<p class="none">No public game has finished yet.</p>`;
  return html`<div class="scrolls table-scroll" tabindex="0" role="group" aria-label="Results"><table>
    <thead><tr><th scope="col">Title</th><th scope="col" class="number">Finished</th><th scope="col" class="number">Won</th><th scope="col"
      class="number">Abandoned</th></tr></thead>
    <tbody>${results.map((one) => html`<tr key=${one.title} data-title=${one.title}><th scope="row">${titleName(one.title)}</th>
      <td class="number">${one.finished}</td><td class="number">${one.won}</td><td class="number">${one.abandoned}</td></tr>`)}</tbody>
  </table></div>`;
}

function Game({ each: game }) {
  return html`<li class="game">
    <a class="game-link" href=${`/g/${game.id}`}><span class="game-title">${titleName(game.title)}</span>${
      game.tournament && html`<span class="tag">tournament, round ${game.tournament.round}</span>`}</a>
    <${SeatRow} seats=${game.seats}/>
    <p class="game-facts">${game.status === "finished" ? html`<${Ending} game=${game}/>` : tr(game.status)} · ${count(game.seq, "event")} · ${ago(game.created_at)}</p>
  </li>`;
}
