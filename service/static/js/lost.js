// Whoever sat at a table and has lost his token is told so: without it he would only be a spectator, without a word.
import { account, openAccount, unknown } from "./account.js";
import { sat } from "./sat.js";
import { html } from "./ui.js";

export function Lost({ game }) {
  const name = sat()[game.id];
  if (account.value || unknown.value || !name) return null;
  return html`<p class="failure strip" data-part="lost" role="alert">You sat here as ${name}: paste your token.
    <button type="button" onClick=${openAccount}>Sit down again</button></p>`;
}
