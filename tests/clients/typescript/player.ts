// Plays one whole game with a client typed by openapi-typescript: node player.js ADDRESS TITLE. There is no cast in it.

import createClient from "openapi-fetch";

import type { components, paths } from "./api.js";

type Legal = components["schemas"]["Legal"];
type NewGame = components["schemas"]["NewGame"];
/** Answers that a game may take. */
const MOST = 20_000;
/** Milliseconds between two looks at what the house, which fights the wars, has yet to do. */
const A_MOMENT = 50;

function newGame(title: string): NewGame {
  const seats: NewGame["seats"] = [{ you: true }, { you: true }, { you: true }];
  switch (title) {
    case "colonial": // at random it would last a hundred turns
      return { title, seats, options: { turn_limit: 8 } };
    case "colonial_empires":
    case "colonial_revised":
    case "colonialism":
    case "colonies":
      return { title, seats };
    default:
      throw new Error(`no title ${title}`);
  }
}

/** One of these, if there is any. */
function pick<T>(some: T[]): T | undefined {
  return some[Math.floor(Math.random() * some.length)];
}

/** The event types that one of the titles has, told apart by their discriminators. */
function describe(event: components["schemas"]["colonies.Event"]): string {
  return event.type === "SeatTaken" ? `seat ${event.data.seat}` : event.type;
}

async function main(address: string, title: string): Promise<void> {
  const nobody = createClient<paths>({ baseUrl: address });
  const made = await nobody.POST("/v1/accounts", { body: { name: "Generated" } });
  if (!made.data) throw new Error(made.error.detail);
  const client = createClient<paths>({ baseUrl: address, headers: { Authorization: `Bearer ${made.data.token}` } });
  const created = await client.POST("/v1/games", { body: newGame(title) });
  if (!created.data) throw new Error(created.error.code);
  const path = { id: created.data.id };
  let given = 0;
  for (let number = 0; number < MOST; number++) {
    const now = await client.GET("/v1/games/{id}/decisions", { params: { path } });
    if (!now.data) throw new Error(now.error.code);
    const asked = now.data.decisions.filter((one) => !one.free);
    const awaited = new Set(asked.flatMap((one) => one.commands.map((kind) => `${one.seat} ${kind}`)));
    const legal: Legal[] = now.data.legal;
    const answers = legal.filter((one) => awaited.has(`${one.seat} ${one.command.type}`));
    const kind = pick([...new Set(answers.map((one) => one.command.type))]);
    const move = pick(answers.filter((one) => one.command.type === kind));
    if (asked.length > 0 && asked.every((one) => one.seat === null)) {
      await new Promise((ready) => setTimeout(ready, A_MOMENT));
      continue;
    }
    if (asked.length === 0) {
      const ended = await client.GET("/v1/games/{id}", { params: { path } });
      if (ended.data?.status !== "finished") throw new Error(`not over: ${ended.data?.status}`);
      if (ended.data.title === "colonies") console.log(ended.data.view?.turn, describe(await first(path.id)));
      console.log(title, given);
      return;
    }
    if (!move) throw new Error(`no move in ${JSON.stringify(asked)}`);
    const done = await client.POST("/v1/games/{id}/commands", {
      params: { path, header: { "If-Match": `"${now.data.seq}"` } },
      body: move.command,
    });
    if (!done.data) throw new Error(`${done.error.code}: ${done.error.detail}`);
    given++;
  }
  throw new Error(`no end after ${MOST} answers`);

  async function first(id: string): Promise<components["schemas"]["colonies.Event"]> {
    const page = await client.GET("/v1/games/{id}/events", { params: { path: { id }, query: { after: 1, limit: 1 } } });
    if (page.data?.title !== "colonies") throw new Error("another title");
    const event = page.data.events[0];
    if (!event) throw new Error("no event");
    return event;
  }
}

await main(process.argv[2] ?? "", process.argv[3] ?? "");
