// A new tournament: what is usual in a form, what is rare as the API has it.
import { ensureAccount } from "../account/account.js";
import { postKept } from "../proof/receipts.js";
import { complain } from "../base/notices.js";
import { go } from "../base/router.js";
import { loadTitles, titles } from "../titles/titles.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { TALK } from "../base/words.js";
import { SYSTEMS, formatName } from "./said.js";

const MINUTE = 60_000;
const WITH_ROUNDS = ["swiss_pods", "rotation"];
const START = {
  name: "",
  description: "",
  title: "",
  size: 4,
  least: 3,
  format: "swiss_pods",
  rounds: 4,
  final: "",
  most: 64,
  reserve: 0,
  late: 0,
  check_in: 0,
  protest: 10,
  bye: 3,
  gap: 0,
  starts: "",
  by_hand: true,
  clock: "none",
  minutes: 30,
  increment: 20,
  hours: 24,
  delay: 0,
  talk: "none",
  visibility: "public",
  approval: false,
  bots: false,
  contributions: true,
  more: "",
};

export function NewTournament() {
  const [wish, setWish] = useState(START);
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => void loadTitles().then((all) => choose(all[0]), complain), []);
  const title = titles.value.find((each) => each.id === wish.title);
  const change = (name, value) => setWish((old) => ({ ...old, [name]: value }));

  /** Another title has tables of other sizes. */
  function choose(next) {
    if (!next) return;
    const size = Math.min(next.seats.max, Math.max(next.seats.min, 4));
    setWish((old) => ({ ...old, title: next.id, size, least: Math.max(next.seats.min, size - 1) }));
  }

  async function submit(event) {
    event.preventDefault();
    if (busy || !(await ensureAccount())) return;
    setBusy(true);
    try {
      go(`/t/${(await postKept("tournaments", settingsOf(wish))).id}?tab=direct`);
    } catch (problem) {
      setFailure(problem.detail || problem.message);
    } finally {
      setBusy(false);
    }
  }

  const field = (name, label, type = "text", extra = {}) => html`<label class="field"><span>${label}</span><input name=${name} type=${type}
    value=${wish[name]} ...${extra} onInput=${(event) => change(name, event.target.value)}/></label>`;
  const number = (name, label, min, max) => field(name, label, "number", { min, max, required: true });
  const check = (name, label) => html`<label class="check"><input type="checkbox" name=${name} checked=${wish[name]}
    onChange=${(event) => change(name, event.target.checked)}/><span>${label}</span></label>`;
  const select = (name, label, options) => html`<label class="field"><span>${label}</span><select name=${name} value=${wish[name]}
    onChange=${(event) => change(name, event.target.value)}>${options.map(([key, told]) => html`<option key=${key}
    value=${key}>${told}</option>`)}</select></label>`;
  return html`<div class="page create"><header class="page-head"><div><h1>A new tournament</h1><p class="lead">You own it. The server commits
      to all of its randomness now, before anyone enters.</p></div></header>
    <form class="tournament-form" onSubmit=${submit}>
      <fieldset class="choice fields"><legend>Basics</legend>
        ${field("name", tr("Name"), "text", { maxlength: 80, required: true })}
        <label class="field"><span>Title</span><select name="title" value=${wish.title}
          onChange=${(event) => choose(titles.value.find((each) => each.id === event.target.value))}>${titles.value.map(
            (each) => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}</select></label>
        <label class="field wide"><span>Description</span><textarea name="description" rows="2" value=${wish.description}
          onInput=${(event) => change("description", event.target.value)}></textarea></label>
        ${number("size", tr("Players at a table"), title?.seats.min ?? 2, title?.seats.max ?? 16)}
        ${number("least", tr("Fewest players at a table"), 2, wish.size)}
      </fieldset>
      <fieldset class="choice fields"><legend>Format and time</legend>
        ${select("format", tr("System"), SYSTEMS.map((key) => [key, formatName(key)]))}
        ${WITH_ROUNDS.includes(wish.format) && number("rounds", tr("Rounds"), 1, 64)}
        ${wish.format !== "knockout" && field("final", tr("Final knockout with the top N players (optional)"), "number", { min: 2 })}
        ${select("clock", tr("Time"), [["none", tr("no clocks")], ["live", tr("live")], ["correspondence", tr("correspondence")]])}
        ${wish.clock === "live" && [number("minutes", tr("Minutes per player"), 1, 1440), number("increment", tr("Seconds added per answer"), 0, 600)]}
        ${wish.clock === "correspondence" && number("hours", tr("Hours per decision"), 1, 720)}
        ${number("delay", tr("Spectator delay in minutes"), 0, 1440)}
        ${select("talk", tr("Talk at the tables"), Object.entries(TALK).map(([manner, name]) => [manner, tr(name)]))}
        ${number("protest", tr("Minutes to dispute a result"), 0, 43_200)}
        ${wish.format !== "ladder" && number("bye", tr("Points for a bye (half if the entrant asks for one)"), 0, 1000)}
        <p class="hint wide" data-part="no-show">${noShow(wish)}</p>
      </fieldset>
      <fieldset class="choice fields"><legend>Entry and schedule</legend>
        ${number("most", tr("Most entrants who play"), 2, 512)}
        ${number("reserve", tr("Places in the reserve"), 0, 512)}
        ${number("late", tr("Late entry up to round (0: none)"), 0, 64)}
        ${number("check_in", tr("Minutes of check-in before each round (0: none)"), 0, 10_080)}
        ${select("visibility", tr("Who may see it"), [["public", tr("everybody")], ["unlisted", tr("anyone who knows its address")], ["private", tr("only entrants and invited people")]])}
        ${field("starts", tr("Start of the first round (optional)"), "datetime-local")}
        ${number("gap", tr("Minutes between rounds"), 0, 86_400)}
        ${check("by_hand", tr("A director starts each round by hand"))}
        ${check("approval", tr("A director admits each entrant"))}
        ${check("bots", tr("Programs may enter"))}
        ${check("contributions", tr("Entrants contribute to the randomness"))}
      </fieldset>
      <details class="more"><summary>All other settings, as JSON</summary><textarea name="more" rows="4" value=${wish.more}
        placeholder=${'{"points": {"4": [5, 3, 2, 1]}, "tie_breaks": ["wins", "lot"]}'}
        onInput=${(event) => change("more", event.target.value)}></textarea></details>
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      <p class="row"><button class="primary large" disabled=${busy}>Create the tournament</button></p>
    </form></div>`;
}

