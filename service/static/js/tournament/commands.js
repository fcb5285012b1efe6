// The commands of a tournament as forms: which there are, what each needs, when it is of use.
// What the service refuses it explains in a sentence; nothing of its rules is repeated here.

const CAUSES = ["absence", "conduct", "technical", "agreement", "schedule", "error", "other"];
const KINDS = ["result", "conduct", "forfeit", "technical", "appeal", "other"];
const ROLES = ["assistant", "director", "owner"];

const TEXT = { name: "text", kind: "text", label: "Explanation", optional: true };
const CAUSE = { name: "cause", kind: "choice", label: "Cause", choices: CAUSES, value: "other" };
const entrant = (label = "Entrant") => ({ name: "entrant", kind: "entrant", label });
const TABLE = { name: "at", kind: "table", label: "Table" };

const isOpen = (t) => t.status === "open";
const isRunning = (t) => t.status === "running" && !t.paused;
const before = (t) => t.status === "draft" || t.status === "open";
const played = (t) => !before(t) && !t.over;

/**
 * What a director may do, in the order of an event. *fields*: what it needs. *now(tournament, rounds)*: whether it
 * is of use at this moment. *hint*: what it leads to. *grave*: asked once more before it is sent.
 */
export const DIRECTING = [
  { type: "open_entry", name: "Open entry", hint: "Players can enter from now on.", now: (t) => t.status === "draft" },
  { type: "close_entry", name: "Close entry", hint: "Fixes the list of players.", now: isOpen },
  {
    type: "pair_round",
    name: "Pair the round",
    hint: "Draws the tables, once, from the committed randomness.",
    now: (t, rounds) =>
      isRunning(t) && !t.reveal_until && !t.formats.includes("ladder") && !rounds.some((one) => one.status !== "closed"),
  },
  {
    type: "start_round",
    name: "Start the round",
    hint: "The games begin.",
    now: (t, rounds) => isRunning(t) && rounds.at(-1)?.status === "paired",
  },
  {
    type: "rule",
    name: "Give a ruling",
    hint: "A ruling changes no recorded result. Standings count results first, then rulings.",
    fields: [
      { name: "kind", kind: "choice", label: "About", choices: KINDS, value: "result" },
      { name: "effects", kind: "effects", label: "Effects" },
      { name: "dispute", kind: "dispute", label: "Decides the dispute", optional: true },
      { name: "ruling", kind: "appeal", label: "Decides the appeal against", optional: true },
      TEXT,
    ],
    now: played,
  },
  {
    type: "admit",
    name: "Admit an entrant",
    fields: [entrant(), { name: "yes", kind: "yes", label: "Admitted", value: true }],
    now: (t, _, entrants) => entrants.some((one) => one.status === "awaits_admission"),
  },
  {
    type: "withdraw_entrant",
    name: "Withdraw an entrant",
    hint: "They leave their game and are not paired again.",
    fields: [entrant(), CAUSE, TEXT],
    now: (t) => !t.over,
  },
  {
    type: "return_entrant",
    name: "Let an entrant return",
    hint: "They get no points for the rounds that they missed.",
    fields: [entrant()],
    now: (t, _, entrants) => entrants.some((one) => one.status === "withdrawn"),
  },
  {
    type: "name_substitute",
    name: "Name a substitute",
    hint: "An entrant of the reserve takes over a seat.",
    fields: [TABLE, { name: "seat", kind: "number", label: "Seat", value: 0 }, entrant("Substitute")],
    now: played,
  },
  {
    type: "forbid_pair",
    name: "Forbid a pair",
    hint: "These two are never paired at the same table.",
    fields: [{ name: "entrants", kind: "pair", label: "Entrants to keep apart" }, CAUSE, TEXT],
    now: (t) => !t.over,
  },
  {
    type: "set_pairing",
    name: "Pair by hand",
    hint: "Replaces the draw. Both stay in the log.",
    fields: [{ name: "pods", kind: "pairing", label: "One table per line, in the order of seats. Last line: byes" }, CAUSE, TEXT],
    now: isRunning,
  },
  {
    type: "pause_tournament",
    name: "Pause",
    hint: "All its games are paused, too.",
    fields: [{ name: "until", kind: "time", label: "Until" }, CAUSE, TEXT],
    now: isRunning,
  },
  { type: "resume_tournament", name: "Resume", hint: "Rounds and games continue.", now: (t) => Boolean(t.paused) },
  {
    type: "change_settings",
    name: "Announce and change settings",
    hint: "Name, description and schedule can change at any time, everything else until entry is closed.",
    fields: [{ name: "changes", kind: "changes", label: "Changes" }],
    now: (t) => !t.over,
  },
  {
    type: "name_director",
    name: "Name a director",
    fields: [
      { name: "account", kind: "account", label: "Handle or id of the account", optional: true },
      { name: "director", kind: "director", label: "Or a director who gets another role", optional: true },
      { name: "role", kind: "choice", label: "Role", choices: ROLES, value: "director" },
    ],
    now: (t) => !t.over,
  },
  {
    type: "drop_director",
    name: "Drop a director",
    fields: [{ name: "director", kind: "director", label: "Director" }],
    now: (t) => !t.over,
  },
  {
    type: "close_stage",
    name: "Close the stage",
    hint: "No further round of this stage is played.",
    now: isRunning,
    grave: true,
  },
  {
    type: "cancel_tournament",
    name: "Cancel the tournament",
    hint: "It ends without a final ranking.",
    fields: [CAUSE, TEXT],
    now: (t) => !t.over,
    grave: true,
  },
];

/** What an entrant may do, beside what stands at the head of the page as buttons. */
export const ENTRANT = {
  raise_dispute: {
    type: "raise_dispute",
    name: "Raise a dispute",
    fields: [
      { ...TABLE, optional: true },
      { name: "against", kind: "entrant", label: "Against", optional: true },
      { ...TEXT, optional: false },
    ],
  },
  appeal: { type: "appeal", name: "Appeal", fields: [TEXT] },
};

/** What a ruling may do: each its fields. */
export const EFFECTS = [
  { kind: "result", name: "Set the result of a table", fields: [TABLE, { name: "places", kind: "places", label: "Places by seat" }] },
  { kind: "points", name: "Add or subtract points", fields: [entrant(), { name: "add", kind: "points", label: "Points", value: 1 }] },
  { kind: "forfeit", name: "Count a round as forfeited", fields: [entrant(), { name: "round", kind: "number", label: "Round", value: 1 }] },
  { kind: "warn", name: "Warn", fields: [entrant()] },
  { kind: "disqualify", name: "Disqualify", fields: [entrant()] },
  { kind: "replay", name: "Replay a table", fields: [TABLE] },
  { kind: "end_game", name: "End a game", fields: [{ name: "game", kind: "game", label: "Table" }] },
  {
    kind: "add_time",
    name: "Add time",
    fields: [
      { name: "game", kind: "game", label: "Table" },
      { name: "seat", kind: "number", label: "Seat", value: 0 },
      { name: "add_ms", kind: "minutes", label: "Minutes", value: 5 },
    ],
  },
  { kind: "rating", name: "Leave the game out of the ratings", fields: [] },
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
      if (field.kind !== "effects") throw new Error(`“${field.label}” is empty. Fill it in.`);
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
