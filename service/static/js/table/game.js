// One game as this page knows it: what the service told, kept fresh by the live stream.
// Nothing is computed from the rules here; whatever changes is asked for again.
import { again } from "../base/again.js";
import { get, pages } from "../base/api.js";
import { recovered } from "../base/notices.js";
import { setting } from "../base/settings.js";
import { openGrace } from "../acting/grace.js";
import { openPace } from "../time/pace.js";
import { revealIn, sitDown } from "../proof/contribution.js";
import { forgetKey, giveSigned, makeKey } from "../proof/seatkeys.js";
import { acknowledged, checkEvent, checkView, newest, postKept } from "../proof/receipts.js";
import { follow } from "./stream.js";
import { openTalk } from "../talk/talkstore.js";
import { stations } from "../time/timeline.js";
import { travel } from "../time/travel.js";
import { batch, computed, signal } from "../base/ui.js";
import { whenUnseen } from "../base/unseen.js";

const POLL_OPEN = 10_000; // who sits where is not in the log of an open game: look now and then
const POLL_HIDDEN = 20_000;
const PATIENCE = 1500;

/**
 * Open game *id*, looking with the eyes of *seat* (null: the service chooses) at event *at* (null: now). *talks*: whether
 * what is said at the table is wanted, too.
 */
