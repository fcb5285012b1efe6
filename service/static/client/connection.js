// Requests to one server, sent again as long as a policy says so. A token goes to this server only.
import { Problem, Refused, Unanswered } from "./problems.js";

/** Statuses that may be gone in a moment. */
const LATER = [429, 500, 502, 503, 504];
const REDIRECTED = "The server leads to another address, where no token is sent. Name the origin to which it leads.";

const JSON_SENT = { "Content-Type": "application/json" };

/** A fresh Idempotency-Key. `randomUUID` is missing on plain http, so it may have to be made by hand. */
export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A *path* with those query parameters that have a value. */
export function addressOf(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(given).toString();
  return `${path}${text ? "?" + text : ""}`;
}

/** The origin without a slash at its end. Throws a TypeError for what must not get a token. */
export function checkOrigin(server) {
  const [, origin] = /^(https?:\/\/[^/?#@\\\s]+)\/?$/.exec(server) ?? [];
  if (!origin) throw new TypeError(`"${server}" is not an origin: write one such as https://rutter.example`);
  const { protocol, hostname } = new URL(origin);
  if (protocol === "https:" || hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname))
    return origin;
  throw new TypeError(`${server} would send the token as plain text: use https`);
}

/** Wait so many milliseconds, or until *signal* is aborted. */
export async function sleep(milliseconds, signal) {
  let timer, stop;
  await new Promise((done) => {
    timer = setTimeout(done, milliseconds);
    signal?.addEventListener("abort", (stop = done));
  });
  clearTimeout(timer);
  signal?.removeEventListener("abort", stop);
}

/** Ends a connection that is silent for so many seconds (0: never), or where one of the *signals* says so. */
class Watch {
  #own = new AbortController();
  #signals;
  #silence;
  #timer = null;

  constructor(silence, signals) {
    this.#silence = silence;
    this.#signals = signals.filter(Boolean);
    for (const one of this.#signals) one.addEventListener("abort", this.stop);
    if (this.isStopped) this.stop();
    this.signal = this.#own.signal;
  }

  /** Whether it was ended from outside, and not for silence. */
  get isStopped() {
    return this.#signals.some((one) => one.aborted);
  }

  awake() {
    clearTimeout(this.#timer);
    const give = () => this.#own.abort(new Error(`nothing came for ${this.#silence} seconds`));
    if (this.#silence) this.#timer = setTimeout(give, this.#silence * 1000);
  }

  stop = () => this.#own.abort(this.#signals.find((one) => one.aborted)?.reason);

  end() {
    clearTimeout(this.#timer);
    for (const one of this.#signals) one.removeEventListener("abort", this.stop);
  }
}

/** The JSON in *bytes*; null where there is nothing. */
const read = (bytes) => (bytes.length ? JSON.parse(new TextDecoder().decode(bytes)) : null);

/** The refusal that an answer is; a proxy may answer with a page of its own. */
function refusalOf({ status, type, headers }, bytes) {
  if (type === "opaqueredirect" || (status >= 300 && status < 400))
    return new Refused({ status, code: "redirected", detail: REDIRECTED });
  let json = {};
  try {
    json = read(bytes) ?? {};
  } catch {
    // Its status must do.
  }
  const { code = `http_${status}`, clause, errors } = json;
  const detail = json.detail || json.title || `The server answered with status ${status}. Try again later.`;
  const asked = headers.get("Retry-After") ?? "";
  return new Refused({ status, code, detail, clause, errors, json, retryAfter: /^\d+$/.test(asked) ? Number(asked) : null });
}

/** A policy: again what may be gone in a moment, for *waits* seconds, after pauses of at most *pause* seconds. */
export function patiently(waits, pause) {
  return (problem, attempt, passed) => {
    if (!(problem instanceof Unanswered) && !LATER.includes(problem.status)) return null;
    const wait = 1000 * (problem.retryAfter ?? Math.min(pause, 0.1 * 2 ** attempt));
    return passed + wait > 1000 * waits ? null : wait;
  };
}

/**
 * Requests to the origin *server*. *token*: that of an account. *silence*: the seconds after which a connection is
 * lost (0: never). *retry*(problem, attempt, passed): the milliseconds until the next attempt, or null for none.
 */
export class Connection {
  #closed = new AbortController();
  #retry;
  #silence;

  constructor(server, { token = null, silence = 45, retry = () => null } = {}) {
    this.server = server;
    this.token = token;
    this.#silence = silence;
    this.#retry = retry;
  }

  /** End all requests and streams. */
  close() {
    this.#closed.abort(new DOMException("The client is closed.", "AbortError"));
  }

  get #credentials() {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  get closed() {
    return this.#closed.signal;
  }

  /** Send a request until it is answered. *isOpen*: answers {answer, watch}, whose body is still to come. */
  async send(method, path, { retry = this.#retry, ...options } = {}) {
    if (!/^\/(?![/\\])/.test(path)) throw new TypeError(`"${path}" is not a path at ${this.server}`);
    const began = performance.now();
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#exchange(method, path, options);
      } catch (problem) {
        const wait = problem instanceof Problem ? retry(problem, attempt, performance.now() - began) : null;
        if (wait === null) throw problem;
        await sleep(wait, options.signal ?? this.closed);
      }
    }
  }

  async #exchange(method, path, { query, body, headers = {}, signal, cache = "no-store", silence = this.#silence, isOpen = false }) {
    const watch = new Watch(silence, [signal, this.closed]);
    try {
      watch.awake();
      const answer = await fetch(this.server + addressOf(path, query), {
        method,
        signal: watch.signal,
        // Two accounts may use one browser: what one of them saw must never be answered to the other from a cache.
        cache,
        redirect: "manual",
        headers: { Accept: "application/json", ...(body && JSON_SENT), ...this.#credentials, ...headers },
        body: body && JSON.stringify(body),
      });
      if (answer.ok && isOpen) return { answer, watch };
      const bytes = new Uint8Array(await answer.arrayBuffer());
      watch.end();
      if (!answer.ok) throw refusalOf(answer, bytes);
      return { status: answer.status, headers: answer.headers, bytes, json: () => read(bytes) };
    } catch (error) {
      watch.end();
      if (error instanceof Problem || watch.isStopped) throw error;
      throw new Unanswered(`${method} ${this.server}${path}`, error);
    }
  }
}
