// Where this browser's person sits: known again when their token is gone.
import { keep, recall } from "../base/kept.js";
import { list, seatName } from "../base/words.js";

const KEEP = "rutter.sat";

/** By the ids of games what I am called there. */
export const sat = () => recall(KEEP, {}, localStorage);

export function rememberSeats(game) {
  const names = game.seats.filter((seat) => seat.you).map((seat) => seatName({ ...seat, you: false }));
  if (names.length) keep(KEEP, { ...sat(), [game.id]: list(names) }, localStorage);
}

export const forgetSeats = () => keep(KEEP, null, localStorage);
