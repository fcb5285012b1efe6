// A counter-offer: what somebody offers me, turned round into a command of mine. Knows no title: a command that has two
// records of one shape and names a seat is an offer. Pure functions only.
import { blank, fieldsOf, follow, kindOf, optional } from "./schema.js";
import { namesSeat } from "./suggest.js";

const record = (field, root) => {
  const [inner] = optional(field.schema, root);
  return kindOf(inner, root) === "record" ? fieldsOf(inner).map((each) => each.name) : null;
};

/** The two sides of a command that gives one thing for another, each with its members; null where it is none. */
function sidesOf(schema) {
  const records = fieldsOf(follow(schema, schema))
    .map((field) => ({ name: field.name, members: record(field, schema) }))
    .filter((side) => side.members);
  const alike = records.length === 2 && String(records[0].members) === String(records[1].members);
  return alike ? records : null;
}

/** The id by which all *commands* name the same thing: `[name, id]`; null where they name none. */
export function sameThing(commands) {
  const [first, ...others] = commands;
  const ids = Object.entries(first ?? {}).filter(([name, id]) => name.endsWith("_id") && Number.isInteger(id));
  return ids.find(([name, id]) => others.every((each) => each[name] === id)) ?? null;
}

/** What *view* shows under that name and id, in any of its lists; null where it shows nothing. */
export function shownAs([name, id], view) {
  const lists = Object.values(view ?? {}).filter(Array.isArray);
  return lists.flat().find((each) => each?.[name] === id) ?? null;
}

/** The value of a form of *schema* that answers *offer* to *seat* with its sides exchanged; null where it cannot. */
export function turned(schema, offer, seat) {
  const sides = sidesOf(schema);
  const to = fieldsOf(follow(schema, schema)).find(({ name }) => namesSeat(name) && name !== "from" && name in offer);
  if (!sides || !to || !Number.isInteger(offer.from) || offer.from === seat) return null;
  if (offer[to.name] !== null && offer[to.name] !== seat) return null;
  if (!sides.every((side) => offer[side.name])) return null;
  const [one, other] = sides;
  const taken = ({ members }, from) =>
    Object.fromEntries(Object.entries(offer[from.name]).filter(([name]) => members.includes(name)));
  return {
    ...blank(schema, schema),
    [to.name]: offer.from,
    [one.name]: taken(one, other),
    [other.name]: taken(other, one),
  };
}
