// A client of the API of Rutter for programs that play, in Node and browsers. See README.md.
import { Connection, checkOrigin, newKey, patiently, sleep } from "./connection.js";
import { Contributions, newGameId } from "./contribution.js";
import { Problem, Refused, Unanswered } from "./problems.js";
import { BadReceipt, ReceiptStore, UnknownKey } from "./receipts.js";
import { MemoryStorage } from "./storage.js";
import { listen } from "./streams.js";

export { BadReceipt, MemoryStorage, Problem, Refused, Unanswered, UnknownKey };

/** True for the message that ends a game. A message of another kind may hold anything. */
const isOver = ({ name, data }) =>
  (name === "event" && ["TableClosed", "TableAbandoned"].includes(data.type)) ||
  (name === "game" && ["finished", "abandoned"].includes(data.status));

/** The id of a game, or of what the server tells of one. Throws a TypeError for a text that could be another path. */
function idOf(game) {
  const id = String(game?.id ?? game).toLowerCase();
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) throw new TypeError(`"${id}" is not the id of a game`);
  return id;
}

const pathOf = (game) => `/v1/games/${idOf(game)}`;
const gameOf = (json) => ({ id: json.id, title: json.title, status: json.status, seq: json.seq, view: json.view, json });

/** The message `turn` of a stream, with the legal commands that answer what the game waits for as `asked`. */
function turnOf(json) {
  const { game, title, seat, seq, complete } = json;
  const legal = json.legal.map((one) => ({ seat: one.seat, label: one.label, command: one.command }));
  const awaited = json.decisions.filter((one) => !one.free);
  const kinds = new Set(awaited.flatMap((one) => one.commands.map((kind) => `${one.seat} ${kind}`)));
  const asked = legal.filter((move) => kinds.has(`${move.seat} ${move.command.type}`));
  return { game, title, seat, seq, legal, asked, complete, json };
}

/** An account at a server. `index.d.ts` says what each member takes and gives. */
export class Client {
  #connection;
  #contributions;
  #pause;
  #receipts;

  constructor(server, token = null, { storage = null, waits = 600, pause = 2, silence = 45 } = {}) {
    this.#connection = new Connection(checkOrigin(server), { token, silence, retry: patiently(waits, pause) });
    this.#pause = 1000 * pause;
    this.#contributions = storage && new Contributions(storage);
    const settings = { pin: `rutter.keys.${this.server}` };
    this.#receipts = new ReceiptStore(storage ?? new MemoryStorage(), () => this.#json("GET", "/v1/keys"), settings);
  }

  get server() {
    return this.#connection.server;
  }

  get token() {
    return this.#connection.token;
  }

  /** End all requests and streams. */
  close() {
    this.#connection.close();
  }

  /** Send any request until it is answered, and answer its JSON. */
  request(method, path, body, { key } = {}) {
    return this.#json(method, path, { body, key });
  }

