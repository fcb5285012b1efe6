// This browser's own contribution to the randomness of the games it plays: committed to when a seat is taken, and
// shown when all seats are.
import { Contributions, keyOf, newGameId } from "../../client/contribution.js";
import { unhex } from "../../client/sha256.js";
import { get } from "../base/api.js";
import { acknowledged, postKept } from "./receipts.js";

const contributions = new Contributions(localStorage);

/** Make the game of *body*, committed at each seat that is mine. A seed is salted first, so nobody can commit yet. */
export async function makeGame(body) {
  const id = newGameId();
  const committed = (wish, seat) =>
    wish.you && !body.seed ? { ...wish, commitment: contributions.commit(id, seat) } : wish;
  try {
    return await postKept("games", { ...body, id, seats: body.seats.map(committed) });
  } catch (problem) {
    if (problem.status) contributions.forgetAll(id);
    throw problem;
  }
}

/** The seats of *game* where I may sit down, those that are kept for me first. */
function openTo(game) {
  const open = game.seats.filter((each) => each.open && each.invited !== "somebody");
  return open.sort((one, other) => !one.invited - !other.invited).map((each) => each.seat);
}

/**
 * Sit down in *game* (as the server shows it) with a contribution: at *seat*, or at the first that is to be had.
 * *more*: what else is sent with it.
 */
export async function sitDown(game, seat = null, more = {}) {
  const wanted = seat === null ? openTo(game) : [seat];
  const key = game.analysis ? await recordedKey(game.id) : keyOf(game.id);
  for (;;) {
    const number = wanted.shift();
    try {
      const commitment = contributions.commit(game.id, number, key);
      return await postKept(`games/${game.id}/join`, { ...more, seat: number, commitment });
    } catch (problem) {
      if (problem.status) contributions.forget(game.id, number);
      if (problem.code !== "seat_taken" || !wanted.length) throw problem; // somebody was faster: the next seat
    }
  }
}

/** What stands for the game in its randomness where a seed repeats it; else its id. */
async function recordedKey(id) {
  const [first] = (await get(`games/${id}/events`, { limit: 1 })).events;
  return first.data.key ? unhex(first.data.key) : keyOf(id);
}

/** Show what I contribute to *game* (as the server shows it), once it is time. Whether anything was shown. */
export async function revealIn(game) {
  const show = (id, body) => postKept(`games/${id}/reveal`, body);
  return (await contributions.reveal(game, acknowledged, show)) === "shown";
}

/** Look after the games in which this browser still has something to show, wherever the person is looking. */
export async function revealAll() {
  for (const id of contributions.games()) {
    try {
      await revealIn(await get(`games/${id}`));
    } catch (problem) {
      if (problem.status === 404) contributions.forgetAll(id);
      // Anything else may be over when it is tried again.
    }
  }
}

/** Forget every contribution: somebody else will use this browser. */
export const forgetContributions = () => contributions.forgetAll();
