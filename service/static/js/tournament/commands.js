// The commands of a tournament as forms: which there are, what each needs, when it is of use.
// What the service refuses it explains in a sentence; nothing of its rules is repeated here.
import { keyed, tr } from "../base/text.js";

const CAUSES = ["absence", "conduct", "technical", "agreement", "schedule", "error", "other"];
const KINDS = ["result", "conduct", "forfeit", "technical", "appeal", "other"];
const ROLES = ["assistant", "director", "owner"];

const TEXT = { name: "text", kind: "text", label: keyed("Explanation"), optional: true };
const CAUSE = { name: "cause", kind: "choice", label: keyed("Cause"), choices: CAUSES, value: "other" };
const entrant = (label = keyed("Entrant")) => ({ name: "entrant", kind: "entrant", label });
const TABLE = { name: "at", kind: "table", label: keyed("Table") };

const isOpen = (t) => t.status === "open";
const isRunning = (t) => t.status === "running" && !t.paused;
const before = (t) => t.status === "draft" || t.status === "open";
const played = (t) => !before(t) && !t.over;
const stays = (one) => ["playing", "reserve", "awaits_admission"].includes(one.status);

/**
 * What a director may do, in the order of an event. *fields*: what it needs. *now(tournament, rounds)*: whether it
 * is of use at this moment. *hint*: what it leads to. *grave*: asked once more before it is sent.
 */
export const DIRECTING = [
  { type: "open_entry", name: keyed("Open entry"), hint: keyed("Players can enter from now on."), now: (t) => t.status === "draft" },
  { type: "close_entry", name: keyed("Close entry"), hint: keyed("Fixes the list of players."), now: isOpen },
  {
    type: "pair_round",
    name: keyed("Pair the round"),
    hint: keyed("Draws the tables, once, from the committed randomness."),
    now: (t, rounds) =>
      isRunning(t) && !t.reveal_until && !t.formats.includes("ladder") && !rounds.some((one) => one.status !== "closed"),
  },
  {
    type: "start_round",
    name: keyed("Start the round"),
    hint: keyed("The games begin."),
    now: (t, rounds) => isRunning(t) && rounds.at(-1)?.status === "paired",
  },
  {
    type: "rule",
    name: keyed("Give a ruling"),
    hint: keyed("A ruling changes no recorded result. Standings count results first, then rulings."),
    fields: [
      { name: "kind", kind: "choice", label: keyed("About"), choices: KINDS, value: "result" },
      { name: "effects", kind: "effects", label: keyed("Effects") },
      { name: "dispute", kind: "dispute", label: keyed("Decides the dispute"), optional: true },
      { name: "ruling", kind: "appeal", label: keyed("Decides the appeal against"), optional: true },
      TEXT,
    ],
    now: played,
  },
  {
    type: "admit",
    name: keyed("Admit an entrant"),
    fields: [entrant(), { name: "yes", kind: "yes", label: keyed("Admitted"), value: true }],
    now: (t, _, entrants) => entrants.some((one) => one.status === "awaits_admission"),
  },
  {
    type: "withdraw_entrant",
    name: keyed("Withdraw an entrant"),
    hint: keyed("They leave their game and are not paired again."),
    fields: [entrant(), CAUSE, TEXT],
    now: (t, _, entrants) => !t.over && entrants.some(stays),
  },
  {
    type: "return_entrant",
    name: keyed("Let an entrant return"),
    hint: keyed("They get no points for the rounds that they missed."),
    fields: [entrant()],
    now: (t, _, entrants) => entrants.some((one) => one.status === "withdrawn"),
  },
  {
    type: "name_substitute",
    name: keyed("Name a substitute"),
    hint: keyed("An entrant of the reserve takes over a seat."),
    fields: [TABLE, { name: "seat", kind: "number", label: keyed("Seat"), value: 0 }, entrant(keyed("Substitute"))],
    now: (t, rounds, entrants) => played(t) && rounds.length > 0 && entrants.some((one) => one.status === "reserve"),
  },
  {
    type: "forbid_pair",
    name: keyed("Forbid a pair"),
    hint: keyed("These two are never paired at the same table."),
    fields: [{ name: "entrants", kind: "pair", label: keyed("Entrants to keep apart") }, CAUSE, TEXT],
    now: (t, _, entrants) => !t.over && entrants.filter(stays).length > 1,
  },
  {
    type: "set_pairing",
    name: keyed("Pair by hand"),
    hint: keyed("Replaces the draw. Both stay in the log."),
    fields: [{ name: "pods", kind: "pairing", label: keyed("One table per line, in the order of seats. Last line: byes") }, CAUSE, TEXT],
    now: isRunning,
  },
  {
    type: "pause_tournament",
    name: keyed("Pause"),
    hint: keyed("All its games are paused, too."),
    fields: [{ name: "until", kind: "time", label: keyed("Until") }, CAUSE, TEXT],
    now: isRunning,
  },
  { type: "resume_tournament", name: keyed("Resume"), hint: keyed("Rounds and games continue."), now: (t) => Boolean(t.paused) },
  {
    type: "change_settings",
    name: keyed("Announce and change settings"),
    hint: keyed("Name, description and schedule can change at any time, everything else until entry is closed."),
    fields: [{ name: "changes", kind: "changes", label: keyed("Changes") }],
    now: (t) => !t.over,
  },
  {
    type: "name_director",
    name: keyed("Name a director"),
    fields: [
      { name: "account", kind: "account", label: keyed("Handle or id of the account"), optional: true },
      { name: "director", kind: "director", label: keyed("Or a director who gets another role"), optional: true },
      { name: "role", kind: "choice", label: keyed("Role"), choices: ROLES, value: "director" },
    ],
    now: (t) => !t.over,
  },
  {
    type: "drop_director",
    name: keyed("Drop a director"),
    fields: [{ name: "director", kind: "director", label: keyed("Director") }],
    now: (t) => !t.over && t.directors.length > 1,
  },
  {
    type: "close_stage",
    name: keyed("Close the stage"),
    hint: keyed("No more rounds of this stage will be played."),
    now: isRunning,
    grave: true,
  },
  {
    type: "cancel_tournament",
    name: keyed("Cancel the tournament"),
    hint: keyed("It ends without a final ranking."),
    fields: [CAUSE, TEXT],
    now: (t) => !t.over,
    grave: true,
  },
];

