// A game that has not begun: who sits where, and what it waits for.
import { ensureAccount } from "../account/account.js";
import { Choices } from "../lobby/choices.js";
import { InviteLink } from "../lobby/invitations.js";
import { complain } from "../base/notices.js";
import { SeatRow } from "../board/seats.js";
import { keyed, tr } from "../base/text.js";
import { html, useState } from "../base/ui.js";
import { TALK } from "../base/words.js";

const UNDO = {
  own: keyed("In this game you can take back your own moves."),
  ask: keyed("In this game moves can be taken back if all agree."),
  none: keyed("In this game nothing can be taken back."),
};

export function Waiting({ store, game }) {
  const [signs, setSigns] = useState(false);
  const mine = store.mine.value.length > 0;
  const full = !game.seats.some((seat) => seat.open);
  const act = (action) => async () => {
    if (await ensureAccount()) action().catch(complain);
  };
  return html`<section class="waiting-room">
    <p class="lead">${full ? tr("Every seat is taken. The creator or a player can begin the game.")
      : tr("This game is waiting for players.")}</p>
    ${store.talk.manner.value && html`<p class="hint" data-part="manner">Talk at the table: ${tr(TALK[store.talk.manner.value])}.</p>`}
    <${SeatRow} seats=${game.seats} action=${(seat) =>
      seat.open &&
      seat.invited !== "somebody" &&
      !mine &&
      html`<button type="button" class="primary" onClick=${act(() => store.join(seat.seat, signs))}>Take this seat</button>`}/>
    ${!mine && !full && html`<label class="check"><input type="checkbox" name="signs" checked=${signs}
      onChange=${(event) => setSigns(event.target.checked)}/><span>Sign what I do and say, with a key that only this
      browser has. No other device can then play this seat.</span></label>`}
    <${Choices} title=${game.title} version=${game.version} options=${game.options}/>
    <p class="hint" data-part="terms">${tr(UNDO[game.undo])}</p>
    ${mine && full && html`<p class="row"><button type="button" class="primary large"
      onClick=${act(store.begin)}>Begin the game</button></p>`}
    ${mine && !full && html`<${InviteLink} game=${game}/>
      <p class="hint">Send the link to your friends. This page updates by itself when a player joins.</p>`}
  </section>`;
}
