// One game as this page knows it: what the service told, kept fresh by the live stream.
// Nothing is computed from the rules here; whatever changes is asked for again.
import { get, pages } from "./api.js";
import { revealIn, sitDown } from "./proof/contribution.js";
import { acknowledged, checkEvent, checkView, newest, postKept } from "./proof/receipts.js";
import { follow } from "./stream.js";
import { travel } from "./travel.js";
import { batch, computed, signal } from "./ui.js";

const PAUSE = 250; // between two refreshes while events pour in
const POLL_OPEN = 10_000; // who sits where is not in the log of an open game: look now and then
const HIDDEN = 60_000; // a page that nobody looks at gives its connection back (browsers allow six a host)
const POLL_HIDDEN = 20_000;
const PATIENCE = 1500;

/** Open game *id*, looking with the eyes of *seat* (null: the service chooses) at event *at* (null: now). */
export function openGame(id, { at = null, seat = null } = {}) {
  const path = `games/${id}`;
  const game = signal(null);
  const last = signal(0);
  const eyes = signal(seat);
  const decisions = signal(null);
  const history = signal([]);
  const connection = signal("connecting");
  const problem = signal(null);
  const busy = signal(false);

  let stream = null;
  let closed = false;
  let refreshing = null;
  let wanted = false;
  let poll = null;
  let hiddenSince = null;

  const seats = computed(() => game.value?.seats || []);
  const mine = computed(() => seats.value.filter((each) => each.you).map((each) => each.seat));
  /** The seat through which the page looks: a number, or "spectator". */
  const looking = computed(() => {
    const own = mine.value;
    if (eyes.value === "spectator") return "spectator";
    return own.includes(eyes.value) ? eyes.value : own.length ? Math.min(...own) : "spectator";
  });
  const eyesQuery = () => (eyes.value === null ? {} : { seat: eyes.value });
  const table = travel({ path, last, looking, eyesQuery, at, onProblem: (error) => (problem.value = error) });

  async function loadGame() {
    const answer = await get(path, eyesQuery());
    checkView(id, answer.last);
    batch(() => {
      game.value = answer;
      last.value = Math.max(last.value, answer.last ?? answer.seq ?? 0);
    });
  }

  async function loadHistory() {
    const after = history.value.at(-1)?.seq ?? 0;
    await pages(`${path}/history`, { after, limit: 500, ...eyesQuery() }, (page) => {
      const known = history.value.at(-1)?.seq ?? 0;
      const news = page.history.filter((line) => line.seq > known);
      if (news.length) history.value = [...history.value, ...news];
      // A list that does not move on would be asked for for ever.
      if (!news.length) page.next = null;
    });
  }

  async function loadDecisions() {
    const running = game.value?.status === "running";
    decisions.value = running
      ? await get(`${path}/decisions`, typeof looking.value === "number" ? { seat: looking.value } : {})
      : null;
  }

  async function load() {
    await loadGame();
    if (await revealIn(game.value)) await loadGame();
    if (game.value.status === "open") return;
    await Promise.all([loadDecisions(), loadHistory(), table.refresh()]);
    if (game.value.status === "finished" && mine.value.length && newest(id) < last.value) await acknowledged(id);
  }

  /** Ask for everything again; calls while one is under way are answered by one more round. */
  function refresh() {
    wanted = true;
    refreshing ??= rounds();
    return refreshing;
  }

  async function rounds() {
    while (wanted && !closed) {
      wanted = false;
      try {
        await load();
        problem.value = null;
      } catch (error) {
        if (error.name === "AbortError") continue;
        // An address that somebody sent may name his chair: then look from one's own.
        if (typeof eyes.value === "number" && error.code === "not_your_seat") {
          eyes.value = null;
          wanted = true;
        } else problem.value = error;
      }
      arrange();
      if (wanted) await new Promise((done) => setTimeout(done, PAUSE));
    }
    refreshing = null; // in the same breath as the last look at `wanted`: no call may fall between
  }

  /** Keep the stream or the poll that the status of the game asks for. */
  function arrange() {
    if (closed || !game.value) return;
    clearTimeout(poll);
    if (["finished", "abandoned"].includes(game.value.status)) {
      stream?.stop();
      stream = null;
      connection.value = "off";
    } else if (!stream) {
      stream = follow({ path: `${path}/stream`, query: eyesQuery(), after: last.value, onEvent: heard, onState });
    }
    if (game.value.status === "open") poll = setTimeout(refresh, POLL_OPEN);
    if (game.value.status === "running" && document.hidden && connection.value === "off")
      poll = setTimeout(refresh, POLL_HIDDEN);
  }

  function heard(message) {
    const seq = Number(message.id);
    if (message.event === "event") {
      try {
        checkEvent(id, seq, JSON.parse(message.data).hash);
      } catch (error) {
        problem.value = error;
        return;
      }
    }
    if (message.id !== null && seq > last.value) last.value = seq;
    if (message.event === "event" || message.event === "game") refresh();
  }

  function onState(state) {
    const returned = state === "live" && connection.value === "reconnecting";
    connection.value = state;
    if (returned) refresh();
  }

  function visibility() {
    clearTimeout(hiddenSince);
    if (!document.hidden) {
      stream?.resume();
      return refresh();
    }
    hiddenSince = setTimeout(() => {
      stream?.pause();
      connection.value = "off";
      arrange();
    }, HIDDEN);
  }

  /** Look through another of my seats, or as a spectator. */
  function lookThrough(next) {
    if (next === eyes.value) return;
    batch(() => {
      eyes.value = next;
      history.value = [];
      decisions.value = null;
    });
    stream?.stop();
    stream = null;
    refresh();
  }

  /** Give *command* for *seat*. One at a time: a second click while the first is under way does nothing. */
  async function play(command, seat) {
    if (busy.value) return false;
    busy.value = true;
    try {
      const actor = mine.value.length > 1 ? { seat } : {};
      const answer = await postKept(`${path}/commands`, { ...command, ...actor }, id);
      last.value = Math.max(last.value, answer.seq);
      // While bots play on, refreshing may take long: the player need not wait for the end of it.
      await Promise.race([refresh(), new Promise((done) => setTimeout(done, PATIENCE))]);
      return true;
    } catch (error) {
      if (error.code === "version_conflict" || error.code === "not_your_decision") refresh();
      throw error;
    } finally {
      busy.value = false;
    }
  }

  /** Sit down at *seat*, with a contribution to the randomness. */
  async function join(seat) {
    await sitDown(game.value, seat);
    await refresh();
  }

  async function begin() {
    await postKept(`${path}/start`, {});
    await refresh();
  }

  function close() {
    closed = true;
    clearTimeout(poll);
    clearTimeout(hiddenSince);
    stream?.stop();
    table.close();
    document.removeEventListener("visibilitychange", visibility);
  }

  document.addEventListener("visibilitychange", visibility);
  refresh();
  return {
    id,
    path,
    game,
    last,
    seats,
    mine,
    looking,
    decisions,
    history,
    connection,
    problem,
    busy,
    table,
    eyes,
    play,
    join,
    begin,
    refresh,
    lookThrough,
    close,
  };
}
