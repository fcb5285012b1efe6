// The reference of a title: its board data, its options, its commands, as the service gives them.
import { Rules } from "./clauses.js";
import { AgainstPeople, Ladder } from "./ladder.js";
import { Panel } from "../board/panels.js";
import { Learn } from "./learn.js";
import { tr } from "../base/text.js";
import { loadTitle, rulesOf } from "./titles.js";
import { worded } from "../lobby/options.js";
import { optional, fieldsOf, follow, choicesOf, kindOf } from "../forms/schema.js";
import { html, useEffect, useState } from "../base/ui.js";
import { count, list, unsnake, words } from "../base/words.js";

export function TitlePage({ id }) {
  const [title, setTitle] = useState(null);
  const [failure, setFailure] = useState(null);
  useEffect(() => void loadTitle(id).then(setTitle, setFailure), [id]);
  if (failure) {
    return html`<div class="page">
      <h1>No such title</h1>
      <p class="failure" role="alert">${failure.detail}</p>
      <p><a class="button" href="/">Back to the games</a></p>
    </div>`;
  }
  if (!title) return html`<div class="page"><p class="hint">…</p></div>`;
  const parts = Object.entries(title.board || {}).filter(
    ([, value]) => value !== null && (typeof value !== "object" || Object.keys(value).length),
  );
  const loose = parts.filter(([, value]) => typeof value !== "object");
  const shelves = parts.filter(([, value]) => typeof value === "object");
  const contents = [
    ...shelves.map(([key]) => [`part-${key}`, words(key)]),
    ["of-bots", tr("Bots")],
    ["of-options", tr("Options")],
    ["of-commands", tr("Commands")],
    ["of-events", tr("Event types")],
  ];
  const names = namesIn(title.board);
  return html`<${Rules.Provider} value=${title}><div class="page reference">
    <header class="page-head">
      <div>
        <h1>${title.name}</h1>
        <p class="lead">${title.seats.min} to ${title.seats.max} seats · version ${title.version}${older(title)} · <a
          href=${rulesOf(title.id, title.version)} target="_blank" rel="noopener">the rules</a></p>
      </div>
      <p class="row"><a class="button primary" href=${`/new?title=${title.id}`}>Create a game</a><${Learn} title=${title}/></p>
    </header>
    <nav class="contents" aria-label="Contents">
      <ul>${contents.map(([key, name]) => html`<li key=${key}><${Jump} to=${key} name=${name}/></li>`)}</ul>
    </nav>
    ${loose.length > 0 && html`<section class="part"><${Pairs} entries=${loose}/></section>`}
    ${shelves.map(([key, value]) => html`<section key=${key} id=${`part-${key}`} class="part">
      <h2>${words(key)}</h2>
      <${Shelf} value=${value} names=${names}/>
    </section>`)}
    <section id="of-bots" class="part">
      <h2>Bots</h2>
      <${Ladder} title=${title.id}/><${AgainstPeople} title=${title.id}/>
    </section>
    <section id="of-options" class="part">
      <h2>Options</h2>
      <${OptionTable} title=${title}/>
    </section>
    <section id="of-commands" class="part">
      <h2>Commands</h2>
      ${Object.entries(title.commands).map(([type, schema]) => html`<details key=${type} class="more">
        <summary>${words(type)} <span class="hint">${follow(schema, schema).description}</span></summary>
        <${SchemaTable} schema=${schema} none="This command has no fields."/>
      </details>`)}
    </section>
    <section id="of-events" class="part">
      <h2>Event types</h2>
      <p class="events">${Object.entries(title.events || {}).map(([type, schema]) => html`<span key=${type}
        class="event-type" title=${follow(schema, schema).description}>${unsnake(type)}</span>`)}</p>
    </section>
  </div><//>`;
}

/** The versions that games may still be in, beside the one that new games begin under. */
function older({ version, versions }) {
  const kept = versions.filter((each) => each !== version);
  return kept.length ? tr(" (older games may use {list})", { list: list(kept.map(String)) }) : "";
}

/** A link within the page: the address's hash belongs to the router. */
function Jump({ to, name }) {
  const jump = () => document.getElementById(to)?.scrollIntoView();
  return html`<button type="button" class="quiet-link" onClick=${jump}>${name}</button>`;
}

