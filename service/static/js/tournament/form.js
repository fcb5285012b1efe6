// A command's form: its fields, a button, and what the service says of it.
import { get } from "../base/api.js";
import { say } from "../base/notices.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { list, words } from "../base/words.js";
import { EFFECTS, blankOf, membersOf } from "./commands.js";
import { tableName } from "./said.js";

/** The form of *command* (see `commands.js`). *extra*: members that are settled. */
export function CommandForm({ store, command, extra = {}, onDone }) {
  const { fields = [] } = command;
  // With the tournament, not with this component: the tools move about on the page as its status changes.
  const written = store.written(command.type + JSON.stringify(extra));
  const { draft = blankOf(fields), failure = "" } = written.value;
  const setDraft = (value) => (written.value = { draft: value, failure: written.value.failure });
  const [busy, setBusy] = useState(false);
  const [sure, setSure] = useState(!command.grave);
  const submit = async (event) => {
    event.preventDefault();
    if (busy) return;
    if (!sure) return setSure(true);
    setBusy(true);
    try {
      const members = membersOf(fields, draft, { unit: store.standings.value?.unit ?? 2520 });
      await store.give(command.type, { ...extra, ...(await named(members)) });
      written.value = {};
      say(tr("{name}: done.", { name: tr(command.name) }));
      onDone?.();
    } catch (problem) {
      written.value = { ...written.value, failure: problem.detail || problem.message };
    } finally {
      setBusy(false);
      setSure(!command.grave);
    }
  };
  return html`<form class="command-form" data-command=${command.type} onSubmit=${submit}>
    ${command.hint && html`<p class="hint">${tr(command.hint)}</p>`}
    <${Fields} store=${store} fields=${fields} draft=${draft} onChange=${setDraft}/>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button class=${command.grave ? "danger" : "primary"} disabled=${busy}>${
      command.grave && sure ? tr("Yes, do it") : tr(command.name)}</button></p>
  </form>`;
}

/** Accounts are named by their handles, too. */
async function named(members) {
  const { account } = members;
  if (!account || /^[0-9a-f-]{36}$/i.test(account)) return members;
  const found = (await get("accounts", { handle: account.trim().replace(/^@/, "") })).accounts[0];
  if (!found) throw new Error(tr("No account has the handle {account}. Check its spelling.", { account }));
  return { ...members, account: found.id };
}

function Fields({ store, fields, draft, onChange }) {
  return fields.map((field) => html`<${Field} key=${field.name} store=${store} field=${field} draft=${draft} value=${draft[field.name]}
    onChange=${(value) => onChange({ ...draft, [field.name]: value })}/>`);
}

function Field({ store, field, value, draft, onChange }) {
  const Control = CONTROLS[field.kind];
  if (field.kind === "yes")
    return html`<label class="check"><input type="checkbox" name=${field.name} checked=${value}
      onChange=${(event) => onChange(event.target.checked)}/><span>${tr(field.label)}</span></label>`;
  if (field.kind === "effects" || field.kind === "changes" || field.kind === "pair")
    return html`<${Control} store=${store} field=${field} value=${value} onChange=${onChange}/>`;
  return html`<label class="field"><span>${tr(field.label)}${field.optional && tr(" (optional)")}</span>
    <${Control} store=${store} field=${field} value=${value} draft=${draft} onChange=${onChange}/></label>`;
}

/** A choice among *options*, pairs of value and label. */
function Select({ field, value, options, onChange }) {
  return html`<select name=${field.name} value=${value} onChange=${(event) => onChange(event.target.value)}>
    ${(field.optional || value === "") && html`<option value="">${field.optional ? tr("none") : tr("choose …")}</option>`}
    ${options.map(([key, label]) => html`<option key=${key} value=${key}>${label}</option>`)}
  </select>`;
}

const Choice = ({ field, ...props }) =>
  html`<${Select} field=${field} options=${field.choices.map((key) => [key, words(key)])} ...${props}/>`;

const people = (store) => store.entrants.value.map((one) => [one.entrant, `${one.name} (${one.entrant})`]);

const Entrant = ({ store, ...props }) => html`<${Select} options=${people(store)} ...${props}/>`;

const started = (store) => store.tables.value.filter((table) => table.game);
const labelOf = (store, table) =>
  `${tableName(table)}: ${list(table.holders.map((name) => store.byName.value.get(name)?.name || name))}`;

const Table = ({ store, ...props }) =>
  html`<${Select} options=${started(store).map((table) => [`${table.round.round}/${table.table}`, labelOf(store, table)])}
    ...${props}/>`;

const Game = ({ store, ...props }) =>
  html`<${Select} options=${started(store).map((table) => [table.game, labelOf(store, table)])} ...${props}/>`;

const Dispute = ({ store, ...props }) =>
  html`<${Select} options=${store.judged.value.disputes.filter((one) => one.open).map((one) => [String(one.dispute), tr("dispute {dispute}", { dispute: one.dispute })])}
    ...${props}/>`;

const Appealed = ({ store, ...props }) =>
  html`<${Select} options=${store.judged.value.rulings.filter((one) => one.appealed).map((one) => [String(one.ruling), tr("ruling {ruling}", { ruling: one.ruling })])}
    ...${props}/>`;

const Director = ({ store, ...props }) =>
  html`<${Select} options=${store.tournament.value.directors.map((one) => [one.director, `${one.name} (${one.role})`])} ...${props}/>`;

const Input = ({ field, value, onChange, type = "text", step }) =>
  html`<input name=${field.name} type=${type} step=${step} value=${value} onInput=${(event) => onChange(event.target.value)}/>`;

