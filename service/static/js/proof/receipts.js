// What the server acknowledged, kept by this browser: a game that is taken back convicts the server.
// The signatures are checked by `rutter verify --receipts`; here, that nothing contradicts what was said before.
import { get, postOnce, Problem } from "../base/api.js";
import { say } from "../base/notices.js";
import { signal } from "../base/ui.js";
import { hex, unbase64 } from "./sha256.js";

const PIN = "rutter.keys"; // name and keys of the service, as they were at first contact
const KEPT = "rutter.receipts.";
const FIRST_LINE = "rutter/receipt@v1";
const DELAY = 60; // seconds from the time of a receipt to its deadline; and by which clocks may differ
const changed = signal(0);

/** Post once, and keep the receipt of the answer. *game*: its id, where the answer is not the game itself. */
export async function postKept(path, body, game = null, headers = {}) {
  const answer = await postOnce(path, body, { headers });
  try {
    await keep(game ?? answer.id, answer.receipt);
  } catch (problem) {
    if (problem.code !== "key_unknown") throw problem; // it is said; what was sent is done all the same
  }
  compareClocks(answer.receipt);
  return answer;
}

/** Ask for a receipt for the newest event of *game*, and keep it; which event that is. */
export async function acknowledged(game) {
  return keep(game, (await get(`games/${game}/receipt`)).receipt);
}

/** A receipt has the time of its event: of one that was made just now this device's own clock knows it, too. */
function compareClocks(note) {
  if (Math.abs(read(note).time - Date.now() / 1000) <= DELAY) return;
  say("The clocks of this device and of the server differ by more than a minute.");
}

/** Keep *note*, a receipt for *game*; the event that it is for. Throws a Problem where it contradicts others. */
export async function keep(game, note) {
  const receipt = read(note);
  const pin = await pinFor(receipt);
  if (receipt.game !== game) throw broken("Its receipt is for another game.");
  const known = receipts(game);
  const same = known.find((each) => each.n === receipt.n);
  if (same && same.hash !== receipt.hash)
    throw broken(`It signed two different versions of event ${receipt.n} of this game.`, game, note);
  if (!same) store(pin.origin, game, [...known, receipt]);
  return receipt.n;
}

/** Keep *note*, whatever log it is for: the talk of a game has one of its own. */
export async function keepReceipt(note) {
  try {
    await keep(read(note).game, note);
  } catch (problem) {
    if (problem.code !== "key_unknown") throw problem;
  }
}

/** Refuse a view of *game* that ends with event *last*, before what was acknowledged. */
export function checkView(game, last) {
  if (last < newest(game))
    throw broken(`It shows ${last} events of this game, and signed ${newest(game)}.`);
}

/** Refuse event *seq* of *game* with another *hash* (hex) than the acknowledged one. */
export function checkEvent(game, seq, hash) {
  const receipt = receipts(game).find((each) => each.n === seq);
  if (receipt && receipt.hash !== hash) throw broken(`Event ${seq} of this game is not the event that it signed.`);
}

/** The latest event of *game* that was acknowledged; 0 where none was. */
export function newest(game) {
  return Math.max(0, ...receipts(game).map((receipt) => receipt.n));
}

/** How many receipts for *game* are kept; what draws it is drawn again when there are more. */
export function receiptsKept(game) {
  return changed.value >= 0 ? receipts(game).length : 0;
}

/** The receipts for *game* as `rutter verify --receipts` reads them: NDJSON. */
export function lines(game) {
  return receipts(game)
    .map(({ note }) => JSON.stringify({ kind: "receipt", note }) + "\n")
    .join("");
}

/** Forget everything: somebody else will use this browser. */
export function forgetReceipts() {
  for (const name of Object.keys(localStorage)) if (name === PIN || name.startsWith(KEPT)) localStorage.removeItem(name);
}

function broken(detail, game = null, note = null) {
  if (note) {
    const pin = JSON.parse(localStorage.getItem(PIN));
    store(pin.origin, game, [...receipts(game), read(note)]); // both receipts together are the proof
  }
  return new Problem({ code: "proof_broken", detail: `This server contradicts itself. ${detail} Save your receipts as proof.` });
}

