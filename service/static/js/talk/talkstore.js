// What is said at a table as this page knows it: read once, kept fresh by the game's live stream.
import { again } from "../base/again.js";
import { call, del, get, pages, post, postOnce } from "../base/api.js";
import { keep, recall } from "../base/kept.js";
import { complain, say as tell } from "../base/notices.js";
import { saySigned } from "../proof/seatkeys.js";
import { keepReceipt } from "../proof/receipts.js";
import { speech, tr } from "../base/text.js";
import { batch, computed, signal } from "../base/ui.js";

const LATER = 15_000; // ms: the stream of a game that is over has ended, but its players may still talk

/** The talk of the game of *store*. */
export function openTalk(store) {
  const path = `${store.path}/messages`;
  const messages = signal([]);
  /** How one talks here: "all", "public", "phrases" or "none"; null while that is not known. */
  const manner = signal(null);
  const open = signal(false);
  const closes = signal(null);
  /** The seats to which one is about to whisper; none: to everybody. */
  const to = signal([]);
  const read = signal(recall(keyOf(store), 0, localStorage)); // the number of the newest message that was seen
  let closed = false;

  const eyes = () => ({ seat: typeof store.looking.value === "number" ? store.looking.value : "spectator" });
  const from = computed(() => (store.mine.value.includes(store.looking.value) ? store.looking.value : null));
  const unread = computed(() => messages.value.filter((each) => each.n > read.value && !each.you && each.hidden !== "muted").length);

  /** Take *news* in; what is known already is replaced. */
  function take(news) {
    const byNumber = new Map([...messages.value, ...news].map((each) => [each.n, each]));
    messages.value = [...byNumber.values()].sort((one, other) => one.n - other.n);
  }

  /** Ask for what was said, all of it or since the newest that is known. */
  async function ask(whole) {
    const looking = store.looking.value;
    const after = whole ? 0 : (messages.value.at(-1)?.n ?? 0);
    const found = [];
    let page = null;
    await pages(path, { after, limit: 200, ...eyes() }, (answer) => {
      page = answer;
      found.push(...answer.messages);
    });
    if (closed || looking !== store.looking.value) return;
    batch(() => {
      manner.value = page.talk;
      open.value = page.open;
      closes.value = page.closes_at;
      if (whole) messages.value = found;
      else take(found);
    });
  }

  let whole = true;
  const load = again(
    async () => {
      try {
        const all = whole;
        whole = false;
        await ask(all);
      } catch (problem) {
        // The table is shown all the same; the next event of the stream asks again.
        if (problem.name !== "AbortError" && problem.status >= 500) console.warn(problem.message);
      }
    },
    () => closed,
  );
  /** Ask for all of it, after something has been hidden. */
  const reload = () => {
    whole = true;
    return load();
  };
  /** Read through other eyes: what only the ones before may know goes at once. */
  const look = () => {
    batch(() => {
      messages.value = [];
      to.value = [];
    });
    return reload();
  };

  /** What the stream brings. */
  function heard(message) {
    const { game, ...told } = message;
    const news = { messages: [told] };
    if (game === store.id) take((speech.answer?.(store.path, news) ?? news).messages);
  }

  /**
   * Say `{text}` or `{phrase, slots}` to those who are chosen; answers whether it was said. *text*: the sentence of a
   * phrase, filled in.
   */
  async function say(content, text) {
    const whisper = to.value.length ? { to: to.value } : {};
    const seat = store.mine.value.length > 1 ? { seat: from.value } : {};
    try {
      const said = content.phrase ? { slots: {}, ...content, text } : content;
      const send = (headers) => postOnce(path, { ...content, ...whisper, ...seat }, { headers });
      const answer = await saySigned(store.id, from.value, store.last.value, said, whisper.to ?? null, send);
      take([answer.message]);
      seen();
      await keepReceipt(answer.receipt);
      return true;
    } catch (problem) {
      complain(problem);
      if (problem.status === 409) void load();
      return false;
    }
  }

  /** Everything that was said so far has been seen. */
  function seen() {
    const newest = messages.value.at(-1)?.n ?? 0;
    if (newest <= read.value) return;
    read.value = newest;
    keep(keyOf(store), newest, localStorage);
  }

  /** Choose *seat* for a whisper, or no longer. */
  function turnTo(seat) {
    const { bot, open: free, vacant, you } = store.seats.value[seat] ?? {};
    if (manner.value !== "all" || you || free || vacant || bot !== undefined) return false;
    to.value = to.value.includes(seat) ? to.value.filter((each) => each !== seat) : [...to.value, seat].sort((a, b) => a - b);
    return true;
  }

  const act = (done, request) => request().then(reload).then(() => tell(done), complain);
  const timer = setInterval(() => open.value && store.ended.value && !document.hidden && load(), LATER);

  return {
    messages,
    manner,
    open,
    closes,
    to,
    from,
    unread,
    load,
    look,
    heard,
    say,
    seen,
    turnTo,
    mute: (account) => act(tr("You no longer see what this player says."), () => call("PUT", `me/mutes/${account}`)),
    unmute: (account) => act(tr("You see again what this player says."), () => del(`me/mutes/${account}`)),
    report: (n) => act(tr("The message is reported."), () => post(`${path}/${n}/report`)),
    erase: (n) => act(tr("The message is erased."), () => del(`${path}/${n}`)),
    close() {
      closed = true;
      clearInterval(timer);
    },
  };
}

const keyOf = (store) => `rutter.talk.${store.id}`;
