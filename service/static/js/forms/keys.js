// Controls for keys (cards, territories, ...): people see names, the service gets keys.
import { tr } from "../base/text.js";
import { classes, html, useId, useState } from "../base/ui.js";
import { words } from "../base/words.js";
import { nameOf } from "./suggest.js";

const MANY = 24; // more chips than this get a filter
const MOST = 300; // suggestions of a text
const AT_ONCE = 120; // chips drawn at once
const FEW = 14; // up to this many suggestions a single key is chosen by chips

/** The key that a person means by *text*: a key, or the name of one. */
export function keyFor(text, known) {
  const plain = text.trim();
  if (!known || known.names.has(plain)) return plain;
  const wanted = plain.toLowerCase();
  for (const [key, name] of known.names) if (name.toLowerCase() === wanted) return key;
  return plain;
}

/** A single key: chips of the likely ones, or a text with suggestions. *once* empties it after each choice. */
export function KeyInput({ name, value, onChange, hints, known, placeholder = "", once = false }) {
  const id = useId();
  const [text, setText] = useState(null); // what is being typed
  const commit = (typed) => {
    const key = keyFor(typed, known);
    setText(once ? "" : null);
    onChange(key);
  };
  const shown = text ?? (value && known ? nameOf(known, value) : value);
  const offered = [...hints.chips.map((hint) => hint.key), ...hints.more];
  const few = hints.chips.length > 0 && hints.chips.length <= FEW;
  const toggle = (key) => {
    setText(null);
    onChange(value === key ? "" : key);
  };
  return html`<div class="key-input">
    ${few && html`<div class="chips" role="group">${hints.chips.map((hint) => html`<button key=${hint.key} type="button"
      class="chip" data-key=${hint.key} aria-pressed=${value === hint.key}
      onClick=${() => toggle(hint.key)}>${hint.name}</button>`)}</div>`}
    ${(!few || hints.more.length > 0) && html`<input name=${name} value=${shown ?? ""} list=${id} autocomplete="off"
      aria-label=${words(name)} placeholder=${placeholder || (few ? tr("or another") : tr("start typing"))}
      onInput=${(event) => setText(event.target.value)} onChange=${(event) => commit(event.target.value)}/>
      <datalist id=${id}>${offered.slice(0, MOST).map((key) => html`<option key=${key}
        value=${known ? nameOf(known, key) : key}></option>`)}</datalist>`}
  </div>`;
}

/** Several keys in order: the chosen ones, the chips to choose from, and any other by name. */
export function Chips({ name, value, onChange, hints, known, numeric, max, free }) {
  const [filter, setFilter] = useState("");
  const times = (key) => value.filter((each) => each === key).length;
  const label = (key) =>
    hints.chips.find((hint) => hint.key === key)?.name ?? (known ? nameOf(known, key) : String(key));
  const full = max !== undefined && value.length >= max;
  const wanted = filter.trim().toLowerCase();
  const drawn = hints.chips.filter((hint) => !wanted || hint.name.toLowerCase().includes(wanted)).slice(0, AT_ONCE);
  const add = (key) => onChange([...value, key]);
  const remove = (index) => onChange(value.filter((_, place) => place !== index));
  return html`<div class="chip-field" data-field=${name}>
    ${value.length > 0 && html`<ol class="chosen" aria-label="Chosen">${value.map((key, index) => html`<li key=${index}>
      <button type="button" class="chip taken" title="Remove" onClick=${() => remove(index)}>
        ${label(key)} <span aria-hidden="true">×</span></button></li>`)}</ol>`}
    ${hints.chips.length > MANY && html`<input type="search" class="chip-filter" aria-label="Search"
      placeholder=${tr("Search {count}", { count: hints.chips.length })} value=${filter} onInput=${(event) => setFilter(event.target.value)}/>`}
    ${hints.chips.length > 0 && html`<div class=${classes("chips", hints.chips.length > MANY && "many")} role="group"
      aria-label="Choices">${drawn.map((hint) => html`<${Chip} key=${hint.key} hint=${hint} add=${add}
        left=${full ? 0 : (hint.count ?? Infinity) - times(hint.key)}/>`)}</div>`}
    ${free && html`<${KeyInput} name=${name} value="" once=${true} known=${known} hints=${{ chips: [], more: hints.more }}
      placeholder=${hints.chips.length ? tr("another") : tr("start typing")}
      onChange=${(key) => key !== "" && add(numeric ? Number(key) : key)}/>`}
  </div>`;
}

/** One key to choose; of a hand there are only so many. */
function Chip({ hint, left, add }) {
  return html`<button type="button" class="chip" data-key=${hint.key} disabled=${left <= 0} onClick=${() => add(hint.key)}>
    ${hint.name}${hint.count > 1 && html` <small>×${Math.max(0, left)}</small>`}</button>`;
}
