// One field of a form made from a JSON Schema. Fields hold fields: records, lists, variants.
import { Badge } from "../board/seats.js";
import { tr } from "../base/text.js";
import { classes, html, useId } from "../base/ui.js";
import { seatName, within, words } from "../base/words.js";
import { Chips, KeyInput } from "./keys.js";
import { blank, choicesOf, constantOf, fieldsOf, fitting, follow, kindOf, optional } from "./schema.js";
import { namesSeat } from "./suggest.js";

/**
 * *name*: of the field, *path*: names from the command down to it, *hints(path)*: suggestions for it,
 * *seats*: of the game. Values change by *onChange(value)*.
 */
export function Field(props) {
  const { schema, root, name } = props;
  const [inner, nullable] = optional(schema, root);
  if (nullable) return html`<${Optional} ...${props} inner=${inner}/>`;
  const kind = kindOf(inner, root);
  if (kind === "constant") return null;
  if (namesSeat(name) && props.seats.length && kind === "integer")
    return html`<${SeatField} ...${props} inner=${inner}/>`;
  const Control = CONTROLS[kind] || JsonField;
  return html`<${Control} ...${props} inner=${inner}/>`;
}

const CONTROLS = {
  choice: Choice,
  boolean: Flag,
  integer: Num,
  number: Num,
  string: Text,
  chips: ChipsField,
  list: List,
  tuple: Tuple,
  map: Mapping,
  record: Record,
  variants: Variants,
};

/** What a field is called: the title that its schema gives it, unless that is the name of a class. */
function titleOf(name, inner) {
  if (name === "" || name === undefined) return null;
  return inner.title && !/^[A-Z][a-z]+([A-Z][a-z]+)*$/.test(inner.title) ? inner.title : words(name);
}

function Label({ name, inner, children, of, group = false, plain = false }) {
  const id = useId();
  const help = inner.description;
  const title = titleOf(name, inner);
  if (group) {
    return html`<fieldset class=${classes("group", plain && "plain")} aria-describedby=${help ? id : undefined}>
      ${title && html`<legend>${title}</legend>`}${help && !plain && html`<p class="hint"
        id=${id}>${help}</p>`}${children}</fieldset>`;
  }
  // The label names its control: as its parent it would press the first button inside.
  return html`<div class="field"><label for=${of}>${title}</label>${children}${help && html`<span
    class="hint">${help}</span>`}</div>`;
}

/** A field that may stay empty: a switch, and behind it the field. */
function Optional(props) {
  const { inner, value, onChange, name, root } = props;
  const kind = kindOf(inner, root);
  // Where "nothing" is simply one more choice, no switch is needed.
  if (kind === "choice") return html`<${Choice} ...${props} none=${true}/>`;
  if (kind === "integer" && namesSeat(name) && props.seats.length)
    return html`<${SeatField} ...${props} none=${true}/>`;
  const set = value !== null && value !== undefined;
  const start = () =>
    onChange(
      blank({ ...inner, default: undefined }, root) ??
        { string: "", integer: Math.max(0, inner.minimum ?? 0), number: 0 }[kind] ??
        null,
    );
  return html`<div class="optional">
    <label class="check"><input type="checkbox" checked=${set}
      onChange=${() => (set ? onChange(null) : start())}/><span>${titleOf(name, inner)}</span></label>
    ${set && html`<${Field} ...${props} schema=${inner}/>`}
  </div>`;
}

function Choice({ name, inner, root, value, onChange, known, none }) {
  const choices = choicesOf(inner, root);
  const index = choices.findIndex((choice) => choice.value === value);
  const label = (choice) =>
    choice.label ||
    (typeof choice.value === "string" ? known?.names.get(choice.value) || words(choice.value) : String(choice.value));
  const id = useId();
  return html`<${Label} name=${name} inner=${inner} of=${id}><select id=${id} name=${name} value=${String(index)}
      onChange=${(event) => onChange(choices[Number(event.target.value)]?.value ?? (none ? null : undefined))}>
    ${(none || index < 0) && html`<option value="-1">${none ? tr("none") : tr("choose …")}</option>`}
    ${choices.map((choice, number) => html`<option key=${number} value=${String(number)}>${label(choice)}</option>`)}
  </select><//>`;
}

