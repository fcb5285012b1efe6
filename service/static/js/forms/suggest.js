// What a person might mean in a field: the keys that the page has seen in the legal commands, the view and the board,
// ranked by how well the words of the field's name match the place where they stand. Knows no title.

const KEY = /^[a-z0-9][a-z0-9_]{0,63}$/;
/** Words of fields that name a seat (the vocabulary that all titles share). */
const SEAT_WORDS = new Set([
  "seat",
  "player",
  "target",
  "attacker",
  "defender",
  "owner",
  "to",
  "from",
  "partner",
  "victim",
  "recipient",
  "opponent",
  "ally",
  "with",
  "against",
]);
const THEIR_SIDE = new Set(["ask", "want", "wanted", "demand", "request", "receive", "take"]);
/** A hand holds cards, in every game of cards. */
const SAME = { hand: ["card"], stock: ["resource"], stack: ["card"] };

/** `in_play_cards` -> [in, play, card]. */
export function wordsOf(name) {
  return String(name)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean)
    .map((word) => word.replace(/ies$/, "y").replace(/(?<=[a-z]{2}[^s])s$/, ""));
}

/** True where an integer of that name is the number of a seat. */
export function namesSeat(name) {
  const parts = wordsOf(name);
  return parts.length > 0 && SEAT_WORDS.has(parts.at(-1));
}

/** Everything that *board*, *view* and *legal* tell about keys: `{names, places, legal, seats, seat}`. */
export function gather({ board = {}, view = {}, legal = [], seats = [], seat = null }) {
  const names = new Map();
  const places = [];
  const about = { names, places, seats: seats.length, seat };
  walk(board, { from: "board", path: [], mine: null }, about);
  walk(view, { from: "view", path: [], mine: null }, about);
  return { names, places, legal, seats, seat };
}

function walk(value, place, about) {
  if (Array.isArray(value)) return walkList(value, place, about);
  if (value === null || typeof value !== "object") return;
  const key = keyOf(value);
  const name = value.name ?? value.title ?? value.label;
  if (key && typeof name === "string") about.names.set(key, name);
  const entries = Object.entries(value);
  for (const [field, inner] of entries) {
    if (
      inner &&
      typeof inner === "object" &&
      !Array.isArray(inner) &&
      typeof inner.name === "string" &&
      KEY.test(field)
    )
      about.names.set(field, inner.name);
  }
  const asKeys = entries.filter(([field]) => KEY.test(field) && !/^\d+$/.test(field)).map(([field]) => field);
  const alike =
    entries.length > 1 &&
    new Set(entries.map(([, inner]) => (Array.isArray(inner) ? "list" : typeof inner))).size === 1;
  if (asKeys.length && alike && place.path.length)
    about.places.push({ ...place, keys: asKeys, weak: !asKeys.some((field) => about.names.has(field)) });
  for (const [field, inner] of entries) walk(inner, step(place, field, entries.length, about), about);
}

function walkList(value, place, about) {
  const keys = value
    .map((item) => (typeof item === "string" ? item : keyOf(item)))
    .filter((key) => key && KEY.test(key));
  if (keys.length && keys.length === value.length) about.places.push({ ...place, keys, weak: false });
  value.forEach((item, index) => walk(item, step(place, index, value.length, about), about));
}

/** One step inwards; a list (or mapping by number) with as many items as seats is read as one item a seat. */
function step(place, field, siblings, about) {
  if (!/^\d+$/.test(String(field))) return { ...place, path: [...place.path, field] };
  const bySeat = place.from === "view" && siblings === about.seats && place.mine === null;
  return bySeat ? { ...place, mine: Number(field) === about.seat } : place;
}

function keyOf(item) {
  if (!item || typeof item !== "object") return null;
  const key = item.key ?? item.id;
  return typeof key === "string" ? key : null;
}

/**
 * Suggestions for the field at *path* of the command *type*: `{chips: [{key, name, count}], more: [key]}`.
 * *count*: how many of them a view shows; null where nothing says that there are only so many.
 */
export function suggest(known, type, path) {
  const named = path.filter((part) => typeof part === "string");
  const field = wordsOf(named.at(-1) ?? "");
  const theirs = named.some((part) => wordsOf(part).some((word) => THEIR_SIDE.has(word)));
  const ranked = known.places
    .map((place) => ({ place, score: score(place, field, theirs) }))
    .filter(({ score: points }) => points > 0)
    .sort((a, b) => b.score - a.score);
  const chips = new Map();
  for (const key of legalAt(known.legal, type, path)) add(chips, key, known, 0);
  if (ranked.length) {
    // Equal places (the cards in play of each of the others) are one source.
    const best = ranked.filter((each) => each.score === ranked[0].score);
    // Of cards that a view shows there are so many and no more; a place may be named again and again.
    const counted = (place) => place.from === "view" && field.includes("card");
    for (const { place } of best) {
      for (const [key, times] of tally(place.keys)) add(chips, key, known, counted(place) ? times : 0);
    }
  }
  const alike = universe(known, field);
  if (!chips.size) for (const key of alike) add(chips, key, known, 0);
  const more = [...new Set([...ranked.flatMap(({ place }) => place.keys), ...alike, ...known.names.keys()])].filter(
    (key) => !chips.has(key),
  );
  return { chips: [...chips.values()], more };
}

/**
 * All keys of the kind that *field* means: of the board's collections those that hold a key of a matching place. So a
 * hand tells which collections are cards, whatever the board calls them.
 */
function universe(known, field) {
  const meant = new Set(known.places.filter((place) => matches(place, field) > 0).flatMap((place) => place.keys));
  const shelves = known.places.filter((place) => place.from === "board" && place.keys.some((key) => meant.has(key)));
  return [...new Set(shelves.flatMap((place) => place.keys))];
}

function add(chips, key, known, times) {
  const before = chips.get(key)?.count ?? 0;
  chips.set(key, { key, name: nameOf(known, key), count: Math.max(times, before) || null });
}

function tally(keys) {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** How many words of *field* stand in the name of *place*. */
function matches(place, field) {
  const tail = place.path.slice(-2).flatMap(wordsOf);
  const words = new Set(tail.flatMap((word) => [word, ...(SAME[word] || [])]));
  return field.filter((word) => words.has(word)).length;
}

function score(place, field, theirs) {
  const shared = matches(place, field);
  const own = place.path.at(-1) === "hand" || place.mine === true;
  if (!shared || (own && theirs)) return 0; // nobody asks for what they hold themselves
  const mineOrTheirs = (place.mine === false) === theirs ? 0.5 : -0.5;
  const side = place.from === "board" ? 0 : own || place.mine === false ? mineOrTheirs : 0.25;
  return Math.max(0.01, shared / field.length + side - (place.weak ? 0.3 : 0));
}

/** The values that the legal commands of that type have at *path* (list positions in it are ignored). */
function legalAt(legal, type, path) {
  const found = new Set();
  const collect = (value, rest) => {
    if (Array.isArray(value))
      return value.forEach((item) => collect(item, typeof rest[0] === "number" ? rest.slice(1) : rest));
    if (!rest.length) return void (typeof value === "string" && found.add(value));
    if (value && typeof value === "object") collect(value[rest[0]], rest.slice(1));
  };
  for (const { command } of legal) if (command.type === type) collect(command, path);
  return found;
}

/** What a key is called, as far as the board tells. */
export function nameOf(known, key) {
  const told = known.names.get(key);
  if (told) return told;
  const text = String(key).replace(/_/g, " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
