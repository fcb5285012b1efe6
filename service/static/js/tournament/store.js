// One tournament as this page knows it, kept fresh by its live stream.
import { again } from "../base/again.js";
import { get, pages } from "../base/api.js";
import { postKept } from "../proof/receipts.js";
import { follow } from "../table/stream.js";
import { batch, computed, signal } from "../base/ui.js";
import { whenUnseen } from "../base/unseen.js";

/** Open tournament *id*. */
export function openTournament(id) {
  const path = `tournaments/${id}`;
  const tournament = signal(null);
  const entrants = signal([]);
  const rounds = signal([]);
  const standings = signal(null);
  const judged = signal({ disputes: [], rulings: [] });
  const history = signal([]);
  const connection = signal("connecting");
  const problem = signal(null);
  const forms = new Map();

  let stream = null;
  let closed = false;

  const byName = computed(() => new Map(entrants.value.map((each) => [each.entrant, each])));
  /** The tables of all rounds, newest round first, each with its round. */
  const tables = computed(() =>
    rounds.value.flatMap((round) => round.tables.map((table) => ({ ...table, round }))).reverse(),
  );

  /** Standings that somebody asked for may be older than those that the stream told. */
  function take(told) {
    if (!standings.value || told.seq >= standings.value.seq) standings.value = told;
  }

  async function load() {
    // The tournament first: what is asked for later is at least as new, and the stream tells what follows on it.
    const now = await get(path);
    const [people, played, disputed] = await Promise.all(
      ["/entrants", "/rounds", "/disputes"].map((part) => get(path + part)),
    );
    if (!standings.value) take(await get(`${path}/standings`));
    batch(() => {
      tournament.value = now;
      entrants.value = people.entrants;
      rounds.value = played.rounds;
      judged.value = disputed;
    });
    await pages(`${path}/history`, { after: history.value.at(-1)?.seq ?? 0, limit: 500 }, (page) => {
      history.value = [...history.value, ...page.history];
    });
  }

  /** Ask for everything again. */
  const refresh = again(async () => {
    try {
      await load();
      problem.value = null;
      listen();
    } catch (error) {
      problem.value = error;
    }
  }, () => closed);

  function listen() {
    if (closed || stream) return;
    stream = follow({ path: `${path}/stream`, after: tournament.value.seq, onEvent: heard, onState });
  }

  function heard(message) {
    if (message.event === "standings") take(JSON.parse(message.data));
    else if (message.event === "event") refresh();
  }

  function onState(state) {
    const returned = state === "live" && connection.value === "reconnecting";
    connection.value = state;
    if (!returned) return;
    void get(`${path}/standings`).then(take, () => null);
    refresh();
  }

  const looked = whenUnseen(
    () => stream?.pause(),
    () => {
      stream?.resume();
      refresh();
    },
  );

  /** Have a command carried out, and show what came of it. Throws a Problem. */
  async function give(type, members = {}) {
    await postKept(`${path}/commands`, { type, ...members }, id);
    await refresh();
  }

  /** What has been written into the form *name* so far, and what was said of it. */
  function written(name) {
    if (!forms.has(name)) forms.set(name, signal({}));
    return forms.get(name);
  }

  function close() {
    closed = true;
    looked();
    stream?.stop();
  }

  refresh();
  return {
    id,
    path,
    tournament,
    entrants,
    rounds,
    tables,
    standings,
    judged,
    history,
    connection,
    problem,
    byName,
    give,
    written,
    refresh,
    close,
  };
}
