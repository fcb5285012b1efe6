// The only module that talks to the server, and only to its public API: by the package of clients.
import { addressOf, Connection, newKey } from "../../client/connection.js";
import { Problem, Unanswered } from "../../client/problems.js";
import { forPeople } from "./people.js";
import { keyed, speech, tr } from "./text.js";

export { newKey, Problem };

const API = "/v1";
const UNREACHABLE = keyed("The server cannot be reached. Check the connection and try again.");
const server = new Connection(location.origin, { silence: 0 });

/** The bearer token of all later calls (null: a spectator). */
export function useToken(value) {
  server.token = value;
}

/** The address of *path* below /v1 with those query parameters that have a value. */
export const address = (path, query = {}) => addressOf(path.startsWith("/") ? path : `${API}/${path}`, query);

/** Say a *problem* to people. */
function explain(problem) {
  if (problem instanceof Unanswered) problem.detail = tr(UNREACHABLE);
  else problem.detail = forPeople(problem.code, problem.detail);
}

/** One call; answers what `Connection.send` does. Throws a Problem (or AbortError when *signal* was used). */
export async function request(method, path, { query, ...options } = {}) {
  // What a title is, everybody is told alike.
  const cache = path.startsWith("titles") ? "default" : "no-store";
  try {
    return await server.send(method, address(path, query), { cache, ...options });
  } catch (problem) {
    if (problem instanceof Problem) explain(problem);
    throw problem;
  }
}

/** One call; answers the JSON. */
export async function call(method, path, options) {
  const answer = await (await request(method, path, options)).json();
  return speech.answer ? speech.answer(path, answer) : answer;
}

export const get = (path, query, options = {}) => call("GET", path, { query, ...options });
export const del = (path, body) => call("DELETE", path, { body });
export const post = (path, body = {}, options = {}) => call("POST", path, { body, ...options });

/** Post once, however often it has to be sent: the key makes a repetition harmless. */
export function postOnce(path, body, { attempts = 3, headers: more = {} } = {}) {
  const retry = (problem, attempt) =>
    problem.code === "unreachable" && attempt + 1 < attempts ? 400 * (attempt + 1) : null;
  return post(path, body, { headers: { "Idempotency-Key": newKey(), ...more }, retry });
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

/** `next` may be absolute and name another host name of the same server: keep its path only. */
export function samePlace(url) {
  const parsed = new URL(url, location.origin + API + "/");
  return parsed.pathname + parsed.search;
}
