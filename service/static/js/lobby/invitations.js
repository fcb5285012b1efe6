// Invitations: a link for the free seats of a game, and the page that such a link leads to.
import { ensureAccount } from "../account/account.js";
import { postOnce } from "../base/api.js";
import { Copy } from "../base/copy.js";
import { fileOf } from "../base/files.js";
import { keep, recall } from "../base/kept.js";
import { complain } from "../base/notices.js";
import { postKept } from "../proof/receipts.js";
import { go, route } from "../base/router.js";
import { SeatRow } from "../board/seats.js";
import { Choices } from "./choices.js";
import { loadTitles, measureOf, titles } from "../titles/titles.js";
import { keyed, plural, tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { count } from "../base/words.js";

const KEEP = "rutter.invitations"; // by game the link that was made here

/** Make a link by which as many people as *uses* sit down in the game of that *id*, and keep it here. */
export async function invite(id, uses) {
  const { invitation } = await postOnce(`games/${id}/invitations`, { uses });
  const link = `${location.origin}/join/${id}?invitation=${invitation}`;
  keep(KEEP, { ...recall(KEEP, {}, localStorage), [id]: link }, localStorage);
  return link;
}

/** The invitation link of *game* with a button that copies it; before there is one, a button that makes it. */
export function InviteLink({ game }) {
  const [link, setLink] = useState(() => recall(KEEP, {}, localStorage)[game.id] || "");
  const free = game.seats.filter((seat) => seat.open).length;
  if (!link)
    return html`<p class="row"><button type="button" data-part="invite"
      onClick=${() => invite(game.id, free).then(setLink, complain)}>Make an invitation link</button></p>`;
  return html`<div class="invite"><label class="field"><span>Invitation link, valid for a week</span><input name="invitation"
      readonly value=${link} onFocus=${(event) => event.target.select()}/></label>
    <p class="row"><${Copy} text=${link} part="copy" class="primary">Copy link<//></p></div>`;
}

/** Where the invitation of this address leads, as the service says: null if it is not valid, undefined if unknown. */
function destination() {
  const told = document.querySelector('meta[name="rutter:invitation"]');
  return told ? JSON.parse(told.content) : undefined;
}

/** The page of an invitation link: who invites to what, and who is there. */
export function Join({ id }) {
  const [failure, setFailure] = useState("");
  useEffect(() => void loadTitles().catch(complain), []);
  const game = destination();
  const title = titles.value.find((each) => each.id === game?.title);
  async function sit() {
    if (!(await ensureAccount())) return;
    try {
      await postKept(`games/${id}/join`, { invitation: route.value.query.invitation });
      go(`/g/${id}`);
    } catch (problem) {
      setFailure(problem.code === "unknown_game" ? tr(USED) : problem.detail);
    }
  }
  if (game === null) return html`<div class="page"><h1>This invitation is not valid</h1><p class="failure" role="alert">${tr(USED)}</p>
    <p class="row"><a class="button" href=${`/g/${id}`}>Go to the game</a><a class="button" href="/">Back to the games</a></p></div>`;
  const free = game?.seats.filter((seat) => seat.open).length;
  return html`<div class="page invitation">
    <h1>${game ? html`<bdi>${game.host || tr("A player")}</bdi> invites you to ${title?.name ?? tr("a game")}` : tr("You are invited to a game")}</h1>
    ${title?.picture && html`<img src=${fileOf(`boards/${title.id}.jpg`)} alt="" width="683" height="384"
      onError=${(event) => event.target.remove()}/>`}
    ${title && html`${title.about && html`<p class="lead">${title.about.sentence}</p>`}
      <p class="hint">${measureOf(title)}</p>`}
    ${game && html`<h2>At the table</h2><${SeatRow} seats=${game.seats}/>
      <p class="hint" data-part="waits">${free ? plural(free, "The game waits for {n} player.", "The game waits for {n} players.") : tr("No seat is free.")}</p>
      <${Choices} title=${game.title} version=${game.version} options=${game.options}/>`}
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button type="button" class="primary large" onClick=${sit}>Join the game</button></p></div>`;
}

const USED = keyed("This invitation is unknown, used or expired. Ask for a new one.");