/** Key -> name, wherever the board tells both. */
function namesIn(board) {
  const names = new Map();
  const walk = (value, key) => {
    if (!value || typeof value !== "object") return;
    if (typeof value.name === "string") names.set(value.key ?? value.id ?? key, value.name);
    Object.entries(value).forEach(([inner, item]) => walk(item, inner));
  };
  walk(board, null);
  return names;
}

const isRow = (value) => value && typeof value === "object" && !Array.isArray(value);
const KINDS = new Set(["facts", "table", "cards", "map", "track"]);
/** True of a panel of the page's vocabulary: a board may hold some, ready to be drawn. */
const isPanel = (value) => isRow(value) && KINDS.has(value.kind) && value.title !== undefined;

/** A part of the board, whatever its shape. */
function Shelf({ value, names }) {
  if (isPanel(value)) return html`<${Panel} panel=${value}/>`;
  if (Array.isArray(value)) {
    if (value.every(isPanel)) return value.map((panel, index) => html`<${Panel} key=${index} panel=${panel}/>`);
    return value.every(isRow) ? html`<${Rows} rows=${value} names=${names}/>` : html`<p>${textOf(value, names)}</p>`;
  }
  const entries = Object.entries(value);
  if (entries.every(([, item]) => isRow(item))) {
    return html`<${Rows} rows=${entries.map(([key, item]) => ({ key, ...item }))} names=${names}/>`;
  }
  if (entries.every(([, item]) => typeof item !== "object" || item === null)) {
    return html`<${Pairs} entries=${entries} names=${names}/>`;
  }
  return entries.map(([key, item]) => html`<section key=${key} class="part inner">
    <h3>${names.get(key) || words(key)}</h3>
    ${item && typeof item === "object" ? html`<${Shelf} value=${item} names=${names}/>` : html`<p>${textOf(item, names)}</p>`}
  </section>`);
}

function Pairs({ entries, names = new Map() }) {
  return html`<dl class="facts wide">${entries.map(([key, value]) => html`<div key=${key}>
    <dt>${names.get(key) || words(key)}</dt><dd>${textOf(value, names)}</dd>
  </div>`)}</dl>`;
}

/** True of objects, and of lists of them. */
const isDeep = (value) =>
  isRow(value) || (Array.isArray(value) && value.some((item) => item && typeof item === "object"));

const TEXT = /^(texts?|rules?|description)$/;

/** Columns for programs, not for readers. */
const DRAWING = new Set(["path", "x", "y", "longitude", "latitude", "lon", "lat", "mark"]);

function Rows({ rows, names }) {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) => !DRAWING.has(column));
  // Where a text says it in words, what programs read in its place is left out.
  const told = all.some((column) => TEXT.test(column));
  const columns = all.filter((column) => !told || TEXT.test(column) || !rows.some((row) => isDeep(row[column])));
  // The name leads, the key (which programs use) comes last and small.
  const order = (column) => (column === "name" || column === "title" ? 0 : column === "key" || column === "id" ? 2 : 1);
  const sorted = [...columns].sort((a, b) => order(a) - order(b));
  const cell = (row, column, place) => {
    if (order(column) === 2) return html`<td key=${column} class="key"><code>${row[column]}</code></td>`;
    const kind = typeof row[column] === "number" ? "number" : place === 0 ? "lead-cell" : "";
    return html`<td key=${column} class=${kind}>${textOf(row[column], names)}</td>`;
  };
  return html`<div class="scrolls table-scroll" tabindex="0" role="group"><table>
    <thead><tr>${sorted.map((column) => html`<th key=${column} scope="col">${words(column)}</th>`)}</tr></thead>
    <tbody>${rows.map((row, index) => html`<tr key=${index}>
      ${sorted.map((column, place) => cell(row, column, place))}
    </tr>`)}</tbody>
  </table></div>`;
}

