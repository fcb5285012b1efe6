// What the server acknowledged, kept by this browser, and what the page says about it.
import { clockDifference, readReceipt, ReceiptStore } from "../../client/receipts.js";
import { get, postOnce } from "../base/api.js";
import { say } from "../base/notices.js";
import { tr } from "../base/text.js";
import { signal } from "../base/ui.js";

const changed = signal(0);
const store = new ReceiptStore(localStorage, () => get("keys"), { onChange: () => changed.value++ });

/** Post once, and keep the receipt of the answer. *game*: its id, where the answer is not the game itself. */
export async function postKept(path, body, game = null, headers = {}) {
  const answer = await postOnce(path, body, { headers });
  await keepIfKnown(game ?? answer.id, answer.receipt);
  if (clockDifference(answer.receipt)) say(tr("The clocks of this device and of the server differ by more than a minute."));
  return answer;
}

/** Ask for a receipt for the newest event of *game*, and keep it; which event that is. */
export async function acknowledged(game) {
  return keep(game, (await get(`games/${game}/receipt`)).receipt);
}

/** Keep *note*, a receipt for *game*; the event that it is for. Throws a Problem where it contradicts others. */
export async function keep(game, note) {
  try {
    return await store.keep(game, note);
  } catch (problem) {
    // Nobody but the operator can say whether a key is the server's that no known key has announced.
    if (problem.code === "key_unknown") say(problem.detail, "bad", "key_unknown", { label: tr("Trust the new key"), run: trust });
    throw problem;
  }
}

/** Keep *note*, whatever log it is for: the talk of a game has one of its own. */
export const keepReceipt = (note) => keepIfKnown(readReceipt(note).game, note);

/** What was sent is done all the same where the key is unknown, which is said. */
async function keepIfKnown(game, note) {
  try {
    await keep(game, note);
  } catch (problem) {
    if (problem.code !== "key_unknown") throw problem;
  }
}

async function trust() {
  await store.trust();
  say(tr("The new key is kept."));
}

export const checkView = (game, last) => store.checkView(game, last);
export const checkEvent = (game, seq, hash) => store.checkEvent(game, seq, hash);
export const newest = (game) => store.newest(game);
export const lines = (game) => store.lines(game);

/** How many receipts for *game* are kept; what draws it is drawn again when there are more. */
export const receiptsKept = (game) => (changed.value >= 0 ? store.count(game) : 0);

/** Forget everything: somebody else will use this browser. */
export const forgetReceipts = () => store.clear();
