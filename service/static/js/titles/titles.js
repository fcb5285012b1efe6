// The titles that the service knows, asked for once.
import { get } from "../base/api.js";
import { tr } from "../base/text.js";
import { signal } from "../base/ui.js";

export const titles = signal([]);
const USUAL = "steady"; // it plays with sense and answers at once
const details = new Map();

/** Ask for the list of titles; later calls cost nothing. */
export async function loadTitles() {
  if (!titles.value.length) titles.value = (await get("titles")).titles;
  return titles.value;
}

/** All of one title: options, command schemas, board; by default of the version that new games begin under. */
export function loadTitle(id, version = null) {
  return once(`titles/${encodeURIComponent(id)}${version ? `?version=${version}` : ""}`);
}

/** What is at *address*, asked for once. */
function once(address) {
  if (!details.has(address)) {
    const asked = get(address);
    asked.catch(() => details.delete(address)); // a failure is not remembered
    details.set(address, asked);
  }
  return details.get(address);
}

/** What it takes to draw a game of one title: its name, charts, hints and clauses. */
export function loadDisplay(id, version) {
  return once(`titles/${encodeURIComponent(id)}/display?version=${version}`);
}

/** The address of a title's rules. */
export function rulesOf(id, version) {
  return `/v1/titles/${encodeURIComponent(id)}/rules?version=${version}`;
}

/** The version of a game where it is not the one that new games begin under, else null. */
export function olderVersion(game) {
  const title = titles.value.find((each) => each.id === game.title);
  return title && title.version !== game.version ? game.version : null;
}

/** The name of a title, as far as it is known yet. */
export function titleName(id) {
  return titles.value.find((title) => title.id === id)?.name || id;
}

/** How many play a title, how long, and how many rules it has: `2–6 players · 60–155 minutes · heavy`. */
export function measureOf({ seats, about }) {
  const players = tr("{range} players", { range: range(seats) });
  return about ? tr("{players} · {range} minutes · {weight} rules", { players, range: range(about.minutes), weight: tr(about.weight) }) : players;
}

const range = ({ min, max }) => (min === max ? String(min) : `${min}–${max}`);

/** The bot against which one plays who did not choose. */
export function usualBot(title) {
  return title.bots.includes(USUAL) ? USUAL : title.bots[0];
}
