// The button that asks a bot what it would do: in a game that has ended, or in an analysis game of one's own.
import { ensureAccount } from "../account/account.js";
import { html } from "../base/ui.js";

/** Whether a bot may be asked about *game*. */
export const mayBeAdvised = ({ game, replay, mine }) =>
  !replay && (game.value.status === "finished" || (game.value.analysis && mine.value.length > 0));

/** A button that asks, and asks no more. */
export function Advise({ asked, ask }) {
  const press = async () => {
    if (asked || (await ensureAccount())) ask(!asked);
  };
  return html`<button type="button" class="advise" data-part="advise" aria-pressed=${String(asked)} onClick=${press}
    title="What would a bot do after this event?">Ask a bot</button>`;
}
