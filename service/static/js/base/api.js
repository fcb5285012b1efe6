// The only module that talks to the service, and only to its public API.
import { forPeople } from "./people.js";

const API = "/v1";
let token = null;

/** The bearer token of all later calls (null: a spectator). */
export function useToken(value) {
  token = value;
}

/** Why a call failed. `detail` is a sentence for people, `code` a stable word for programs. */
export class Problem extends Error {
  constructor({ status = 0, code = "unreachable", detail, errors = null, clause = null }) {
    super(detail);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.errors = errors;
    this.clause = clause; // the address of the rule that refuses
  }
}

const UNREACHABLE = "The server cannot be reached. Check the connection and try again.";

/** The problem that an answer of the service describes, whatever its form. */
async function problemOf(answer) {
  let body = {};
  try {
    body = await answer.json();
  } catch {
    // A proxy may answer with a page of its own; its status must do.
  }
  return new Problem({
    status: answer.status,
    code: body.code || `http_${answer.status}`,
    detail: forPeople(body.code, body.detail || body.title || "") || `The server answered with status ${answer.status}. Try again later.`,
    errors: body.errors || null,
    clause: body.clause || null,
  });
}

/** The headers that say who is asking. */
export function credentials() {
  return token ? { Authorization: `Bearer ${token}` } : {};
}

/** The address of *path* below /v1 with those query parameters that have a value. */
export function address(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = new URLSearchParams(given).toString();
  return `${path.startsWith("/") ? "" : API + "/"}${path}${text ? "?" + text : ""}`;
}

/** One call; answers the raw Response. Throws a Problem (or AbortError when *signal* was used). */
export async function request(method, path, { query, body, headers = {}, signal } = {}) {
  let answer;
  try {
    answer = await fetch(address(path, query), {
      method,
      signal,
      // Two accounts may use one browser: what one of them saw must never be answered to the other from a cache.
      // What a title is, everybody is told alike.
      cache: path.startsWith("titles") ? "default" : "no-store",
      headers: {
        Accept: "application/json",
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...credentials(),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem({ detail: UNREACHABLE });
  }
  if (!answer.ok) throw await problemOf(answer);
  return answer;
}

/** One call; answers the JSON. */
export async function call(method, path, options) {
  const answer = await request(method, path, options);
  return answer.status === 204 ? null : answer.json();
}

export const get = (path, query, options = {}) => call("GET", path, { query, ...options });
export const del = (path, body) => call("DELETE", path, { body });
export const post = (path, body = {}, options = {}) => call("POST", path, { body, ...options });

/** A fresh Idempotency-Key. `randomUUID` is missing on plain http, so it may have to be made by hand. */
export function newKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Post once, however often it has to be sent: the key makes a repetition harmless. */
export async function postOnce(path, body, { attempts = 3, headers: more = {} } = {}) {
  const headers = { "Idempotency-Key": newKey(), ...more };
  for (let attempt = 1; ; attempt++) {
    try {
      return await post(path, body, { headers });
    } catch (problem) {
      if (problem.code !== "unreachable" || attempt === attempts) throw problem;
      await new Promise((done) => setTimeout(done, 400 * attempt));
    }
  }
}

/** Every item of a list that comes in pages, page by page to *take*. */
export async function pages(path, query, take, options = {}) {
  let next = address(path, query);
  while (next) {
    const page = await get(samePlace(next), {}, options);
    take(page);
    next = page.next;
  }
}

/** `next` may be absolute and name another host name of the same service: keep its path only. */
export function samePlace(url) {
  const parsed = new URL(url, location.origin + API + "/");
  return parsed.pathname + parsed.search;
}
