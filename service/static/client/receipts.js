// What a server acknowledged, kept by its client: a game that is taken back convicts the server.
import { Problem } from "./problems.js";
import { hex, unbase64 } from "./sha256.js";
import { namesIn } from "./storage.js";

const KEPT = "rutter.receipts.";
const DELAY = 60; // seconds from the time of a receipt to its deadline; and by which clocks may differ
const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const NUMBER = "(0|[1-9][0-9]{0,15})";
const TEXT = new RegExp(
  `^rutter/receipt@v1\n([^\\s+]+)\n(${UUID})\n${NUMBER}\n([A-Za-z0-9+/]{43}=)\n${UUID}\n${NUMBER}\n${NUMBER}\n$`,
);
const SIGNATURE = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/=]+)$/;

/** An answer without a receipt that holds, or one that contradicts what was acknowledged before. */
export class BadReceipt extends Problem {
  constructor(detail, code = "proof_broken") {
    super({ code, detail });
  }
}

/** A receipt that no known key signed, nor one that a known key has announced. */
export class UnknownKey extends BadReceipt {
  constructor(signers) {
    const names = signers.map((signer) => signer.slice(0, -1)).join(", ");
    super(
      `This server signs with another key (${names}) than the one that is kept here, and that key has not announced it. ` +
        "Trust it only if the operator tells you that the key was replaced.",
      "key_unknown",
    );
  }
}

/** The parts of a receipt. Each of its `signatures` has the beginning of its signer's vkey, and the bytes. */
export function readReceipt(note) {
  const gap = String(note).lastIndexOf("\n\n");
  const [text, lines] = [String(note).slice(0, gap + 1), String(note).slice(gap + 2).split("\n")];
  const [, origin, game, n, hash, time, deadline] = TEXT.exec(text) ?? [];
  const signatures = lines.slice(0, -1).map(signatureOf);
  if (!origin || lines.at(-1) !== "" || !signatures.length || signatures.includes(null))
    throw new BadReceipt("This server contradicts itself. Its answer has no valid receipt. Save your receipts as proof.");
  if (Number(deadline) !== Number(time) + DELAY) throw broken("It put off the deadline of a receipt.");
  return { note, text, origin, game, n: Number(n), hash: hex(unbase64(hash)), time: Number(time), signatures };
}

/** While one key takes over from another, both sign. */
function signatureOf(line) {
  const [, name, encoded] = SIGNATURE.exec(line) ?? [];
  if (!name) return null;
  const raw = unbase64(encoded);
  return { signer: `${name}+${hex(raw.slice(0, 4))}+`, bytes: raw.slice(4) };
}

/** The seconds by which a receipt for an event of just now is ahead of this clock, where they are too many; else 0. */
export function clockDifference(note) {
  const ahead = readReceipt(note).time - Date.now() / 1000;
  return Math.abs(ahead) > DELAY ? ahead : 0;
}

const broken = (detail) => new BadReceipt(`This server contradicts itself. ${detail} Save your receipts as proof.`);

/**
 * The receipts of one client, compared with each new one.
 *
 * *storage*: where they are kept, with the name and keys of the server under *pin*, as at first contact.
 * *ask*(): what `GET /v1/keys` answers. *onChange*(): called when something was kept.
 */
export class ReceiptStore {
  #storage;
  #ask;
  #pin;
  #onChange;
  #read = new Map();
  #lastLearned = ""; // the keys for which the server was asked whether others are announced, or they have ended

  constructor(storage, ask, { pin = "rutter.keys", onChange = () => {} } = {}) {
    this.#storage = storage;
    this.#ask = ask;
    this.#pin = pin;
    this.#onChange = onChange;
  }

  /** Check *note*, a receipt for *game*, and keep it; the event that it is for. Throws a BadReceipt. */
  async keep(game, note) {
    const receipt = readReceipt(note);
    const pin = await this.#pinFor(receipt);
    if (receipt.game !== game) throw broken("Its receipt is for another game.");
    const known = this.#receipts(game);
    const same = known.find((each) => each.n === receipt.n);
    if (!same || same.hash !== receipt.hash) this.#store(pin.origin, game, [...known, receipt]);
    // Both receipts together are the proof.
    if (same && same.hash !== receipt.hash) throw broken(`It signed two different versions of event ${receipt.n} of this game.`);
    return receipt.n;
  }

  /** Refuse a view of *game* that ends with event *last*, before event *least* that was acknowledged. */
  checkView(game, last, least = this.newest(game)) {
    if (last < least) throw broken(`It shows ${last} events of this game, and signed ${least}.`);
  }

