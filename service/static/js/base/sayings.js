// What a title says, in another language than English: its catalogue has English sentences with places to fill.

const PLACE = /\{(\w+)\}/g;
const LETTER = /[a-z]/i;
const NUMBER = /^n\d*$/; // a place for a number; the others take any words
const PARTS = ["; ", ": ", " · ", ", ", " and "]; // what ever smaller parts of a sentence are joined with
const KEPT = new Set(["ref", "key", "tone", "role", "shape", "chart", "scene", "path", "line", "ends", "band"]);

/** A function that says a text of a title by its *catalogue*; what that does not have stays as it is. */
export function speaker(catalogue) {
  const whole = new Map();
  const patterns = [];
  for (const [english, told] of Object.entries(catalogue))
    if (english.includes("{")) patterns.push(pattern(english, told));
    else whole.set(english, told);
  patterns.sort((one, other) => other.letters - one.letters); // the longest sentence is the surest
  const known = new Map();
  const joined = (mark) => (mark === " and " ? ` ${whole.get("and") ?? "and"} ` : mark);

  /** *text* if the catalogue has all of it, else undefined. */
  function find(text) {
    if (!known.has(text)) {
      known.set(text, undefined);
      known.set(text, LETTER.test(text) ? (search(text) ?? capital(text)) : text);
    }
    return known.get(text);
  }

  function search(text) {
    if (whole.has(text)) return whole.get(text);
    for (const { shapes, hold, names, told } of patterns) {
      if (!text.includes(hold)) continue;
      for (const shape of shapes) {
        const values = shape.exec(text)?.slice(1).map(find);
        if (values && !values.includes(undefined)) return told.replace(PLACE, (_, name) => values[names.indexOf(name)]);
      }
    }
    for (const mark of PARTS) {
      const parts = apart(text, mark);
      if (parts.length === 1) continue;
      const found = parts.map(find);
      return found.includes(undefined) ? undefined : found.join(joined(mark));
    }
    return undefined;
  }

  function capital(text) {
    const small = text.charAt(0).toLowerCase() + text.slice(1);
    const found = small === text ? undefined : search(small);
    return found && found.charAt(0).toUpperCase() + found.slice(1);
  }

  /** *text* as far as it is known: each of its sentences, or each of its parts. */
  return function say(text) {
    const found = find(text);
    if (found !== undefined) return found;
    for (const mark of [/(?<=\.) (?=[A-Z])/, ...PARTS]) {
      const parts = typeof mark === "string" ? apart(text, mark) : text.split(mark);
      if (parts.length > 1) return parts.map(say).join(typeof mark === "string" ? joined(mark) : " ");
    }
    return text;
  };
}

function pattern(english, told) {
  const names = [...english.matchAll(PLACE)].map(([, name]) => name);
  const texts = english.split(/\{\w+\}/);
  const place = (at, words) => (NUMBER.test(names[at - 1]) ? "(\\d+)" : words);
  const source = (words) => texts.map(escaped).reduce((made, text, at) => `${made}${place(at, words)}${text}`);
  const shape = (words) => new RegExp(`^${source(words)}$`);
  const hold = texts.reduce((one, other) => (other.length > one.length ? other : one));
  return { shapes: [shape("(.+?)"), shape("(.+)")], hold, names, told, letters: texts.join("").length };
}

const escaped = (text) => text.replace(/[.*+?^$()|[\]\\]/g, "\\$&");

/** *text* cut at each *mark* that is in no brackets. */
function apart(text, mark) {
  const parts = [""];
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "(") depth++;
    if (text[at] === ")") depth--;
    if (!depth && text.startsWith(mark, at)) {
      parts.push("");
      at += mark.length - 1;
    } else parts[parts.length - 1] += text[at];
  }
  return parts;
}

/** All texts of *value*, which a title made, said by *say*: of a panel, of a decision, of an option. */
function all(value, say, name = "") {
  if (typeof value === "string") return KEPT.has(name) ? value : say(value);
  if (Array.isArray(value)) return value.map((each) => all(each, say, name));
  if (!value || typeof value !== "object") return value;
  const isKept = (key) => key === "kind" && "title" in value; // the kind of a panel
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, isKept(key) ? inner : all(inner, say, key)]));
}

/** The items of *list*, in which *say* says the members *names*. */
const each = (list, say, ...names) => list.map((one) => ({ ...one, ...members(one, say, names) }));
const members = (one, say, names) =>
  Object.fromEntries(names.filter((name) => typeof one[name] === "string").map((name) => [name, say(one[name])]));

/** The parts of an *answer* of the API that a title worded. Names and words of people are none of them. */
export function worded(answer, say) {
  const told = { ...answer };
  const change = (name, made) => answer[name] && (told[name] = made(answer[name]));
  const inside = (name, ...names) =>
    change(name, (found) => (Array.isArray(found) ? each(found, say, ...names) : worded(found, say)));
  change("panels", (panels) => all(panels, say));
  change("option_words", (words) => all(words, say));
  change("about", (about) => ({ ...about, ...members(about, say, ["sentence"]) }));
  for (const name of ["legal", "replacements", "candidates"]) change(name, (items) => each(items, say, "label"));
  for (const name of ["guide", "steps", "asides"]) change(name, (items) => each(items, say, "text"));
  change("messages", (messages) => messages.map((one) => (one.phrase ? each([one], say, "text")[0] : one)));
  change("game", (game) => worded(game, say));
  inside("decisions", "ask");
  inside("replaceable", "ask");
  inside("history", "text");
  // What is signed has the words of the log, so a seat keeps its own name beside the one that is shown.
  const twice = (seats) => seats.map((seat) => ({ ...seat, plain: seat.label }));
  change("seats", (seats) => (Array.isArray(seats) ? each(twice(seats), say, "label") : seats));
  return told;
}
