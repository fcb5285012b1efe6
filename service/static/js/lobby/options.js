// The options of a title in words for players: a name, what it changes, and what each value means.
import { choicesOf, follow, kindOf, optional } from "../forms/schema.js";
import { tr } from "../base/text.js";

/** The options' *schema* with the *words* of the title, by option: each value that has a name becomes a choice. */
export function worded(schema, words) {
  const whole = follow(schema, schema);
  const properties = Object.entries(whole.properties || {}).map(([name, property]) => [
    name,
    words?.[name] ? wordedOption(property, schema, words[name]) : property,
  ]);
  return { ...whole, properties: Object.fromEntries(properties) };
}

function wordedOption(property, root, { name, effect, values }) {
  const said = { title: name, description: effect };
  const [inner, nullable] = optional(property, root);
  if (kindOf(inner, root) === "chips")
    return { ...property, ...said, items: named(follow(inner.items, root), root, values) };
  const whole = Object.keys(values).length && !nullable ? named(inner, root, values) : follow(property, root);
  return { ...whole, ...said };
}

/** *schema* as a choice among its values, each by its name of *values*. */
function named(schema, root, values) {
  const { type, enum: _enum, anyOf, oneOf, ...beside } = schema;
  const found = valuesOf(schema, root, values);
  return { ...beside, oneOf: found.map((value) => ({ const: value, title: values[String(value)] || String(value) })) };
}

function valuesOf(schema, root, values) {
  const kind = kindOf(schema, root);
  if (kind === "boolean") return [true, false];
  return kind === "choice" ? choicesOf(schema, root).map((choice) => choice.value) : Object.keys(values);
}

/** What a game's *options* differ in from what a new game has, as `[name, value]` in words. */
export function chosenOptions(schema, words, options) {
  const { properties = {} } = follow(schema, schema);
  return Object.entries(options || {})
    .filter(([name, value]) => words?.[name] && JSON.stringify(value) !== JSON.stringify(follow(properties[name], schema).default))
    .map(([name, value]) => [words[name].name, valueName(words[name], value)]);
}

function valueName({ values }, value) {
  if (Array.isArray(value)) return value.map((each) => values[each] ?? each).join(", ");
  return value === null ? tr("no") : (values[String(value)] ?? String(value));
}