/** What happens to those who do not come. */
function noShow(wish) {
  if (wish.clock === "none")
    return tr("Without clocks nobody loses by not coming: a director withdraws them, or rules. Choose a clock, and the server does it.");
  if (Number(wish.size) === 2) return tr("A player who does not come forfeits when their time is up, without a director.");
  return tr("A bot plays on for a player who does not come, when their time is up. They take the last place.");
}

/** The settings as the API takes them; what is left out has its default. */
function settingsOf(wish) {
  const whole = (name) => Number(wish[name]);
  const made = {
    name: wish.name.trim(),
    title: wish.title,
    table: { size: whole("size"), least: Math.min(whole("least"), whole("size")) },
    stages: stagesOf(wish, whole),
    entry: {
      most: whole("most"),
      reserve: whole("reserve"),
      late_until_round: whole("late"),
      check_in_ms: whole("check_in") * MINUTE,
      approval: wish.approval,
      bots: wish.bots,
      contributions: wish.contributions,
    },
    schedule: {
      round: wish.by_hand ? "manual" : "when_done",
      gap_ms: whole("gap") * MINUTE,
      starts_at: wish.starts ? new Date(wish.starts).toISOString() : null,
    },
    protest_ms: whole("protest") * MINUTE,
    bye_points: whole("bye"),
    talk: wish.talk,
    visibility: wish.visibility,
  };
  if (wish.description.trim()) made.description = wish.description.trim();
  if (whole("delay")) made.delay = { ms: whole("delay") * MINUTE };
  if (wish.clock === "live")
    made.clock = { kind: "live", base_ms: whole("minutes") * MINUTE, increment_ms: whole("increment") * 1000 };
  if (wish.clock === "correspondence") made.clock = { kind: "correspondence", per_decision_ms: whole("hours") * 60 * MINUTE };
  return { ...made, ...jsonOf(wish.more) };
}

function stagesOf(wish, whole) {
  const first = { format: wish.format };
  if (WITH_ROUNDS.includes(wish.format)) first.rounds = whole("rounds");
  if (wish.format === "swiss_pods") first.look_ahead = true;
  if (wish.format === "ladder") first.period_ms = Math.max(1, whole("gap")) * MINUTE;
  return whole("final") > 1 && wish.format !== "knockout" ? [first, { format: "knockout", cut: whole("final") }] : [first];
}

function jsonOf(text) {
  if (!text.trim()) return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(tr("The other settings are not valid JSON. Write all of it, including the braces."));
  }
}