/** What an entrant may do, beside what stands at the head of the page as buttons. */
export const ENTRANT = {
  raise_dispute: {
    type: "raise_dispute",
    name: keyed("Raise a dispute"),
    fields: [
      { ...TABLE, optional: true },
      { name: "against", kind: "entrant", label: keyed("Against"), optional: true },
      { ...TEXT, optional: false },
    ],
  },
  appeal: { type: "appeal", name: keyed("Appeal"), fields: [TEXT] },
};

/** What a ruling may do: each its fields. */
export const EFFECTS = [
  { kind: "result", name: keyed("Set the result of a table"), fields: [TABLE, { name: "places", kind: "places", label: keyed("Places by seat") }] },
  { kind: "points", name: keyed("Add or subtract points"), fields: [entrant(), { name: "add", kind: "points", label: keyed("Points"), value: 1 }] },
  { kind: "forfeit", name: keyed("Count a round as forfeited"), fields: [entrant(), { name: "round", kind: "number", label: keyed("Round"), value: 1 }] },
  { kind: "warn", name: keyed("Warn"), fields: [entrant()] },
  { kind: "disqualify", name: keyed("Disqualify"), fields: [entrant()] },
  { kind: "replay", name: keyed("Replay a table"), fields: [TABLE] },
  { kind: "end_game", name: keyed("End a game"), fields: [{ name: "game", kind: "game", label: keyed("Table") }] },
  {
    kind: "add_time",
    name: keyed("Add time"),
    fields: [
      { name: "game", kind: "game", label: keyed("Table") },
      { name: "seat", kind: "number", label: keyed("Seat"), value: 0 },
      { name: "add_ms", kind: "minutes", label: keyed("Minutes"), value: 5 },
    ],
  },
  { kind: "rating", name: keyed("Leave the game out of the ratings"), fields: [] },
];

/** What a form holds when it is opened. */
export const blankOf = (fields = []) => Object.fromEntries(fields.map((field) => [field.name, field.value ?? ""]));

/** The members of a command, from what stands in its form. */
export function membersOf(fields, draft, context) {
  const members = {};
  for (const field of fields) {
    const value = draft[field.name];
    if (value === "" || value === undefined) {
      if (field.optional) continue;
      if (field.kind !== "effects") throw new Error(tr("“{label}” is empty. Fill it in.", { label: tr(field.label) }));
    }
    Object.assign(members, (READ[field.kind] || plain)(field, value, context));
  }
  return members;
}

const plain = (field, value) => ({ [field.name]: value });
const whole = (field, value) => ({ [field.name]: Number(value) });

const READ = {
  number: whole,
  dispute: whole,
  appeal: whole,
  points: (field, value, { unit }) => ({ [field.name]: Math.round(Number(value) * unit) }),
  minutes: (field, value) => ({ [field.name]: Math.round(Number(value) * 60_000) }),
  time: (field, value) => ({ [field.name]: new Date(value).toISOString() }),
  table: (field, value) => {
    const [round, table] = value.split("/").map(Number);
    return { round, table };
  },
  places: (field, value) => ({ [field.name]: value.trim().split(/[\s,]+/).map(Number) }),
  pairing: (_, value) => pairing(value),
  effects: (field, value, context) => ({ [field.name]: (value || []).map((each) => effectOf(each, context)) }),
};

function effectOf({ kind, draft }, context) {
  if (kind === "rating") return { rating: "void" };
  return { [kind]: membersOf(EFFECTS.find((each) => each.kind === kind).fields, draft, context) };
}

/** `e1 e4` a line is a table; `byes: e5` those who do not play. */
function pairing(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  const names = (line) => line.match(/e\d+/g) || [];
  const isBye = (line) => /^byes?\b/i.test(line);
  return {
    pods: lines.filter((line) => !isBye(line)).map(names),
    byes: lines.filter(isBye).flatMap(names),
  };
}
