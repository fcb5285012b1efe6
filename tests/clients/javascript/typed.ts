// Compiles strictly with the declarations of the package; it runs far enough to load it.
import { BadReceipt, Client, MemoryStorage, Refused, type GameMessage, type Move, type Turn } from "rutter-client";
import { FileStorage } from "rutter-client/files";

function choose(turn: Turn): Move | null {
  return turn.asked[0] ?? null;
}

/** Narrowed by its name, a message has typed data. */
function idOf(message: GameMessage): number {
  if (message.name === "event") return message.id + message.data.seq + message.data.hash.length;
  // @ts-expect-error no other message has an id
  return message.id;
}

export async function main(folder: string): Promise<string> {
  const me = new Client("https://rutter.example", null, { storage: new FileStorage(folder), waits: 10 });
  await me.signUp("Ada");
  const game = await me.create("colonies", [{ you: true }, { bot: "random" }, { open: true }]);
  for await (const one of me.games({ mine: true, status: "open" })) await me.join(one["id"], 2);
  await me.play(choose, game, { seat: 0 });
  await me.play(async (turn) => choose(turn));
  for await (const message of me.follow(game, { after: 3 })) if (idOf(message)) break;
  try {
    const past = await me.at<{ turn: number }>(game, 4, 1);
    await me.act(game, { type: "pass" }, { key: "k" });
    return `${past.view.turn.toFixed()} ${me.receipts(game)}`;
  } catch (problem) {
    if (problem instanceof Refused) return problem.detail;
    if (problem instanceof BadReceipt) return problem.code;
    throw problem;
  }
}

export const forBrowsers = (): Client => new Client("https://rutter.example", "rut_x", { storage: localStorage });
// @ts-expect-error a turn is no move
export const wrong = (me: Client, turn: Turn): Promise<unknown> => me.act("x", turn);

try {
  new Client("http://rutter.example", null, { storage: new MemoryStorage() });
} catch (error) {
  console.log(String(error).split(": ").at(-1));
}