/** The parts of a receipt. `signer`: how the vkey of its signer begins. */
function read(note) {
  const [text = "", signature = ""] = String(note).split("\n\n");
  const [first, origin, game, n, hash, , time, deadline] = text.split("\n");
  const signers = signature.split("\n").flatMap(signerOf);
  if (first !== FIRST_LINE || !signers.length) throw broken("Its answer has no valid receipt.");
  if (Number(deadline) !== Number(time) + DELAY) throw broken("It put off the deadline of a receipt.");
  return { note, origin, game, n: Number(n), hash: hex(unbase64(hash)), time: Number(time), signers };
}

/** How the vkey of the signer of a line begins. While one key takes over from another, both sign. */
function signerOf(line) {
  const [, name, encoded] = line.split(" ");
  return encoded ? [`${name}+${hex(unbase64(encoded).slice(0, 4))}+`] : [];
}

/** The name and keys of the service; asked for at first contact only. */
async function pinned() {
  const kept = localStorage.getItem(PIN);
  return kept ? JSON.parse(kept) : pin(await get("keys"));
}

/** Keep the keys with which the service signs now. */
function pin({ origin, keys }) {
  const found = { origin, vkeys: keys.filter((key) => key.until === null).map((key) => key.vkey) };
  localStorage.setItem(PIN, JSON.stringify(found));
  return found;
}

const knows = ({ vkeys }, signer) => vkeys.some((vkey) => vkey.startsWith(signer));

/** The pin by which *receipt* can be believed. Throws a Problem, with a button, where it needs another one. */
async function pinFor(receipt) {
  const known = await pinned();
  if (receipt.origin !== known.origin) throw stranger(receipt);
  const signs = (vkey) => receipt.signers.some((signer) => vkey.startsWith(signer));
  if (receipt.signers.every((signer) => knows(known, signer)) && known.vkeys.every(signs)) return known;
  const learned = await learn(known, receipt.signers.some((signer) => knows(known, signer)));
  if (!receipt.signers.some((signer) => knows(learned, signer))) throw stranger(receipt);
  return learned;
}

let lastLearned = ""; // the keys for which the server was asked whether others are announced, or they have ended

/** Learn the keys that those of the *known* pin have announced. *optional*: one of those signs as well. */
async function learn(known, optional) {
  if (optional && lastLearned === known.vkeys.join()) return known;
  lastLearned = known.vkeys.join();
  try {
    const [{ believedKeys }, { origin, keys }] = await Promise.all([import("./keys.js"), get("keys")]);
    if (origin !== known.origin) return known;
    const learned = { ...known, vkeys: believedKeys(known, keys) };
    localStorage.setItem(PIN, JSON.stringify(learned));
    return learned;
  } catch (problem) {
    if (optional) return known;
    throw problem;
  }
}

/** Nobody but the operator can say whether a key is the server's that no known key has announced. */
function stranger({ signers }) {
  const detail = `This server signs with another key (${signers.map((signer) => signer.slice(0, -1)).join(", ")}) than the one that this browser keeps, and that key has not announced it. Trust it only if the operator tells you that the key was replaced.`;
  say(detail, "bad", "key_unknown", { label: "Trust the new key", run: trust });
  return new Problem({ code: "key_unknown", detail });
}

/** Keep the keys of now in place of those before. What was acknowledged under another name stays. */
async function trust() {
  const before = JSON.parse(localStorage.getItem(PIN) || "null");
  const { origin } = pin(await get("keys"));
  const old = `${KEPT}${before?.origin}.`;
  for (const name of before && before.origin !== origin ? Object.keys(localStorage) : [])
    if (name.startsWith(old)) {
      localStorage.setItem(`${KEPT}${origin}.${name.slice(old.length)}`, localStorage.getItem(name));
      localStorage.removeItem(name);
    }
  changed.value++;
  say("The new key is kept.");
}

function receipts(game) {
  const pin = localStorage.getItem(PIN);
  const kept = pin && localStorage.getItem(`${KEPT}${JSON.parse(pin).origin}.${game}`);
  return kept ? JSON.parse(kept).map(read) : [];
}

function store(origin, game, found) {
  const sorted = [...found].sort((a, b) => a.n - b.n).map(({ note }) => note);
  const place = `${KEPT}${origin}.${game}`;
  try {
    localStorage.setItem(place, JSON.stringify(sorted));
  } catch {
    // No room is left. Each receipt speaks for all events before it, so the newest says most.
    localStorage.setItem(place, JSON.stringify(sorted.slice(-1)));
  }
  changed.value++;
}
