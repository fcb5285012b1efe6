// Keys of the API as words for people. Nothing here knows a title.
import { keyed, locale, speech, tr } from "./text.js";

export { count } from "./text.js";

/** `play_event_card` -> `Play event card`. */
export function words(key) {
  const text = String(key).replace(/_/g, " ").trim();
  return tr(text.charAt(0).toUpperCase() + text.slice(1));
}

/** `FortunesStolen` -> `Fortunes stolen`. */
export function unsnake(name) {
  return words(
    String(name)
      .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
      .toLowerCase(),
  );
}

/** `a, b and c`. */
export function list(items, last = "and") {
  const texts = items.map(String);
  if (texts.length < 2) return texts.join("");
  return `${texts.slice(0, -1).join(", ")} ${tr(last)} ${texts.at(-1)}`;
}

/** The texts that stand before each of so many items, and after the last: `", "`, `" and "`. */
export function between(length, last = "and") {
  return (index) => (index === 0 ? "" : index < length - 1 ? ", " : ` ${tr(last)} `);
}

/** A name in a sentence that is no markup: it keeps its direction to itself, as in `bdi`. */
export const isolated = (name) => `\u2068${name}\u2069`;

/** *text* in the middle of a sentence: other languages than English keep the capitals of their nouns. */
export const within = (text) => (speech.language === "en" ? text.toLowerCase() : text);

const UNITS = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/** `3 hours ago`, from an RFC 3339 time. */
export function ago(time, now = Date.now()) {
  const seconds = (Date.parse(time) - now) / 1000;
  if (Number.isNaN(seconds)) return "";
  const relative = new Intl.RelativeTimeFormat(speech.language, { numeric: "auto" });
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return relative.format(Math.round(seconds / size), unit);
  }
  return seconds > 0 ? tr("in a moment") : tr("a moment ago");
}

/** A time of day with its date, in the reader's own zone. */
export function clock(time) {
  const date = new Date(time);
  return Number.isNaN(date.getTime())
    ? ""
    : date.toLocaleString(locale(), { dateStyle: "medium", timeStyle: "short" });
}

/** A label that a title gives while a seat has no name of its own. */
export const NUMBERED = /^seat \d+$/i;

/** What a seat is called on the page: `the Dutch` in a sentence is `Dutch` on a label; without a name, who sits there. */
export function seatName(seat) {
  const named = seat.label && !NUMBERED.test(seat.label);
  const name = (named ? seat.label : sitter(seat)).replace(/^the /i, "");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Who sits there. */
export function sitter(seat) {
  if (seat.open) return tr("open");
  if (seat.vacant) return tr("vacant");
  if (seat.bot) return tr("bot {bot}", { bot: seat.bot });
  return seat.you ? tr("you") : seat.name || tr("a player");
}

/** The ways in which people at a table may talk, as a creator chooses them. */
export const TALK = {
  all: keyed("aloud and in whispers"),
  public: keyed("aloud only"),
  phrases: keyed("only phrases of the title"),
  none: keyed("no talk"),
};
