// Players of a game who have lost their token learn so: without it they would only be spectators, without a word.
import { account, openAccount, unknown } from "./account.js";
import { sat } from "./sat.js";
import { html } from "../base/ui.js";

export function Lost({ game }) {
  const name = sat()[game.id];
  if (account.value || unknown.value || !name) return null;
  return html`<p class="failure strip" data-part="lost" role="alert">You played here as <bdi>${name}</bdi>. To continue, sign in with your token.
    <button type="button" onClick=${openAccount}>Sign in again</button></p>`;
}
