// A moment before a command that nobody could take back, since a bot acts right after it.
import { setting } from "../base/settings.js";
import { tr } from "../base/text.js";
import { html, signal } from "../base/ui.js";

const GRACE = 2000; // ms

/** Holds a command back: until the moment is over, the player hurries, or takes it back. */
export function openGrace() {
  /** True while a command is held back. */
  const held = signal(false);
  let end = null;

  /** Wait a moment; answers false where the player cancels meanwhile. */
  async function wait() {
    if (setting("grace") === "0") return true;
    let timer = null;
    held.value = true;
    const sent = await new Promise((done) => {
      end = done;
      timer = setTimeout(() => done(true), GRACE);
    });
    clearTimeout(timer);
    end = null;
    held.value = false;
    return sent;
  }

  return { held, wait, cancel: () => end?.(false), hurry: () => end?.(true) };
}

/** What stands in the bar while a command is held back. */
export function Grace({ grace }) {
  if (!grace.held.value) return null;
  return html`<span class="hint" role="status">Sent in a moment: then bots play on.</span>
    <button type="button" class="primary" data-part="cancel" title="Cancel (Ctrl+Z)" onClick=${grace.cancel}>Cancel</button>
    <button type="button" data-part="hurry" onClick=${grace.hurry}>Send now</button>`;
}

/** The button that takes back my latest command, or proposes it, as long as that is possible. */
export function Undo({ store, game, undo }) {
  const seat = store.looking.value;
  const latest = store.decisions.value?.undo?.find((each) => each.seat === seat);
  if (!latest || store.table.travelling.value || store.grace.held.value) return null;
  const asks = game.undo === "ask";
  if (asks && game.offers.some((offer) => offer.what === "undo" && offer.by === `p${seat}`)) return null;
  return html`<button type="button" data-part="undo" disabled=${!store.answerable.value} onClick=${undo}
    title="Undo (Ctrl+Z)">${asks ? tr("Propose to undo") : tr("Undo")}</button>`;
}
