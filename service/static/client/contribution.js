// A client's own contribution to the randomness of the games it plays: with one that is honest nobody, not even
// the server, chose the luck. It is committed to when a seat is taken, and shown when all seats are.
import { hex, sha256, unhex } from "./sha256.js";
import { namesIn } from "./storage.js";

const KEPT = "rutter.contribution.";
/** Answers after which showing it again would change nothing. */
const SETTLED = ["already_answered", "game_not_open", "nothing_committed", "reveals_closed", "unknown_game"];

/** SHA-256 of label, key of the game, seat and contribution, as hex digits. */
export const commitment = (key, seat, contribution) => commitmentOf(key, `p${seat}`, contribution);

/** The same of what the log calls *name*: a seat of a game, an entrant of a tournament. */
export function commitmentOf(key, name, contribution) {
  const text = new TextEncoder();
  const parts = [text.encode("bg/seat-commit/1\0"), key, text.encode(`${name}\0`), contribution];
  return hex(sha256(Uint8Array.from(parts.flatMap((part) => [...part]))));
}

/** The 16 bytes of a game's id. */
export const keyOf = (id) => unhex(id.replaceAll("-", ""));

/** A UUIDv7: the id of a game that this client makes, so that it can commit before the server knows of it. */
export function newGameId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  new DataView(bytes.buffer).setUint16(0, Math.floor(Date.now() / 2 ** 32));
  new DataView(bytes.buffer).setUint32(2, Date.now() % 2 ** 32);
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** The contributions that a client has not shown yet, in a *storage*. */
export class Contributions {
  #storage;

  constructor(storage) {
    this.#storage = storage;
  }

  /** Make a contribution for a seat, keep it, and answer the commitment; asked again the same one. */
  commit(game, seat, key = keyOf(game)) {
    const place = `${KEPT}${game}.${seat}`;
    const before = this.#storage.getItem(place); // of a request whose answer was lost
    const contribution = before ? unhex(before) : crypto.getRandomValues(new Uint8Array(32));
    this.#storage.setItem(place, hex(contribution));
    return commitment(key, seat, contribution);
  }

  /**
   * Show what is contributed to *game* (as the server shows it), once all its seats are taken and the server has
   * signed for that: until then one could still choose a contribution after seeing this one.
   *
   * *acknowledged*(game): keeps a new receipt, and answers its event. *show*(game, body): posts a contribution.
   * Answers "early", "nothing" or "shown".
   */
  async reveal(game, acknowledged, show) {
    if (game.status !== "open") this.forgetAll(game.id);
    if (game.status !== "open") return "nothing";
    if (game.seats.some((seat) => seat.open)) return "early";
    const kept = (seat) => this.#storage.getItem(`${KEPT}${game.id}.${seat}`);
    const mine = game.seats.filter((each) => each.you).map(({ seat }) => ({ seat, contribution: kept(seat) }));
    const left = mine.filter(({ contribution }) => contribution);
    if (!left.length) return "nothing";
    if ((await acknowledged(game.id)) < game.seq) return "early";
    for (const body of left) {
      await show(game.id, body).catch((problem) => {
        if (!SETTLED.includes(problem.code)) throw problem; // it may have been shown meanwhile
      });
      this.forget(game.id, body.seat);
    }
    return "shown";
  }

  /** The ids of the games that something is kept for. */
  games() {
    return new Set(namesIn(this.#storage, KEPT).map((name) => name.slice(KEPT.length).split(".")[0]));
  }

  forget(game, seat) {
    this.#storage.removeItem(`${KEPT}${game}.${seat}`);
  }

  /** Forget all for *game*; without one, everything. */
  forgetAll(game = null) {
    for (const name of namesIn(this.#storage, game === null ? KEPT : `${KEPT}${game}.`)) this.#storage.removeItem(name);
  }
}
