// What those at a table may propose or do beside the game; fetched when somebody looks for it.
import { request } from "../base/api.js";
import { keyed, tr } from "../base/text.js";
import { html, useState } from "../base/ui.js";

const HOUR = 3_600_000;
const PAUSES = [
  [keyed("an hour"), HOUR],
  [keyed("a day"), 24 * HOUR],
  [keyed("a week"), 7 * 24 * HOUR],
];

/** *ask* gives a command of the table, or one that is promised. */
export function Choices({ store, game, ask }) {
  const [leaving, setLeaving] = useState(false);
  const busy = store.busy.value;
  async function leave() {
    setLeaving(false);
    await ask({ type: "table_leave" }, tr("You left the game."));
    store.lookThrough(null);
  }
  return html`${
    game.paused
      ? html`<p class="row"><button type="button" disabled=${busy}
        onClick=${() => ask({ type: "table_offer", what: "resume" })}>Propose to resume</button></p>`
      : html`<p class="row"><span class="hint">Propose a pause of</span>${PAUSES.map(
          ([name, length]) => html`<button key=${name} type="button" class="chip" disabled=${busy}
          onClick=${() => ask(pauseOf(length))}>${tr(name)}</button>`,
        )}</p>`
  }
    <p class="row"><button type="button" disabled=${busy}
      onClick=${() => ask({ type: "table_offer", what: "end" })}>Propose to end the game</button>
    ${
      leaving
        ? html`<button type="button" class="danger" disabled=${busy} onClick=${leave}>Yes, leave</button>
          <button type="button" onClick=${() => setLeaving(false)}>Stay</button>`
        : html`<button type="button" disabled=${busy} onClick=${() => setLeaving(true)}>Leave the game</button>`
    }</p>`;
}

/** The offer of a pause from now, by the time of the server: a reader's clock may be wrong. */
async function pauseOf(length) {
  const { headers } = await request("GET", "/healthz");
  // In the form of the log, so that it can be signed.
  const until = new Date(Date.parse(headers.get("date")) + length).toISOString().replace("Z", "000Z");
  return { type: "table_offer", what: "pause", until };
}
