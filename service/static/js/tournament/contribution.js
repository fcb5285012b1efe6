// What this browser adds to the randomness of a tournament: committed to on entry, shown at the first check-in.
import { Problem } from "../base/api.js";
import { commitmentOf, keyOf } from "../../client/contribution.js";
import { hex, unhex } from "../../client/sha256.js";

const KEPT = "rutter.tournament.";
const ATTEMPTS = 5;

const placeOf = (id) => `${KEPT}${id}`;
const kept = (id) => localStorage.getItem(placeOf(id));

/** Enter the tournament of *store*, with a contribution where it takes one. *extra*: an invitation. */
export async function enter(store, extra = {}) {
  const { tournament } = store;
  // Who enters late, or where nobody contributes, plays without.
  if (!tournament.value.settings.entry.contributions || tournament.value.status !== "open")
    return store.give("enter", extra);
  const secret = kept(store.id) ? unhex(kept(store.id)) : crypto.getRandomValues(new Uint8Array(32));
  localStorage.setItem(placeOf(store.id), hex(secret));
  for (let attempt = 1; ; attempt++) {
    const name = `e${store.entrants.value.length + 1}`;
    try {
      return await store.give("enter", {
        ...extra,
        entrant: name,
        commitment: commitmentOf(keyOf(store.id), name, secret),
      });
    } catch (problem) {
      // Somebody else was quicker: the number that the log will have for me is another one.
      if (problem.code !== "version_conflict" || attempt === ATTEMPTS) {
        if (problem.status) localStorage.removeItem(placeOf(store.id));
        throw problem;
      }
      await store.refresh();
    }
  }
}

/** What `check_in` or `reveal` is to show, as a member of the command; nothing where nothing was promised. */
export function shown(store) {
  const me = store.byName.value.get(store.tournament.value.you.entrant);
  const secret = kept(store.id);
  return me?.committed && !me.revealed && secret ? { contribution: secret } : {};
}

/** Show the contribution where nobody checks in; the service signed that entry is closed. */
export async function reveal(store) {
  const { contribution } = shown(store);
  if (!contribution) return;
  try {
    await store.give("reveal", { contribution });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem; // it may be too late: then it counts as empty
  }
}
