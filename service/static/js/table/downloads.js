// What one may take home of a game: its record, and what the service has signed for.
import { Download } from "../base/download.js";
import { lines, receiptsKept } from "../proof/receipts.js";
import { save } from "../base/save.js";
import { html } from "../base/ui.js";
import { count } from "../base/words.js";

/** A button for the record of the game as the reader may know it. */
export function AuditFile({ store, game }) {
  if (game.status === "open") return null;
  const seat = typeof store.looking.value === "number" ? store.looking.value : "spectator";
  return html`<${Download} class="quiet-link" path=${`${store.path}/audit`} query=${{ seat }}
    name=${`${game.title}-${game.id.slice(0, 8)}.ndjson`}
    title="The record of this game with all that you may see. Check it offline with rutter verify">Audit file<//>`;
}

/** What this browser holds against a service that would take something back. */
export function Proof({ game }) {
  const kept = receiptsKept(game.id);
  if (!kept) return null;
  const download = () =>
    save(new Blob([lines(game.id)], { type: "application/x-ndjson" }), `receipts-${game.id}.ndjson`);
  return html`<span class="proof" title="The server signed these events and cannot take them back">
    ${count(kept, "receipt")} <button type="button" class="quiet-link" onClick=${download}
      title="Check them with rutter verify --receipts">Save receipts</button></span>`;
}
