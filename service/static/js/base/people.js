// What the service says to programs, as people read it: without the parts that name requests and headers.
import { keyed, tr } from "./text.js";

const OF_PROGRAMS = /`|\/v1\/|\b(GET|POST|PUT|DELETE) \/|\b(Idempotency-Key|If-Match|Retry-After|Authorization|ETag)\b/;
const SENTENCES = /(?<=[.!?;]) +/;

/** By code what a person can do, where the service tells a program. */
const CURES = {
  unknown_game: keyed("There is no game at this address, or it is private. Check the address, or sign in."),
  unknown_tournament: keyed("There is no tournament at this address, or it is private. Check the address, or sign in."),
  unknown_account: keyed("There is no player at this address. Check the address."),
  not_found: keyed("There is nothing at this address. Check the address."),
  unauthenticated: keyed("You are not signed in. Sign in, then try again."),
  seat_taken: keyed("All seats of this game are taken. Choose another game."),
  too_many_requests: keyed("You exceed a rate limit. Wait a moment, then try again."),
  version_conflict: keyed("Something has happened meanwhile. Look at what has changed, then decide."),
};

/** The *detail* of a problem with that *code*, for people. */
export function forPeople(code, detail) {
  if (!OF_PROGRAMS.test(detail)) return detail;
  if (CURES[code]) return tr(CURES[code]);
  const kept = detail.split(SENTENCES).filter((sentence) => !OF_PROGRAMS.test(sentence));
  return kept.join(" ").replace(/;$/, ".") || tr("The server refused this. Reload the page, then try again.");
}