export function openGame(id, { at = null, seat = null, replay = false, talks = false } = {}) {
  const path = `games/${id}`;
  const game = signal(null);
  const last = signal(0);
  const eyes = signal(seat);
  const answered = signal(null); // the decisions as the server tells them
  const changing = signal(null); // `seat kind` of the covered answer that I am about to replace
  const history = signal([]);
  const presence = signal(null); // who has the game open: seats, and the number of spectators
  const connection = signal("connecting");
  const problem = signal(null);
  const busy = signal(false);
  const curtain = signal(null); // the seat to which the page is being handed over
  const given = signal(0); // the event that my latest command led to
  let gave = null; // the seat whose command may hand the page over to another

  let stream = null;
  let closed = false;
  let poll = null;

  const seats = computed(() => game.value?.seats || []);
  const mine = computed(() => seats.value.filter((each) => each.you).map((each) => each.seat));
  /** Once a game has ended nothing of it is hidden: anybody looks through any seat, or through all of them. */
  const ended = computed(() => game.value?.status === "finished");
  /** The seat through which the page looks: a number, "spectator" or "all". */
  const looking = computed(() => {
    const own = mine.value;
    if (eyes.value === "spectator") return "spectator";
    if (ended.value && (eyes.value === "all" || eyes.value in seats.value)) return eyes.value;
    return own.includes(eyes.value) ? eyes.value : own.length ? Math.min(...own) : "spectator";
  });
  /** My covered answers that may still be replaced. */
  const replaceable = computed(() => (answered.value?.replaceable || []).filter((each) => each.seat === looking.value));
  /** The decisions; those among them that I answer again while I change a covered answer. */
  const decisions = computed(() => {
    const again = replaceable.value.filter((each) => `${each.seat} ${each.kind}` === changing.value);
    if (!again.length) return answered.value;
    const types = again.flatMap((each) => each.commands);
    return {
      ...answered.value,
      decisions: [...answered.value.decisions, ...again],
      legal: [...answered.value.legal, ...(answered.value.replacements || []).filter((item) => types.includes(item.command.type))],
    };
  });
  /** The seats that owe an answer. */
  const awaited = computed(() => {
    const open = game.value?.status === "running" ? answered.value?.decisions || [] : [];
    return [...new Set(open.filter((each) => !each.free && each.seat !== null).map((each) => each.seat))];
  });
  /** Whether what my latest command led to is known here. */
  const known = () => (answered.value?.seq ?? -1) >= given.value;
  /** What may be answered now: null while one looks back, while a command is under way, and until its news are here. */
  const answerable = computed(() => {
    return !busy.value && !table.travelling.value && known() ? decisions.value : null;
  });
  const eyesQuery = () => (eyes.value === null ? {} : { seat: eyes.value === "all" ? "spectator" : eyes.value });
  const streamQuery = () => ({ ...eyesQuery(), ...(talks && setting("presence") === "on" && { presence: true }) });
  const table = travel({ path, last, looking, seats, eyesQuery, at, onProblem: (error) => (problem.value = error) });
  const pace = openPace(table);
  const grace = openGrace();

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
    let undone = false;
    await pages(`${path}/history`, { after, limit: 500, ...eyesQuery() }, (page) => {
      const known = history.value.at(-1)?.seq ?? 0;
      const news = page.history.filter((line) => line.seq > known);
      if (news.length) history.value = [...history.value, ...news];
      undone ||= known > 0 && news.some((line) => line.undoes !== undefined);
      // A list that does not move on would be asked for for ever.
      if (!news.length) page.next = null;
    });
    if (undone) await reloadHistory();
  }

  /** Load the history again from its beginning: lines of it were taken back. */
  async function reloadHistory() {
    const all = [];
    await pages(`${path}/history`, { after: 0, limit: 500, ...eyesQuery() }, (page) => all.push(...page.history));
    history.value = all;
  }

  async function loadDecisions() {
    const running = game.value?.status === "running";
    const own = typeof looking.value === "number" ? { seat: looking.value, replacements: true, refs: true } : {};
    answered.value = running ? await get(`${path}/decisions`, own) : null;
  }

  /** All that is drawn, in one request; false where the game has not begun or one looks back. */
  async function loadAtOnce() {
    if (game.value?.status === "open" || table.travelling.value || eyes.value === "all") return false;
    const after = history.value.at(-1)?.seq ?? 0;
    const name = looking.value;
    const answer = await get(`${path}/table`, { ...eyesQuery(), after });
    if ((game.value && name !== looking.value) || answer.game.status === "open") return false;
    checkView(id, answer.game.last);
    const { game: now, decisions: asked, history: lines, ...drawn } = answer;
    const told = history.value.at(-1)?.seq ?? 0;
    const news = lines.history.filter((line) => line.seq > told);
    last.value = Math.max(last.value, now.last);
    if (news.length) history.value = [...history.value, ...news];
    // What was on the table before is left step by step; the last step is what is drawn now.
    if (told && !replay) await pace.through(stations(news).commands.slice(0, -1));
    if (table.travelling.value || (game.value && name !== looking.value)) return false;
    if (told && news.some((line) => line.undoes !== undefined)) await reloadHistory();
    batch(() => {
      game.value = { ...now, view: null };
      answered.value = now.status === "running" ? asked : null;
      table.take(drawn);
    });
    if ((history.value.at(-1)?.seq ?? 0) < answer.history.seq) await loadHistory();
    return true;
  }

  async function load() {
    if (!(await loadAtOnce())) {
      await loadGame();
      if (await revealIn(game.value)) await loadGame();
      if (talks && store.talk.manner.value === null) void store.talk.load();
      if (game.value.status === "open") return;
      await Promise.all([loadDecisions(), loadHistory(), table.refresh()]);
    }
    if (gave !== null && known()) handOver(gave);
    if (talks && store.talk.manner.value === null) void store.talk.load();
    if (game.value.status === "finished" && mine.value.length && newest(id) < last.value) await acknowledged(id);
  }

  /** Ask for everything again. */
  const refresh = again(async () => {
    try {
      await load();
      problem.value = null;
      recovered();
    } catch (error) {
      if (error.name === "AbortError") return;
      // An address that was sent may name the sender's seat: then look from your own.
      if (typeof eyes.value === "number" && error.code === "not_your_seat") {
        eyes.value = null;
        refresh();
      } else problem.value = error;
    }
    arrange();
  }, () => closed);

  /** Keep the stream or the poll that the status of the game asks for. */
  function arrange() {
    if (closed || !game.value) return;
    clearTimeout(poll);
    if (game.value.status === "finished") {
      stream?.stop();
      stream = null;
      connection.value = "off";
    } else if (!stream) {
      stream = follow({ path: `${path}/stream`, query: streamQuery(), after: last.value, onEvent: heard, onState });
    }
    if (game.value.status === "open") poll = setTimeout(refresh, POLL_OPEN);
    if (game.value.status === "running" && document.hidden && connection.value === "off")
      poll = setTimeout(refresh, POLL_HIDDEN);
  }

  function heard(message) {
    if (message.event === "message") {
      if (talks) store.talk.heard(JSON.parse(message.data));
      return;
    }
    if (message.event === "presence") {
      presence.value = JSON.parse(message.data);
      return;
    }
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
    if (state !== "live") presence.value = null;
    if (!returned) return;
    refresh();
    if (talks) void store.talk.load(); // what was said meanwhile does not come again by itself
  }

  const looked = whenUnseen(
    () => {
      stream?.pause();
      connection.value = "off";
      presence.value = null;
      arrange();
    },
    () => {
      stream?.resume();
      refresh();
    },
  );

  /** Look through another of my seats, or as a spectator. */
  function lookThrough(next) {
    if (next === eyes.value) return;
    batch(() => {
      eyes.value = next;
      history.value = [];
      answered.value = null;
      changing.value = null;
    });
    stream?.stop();
    stream = null;
    refresh();
    if (talks) void store.talk.look();
  }

  /**
   * Give *command* for *seat*. One at a time: a second click while the first is under way does nothing.
   * One that is *closing* waits a moment first, for nobody could take it back; answers whether it was given.
   */
  async function play(command, seat, { closing = false, headers = {} } = {}) {
    if (busy.value) return false;
    busy.value = true;
    try {
      if (closing && !(await grace.wait())) return false;
      const actor = mine.value.length > 1 ? { seat } : {};
      const answer = await giveSigned(id, seat, last.value, command, (signed) =>
        postKept(`${path}/commands`, { ...command, ...actor }, id, { ...headers, ...signed }),
      );
      given.value = answer.seq;
      gave = seat;
      changing.value = null;
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

  /** Take back my latest command that can be, or propose it; nothing where there is none. */
  async function undo() {
    const known = answerable.value;
    const latest = known?.undo?.find((each) => each.seat === looking.value);
    if (!latest) return;
    await play({ type: "table_undo", to: latest.to }, latest.seat, { headers: { "If-Match": `"${known.seq}"` } });
  }

  /** Where several chairs are mine, the one that is awaited after *seat* has done its part comes next. */
  function handOver(seat) {
    gave = null;
    if (mine.value.length < 2 || looking.value !== seat || awaited.value.includes(seat)) return;
    const next = awaited.value.find((each) => mine.value.includes(each));
    if (next === undefined) return;
    // What nobody may know of the other stays unseen while the page changes hands.
    const secrets = table.shown.value?.panels.some((panel) => panel.role === "hand");
    batch(() => {
      if (secrets) curtain.value = next;
      lookThrough(next);
    });
  }

  /** Sit down at *seat*, with a contribution to the randomness; *signs*: with a key of my own. */
  async function join(seat, signs = false) {
    try {
      await sitDown(game.value, seat, signs ? { key: await makeKey(id) } : {});
    } catch (error) {
      if (error.status) forgetKey(id);
      throw error;
    }
    await refresh();
  }

  async function begin() {
    await postKept(`${path}/start`, {});
    await refresh();
  }

  function close() {
    closed = true;
    clearTimeout(poll);
    looked();
    grace.cancel();
    stream?.stop();
    table.close();
    store.talk.close();
  }

  const store = {
    id,
    path,
    /** True where nothing may be told that happens after the event looked at. */
    replay,
    game,
    last,
    seats,
    mine,
    ended,
    looking,
    decisions,
    replaceable,
    changing,
    answerable,
    awaited,
    history,
    connection,
    presence,
    problem,
    busy,
    curtain,
    pace,
    grace,
    table,
    eyes,
    play,
    undo,
    join,
    begin,
    refresh,
    lookThrough,
    close,
  };
  /** What is said at the table. */
  store.talk = openTalk(store);
  refresh();
  return store;
}
