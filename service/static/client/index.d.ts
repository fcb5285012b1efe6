/** A JSON object as the server sends it; /docs/api says what is in it. */
export type Json = { [member: string]: any };

/** A command, with its `type`. */
export type Command = { type: string } & Json;

/** A legal command of a seat of yours: return it from `onTurn`, or give it to `act`. */
export interface Move {
  readonly seat: number;
  readonly label: string;
  readonly command: Command;
}

/** A question of a game to one seat of yours, after event `seq`. */
export interface Turn {
  readonly game: string;
  readonly title: string;
  readonly seat: number;
  readonly seq: number;
  /** All legal commands, or a selection of them if not `complete`. */
  readonly legal: readonly Move[];
  /** Those that answer what the game waits for; empty while it waits for others. */
  readonly asked: readonly Move[];
  readonly complete: boolean;
  /** All that the server sent. */
  readonly json: Json;
}

/** A game as your account sees it after event `seq`. */
export interface Game<View = any> {
  readonly id: string;
  readonly title: string;
  readonly status: "open" | "running" | "finished" | "abandoned";
  readonly seq: number;
  readonly view: View;
  /** All that the server sent. */
  readonly json: Json;
}

/** An event as your seat may see it. */
export interface GameEvent extends Json {
  seq: number;
  type: string;
  hash: string;
}

/** A message of the stream of a game; a new stream goes on after its `id`. */
export type GameMessage =
  | { readonly name: "game"; readonly id: null; readonly data: Json }
  | { readonly name: "event"; readonly id: number; readonly data: GameEvent }
  | { readonly name: "turn"; readonly id: null; readonly data: Json }
  | { readonly name: "message"; readonly id: null; readonly data: Json }
  | { readonly name: "presence"; readonly id: null; readonly data: Json }
  | { readonly name: "closing"; readonly id: null; readonly data: Json };

/** A message of any other stream. */
export interface Message {
  readonly name: string;
  readonly id: number | null;
  readonly data: Json;
}

/** What the server answers to a command. */
export interface Done extends Json {
  seq: number;
  events: GameEvent[];
  receipt: string;
}

/** A seat of a new game. */
export type Seat = { you: true } | { open: true } | { bot: string } | Json;

/** What `localStorage` is, and each other place that keeps receipts and contributions. */
export interface KeyValueStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

/** A storage that lasts as long as the program. */
export class MemoryStorage implements KeyValueStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

export interface Settings {
  /** Where receipts and contributions are kept. Without one the client contributes to no game. */
  storage?: KeyValueStorage | null;
  /** Seconds without an answer after which a request is given up: 600. */
  waits?: number;
  /** The longest pause before the next attempt, if the server asks for none: 2 seconds. */
  pause?: number;
  /** Seconds without a sign of life after which a connection is lost: 45. Streams send one every 15. */
  silence?: number;
}

/** What `onTurn` answers: a move, a command of your own, or nothing. */
export type Choice = Move | Command | null | undefined | void;

/** A request that came to nothing. */
export class Problem extends Error {
  /** The HTTP status; 0 where there is no answer. */
  readonly status: number;
  /** For programs. */
  readonly code: string;
  /** For people: it says what to do. */
  readonly detail: string;
  /** The address of the rule of the game that refuses. */
  readonly clause: string | null;
  readonly errors: Json | Json[] | null;
  /** Seconds, if the server names them. */
  readonly retryAfter: number | null;
  /** All that the server sent. */
  readonly json: Json;
}

/** No answer came for as long as the client waits. Perhaps the request was carried out. */
export class Unanswered extends Problem {}

/** The server refuses. */
export class Refused extends Problem {}

/** An answer without a receipt that holds, or one that contradicts what was acknowledged before. */
export class BadReceipt extends Problem {}

/** A receipt that no known key signed, nor one that a known key has announced. */
export class UnknownKey extends BadReceipt {}

/** A game, what the server tells of one, or its id. */
export type GameLike = string | { readonly id: string };

/** An account at a server. All calls may throw a Problem. */
export class Client {
  /**
   * @param server the origin, such as `https://rutter.example`; plain HTTP is for this machine only
   * @param token the token of an account; `signUp` makes one
   * @throws TypeError if the address is not an origin, or plain HTTP would lead to another machine
   */
  constructor(server: string, token?: string | null, settings?: Settings);
  readonly server: string;
  readonly token: string | null;
  /** End all requests and streams. */
  close(): void;
  /** Send any request until it is answered, and return its JSON. `key` repeats a request of an earlier run. */
  request<Answer = any>(method: string, path: string, body?: unknown, options?: { key?: string }): Promise<Answer>;
  /** Return what lies at a path as it stands, such as an audit file. */
  read(path: string): Promise<Uint8Array>;
  /** Make an account, use its token from now on, and return the account. Keep the token. */
  signUp(name: string, more?: Json): Promise<Json>;
  /** Iterate over games, the newest first. */
  games(query?: { mine?: boolean; status?: string; title?: string } & Json): AsyncGenerator<Json, void, void>;
  /** Make a game of a title. With a storage, commit to a contribution for each seat that is yours. */
  create(title: string, seats: readonly Seat[], settings?: Json): Promise<Game>;
  /** Take a seat, or the first free one. With a storage, commit to a contribution for a named seat. */
  join(game: GameLike, seat?: number | null, more?: Json): Promise<Game>;
  /** Reveal your contributions; return false as long as it is too early, because seats are free. */
  reveal(game: GameLike): Promise<boolean>;
  /** Return a game as it is now, or was after event `at`. After its end you may look from any `seat`. */
  look<View = any>(game: GameLike, options?: { seat?: number | null; at?: number | null }): Promise<Game<View>>;
  /** Return a game as it was after event `seq`: what a seat could see then. */
  at<View = any>(game: GameLike, seq: number, seat?: number | null): Promise<Game<View>>;
  /** Give a command, which counts once however often it is sent. */
  act(game: GameLike, move: Move | Command, options?: { key?: string }): Promise<Done>;
  /** Iterate over the messages of a game, all or those after an event, also over lost connections. */
  follow(
    game: GameLike,
    options?: { after?: number | null; seat?: number | null; signal?: AbortSignal },
  ): AsyncGenerator<GameMessage, void, void>;
  /** Iterate over the notices and turns of all games of the account, until another stream takes over. */
  news(options?: { after?: number | null; legal?: boolean; signal?: AbortSignal }): AsyncGenerator<Message, void, void>;
  /** Iterate over the messages of another stream, such as that of a tournament. */
  stream(path: string, options?: { after?: number | null; signal?: AbortSignal }): AsyncGenerator<Message, void, void>;
  /** Return the receipts for a game as `rutter verify --receipts` reads them. */
  receipts(game: GameLike): string;
  /** Play a game to its end, or all games of the account until another stream takes over. */
  play(
    onTurn: (turn: Turn) => Choice | Promise<Choice>,
    game?: GameLike | null,
    options?: { seat?: number | null; signal?: AbortSignal },
  ): Promise<void>;
}
