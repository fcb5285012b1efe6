// Invitations: a link for one player, and the page that such a link leads to.
import { ensureAccount } from "../account/account.js";
import { postOnce } from "../base/api.js";
import { complain } from "../base/notices.js";
import { postKept } from "../proof/receipts.js";
import { go, route } from "../base/router.js";
import { html, useState } from "../base/ui.js";

/** A button that makes a link by which one person sits down in *game*, and then the link. */
export function InviteLink({ game }) {
  const [link, setLink] = useState("");
  const invite = () =>
    postOnce(`games/${game.id}/invitations`, {}).then(
      ({ invitation }) => setLink(`${location.origin}/#/join/${game.id}?invitation=${invitation}`),
      complain,
    );
  return html`<p class="row">${
    link
      ? html`<label class="field"><span>Invitation link for one person, valid for a week</span><input name="invitation" readonly
        value=${link} onFocus=${(event) => event.target.select()}/></label>`
      : html`<button type="button" onClick=${invite}>Make an invitation link</button>`
  }</p>`;
}

/** The page of an invitation link. Of a private game nothing can be shown before one sits there. */
export function Join({ id }) {
  const [failure, setFailure] = useState("");
  async function sit() {
    if (!(await ensureAccount())) return;
    try {
      await postKept(`games/${id}/join`, { invitation: route.value.query.invitation });
      go(`/g/${id}`);
    } catch (problem) {
      setFailure(problem.code === "unknown_game" ? "This invitation is unknown, used or expired. Ask for a new one." : problem.detail);
    }
  }
  return html`<div class="page"><h1>You are invited to a game</h1>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button type="button" class="primary large" onClick=${sit}>Join the game</button></p></div>`;
}
