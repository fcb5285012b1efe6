// My part in a tournament, at the head of its page: what I can do now, in one sentence and a button.
import { account, ensureAccount } from "../account/account.js";
import { request } from "../base/api.js";
import { complain } from "../base/notices.js";
import { route } from "../base/router.js";
import { keyed, tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { clock } from "../base/words.js";
import { enter, reveal, shown } from "./contribution.js";

export function MyPart({ store }) {
  const t = store.tournament.value;
  const me = store.byName.value.get(t.you.entrant);
  const [busy, setBusy] = useState(false);
  // Where nobody checks in a contribution is shown once entry is closed, without a click.
  const promised = Boolean(t.reveal_until && !t.check_in && me && shown(store).contribution);
  useEffect(() => void (promised && reveal(store)), [promised]);
  const [now, setNow] = useState(0);
  const opens = t.check_in?.opens_at;
  useEffect(() => {
    // The time of the server, told in whole seconds: a reader's clock may be wrong.
    if (opens) request("GET", "/healthz").then(({ headers }) => setNow(Date.parse(headers.get("date")) + 1000), complain);
  }, [opens]);
  const act = (action) => async () => {
    if (busy || !(await ensureAccount())) return;
    setBusy(true);
    try {
      await action();
    } catch (problem) {
      complain(problem);
    } finally {
      setBusy(false);
    }
  };
  const give = (type, members) => act(() => store.give(type, members));
  const told = stateOf(store, t, me);
  // A director reads what the tournament waits for right above this.
  if (t.you.director && ["early", "closed"].includes(told.state)) return null;
  return html`<section class="my-part" data-part="mine" data-state=${told.state} aria-label="My part">
    <p class="lead">${told.text}</p>
    <p class="row">
      ${told.state === "can-enter" && html`<button type="button" class="primary large" disabled=${busy}
        onClick=${act(() => enter(store, invited()))}>${t.status === "running" ? tr("Enter late") : tr("Enter")}</button>`}
      ${told.game && html`<a class="button primary large" href=${`/g/${told.game}`}>Go to my table</a>`}
      ${canCheckIn(t, me, now) && html`<button type="button" class="primary large" disabled=${busy}
        onClick=${act(() => store.give("check_in", shown(store)))}>Check in for round ${t.check_in.round}</button>`}
      ${me?.status === "playing" && isLadder(t) && !t.over && html`<button type="button" class="primary" disabled=${busy}
        onClick=${give(me.ready ? "not_ready" : "ready")}>${me.ready ? tr("Stop waiting") : tr("Ready for a game")}</button>`}
      ${told.seats && html`<span>Choose your seat:</span>${told.seats.map((seat) => html`<button key=${seat} type="button"
        disabled=${busy} onClick=${give("choose_seat", { table: 1, seat })}>${seat}</button>`)}`}
      ${mayAskBye(store, t, me) && html`<${AskBye} t=${t} round=${nextRound(store)} busy=${busy}
        onAsk=${give("ask_bye", { round: nextRound(store) })}/>`}
      ${stays(t, me) && html`<${Leave} busy=${busy} onLeave=${give("withdraw")}/>`}
    </p>
  </section>`;
}

const isLadder = (t) => t.settings.stages[t.stage - 1]?.format === "ladder";
const stays = (t, me) => me && !t.over && ["playing", "reserve", "awaits_admission"].includes(me.status);
/** A bye can be asked for once, before a round of the first stage is paired. */
const mayAskBye = (store, t, me) =>
  stays(t, me) && me.status === "playing" && t.stage <= 1 && !me.asked_byes.length &&
  t.settings.stages[0].format === "swiss_pods" && nextRound(store) <= t.settings.stages[0].rounds;
const nextRound = (store) => store.rounds.value.length + 1;
const canCheckIn = (t, me, now) =>
  t.check_in && stays(t, me) && me.checked_in < t.check_in.round && Date.parse(t.check_in.opens_at) <= now;

/** The invitation with which this page was opened. */
function invited() {
  const { invitation } = route.value.query;
  return invitation ? { invitation } : {};
}

/** What I am here, in a word for the page and a sentence for me. */
function stateOf(store, t, me) {
  if (me) return entered(store, t, me);
  if (t.over) return { state: "over", text: tr("This tournament is over.") };
  if (t.status === "draft") return { state: "early", text: opening(t) };
  if (t.status === "open" || isLate(t)) {
    const name = account.value ? "" : tr(" You only need to type a name.");
    return { state: "can-enter", text: tr("{entrants} of {most} have entered.{name}", { entrants: t.entrants, most: t.most, name }) };
  }
  return { state: "closed", text: tr("Entry is closed. Watch the tables.") };
}

const opening = ({ settings: { entry } }) =>
  entry.opens_at ? tr("Entry opens {time}.", { time: clock(entry.opens_at) }) : tr("Entry is not open yet.");

const isLate = (t) => t.status === "running" && t.round < t.settings.entry.late_until_round;

const SAID = {
  awaits_admission: keyed("Wait until a director admits you."),
  reserve: keyed("You are in the reserve. You play as soon as an entrant drops out."),
  refused: keyed("You were not admitted."),
  withdrawn: keyed("You have withdrawn. A director can let you return."),
  disqualified: keyed("You were disqualified. You may appeal."),
};

function entered(store, t, me) {
  const mine = store.tables.value.find((table) => table.holders.includes(me.entrant) && table.status === "playing");
  if (mine) return { state: "playing", text: tr("You play at table {table} of round {round}.", { table: mine.table, round: mine.round.round }), game: mine.game };
  if (SAID[me.status]) return { state: me.status, text: tr(SAID[me.status]) };
  if (t.over) return { state: "over", text: tr("This tournament is over.") };
  const seats = choosing(store, t, me);
  if (seats) return { state: "choosing", text: tr("You are in the final."), seats };
  return { state: "entered", text: waiting(t, me) };
}

function waiting(t, me) {
  const bye = me.asked_byes.find((round) => round > t.round);
  return bye ? tr("{waiting} You have a bye in round {bye}, as you asked.", { waiting: waitingFor(t, me), bye }) : waitingFor(t, me);
}

function waitingFor(t, me) {
  if (t.paused) return tr("Paused until {time}.", { time: clock(t.paused) });
  if (t.check_in && me.checked_in < t.check_in.round)
    return tr("Check in for round {round} until {time}.", { round: t.check_in.round, time: clock(t.check_in.closes_at) });
  if (t.status === "open") {
    const start = t.starts_at ? tr(" The first round starts {time}.", { time: clock(t.starts_at) }) : "";
    return tr("You have entered as {entrant}.", { entrant: me.name }) + start;
  }
  return tr("You have entered. The next round has not started yet.");
}

/** The seats of a final where seats are chosen. Whose turn it is to choose the service knows. */
function choosing(store, t, me) {
  const round = store.rounds.value.at(-1);
  const final = round?.status === "paired" && round.tables.length === 1 && t.settings.stages[t.stage - 1]?.seating === "choice";
  return final && round.tables[0].entrants.includes(me.entrant) ? round.tables[0].entrants.map((_, seat) => seat) : null;
}

/** A bye is asked twice: nobody can take it back, and there is one only. */
function AskBye({ t, round, busy, onAsk }) {
  const [sure, setSure] = useState(false);
  if (!sure) return html`<button type="button" class="quiet" onClick=${() => setSure(true)}>Ask for a bye in round ${round}</button>`;
  return html`<span class="hint">You do not play round ${round} and get half the points of a bye, ${t.settings.bye_points / 2}. You can ask
    once, and you cannot take it back.</span><button type="button" class="danger" disabled=${busy} onClick=${onAsk}>Yes, ask for the bye</button><button
    type="button" class="quiet" onClick=${() => setSure(false)}>Play the round</button>`;
}

/** Leaving is asked twice. */
function Leave({ busy, onLeave }) {
  const [sure, setSure] = useState(false);
  if (!sure) return html`<button type="button" class="quiet" onClick=${() => setSure(true)}>Withdraw</button>`;
  return html`<button type="button" class="danger" disabled=${busy} onClick=${onLeave}>Yes, withdraw</button><button
    type="button" class="quiet" onClick=${() => setSure(false)}>Stay</button>`;
}
