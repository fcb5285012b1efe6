// Plays games with the client library: node player.mjs ADDRESS FOLDER SETTINGS. It says a line of JSON for each
// command that is accepted, and one for each game that is over; where it is told to, it waits for a line before each.
import { createInterface } from "node:readline";
import { Client } from "../../../service/static/client/index.js";
import { FileStorage } from "../../../service/static/client/files.js";

const [address, folder, given] = process.argv.slice(2);
const { title, seats, options = {}, games = 1, stepwise = false, ...settings } = JSON.parse(given);

/** The test has seen what it wanted. */
class Enough extends Error {}

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
let isEnough = false;
if (!stepwise) void lines.next().then(() => (isEnough = true));

let state = 1;
/** One of *some*, by a generator of Park and Miller: the same in each run. */
function pick(some) {
  state = (state * 48271) % 2147483647;
  return some[state % some.length];
}

const me = new Client(address, null, { storage: new FileStorage(folder), ...settings });
const act = me.act.bind(me);
me.act = async (game, move) => {
  const done = await act(game, move);
  say({ game, events: done.events });
  return done;
};

async function choose(turn) {
  if (isEnough) throw new Enough();
  if (!turn.asked.length) return null;
  if (stepwise) {
    say({ asked: turn.seq });
    await lines.next();
  }
  const kind = pick([...new Set(turn.asked.map((move) => move.command.type))]);
  return pick(turn.asked.filter((move) => move.command.type === kind));
}

await me.signUp("Player");
say({ token: me.token });
try {
  for (let number = 0; number < games; number++) {
    const game = await me.create(title, seats, { options });
    const mine = seats.flatMap((one, seat) => (one.you ? [seat] : []));
    await Promise.all(mine.map((seat) => me.play(choose, game, { seat })));
    const { status, seq, view } = await me.look(game);
    const past = await me.at(game, seq);
    say({ over: game.id, status, seq, isSame: JSON.stringify(past.view) === JSON.stringify(view), receipts: me.receipts(game) });
  }
} catch (error) {
  if (!(error instanceof Enough)) throw error;
}
process.stdout.write("", () => process.exit(0)); // after all that was said has been written
