// Another language than English: its catalogue, and how it gets into the templates of the page.
import { fileOf } from "./files.js";
import { speaker, worded } from "./sayings.js";
import { speech } from "./text.js";

const TAG = /<(?:"[^"]*"|'[^']*'|[^>"'])*>/g;
const ATTRIBUTE = /([\w-]+)=(?:"([^"]*)"|'([^']*)')/g;
const HOLE = "\0"; // stands where a template has an expression
/** Attributes, and properties of components, whose value is read by people. */
const SPOKEN =
  /^(title|alt|placeholder|heading|summary|none|label|text|aria-label|aria-valuetext|aria-description)$/;
const known = new WeakMap(); // by the strings of a template how it is translated

const speakers = new Map(); // by title what says its texts
const titles = new Map(); // by game its title

/** Speak *language* from now on. */
export async function speak(language) {
  const [texts, ofTitles] = await Promise.all([`${language}.json`, `titles.${language}.json`].map(load));
  const { table, ...words } = ofTitles; // what the log says of any table, and what each title says
  for (const [title, catalogue] of Object.entries(words)) speakers.set(title, speaker({ ...table, ...catalogue }));
  // The page also shows names of commands and of fields, as words.
  speech.texts = new Map([...Object.values(words), texts].flatMap(Object.entries));
  speech.language = language;
  speech.markup = translated;
  speech.answer = told;
  document.documentElement.lang = language;
}

async function load(name) {
  const answer = await fetch(fileOf(`i18n/${name}`));
  if (!answer.ok) throw new Error(`There is no catalogue ${name}.`);
  return answer.json();
}

/** The *answer* of the API to a request of *path*, in the words of its title's catalogue. */
function told(path, answer) {
  const [, kind, id] = /(?:^|\/)(games|titles)\/([^/?]+)/.exec(path) ?? [];
  const own = (one, title) => (speakers.has(title) ? worded(one, speakers.get(title)) : one);
  if (!answer) return answer;
  if (kind === "titles") return own(answer, id);
  if (answer.titles) return { ...answer, titles: answer.titles.map((one) => own(one, one.id)) };
  if (answer.games) return { ...answer, games: answer.games.map((one) => own(one, one.title)) };
  const game = answer.game?.title ? answer.game : answer;
  if (kind === "games" && game.title) titles.set(id, game.title);
  return own(answer, titles.get(id));
}

/** The arguments of `html` for a template with its *strings* and *values*: a translation may change their order. */
function translated(strings, values) {
  if (!known.has(strings)) known.set(strings, compiled(strings));
  const { parts, order } = known.get(strings);
  return [parts, ...order.map((at) => values[at])];
}

function compiled(strings) {
  const source = strings.join(HOLE);
  const order = [];
  let made = "";
  let hole = 0; // the number of the next expression
  const copy = (text) => {
    made += text;
    for (const sign of text) if (sign === HOLE) order.push(hole++);
  };
  const say = (text) => {
    const [, before, words, after] = /^(\s*)([^]*?)(\s*)$/.exec(text);
    const told = speech.texts.get(keyOf(words));
    if (told === undefined) return copy(text);
    made += before + told.replace(/\{(\d+)\}/g, (_, number) => (order.push(hole + Number(number) - 1), HOLE)) + after;
    hole += words.split(HOLE).length - 1;
  };
  let end = 0;
  for (const tag of source.matchAll(TAG)) {
    say(source.slice(end, tag.index));
    end = tag.index;
    for (const found of tag[0].matchAll(ATTRIBUTE)) {
      const value = found[2] ?? found[3];
      if (!SPOKEN.test(found[1])) continue;
      const start = tag.index + found.index + found[1].length + 2;
      copy(source.slice(end, start));
      say(value);
      end = start + value.length;
    }
    copy(source.slice(end, tag.index + tag[0].length));
    end = tag.index + tag[0].length;
  }
  say(source.slice(end));
  return { parts: made.split(HOLE), order };
}

/** The key of a text of a template: `{1}` for its first expression, white space as it is drawn. */
function keyOf(text) {
  const pieces = text.split(HOLE).map((piece) => piece.replace(/^\s*\n\s*|\s*\n\s*$/g, "").replace(/\s+/g, " "));
  return pieces.reduce((key, piece, number) => `${key}{${number}}${piece}`);
}