function textOf(value, names, depth = 0) {
  if (value === null || value === undefined || value === "") return depth ? "–" : "";
  if (value === true) return tr("yes");
  if (value === false) return tr("no");
  if (Array.isArray(value)) return value.map((item) => textOf(item, names, depth + 1)).join(", ");
  if (typeof value === "object") {
    if (typeof value.name === "string") return value.name;
    const told = Object.entries(value).filter(([key]) => !DRAWING.has(key));
    const sentences = told.some(([, item]) => typeof item === "string" && item.endsWith("."));
    const mark = sentences ? ":" : "";
    return told
      .map(([key, item]) => `${names?.get(key) || words(key)}${mark} ${textOf(item, names, depth + 1)}`)
      .join(sentences ? " " : ", ");
  }
  return names?.get(value) || (/^[a-z0-9]+(_[a-z0-9]+)+$/.test(value) ? value.replace(/_/g, " ") : String(value));
}

/** The options in words, each with its values and which of them is usual. */
function OptionTable({ title }) {
  const schema = worded(title.options, title.option_words);
  const fields = fieldsOf(schema);
  if (!fields.length) return html`<p class="none">This title has no options.</p>`;
  return html`<dl class="option-words">${fields.map(({ name, schema: field }) => {
    const whole = follow(field, schema);
    const values = kindOf(whole, schema) === "choice" ? choicesOf(whole, schema) : [];
    return html`<div key=${name} data-option=${name}><dt>${whole.title || words(name)}</dt><dd>${whole.description}
      ${values.length > 0 && html`<ul>${values.map(({ value, label }) => html`<li key=${value}>${label ?? words(value)}${
        value === whole.default && html` <span class="hint">(usual)</span>`}</li>`)}</ul>`}
      ${!values.length && html`<p class="hint">${valuesOf(field, schema)}${usualOf(whole)}</p>`}</dd></div>`;
  })}</dl>`;
}

const usualOf = ({ default: usual }) => (usual === undefined || usual === null || Array.isArray(usual) ? "" : tr("; usual: {usual}", { usual }));

function SchemaTable({ schema, none }) {
  const fields = fieldsOf(follow(schema, schema)).filter((field) => field.name !== "type");
  if (!fields.length) return html`<p class="none">${none}</p>`;
  const usual = (whole, required) => {
    if (whole.default === undefined) return required ? tr("required") : "";
    return textOf(whole.default) || JSON.stringify(whole.default);
  };
  const headings = [tr("Field"), tr("Values"), tr("Default"), tr("Meaning")];
  return html`<div class="scrolls table-scroll" tabindex="0" role="group"><table>
    <thead><tr>${headings.map((heading) => html`<th key=${heading} scope="col">${heading}</th>`)}</tr></thead>
    <tbody>${fields.map((field) => {
      const whole = follow(field.schema, schema);
      return html`<tr key=${field.name}>
        <td><code>${field.name}</code></td>
        <td>${valuesOf(field.schema, schema)}</td>
        <td>${usual(whole, field.required)}</td>
        <td>${whole.description}</td>
      </tr>`;
    })}</tbody>
  </table></div>`;
}

/** The range of a number; a bound in the millions is there for the machine, not for the reader. */
function rangeOf({ minimum = -Infinity, maximum = Infinity }) {
  const [low, high] = [Math.abs(minimum) < 1e5, Math.abs(maximum) < 1e5];
  if (low && high) return tr("{minimum} to {maximum}", { minimum, maximum });
  return low ? tr("{minimum} or more", { minimum }) : high ? tr("up to {maximum}", { maximum }) : tr("a number");
}

const either = (texts) => list(texts, "or");

/** The values of a schema in words. */
function valuesOf(schema, root) {
  const [inner, nullable] = optional(schema, root);
  const kind = kindOf(inner, root);
  const texts = {
    choice: () => either(choicesOf(inner, root).map((choice) => choice.label || String(choice.value))),
    boolean: () => tr("yes or no"),
    integer: () => rangeOf(inner),
    string: () => tr("a key"),
    chips: () => tr("a list: {value}", { value: valuesOf(inner.items, root) }),
    list: () => tr("a list of {value}", { value: valuesOf(inner.items, root) }),
    tuple: () => `${count(inner.prefixItems.length, "value")}`,
    map: () => tr("for each key {value}", { value: valuesOf(inner.additionalProperties, root) }),
    record: () => list(fieldsOf(inner).map((field) => field.name)),
    variants: () => either((inner.anyOf || inner.oneOf).map((choice) => valuesOf(choice, root))),
  };
  return (texts[kind]?.() ?? "JSON") + (nullable ? tr(", or none") : "");
}