  /** What lies at a path as it stands, such as a game's audit file at `/v1/games/ID/audit`. */
  async read(path) {
    return (await this.#send("GET", path)).bytes;
  }

  /** Make an account, use its token from now on, and answer the account. Keep the token. */
  async signUp(name, more = {}) {
    const { token, account } = await this.#json("POST", "/v1/accounts", { body: { ...more, name } });
    this.#connection.token = token;
    return account;
  }

  /** Games, the newest first, page by page: `{ mine: true, status: "open" }` selects some. */
  async *games(query = {}) {
    let page = await this.#json("GET", "/v1/games", { query });
    for (;;) {
      yield* page.games;
      if (page.next === null) return;
      page = await this.#json("GET", page.next);
    }
  }

  /** Make a game of a title. With a storage, commit to a contribution for each seat that is yours. */
  async create(title, seats, settings = {}) {
    const id = idOf(settings.id ?? newGameId());
    const isKnown = ["seed", "repeat", "position"].some((name) => settings[name] !== undefined);
    const committed = (seat, number) =>
      seat.you && this.#contributions && !isKnown ? { ...seat, commitment: this.#contributions.commit(id, number) } : seat;
    return gameOf(await this.#give("/v1/games", { title, ...settings, id, seats: seats.map(committed) }, id));
  }

  /** Take a seat, or the first free one. With a storage, commit to a contribution for a named seat. */
  async join(game, seat = null, more = {}) {
    const own = seat === null ? {} : { seat };
    if (seat !== null && this.#contributions) own.commitment = this.#contributions.commit(idOf(game), seat);
    return gameOf(await this.#give(`${pathOf(game)}/join`, { ...own, ...more }, idOf(game)));
  }

  /** Reveal your contributions; false as long as it is too early, because seats are free. */
  async reveal(game) {
    const { json } = await this.look(game);
    const contributions = this.#contributions ?? new Contributions(new MemoryStorage());
    const show = (id, body) => this.#give(`${pathOf(id)}/reveal`, body, id);
    return (await contributions.reveal(json, (id) => this.#acknowledge(id), show)) !== "early";
  }

  /** A game as it is now, or was after event `at`. After its end you may look from any `seat`. */
  async look(game, { seat = null, at = null } = {}) {
    const least = this.#receipts.newest(idOf(game));
    const found = gameOf(await this.#json("GET", pathOf(game), { query: { seat, at } }));
    if (at === null) this.#receipts.checkView(found.id, found.json.last, least);
    return found;
  }

  /** A game as it was after event `seq`: what a seat could see then. */
  at(game, seq, seat = null) {
    return this.look(game, { seat, at: seq });
  }

  /** Give a command, which counts once however often it is sent; answers `events`, `seq`, `receipt`. */
  act(game, move, { key } = {}) {
    const body = "command" in move ? { ...move.command, seat: move.seat } : move;
    return this.#give(`${pathOf(game)}/commands`, body, idOf(game), key);
  }

  /** The messages of a game, all or those after an event, also over lost connections. */
  async *follow(game, { after = null, seat = null, signal } = {}) {
    const id = idOf(game);
    let least = 0;
    const opening = () => (least = this.#receipts.newest(id));
    for await (const message of this.#listen(`${pathOf(id)}/stream`, { query: { seat }, after, signal, opening })) {
      if (message.name === "game") this.#receipts.checkView(id, message.data.last, least);
      if (message.name === "event") this.#receipts.checkEvent(id, message.data.seq, message.data.hash);
      yield message;
    }
  }

  /** The notices and turns of all games of the account, until another stream takes over. */
  news({ after = null, legal = true, signal } = {}) {
    return this.#listen("/v1/me/stream", { query: { legal }, after, signal });
  }

  /** The messages of another stream, such as that of a tournament. */
  stream(path, { after = null, signal } = {}) {
    return this.#listen(path, { after, signal });
  }

  /** The receipts for a game as `rutter verify --receipts` reads them. */
  receipts(game) {
    return this.#receipts.lines(idOf(game));
  }

  /** Play a game to its end, or all games of the account until another stream takes over. */
  async play(onTurn, game = null, { seat = null, signal } = {}) {
    const done = new Map();
    let isOpen = game !== null;
    for await (const message of game === null ? this.news({ signal }) : this.follow(game, { seat, signal }))
      if (message.name === "turn") await this.#take(turnOf(message.data), onTurn, done);
      else if (game !== null && isOver(message)) return;
      else if (isOpen) isOpen = !(await this.reveal(game));
  }

  /** Ask for the move of a turn and give it, unless the turn is older than what was done. */
  async #take(turn, onTurn, done) {
    if (!turn.legal.length || turn.seq < (done.get(turn.game) ?? 0)) return;
    const move = await onTurn(turn);
    if (!move) return;
    try {
      done.set(turn.game, (await this.act(turn.game, move)).seq);
    } catch (problem) {
      // Where nothing has happened meanwhile, no other turn comes.
      if (problem.status !== 409 || (await this.look(turn.game)).seq <= turn.seq) throw problem;
    }
  }

  /** Post what a game has to accept, and keep the receipt of the answer. */
  async #give(path, body, game, key) {
    const least = this.#receipts.newest(game);
    const answer = await this.#send("POST", path, { body, key });
    const json = answer.json();
    const n = await this.#receipts.keep(game, json.receipt);
    // A repeated answer is that of the first time.
    if (!answer.headers.has("Idempotency-Replayed")) this.#receipts.checkView(game, n, least);
    for (const { seq, hash } of json.events ?? []) this.#receipts.checkEvent(game, seq, hash);
    return json;
  }

  /** Ask for a receipt for the newest event of a game, and keep it; which event that is. */
  async #acknowledge(game) {
    const least = this.#receipts.newest(game);
    const n = await this.#receipts.keep(game, (await this.#json("GET", `${pathOf(game)}/receipt`)).receipt);
    this.#receipts.checkView(game, n, least);
    return n;
  }

  async #json(method, path, options) {
    return (await this.#send(method, path, options)).json();
  }

  /** Send a request, with the same Idempotency-Key each time. */
  #send(method, path, { key, ...options } = {}) {
    const headers = method === "GET" ? {} : { "Idempotency-Key": key ?? newKey() };
    return this.#connection.send(method, path, { headers, ...options });
  }

  async *#listen(path, { query, after, signal, opening = () => {} }) {
    const open = (last) => {
      opening();
      const headers = { Accept: "text/event-stream", ...(last === null ? {} : { "Last-Event-ID": String(last) }) };
      return this.#connection.send("GET", path, { query, headers, signal, isOpen: true });
    };
    const pause = () => sleep(this.#pause, signal ?? this.#connection.closed);
    const isOver = () => signal?.aborted || this.#connection.closed.aborted;
    for await (const { event, id, data } of listen({ open, pause, after, isOver })) {
      const message = { name: event, id: id === null ? null : Number(id), data: JSON.parse(data) };
      if (event === "closing" && message.data.replaced) return;
      yield message;
    }
  }
}
