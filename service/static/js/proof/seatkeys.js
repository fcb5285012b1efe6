// A key of my own for the seat of a game. What a seat with a key does and says is signed here: nobody can deny it,
// invent it, or repeat it elsewhere. The key stays in this browser, so no other device can play the seat.
import { get } from "../base/api.js";
import { newGameId } from "../../client/contribution.js";
import { hex, unhex } from "../../client/sha256.js";

const KEPT = "rutter.seatkey.";
/** Members of commands of the table that one need not send, and that are signed all the same. */
const DEFAULTS = { table_leave: { resign: false }, table_offer: { until: null } };
const placeOf = (game) => `${KEPT}${game}`;
/** The seats of which the server has said that they have a key. */
const signing = new Set();

/** Make a key for a seat of *game*, keep it, and answer its public part (hex); asked again the same one. */
export async function makeKey(game) {
  const { publicKeyOf } = await import("../../client/ed25519.js");
  const before = localStorage.getItem(placeOf(game)); // of a request whose answer was lost
  const secret = before ? unhex(before) : crypto.getRandomValues(new Uint8Array(32));
  localStorage.setItem(placeOf(game), hex(secret));
  return hex(publicKeyOf(secret));
}

/** Forget the key for a seat that was not taken. */
export const forgetKey = (game) => localStorage.removeItem(placeOf(game));

/** Give a *command* of a seat after event *n*: *send(headers)* sends it, signed where the seat has a key. */
export function giveSigned(game, seat, n, { seat: _, ...command }, send) {
  return signed("bg/command/1", { game, seat, n }, { command: { ...DEFAULTS[command.type], ...command } }, send);
}

/** Say something as a seat after event *n*, to the seats *to* or to all (null), likewise. */
export function saySigned(game, seat, n, said, to, send) {
  return signed("bg/said/1", { game, seat, n }, { said, to }, send);
}

/** The server knows which seats have a key: what it refuses unsigned is sent again with a signature. */
async function signed(label, place, members, send) {
  const name = `${place.game} ${place.seat}`;
  const sign = async () => send(await headersOf(label, place, members));
  try {
    return await (signing.has(name) ? sign() : send({}));
  } catch (problem) {
    if (problem.code === "signature_invalid" && signing.delete(name)) return send({});
    if (problem.code !== "signature_required" || !localStorage.getItem(placeOf(place.game))) throw problem;
    signing.add(name);
    return sign();
  }
}

async function headersOf(label, { game, seat, n }, members) {
  const [{ sign }, { events }] = await Promise.all([
    import("../../client/ed25519.js"),
    get(`games/${game}/events`, { after: n - 1, limit: 1 }),
  ]);
  const cmd = newGameId(); // any new UUID will do
  const told = canonical({ cmd, game, h: events[0].hash, n, seat: `p${seat}`, ...members });
  const secret = unhex(localStorage.getItem(placeOf(game)));
  const signature = sign(secret, new TextEncoder().encode(`${label}\0${told}`));
  return { "Idempotency-Key": cmd, "Rutter-Signature": `${n} ${btoa(String.fromCharCode(...signature))}` };
}

/** Canonical JSON (RFC 8785) of a value without fractions. */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join()}}`;
}