  /** Refuse event *seq* of *game* with another *hash* (hex) than the acknowledged one. */
  checkEvent(game, seq, hash) {
    const receipt = this.#receipts(game).find((each) => each.n === seq);
    if (receipt && receipt.hash !== hash) throw broken(`Event ${seq} of this game is not the event that it signed.`);
  }

  /** The latest event of *game* that was acknowledged; 0 where none was. */
  newest(game) {
    return this.#receipts(game).at(-1)?.n ?? 0;
  }

  /** How many receipts for *game* are kept. */
  count(game) {
    return this.#receipts(game).length;
  }

  /** The receipts for *game* as `rutter verify --receipts` reads them: NDJSON. */
  lines(game) {
    return this.#receipts(game)
      .map(({ note }) => JSON.stringify({ kind: "receipt", note }) + "\n")
      .join("");
  }

  /** Keep the keys of now in place of those before. What was acknowledged under another name stays. */
  async trust() {
    const before = this.#known();
    const { origin } = this.#keep(await this.#ask());
    const old = `${KEPT}${before?.origin}.`;
    for (const name of before && before.origin !== origin ? namesIn(this.#storage, old) : []) {
      this.#storage.setItem(`${KEPT}${origin}.${name.slice(old.length)}`, this.#storage.getItem(name));
      this.#storage.removeItem(name);
    }
    this.#onChange();
  }

  /** Forget everything. */
  clear() {
    for (const name of [this.#pin, ...namesIn(this.#storage, KEPT)]) this.#storage.removeItem(name);
  }

  #known() {
    return JSON.parse(this.#storage.getItem(this.#pin) ?? "null");
  }

  /** Keep the keys with which the server signs now. */
  #keep({ origin, keys }) {
    const found = { origin, vkeys: keys.filter((key) => key.until === null).map((key) => key.vkey) };
    this.#storage.setItem(this.#pin, JSON.stringify(found));
    return found;
  }

  /** The pin by which *receipt* can be believed, whose keys have signed it. */
  async #pinFor(receipt) {
    const signers = receipt.signatures.map(({ signer }) => signer);
    const knows = ({ origin, vkeys }, signer) => origin === receipt.origin && vkeys.some((vkey) => vkey.startsWith(signer));
    let pin = this.#known() ?? this.#keep(await this.#ask());
    const signs = (vkey) => signers.some((signer) => vkey.startsWith(signer));
    if (pin.origin === receipt.origin && !(signers.every((signer) => knows(pin, signer)) && pin.vkeys.every(signs)))
      pin = await this.#learn(pin, signers.some((signer) => knows(pin, signer)));
    if (!signers.some((signer) => knows(pin, signer))) throw new UnknownKey(signers);
    const { isSigned } = await import("./keys.js");
    if (!isSigned(receipt, pin.vkeys)) throw broken("The signature of its receipt is wrong.");
    return pin;
  }

  /** Learn the keys that those of the *known* pin have announced. *optional*: one of those signs as well. */
  async #learn(known, optional) {
    if (optional && this.#lastLearned === known.vkeys.join()) return known;
    this.#lastLearned = known.vkeys.join();
    try {
      const [{ believedKeys }, { origin, keys }] = await Promise.all([import("./keys.js"), this.#ask()]);
      if (origin !== known.origin) return known;
      const learned = { ...known, vkeys: believedKeys(known, keys) };
      this.#storage.setItem(this.#pin, JSON.stringify(learned));
      return learned;
    } catch (problem) {
      if (optional) return known;
      throw problem;
    }
  }

  /** The receipts for *game* by event. Each was checked when it was kept. */
  #receipts(game) {
    const pin = this.#known();
    const text = pin && this.#storage.getItem(`${KEPT}${pin.origin}.${game}`);
    if (!text) return [];
    if (this.#read.get(game)?.text !== text) this.#read.set(game, { text, receipts: JSON.parse(text).map(readReceipt) });
    return this.#read.get(game).receipts;
  }

  #store(origin, game, found) {
    const sorted = [...found].sort((a, b) => a.n - b.n).map(({ note }) => note);
    const place = `${KEPT}${origin}.${game}`;
    try {
      this.#storage.setItem(place, JSON.stringify(sorted));
    } catch {
      // No room is left. Each receipt speaks for all events before it, so the newest says most.
      this.#storage.setItem(place, JSON.stringify(sorted.slice(-1)));
    }
    this.#onChange();
  }
}
