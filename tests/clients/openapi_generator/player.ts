// Plays one whole game with a client that openapi-generator has made (typescript-fetch): node player.js ADDRESS.

import { AccountsApi, Configuration, GamesApi, PlayApi } from "./index.js";

/** Answers that a game may take. */
const MOST = 20_000;
/** Milliseconds between two looks at what the server has yet to do. */
const A_MOMENT = 50;

/** One of these, if there is any. */
function pick<T>(some: T[]): T | undefined {
  return some[Math.floor(Math.random() * some.length)];
}

async function main(basePath: string): Promise<void> {
  const nobody = new AccountsApi(new Configuration({ basePath }));
  const { token } = await nobody.createAccount({ newAccount: { name: "Generated" } });
  const known = new Configuration({ basePath, accessToken: token });
  const [games, player] = [new GamesApi(known), new PlayApi(known)];
  const seats = [{ you: true }, { you: true }, { you: true }];
  const { id } = await games.createGame({ newGame: { title: "colonies", seats } });
  for (let given = 0; given < MOST; given++) {
    const now = await player.getDecisions({ id });
    if (now.title !== "colonies") throw new Error("another title");
    const asked = now.decisions.filter((one) => !one.free);
    if (asked.length === 0) {
      const ended = await games.getGame({ id });
      if (ended.status !== "finished") throw new Error(`not over: ${ended.status}`);
      console.log(ended.title, given);
      return;
    }
    if (asked.every((one) => one.seat === null)) {
      await new Promise((ready) => setTimeout(ready, A_MOMENT));
      continue;
    }
    const awaited = new Set(asked.flatMap((one) => one.commands.map((kind) => `${one.seat} ${kind}`)));
    const move = pick(now.legal.filter((one) => awaited.has(`${one.seat} ${one.command.type}`)));
    if (!move) throw new Error(`no move in ${JSON.stringify(asked)}`);
    await player.giveCommand({ id, command: move.command, ifMatch: `"${now.seq}"` });
  }
  throw new Error(`no end after ${MOST} answers`);
}

await main(process.argv[2] ?? "");
