// The action bar: what I am to do, in one sentence, and what has no place on the board.
import { steps } from "./acting.js";
import { Grace, Undo } from "./grace.js";
import { Choice } from "../board/choice.js";
import { go } from "../base/router.js";
import { Badge, Ending, Holder } from "../board/seats.js";
import { tr } from "../base/text.js";
import { html } from "../base/ui.js";
import { clock, seatName } from "../base/words.js";

const IN_SIGHT = 5; // answers in the bar; the rest stands in the list

export function Bar({ store, acting, game, undo, onList, listed, children }) {
  const looking = store.looking.value;
  const answer = store.decisions.value;
  const travelling = store.table.travelling.value;
  const paced = store.pace.under.value;
  const mine = (answer?.decisions || []).filter((each) => each.seat === looking);
  const awaited = mine.filter((each) => !each.free);
  const answers = steps([...acting.placeless.value.filter(acting.asks.value), ...(awaited.length ? acting.forced.value : [])]);
  const free = awaited.length ? [] : mine;
  return html`<div class="bar ${awaited.length ? "mine" : ""}" data-part="bar" role="region" aria-label="What to do">
    <p class="ask" data-part="ask" id="ask" tabindex="-1" role="status">${
      paced
        ? tr("Here is what the others did.")
        : travelling
        ? html`<span class="looking-back">You are looking at event <b>${store.table.wanted.value}</b>.</span>`
        : game.status !== "running"
          ? store.replay
            ? tr("The last event.")
            : ending(game)
          : awaited.length
            ? html`<strong>${awaited.map((each) => each.ask).join(" ")}</strong>${deadline(awaited[0])}`
            : html`<${Others} answer=${answer} game=${game}/> ${free.length > 0 && html`<span
                class="hint">${free.map((each) => each.ask).join(" ")}</span>`}`
    }</p>
    <div class="answers" onKeyDown=${goAlong}>
      <${CoveredAnswer} store=${store}/>
      ${paced && html`<button type="button" class="primary" data-part="skip" title="To now (End)" onClick=${store.pace.skip}>To now</button>`}
      ${travelling && html`<button type="button" class="primary" onClick=${() => store.table.go(null)}>Back to now</button>`}
      ${game.status === "finished" && !store.replay && !game.analysis && store.mine.value.length > 0 && html`<button type="button"
        data-part="rematch" onClick=${() => go(`/new?again=${game.id}`)}>Play again</button>`}
      <${Grace} grace=${store.grace}/>
      <${Undo} store=${store} game=${game} undo=${undo}/>
      ${answers.slice(0, IN_SIGHT).map((group) => html`<${Choice} key=${JSON.stringify(group.items[0].command)}
        group=${group} acting=${acting} busy=${store.busy.value} part="answer"/>`)}
      <${Chairs} store=${store} answer=${answer}/>
      ${acting.legal.value.length > 0 && html`<button type="button" class="quiet" data-part="all" aria-expanded=${listed}
        onClick=${onList} title="Every command as a list (L)">All ${acting.legal.value.length}<span class="spare"> commands</span></button>`}
      ${children}
    </div>
  </div>`;
}

/** The list of commands and that of answers ahead: one stop of the Tab key, arrows lead from one to the other. */
function goAlong({ key, target, currentTarget }) {
  const part = target.matches(".quiet") && { ArrowLeft: "all", ArrowRight: "ahead" }[key];
  if (part) currentTarget.querySelector(`[data-part=${part}]`)?.focus();
}

function ending(game) {
  return game.status === "finished" ? html`<span data-part="result"><${Ending} game=${game}/>. <${Places} game=${game}/></span>` : "";
}

/** The order of the table at the end with the scores, if it has one. */
function Places({ game }) {
  const { places, scores } = game.outcome || {};
  if (!places || !scores) return null;
  const order = game.seats
    .map((seat, index) => ({ seat, place: places[index], score: scores[index] }))
    .sort((a, b) => a.place - b.place);
  return html`<span class="ranks">${order.map(({ seat, place, score }) => html`<span key=${seat.seat}>${place}. <${Holder}
    seat=${seat}/>: <b>${score}</b></span> `)}</span>`;
}

export function deadline(decision) {
  return decision.deadline ? html`<span class="hint"> until ${clock(decision.deadline)}</span>` : null;
}

/** Whom the game waits for. */
export function Others({ answer, game }) {
  if (!answer) return html`<span class="hint">…</span>`;
  const seats = [...new Set(answer.decisions.filter((each) => !each.free).map((each) => each.seat))];
  if (!seats.length) return html`<span class="hint">…</span>`;
  return html`Waiting for ${seats.map(
    (seat, index) =>
      html`<span key=${index}>${index > 0 && ", "}${
        seat === null ? tr("the server") : html`<${Badge} seat=${seat}/> <bdi>${seatName(game.seats[seat])}</bdi>`
      }</span>`,
  )}.`;
}

/** My answer that lies covered, and a button to change it as long as others think. */
export function CoveredAnswer({ store }) {
  const mine = store.mine.value.includes(store.looking.value);
  if (!mine || store.busy.value || store.table.travelling.value) return null;
  return store.replaceable.value.map((each) => {
    const key = `${each.seat} ${each.kind}`;
    const given = (store.decisions.value.replacements || []).find(
      (item) => item.given && item.seat === each.seat && each.commands.includes(item.command.type),
    );
    const changing = store.changing.value === key;
    return html`<span key=${key} class="covered" data-part="covered">${given && html`<span class="hint"
      data-part="given">Your answer: ${given.label}.</span> `}<button type="button" data-part="change" aria-pressed=${changing}
      onClick=${() => {
        store.changing.value = changing ? null : key;
      }}>${changing ? tr("Keep your answer") : tr("Change your answer")}</button></span>`;
  });
}

/** One person with several chairs: those that are awaited, if I look from another. */
export function Chairs({ store, answer }) {
  const looking = store.looking.value;
  if (store.busy.value) return null; // the page may be about to hand over by itself
  const chairs = new Set(
    (answer?.decisions || [])
      .filter((each) => !each.free && each.seat !== looking && store.mine.value.includes(each.seat))
      .map((each) => each.seat),
  );
  return [...chairs].map(
    (seat) => html`<button key=${seat} type="button" class="chip chair" onClick=${() => store.lookThrough(seat)}
      title="Switch seats"><${Badge} seat=${seat}/> <bdi>${seatName(store.seats.value[seat])}</bdi></button>`,
  );
}