const Numeric = (props) => html`<${Input} ...${props} type="number" step="any"/>`;

const When = (props) => html`<${Input} ...${props} type="datetime-local"/>`;

const Text = ({ field, value, onChange }) =>
  html`<textarea name=${field.name} rows="2" value=${value} onInput=${(event) => onChange(event.target.value)}></textarea>`;

/** The places of the table that is chosen beside it; its hint names the players by seat. */
function Places({ store, field, value, draft, onChange }) {
  const table = started(store).find((each) => `${each.round.round}/${each.table}` === draft.at);
  const seats = table?.entrants.map((name, seat) => `${seat}: ${store.byName.value.get(name)?.name || name}`);
  return html`<input name=${field.name} value=${value} placeholder=${table ? table.entrants.map((_, n) => n + 1).join(" ") : "1 2"}
    onInput=${(event) => onChange(event.target.value)}/>${seats && html`<span class="hint">Seats ${list(seats)}</span>`}`;
}

/** Two entrants. */
function Pair({ store, field, value, onChange }) {
  const now = value || ["", ""];
  return html`<fieldset class="group plain"><legend>${tr(field.label)}</legend><p class="row">${[0, 1].map(
    (place) => html`<${Select} key=${place} field=${{ name: `${field.name}-${place}` }} value=${now[place]} options=${people(store)}
      onChange=${(chosen) => onChange(now.map((old, index) => (index === place ? chosen : old)))}/>`,
  )}</p></fieldset>`;
}

/** A pairing by hand, beginning with the one that was drawn. */
function Pairing({ store, field, value, onChange }) {
  useEffect(() => {
    const drawn = store.rounds.value.at(-1);
    if (value || drawn?.status !== "paired") return;
    const byes = drawn.byes.length ? [`byes: ${drawn.byes.join(" ")}`] : [];
    onChange([...drawn.tables.map((table) => table.entrants.join(" ")), ...byes].join("\n"));
  }, []);
  const names = store.entrants.value.filter((one) => one.status === "playing").map((one) => `${one.entrant} ${one.name}`);
  return html`<textarea name=${field.name} rows="4" value=${value} placeholder=${"e1 e4\ne2 e3\nbyes: e5"}
    onInput=${(event) => onChange(event.target.value)}></textarea><span class="hint">${names.join(" · ")}</span>`;
}

/** What a ruling does, one after the other. */
function Effects({ store, field, value, onChange }) {
  const now = value || [];
  const change = (index, draft) => onChange(now.map((old, place) => (place === index ? { ...old, draft } : old)));
  return html`<fieldset class="group"><legend>${tr(field.label)}</legend>
    <ul class="items">${now.map((each, index) => {
      const effect = EFFECTS.find((one) => one.kind === each.kind);
      return html`<li key=${index} data-effect=${each.kind}><div class="command-form"><b>${tr(effect.name)}</b>
        <${Fields} store=${store} fields=${effect.fields} draft=${each.draft} onChange=${(draft) => change(index, draft)}/></div>
        <button type="button" class="quiet" aria-label="Remove this effect"
          onClick=${() => onChange(now.filter((_, place) => place !== index))}>×</button></li>`;
    })}</ul>
    <label class="field"><span>Add</span><select name="effect" value="" onChange=${(event) => {
      const kind = event.target.value;
      if (kind) onChange([...now, { kind, draft: blankOf(EFFECTS.find((one) => one.kind === kind).fields) }]);
      event.target.value = "";
    }}><option value="">choose …</option>${EFFECTS.map((each) => html`<option key=${each.kind}
      value=${each.kind}>${tr(each.name)}</option>`)}</select></label>
  </fieldset>`;
}

/** Name, description and start in words; all other settings as the API has them. */
function Changes({ store, onChange }) {
  const t = store.tournament.value;
  const [told, setTold] = useState({ name: t.name ?? "", description: t.description ?? "", starts: "", more: "" });
  const change = (name) => (event) => {
    const next = { ...told, [name]: event.target.value };
    setTold(next);
    onChange(changesOf(next, t));
  };
  return html`<label class="field"><span>Name</span><input name="name" maxlength="80" value=${told.name} onInput=${change("name")}/></label>
    <label class="field"><span>Description (put news here)</span><textarea name="description" rows="3" value=${told.description}
      onInput=${change("description")}></textarea></label>
    <label class="field"><span>Start of the first round (optional)</span><input name="starts" type="datetime-local" value=${told.starts}
      onInput=${change("starts")}/></label>
    <label class="field"><span>Other settings as JSON, each in full (optional)</span><textarea name="more" rows="2" value=${told.more}
      placeholder=${'{"protest_ms": 300000}'} onInput=${change("more")}></textarea></label>`;
}

function changesOf(told, t) {
  const changes = {};
  if (told.name && told.name !== t.name) changes.name = told.name;
  if (told.description && told.description !== t.description) changes.description = told.description;
  if (told.starts) changes.schedule = { ...t.settings.schedule, starts_at: new Date(told.starts).toISOString() };
  try {
    return { ...changes, ...(told.more.trim() ? JSON.parse(told.more) : {}) };
  } catch {
    return changes; // it is being written
  }
}

const CONTROLS = {
  text: Text,
  choice: Choice,
  entrant: Entrant,
  table: Table,
  game: Game,
  dispute: Dispute,
  appeal: Appealed,
  director: Director,
  account: Input,
  number: Numeric,
  points: Numeric,
  minutes: Numeric,
  time: When,
  places: Places,
  pair: Pair,
  pairing: Pairing,
  effects: Effects,
  changes: Changes,
};
