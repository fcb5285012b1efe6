// What those at a table do beside the game: leave and come back, propose to pause or to end it, and answer.
import { complain, say } from "../base/notices.js";
import { tr } from "../base/text.js";
import { html, useLate, useState } from "../base/ui.js";
import { clock, seatName } from "../base/words.js";

const PROPOSED = {
  pause: (offer) => tr("a pause until {time}", { time: clock(offer.until) }),
  resume: () => tr("to resume the game"),
  end: () => tr("to end the game without a result"),
  more_time: () => tr("more time for everyone"),
  undo: (offer) => tr("to take back what came after event {to}", { to: offer.to }),
};

export function Together({ store, game }) {
  const [open, setOpen] = useState(false);
  const Choices = useLate(open, () => import("./choices.js").then((module) => module.Choices));
  const mine = store.mine.value;
  const seat = typeof store.looking.value === "number" ? store.looking.value : mine[0];
  const left = game.seats.find((each) => each.left);
  const busy = store.busy.value;

  async function ask(command, done) {
    try {
      await store.play(await command, seat);
      if (done) say(done);
    } catch (problem) {
      complain(problem);
    }
  }

  const plays = mine.length > 0 && game.status === "running";
  if (!game.paused && !left && !plays) return null;
  return html`<section class="together" aria-labelledby="together-heading">
    <h2 id="together-heading">Manage the game</h2>
    ${game.paused && html`<p class="paused" role="status">The game is paused until ${clock(game.paused.until)}.</p>`}
    ${left && html`<p class="row"><button type="button" class="primary" disabled=${busy}
      onClick=${() => ask({ type: "table_return", seat: left.seat }, tr("You are back in the game."))}>Return to
      <bdi>${seatName(left)}</bdi></button></p>`}
    ${plays && game.offers.map((offer) => html`<${Proposal} key=${offer.offer} offer=${offer} game=${game} seat=${seat}
      busy=${busy} ask=${ask}/>`)}
    ${plays && html`<details class="more" onToggle=${(event) => setOpen(event.currentTarget.open)}>
      <summary>Pause, end or leave</summary>
      ${Choices && html`<${Choices} store=${store} game=${game} ask=${ask}/>`}
    </details>`}
  </section>`;
}

/** Something that is proposed, with my answer to it. */
function Proposal({ offer, game, seat, busy, ask }) {
  const by = game.seats.find((each) => `p${each.seat}` === offer.by);
  const answer = (yes) => () => ask({ type: "table_answer", offer: offer.offer, yes });
  const agreed = offer.yes.includes(seat);
  return html`<p class="proposal row" role="status">
    <span><bdi>${seatName(by)}</bdi> proposes ${PROPOSED[offer.what](offer)}.</span>
    ${!agreed && html`<button type="button" class="primary" disabled=${busy} onClick=${answer(true)}>Agree</button>`}
    <button type="button" disabled=${busy} onClick=${answer(false)}>${agreed ? tr("Take it back") : tr("Decline")}</button>
  </p>`;
}
