// Leaderboards: the best of each pool, which is a title, a number of seats and a tempo.
import { address as place, get, samePlace } from "../base/api.js";
import { complain } from "../base/notices.js";
import { amend, route } from "../base/router.js";
import { loadTitles, titleName, titles } from "../titles/titles.js";
import { profileOf } from "../tournament/said.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";

const SEATS = ["2", "3-4", "5-6", "7+"];
const TEMPOS = ["live", "correspondence"];
const LOWEST = { 2: 2, "3-4": 3, "5-6": 5, "7+": 7 };
const HIGHEST = { 2: 2, "3-4": 4, "5-6": 6, "7+": 99 };

/** `Colonial, 3-4 players, live`. */
export function poolName(pool) {
  const [title, seats, tempo] = pool.split(".");
  return tr("{title}, {seats} players, {tempo}", { title: titleName(title), seats, tempo: tr(tempo) });
}

export function Ratings() {
  const [pool, setPool] = useState(route.value.query.pool || "");
  useEffect(() => void loadTitles().then((all) => setPool((known) => known || firstOf(all[0])), complain), []);
  const [title, seats, tempo] = pool.split(".");
  const known = titles.value.find((each) => each.id === title);
  const ready = pool && titles.value.length > 0; // what comes together pushes nothing away
  const change = (part, value) => {
    const parts = { title, seats, tempo, [part]: value };
    const next = part === "title" ? firstOf(titles.value.find((each) => each.id === value), tempo) : Object.values(parts).join(".");
    setPool(next);
    amend("/ratings", { pool: next });
  };
  const select = (part, label, value, options) => html`<label class="inline"><span>${label}</span><select name=${part} value=${value}
    onChange=${(event) => change(part, event.target.value)}>${options.map(([key, told]) => html`<option key=${key}
    value=${key}>${told}</option>`)}</select></label>`;
  return html`<div class="page ratings-page">
    <header class="page-head"><div><h1>Ratings</h1><p class="lead">Computed from recorded games. Anyone can compute them again.</p></div>
      ${ready && html`<p class="row">
        ${select("title", tr("Title"), title, titles.value.map((each) => [each.id, each.name]))}
        ${select("seats", tr("Seats"), seats, bands(known).map((band) => [band, band]))}
        ${select("tempo", tr("Tempo"), tempo, TEMPOS.map((each) => [each, tr(each)]))}
      </p>`}</header>
    ${ready && html`<${Leaders} key=${pool} pool=${pool}/>`}
  </div>`;
}

/** How the leaders are ranked, and where all games are that it comes from. */
const Ranked = ({ pool }) => html`<p class="hint">Ranked by rating minus 3 × deviation. Players with a provisional rating, or without a game for a year, are not listed. <a
  href=${place("ratings/export", { pool })} download>All rated games of this pool</a>: enough to compute every rating again.</p>`;

const bands = (title) => (title ? SEATS.filter((band) => LOWEST[band] <= title.seats.max && HIGHEST[band] >= title.seats.min) : SEATS);
const firstOf = (title, tempo = "live") => (title ? `${title.id}.${bands(title).at(-1)}.${tempo}` : "");

function Leaders({ pool }) {
  const [leaders, setLeaders] = useState(null);
  const [next, setNext] = useState(null);
  const [failure, setFailure] = useState("");
  const load = (from) =>
    get(from).then(
      (page) => {
        setLeaders((known) => [...(known || []), ...page.ratings]);
        setNext(page.next);
      },
      (problem) => setFailure(problem.detail),
    );
  useEffect(() => void load(`leaderboards/${encodeURIComponent(pool)}`), [pool]);
  if (failure) return html`<p class="failure" role="alert">${failure}</p>`;
  if (!leaders) return html`<p class="hint">…</p>`;
  if (!leaders.length) return html`<p class="none" data-part="leaders">No player has enough games in this pool yet.</p><${Ranked} pool=${pool}/>`;
  return html`<div class="scrolls table-scroll" tabindex="0" role="group" aria-label=${poolName(pool)}><table data-part="leaders">
    <thead><tr><th scope="col" class="number">#</th><th scope="col">Player</th><th scope="col" class="number">Rating</th><th scope="col"
      class="number">±</th><th scope="col" class="number">Games</th></tr></thead>
    <tbody>${leaders.map((one) => html`<tr key=${one.account} data-rank=${one.rank}><td class="number">${one.rank}</td><th scope="row"><a
      href=${profileOf(one)}><bdi>${one.name}</bdi></a></th><td class="number">${one.rating}</td><td class="number">${one.deviation}</td><td
      class="number">${one.games}</td></tr>`)}</tbody></table></div>
    ${next && html`<p><button type="button" onClick=${() => load(samePlace(next))}>More</button></p>`}<${Ranked} pool=${pool}/>`;
}
