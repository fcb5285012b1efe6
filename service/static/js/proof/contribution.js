// This browser's own contribution to the randomness of the games it plays: with one that is honest nobody, not
// even the service, chose the luck. It is committed to when a seat is taken, and shown when all seats are.
import { get } from "../base/api.js";
import { acknowledged, postKept } from "./receipts.js";
import { hex, sha256, unhex } from "./sha256.js";

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

/** Make a contribution for a seat, keep it, and answer the commitment; asked again the same one. */
export function commit(game, seat, key = keyOf(game)) {
  const place = `${KEPT}${game}.${seat}`;
  const before = localStorage.getItem(place); // of a request whose answer was lost
  const contribution = before ? unhex(before) : crypto.getRandomValues(new Uint8Array(32));
  localStorage.setItem(place, hex(contribution));
  return commitment(key, seat, contribution);
}

/** A UUIDv7: the id of a game that this browser makes, so that it can commit before the service knows of it. */
export function newGameId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  new DataView(bytes.buffer).setUint16(0, Math.floor(Date.now() / 2 ** 32));
  new DataView(bytes.buffer).setUint32(2, Date.now() % 2 ** 32);
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  return hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** Make the game of *body*, committed at each seat that is mine. A seed is salted first, so nobody can commit yet. */
export async function makeGame(body) {
  const id = newGameId();
  const committed = (wish, seat) => (wish.you && !body.seed ? { ...wish, commitment: commit(id, seat) } : wish);
  try {
    return await postKept("games", { ...body, id, seats: body.seats.map(committed) });
  } catch (problem) {
    if (problem.status) forgetAll(id);
    throw problem;
  }
}

/** The seats of *game* where I may sit down, those that are kept for me first. */
function openTo(game) {
  const open = game.seats.filter((each) => each.open && each.invited !== "somebody");
  return open.sort((one, other) => !one.invited - !other.invited).map((each) => each.seat);
}

/**
 * Sit down in *game* (as the service shows it) with a contribution: at *seat*, or at the first that is to be had.
 * *more*: what else is sent with it.
 */
export async function sitDown(game, seat = null, more = {}) {
  const wanted = seat === null ? openTo(game) : [seat];
  const key = game.analysis ? await recordedKey(game.id) : keyOf(game.id);
  for (;;) {
    const number = wanted.shift();
    try {
      return await postKept(`games/${game.id}/join`, { ...more, seat: number, commitment: commit(game.id, number, key) });
    } catch (problem) {
      if (problem.status) forget(game.id, number);
      if (problem.code !== "seat_taken" || !wanted.length) throw problem; // somebody was faster: the next seat
    }
  }
}

/** What stands for the game in its randomness where a seed repeats it; else its id. */
async function recordedKey(id) {
  const [first] = (await get(`games/${id}/events`, { limit: 1 })).events;
  return first.data.key ? unhex(first.data.key) : keyOf(id);
}

/**
 * Show what I contribute to *game*, once all its seats are taken and the service has signed for that: until then
 * somebody could still choose a contribution after seeing mine. Whether anything was shown.
 */
export async function revealIn(game) {
  const mine = game.seats.filter((seat) => seat.you && localStorage.getItem(`${KEPT}${game.id}.${seat.seat}`));
  if (game.status !== "open") forgetAll(game.id);
  if (game.status !== "open" || !mine.length || game.seats.some((seat) => seat.open)) return false;
  if ((await acknowledged(game.id)) < game.seq) return false;
  for (const { seat } of mine) await show(game.id, seat);
  return true;
}

async function show(game, seat) {
  const contribution = localStorage.getItem(`${KEPT}${game}.${seat}`);
  try {
    await postKept(`games/${game}/reveal`, { seat, contribution });
  } catch (problem) {
    if (!SETTLED.includes(problem.code)) throw problem;
  }
  forget(game, seat);
}

/** Look after the games in which this browser still has something to show, wherever the person is looking. */
export async function revealAll() {
  const games = new Set(kept().map((name) => name.slice(KEPT.length).split(".")[0]));
  for (const id of games) {
    try {
      await revealIn(await get(`games/${id}`));
    } catch (problem) {
      if (problem.status === 404) forgetAll(id);
      // Anything else may be over when it is tried again.
    }
  }
}

/** Forget every contribution: somebody else will use this browser. */
export function forgetContributions() {
  for (const name of kept()) localStorage.removeItem(name);
}

const kept = () => Object.keys(localStorage).filter((name) => name.startsWith(KEPT));
const forget = (game, seat) => localStorage.removeItem(`${KEPT}${game}.${seat}`);

function forgetAll(game) {
  for (const name of kept()) if (name.startsWith(`${KEPT}${game}.`)) localStorage.removeItem(name);
}
