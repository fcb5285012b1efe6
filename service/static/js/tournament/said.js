// Numbers and names of tournaments as people read them.
import { figure, keyed, tr } from "../base/text.js";
import { html } from "../base/ui.js";
import { between, words } from "../base/words.js";

/** 6300 units of 1/2520 point -> `2.5`. */
export function points(units, unit = 2520) {
  return figure(pointsOf(units, unit));
}

/** The points as a number. */
export function pointsOf(units, unit = 2520) {
  return Math.round((units / unit) * 1000) / 1000;
}

const IN_UNITS = new Set(["opponents_average", "head_to_head", "middle_rounds"]);
const NAMES = {
  wins: keyed("Wins"),
  share: keyed("Share"),
  opponents_average: keyed("Opponents' average"),
  head_to_head: keyed("Head to head"),
  places: keyed("Places"),
  score_sum: keyed("Scores"),
  middle_rounds: keyed("Without best and worst round"),
  seat: keyed("Seats"),
  lot: keyed("Lot"),
};

/** What a tie-break is called at the head of its column. */
export const breakName = (key) => (NAMES[key] ? tr(NAMES[key]) : words(key));

/** The value of a tie-break. */
export function breakValue(key, value, unit) {
  if (value === null || value === undefined) return "–";
  if (Array.isArray(value)) return value.map((each) => each ?? 0).join("-");
  if (key === "share") return figure(value / 1e6, 3);
  return IN_UNITS.has(key) ? points(value, unit) : String(value);
}

const FORMATS = {
  swiss_pods: keyed("Swiss"),
  rotation: keyed("Rotation"),
  round_robin: keyed("Round robin"),
  knockout: keyed("Knockout"),
  ladder: keyed("Ladder"),
};

/** The systems by which a stage can be played. */
export const SYSTEMS = Object.keys(FORMATS);

/** What a stage is called. */
export const formatName = (format) => (FORMATS[format] ? tr(FORMATS[format]) : words(format));

/** Where the page of an account is. */
export const profileOf = (one) => `/u/${one.handle || one.account || one.id}`;

/** An entrant's name, leading to their page while they have one. */
export function Name({ of, entrant }) {
  if (!of) return html`<span>${entrant}</span>`;
  return of.account ? html`<a href=${profileOf(of)}><bdi>${of.name}</bdi></a>` : html`<bdi>${of.name}</bdi>`;
}

/** `Ada, Bob and Cid`, each name on its own. */
export function Names({ names }) {
  const before = between(names.length);
  return names.map((name, index) => html`${before(index)}<bdi>${name}</bdi>`);
}

/** `Round 2, table 1`. */
export const tableName = (table) => tr("Round {round}, table {table}", { round: table.round.round, table: table.table });