function SeatField({ name, inner, value, onChange, seats, none }) {
  return html`<${Label} name=${name} inner=${inner} group=${true} plain=${true}><div class="chips" role="group">
    ${seats.map(
      (seat) => html`<button key=${seat.seat} type="button" class="chip" aria-pressed=${value === seat.seat}
      onClick=${() => onChange(value === seat.seat ? undefined : seat.seat)}><${Badge}
      seat=${seat.seat}/> <bdi>${seatName(seat)}</bdi></button>`,
    )}
    ${none && html`<button type="button" class="chip" aria-pressed=${value === null}
      onClick=${() => onChange(value === null ? undefined : null)}>${name === "to" ? tr("Everybody") : tr("Nobody")}</button>`}
  </div><//>`;
}

function Flag({ name, inner, value, onChange }) {
  return html`<div class="optional"><label class="check"><input type="checkbox" name=${name} checked=${Boolean(value)}
    onChange=${(event) => onChange(event.target.checked)}/>
    <span>${titleOf(name, inner)}</span></label>${inner.description && html`<span
      class="hint">${inner.description}</span>`}</div>`;
}

function Num({ name, inner, value, onChange }) {
  const least = inner.minimum ?? (inner.exclusiveMinimum !== undefined ? inner.exclusiveMinimum + 1 : undefined);
  const change = (text) => onChange(text === "" || Number.isNaN(Number(text)) ? undefined : Number(text));
  const bump = (by) => onChange(Math.min(inner.maximum ?? Infinity, Math.max(least ?? -Infinity, (value ?? 0) + by)));
  const id = useId();
  return html`<${Label} name=${name} inner=${inner} of=${id}><span class="stepper">
    <button type="button" aria-label="one less" tabindex="-1" onClick=${() => bump(-1)}>−</button>
    <input id=${id} type="number" name=${name} aria-label=${name ? words(name) : undefined} inputmode="numeric" value=${value ?? ""} min=${least} max=${inner.maximum}
      step=${inner.type === "number" ? "any" : 1}
      onInput=${(event) => change(event.target.value)}/>
    <button type="button" aria-label="one more" tabindex="-1" onClick=${() => bump(1)}>+</button></span><//>`;
}

function Text({ name, inner, value, onChange, path, hints, known }) {
  return html`<${Label} name=${name} inner=${inner} group=${true} plain=${true}>
    <${KeyInput} name=${name} value=${value ?? ""} onChange=${onChange} hints=${hints(path)} known=${known}/><//>`;
}

function ChipsField({ name, inner, root, value, onChange, path, hints, known, seats }) {
  const [item] = optional(inner.items, root);
  const kind = kindOf(item, root);
  let offered = hints(path);
  if (kind === "choice")
    offered = {
      chips: choicesOf(item, root).map((choice) => ({
        key: choice.value,
        name: choice.label || known?.names.get(choice.value) || words(choice.value),
        count: 1,
      })),
      more: [],
    };
  if (kind === "integer" && namesSeat(name))
    offered = { chips: seats.map((seat) => ({ key: seat.seat, name: seatName(seat), count: 1 })), more: [] };
  return html`<${Label} name=${name} inner=${inner} group=${true}>
    <${Chips} name=${name} value=${value || []} onChange=${onChange} hints=${offered} known=${known}
      numeric=${kind === "integer"} max=${inner.maxItems}
        free=${kind === "string" || (kind === "integer" && !offered.chips.length)}/><//>`;
}

function List({ name, inner, root, value = [], onChange, path, ...rest }) {
  const put = (index, item) => onChange(value.map((old, place) => (place === index ? item : old)));
  const full = inner.maxItems !== undefined && value.length >= inner.maxItems;
  return html`<${Label} name=${name} inner=${inner} group=${true}>
    <ol class="items">${value.map(
      (item, index) => html`<li key=${index}>
      <${Field} ...${rest} name="" schema=${inner.items} root=${root} value=${item} path=${[...path, index]}
        onChange=${(next) => put(index, next)}/>
      <button type="button" class="quiet" aria-label=${tr("Remove item {value}", { value: index + 1 })}
        onClick=${() => onChange(value.filter((_, place) => place !== index))}>×</button></li>`,
    )}</ol>
    <button type="button" disabled=${full} onClick=${() => onChange([...value, blank(inner.items, root)])}>
      ${name ? tr("Add to {name}", { name: within(words(name)) }) : tr("Add")}</button><//>`;
}

