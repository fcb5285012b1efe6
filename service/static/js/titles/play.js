// A game that begins at once: I and as many bots as make a usual table.
import { ensureAccount } from "../account/account.js";
import { complain } from "../base/notices.js";
import { makeGame } from "../proof/contribution.js";
import { go } from "../base/router.js";
import { usualBot } from "./titles.js";

const AT_TABLE = 3;

/** Play *title* against bots, from the beginning or as *more* says. Answers the id of the game, if there is one. */
export async function playNow(title, { seats = usualSeats(title), ...more } = {}) {
  if (!(await ensureAccount())) return null;
  const bot = usualBot(title);
  const places = Array.from({ length: seats }, (_, seat) => (seat ? { bot } : { you: true }));
  try {
    return (await makeGame({ ...more, title: title.id, seats: places })).id;
  } catch (problem) {
    complain(problem);
    return null;
  }
}

/** Play *title* against bots, and go there. */
export async function playAt(title) {
  const id = await playNow(title);
  if (id) go(`/g/${id}`);
}

const usualSeats = ({ seats }) => Math.min(seats.max, Math.max(seats.min, AT_TABLE));
