// JSON Schemas of commands and options, read for the purpose of making a form. Pure functions only.
import { namesSeat } from "./suggest.js";
import { tr } from "../base/text.js";

const clone = (value) => (value === undefined ? undefined : structuredClone(value));

/** The schema that *schema* stands for: references are followed into *root*. */
export function follow(schema, root) {
  let found = schema;
  for (let depth = 0; found?.$ref && depth < 20; depth++) {
    const { $ref, ...beside } = found;
    found = { ...at(root, $ref), ...beside };
  }
  return found || {};
}

function at(root, pointer) {
  const parts = pointer
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decodeURIComponent(part).replace(/~1/g, "/").replace(/~0/g, "~"));
  const exact = parts.reduce((inner, part) => inner?.[part], root);
  // A schema cut out of a larger document names its components from the root of that document.
  return exact ?? root?.$defs?.[parts.at(-1)] ?? root?.components?.schemas?.[parts.at(-1)] ?? {};
}

/** `[schema without null, whether null is allowed]`. */
export function optional(schema, root) {
  const whole = follow(schema, root);
  if (Array.isArray(whole.type) && whole.type.includes("null")) {
    const types = whole.type.filter((type) => type !== "null");
    return [{ ...whole, type: types.length === 1 ? types[0] : types }, true];
  }
  const choices = whole.anyOf || whole.oneOf;
  if (!choices) return [whole, whole.nullable === true];
  const isNull = (choice) => follow(choice, root).type === "null";
  const others = choices.filter((choice) => !isNull(choice));
  if (others.length === choices.length) return [whole, false];
  const { anyOf, oneOf, ...beside } = whole;
  return [others.length === 1 ? { ...follow(others[0], root), ...beside } : { ...beside, anyOf: others }, true];
}

/** What kind of control *schema* (without null) needs. */
export function kindOf(schema, root) {
  if ("const" in schema || schema.enum?.length === 1) return "constant";
  if (schema.enum) return "choice";
  const choices = schema.anyOf || schema.oneOf;
  if (choices) return choices.every((choice) => "const" in follow(choice, root)) ? "choice" : "variants";
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "array") return listKind(schema, root);
  if (type === "object" || schema.properties)
    return schema.properties || !schema.additionalProperties ? "record" : "map";
  return { boolean: "boolean", integer: "integer", number: "number", string: "string" }[type] || "json";
}

function listKind(schema, root) {
  if (schema.prefixItems) return "tuple";
  const [item] = optional(schema.items || {}, root);
  return ["string", "choice", "integer"].includes(kindOf(item, root)) ? "chips" : "list";
}

/** The values of a choice as `[{value, label}]`. */
export function choicesOf(schema, root) {
  if (schema.enum) return schema.enum.map((value) => ({ value, label: null }));
  return (schema.anyOf || schema.oneOf).map((choice) => {
    const whole = follow(choice, root);
    return { value: whole.const, label: whole.title || null };
  });
}

/** The one value of a constant. */
export function constantOf(schema) {
  return "const" in schema ? schema.const : schema.enum[0];
}

/** The fields of a record: `[{name, schema, required}]`, in the order of the schema. */
export function fieldsOf(schema) {
  const required = new Set(schema.required || []);
  return Object.entries(schema.properties || {}).map(([name, field]) => ({
    name,
    schema: field,
    required: required.has(name),
  }));
}

/** True for a seat that must be named, or expressly left open: a form begins without either. */
function open({ name, schema, required }, root) {
  const [inner, nullable] = optional(schema, root);
  return required && nullable && kindOf(inner, root) === "integer" && namesSeat(name);
}

/** What a form begins with: defaults where there are any, otherwise as little as the schema takes. */
export function blank(schema, root) {
  const whole = follow(schema, root);
  if (whole.default !== undefined) return clone(whole.default);
  const [inner, nullable] = optional(whole, root);
  if (nullable) return null;
  switch (kindOf(inner, root)) {
    case "constant":
      return constantOf(inner);
    case "choice":
      return undefined;
    case "variants":
      return blank((inner.anyOf || inner.oneOf)[0], root);
    case "boolean":
      return false;
    case "integer":
      return inner.minimum > 0 ? inner.minimum : undefined;
    case "chips":
      return [];
    case "list":
      return Array.from({ length: inner.minItems || 0 }, () => blank(inner.items, root));
    case "tuple":
      return inner.prefixItems.map((item) => blank(item, root));
    case "map":
      return {};
    case "record":
      return Object.fromEntries(
        fieldsOf(inner)
          .filter((field) => field.required || follow(field.schema, root).default !== undefined)
          .map((field) => [field.name, open(field, root) ? undefined : blank(field.schema, root)]),
      );
    default:
      return undefined;
  }
}

/** The value as it is sent: what was left empty is left out. Throws an Error that names the first missing field. */
export function clean(schema, value, root, path = []) {
  const [inner] = optional(schema, root);
  if (value === null || value === undefined) return value;
  const kind = kindOf(inner, root);
  if (kind === "record") return cleanRecord(inner, value, root, path);
  if (kind === "list")
    return value.map((item, index) => present(clean(inner.items, item, root, [...path, index]), [...path, index]));
  if (kind === "tuple")
    return inner.prefixItems.map((item, index) =>
      present(clean(item, value[index], root, [...path, index]), [...path, index]),
    );
  if (kind === "map")
    return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== 0));
  if (kind === "variants") return clean(fitting(inner, value, root), value, root, path);
  return value;
}

function cleanRecord(schema, value, root, path) {
  const sent = {};
  for (const field of fieldsOf(schema)) {
    const inner = clean(field.schema, value[field.name], root, [...path, field.name]);
    if (field.required) present(inner, [...path, field.name]);
    if (inner !== undefined) sent[field.name] = inner;
  }
  return sent;
}

function present(value, path) {
  if (value === undefined || value === "")
    throw new Error(tr("Fill in “{field}”.", { field: path.map((part) => String(part).replace(/_/g, " ")).join(" – ") }));
  return value;
}

/** Of several shapes the one that *value* seems to have. */
export function fitting(schema, value, root) {
  const choices = schema.anyOf || schema.oneOf;
  const shape = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
  const fits = (choice) => {
    const whole = follow(choice, root);
    const type =
      whole.type === "integer" ? "number" : whole.type || (whole.properties ? "object" : typeof whole.enum?.[0]);
    if (type !== shape) return false;
    return (
      shape !== "object" ||
      fieldsOf(whole).every((field) => {
        const inner = follow(field.schema, root);
        return kindOf(inner, root) !== "constant" || value[field.name] === constantOf(inner);
      })
    );
  };
  return choices.find(fits) || choices[0];
}

/** True where a command needs no more than its type. */
export function isBare(schema) {
  return fieldsOf(follow(schema, schema)).every((field) => field.name === "type");
}