function Tuple({ name, inner, value = [], onChange, path, ...rest }) {
  const put = (index, item) => onChange(inner.prefixItems.map((_, place) => (place === index ? item : value[place])));
  return html`<${Label} name=${name} inner=${inner} group=${true}>${inner.prefixItems.map(
    (item, index) => html`<${Field} ...${rest} key=${index} name=${String(index + 1)} schema=${item}
      value=${value[index]} path=${[...path, index]}
      onChange=${(next) => put(index, next)}/>`,
  )}<//>`;
}

/** A mapping of keys to values: one line for each key that is suggested, others by name. */
function Mapping({ name, inner, root, value = {}, onChange, path, hints, known, ...rest }) {
  const allowed = inner.propertyNames?.enum;
  const offered = allowed
    ? allowed.map((key) => ({ key, name: known?.names.get(key) || words(key) }))
    : hints(path).chips.slice(0, 16);
  const keys = [
    ...new Map([
      ...offered.map((hint) => [hint.key, hint.name]),
      ...Object.keys(value).map((key) => [key, known?.names.get(key) || words(key)]),
    ]),
  ];
  const item = { ...follow(inner.additionalProperties, root), title: undefined };
  const relaxed = item.type === "integer" ? { ...item, minimum: Math.min(0, item.minimum ?? 0) } : item;
  return html`<${Label} name=${name} inner=${inner} group=${true}>
    <div class="mapping">${keys.map(([key, label]) => html`<${Field} ...${rest} key=${key} name=${key} root=${root}
      schema=${{ ...relaxed, title: `${label} ` }} hints=${hints} known=${known} value=${value[key]} path=${[...path, key]}
      onChange=${(next) => onChange({ ...value, [key]: next })}/>`)}</div>
    ${!allowed && html`<${KeyInput} name=${`${name}-key`} value="" placeholder="another key" known=${known} once=${true}
      hints=${{ chips: [], more: hints(path).more }}
      onChange=${(key) => key && onChange({ ...value, [key]: value[key] ?? blank(item, root) ?? 0 })}/>`}<//>`;
}

function Record({ name, inner, value = {}, onChange, path, ...rest }) {
  const fields = fieldsOf(inner).filter((field) => !(path.length === 0 && field.name === "type"));
  const body = fields.map(({ name: key, schema }) => html`<${Field} ...${rest} key=${key} name=${key} schema=${schema}
    value=${value?.[key]} path=${[...path, key]} onChange=${(next) => onChange({ ...value, [key]: next })}/>`);
  return path.length === 0 ? body : html`<${Label} name=${name} inner=${inner} group=${true}>${body}<//>`;
}

/** One of several shapes. */
function Variants(props) {
  const { name, inner, root, value, onChange } = props;
  const choices = inner.anyOf || inner.oneOf;
  const current = choices.indexOf(fitting(inner, value, root));
  const label = (choice, index) => {
    const whole = follow(choice, root);
    const tag = fieldsOf(whole)
      .map((field) => follow(field.schema, root))
      .find((field) => kindOf(field, root) === "constant");
    return words(
      (tag && constantOf(tag)) ||
        { object: tr("one by one"), integer: tr("a number"), array: tr("a list"), string: tr("a word") }[whole.type] ||
        whole.title ||
        tr("form {value}", { value: index + 1 }),
    );
  };
  const choose = (index) => {
    const whole = follow(choices[index], root);
    if (index !== current) onChange(blank(whole, root) ?? { integer: 0, string: "" }[whole.type]);
  };
  const isRecord = kindOf(follow(choices[current], root), root) === "record";
  return html`<${Label} name=${name} inner=${inner} group=${true}>
    <p class="segments" role="group">${choices.map((choice, index) => html`<button key=${index} type="button"
      aria-pressed=${index === current} onClick=${() => choose(index)}>${label(choice, index)}</button>`)}</p>
    <${Field} ...${props} key=${current} name=${isRecord ? "" : name} schema=${choices[current]}/><//>`;
}

/** What this module has no control for is written as JSON. */
function JsonField({ name, inner, value, onChange }) {
  const change = (text) => {
    try {
      onChange(text.trim() === "" ? undefined : JSON.parse(text));
    } catch {
      // Half-written JSON is no value yet.
    }
  };
  const id = useId();
  const text = value === undefined ? "" : JSON.stringify(value);
  return html`<${Label} name=${name} inner=${inner} of=${id}><textarea id=${id} name=${name} rows="3" placeholder="JSON"
    onInput=${(event) => change(event.target.value)}>${text}</textarea><//>`;
}
