// Answers chosen ahead, as a title offers them: kept in this browser, and given whenever they are asked for here.
import { complain } from "../base/notices.js";
import { keep, recall } from "../base/kept.js";
import { effect, html, signal, useEffect, useMemo, useState } from "../base/ui.js";

const STALE = new Set(["version_conflict", "not_your_decision"]);

/** The event with which the turn of the newest of *lines* began; 0 before the first turn. */
const turnOf = (lines) => lines.findLast((line) => line.begins === "turn")?.seq ?? 0;

const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** The legal command that one of the *chosen* answers gives now: none that is grave, and none of several by chance. */
export function due(legal, chosen) {
  for (const { answers, every } of chosen)
    for (const wanted of answers) {
      const fit = legal.filter((item) => Object.entries(wanted).every(([name, value]) => same(item.command[name], value)));
      if (fit.length && !fit[0].grave && (every || fit.length === 1)) return fit[0];
    }
  return null;
}

/** The answers that the player of *store* has chosen ahead among those *offered*; it gives them until it is closed. */
export function openStanding(store, acting, offered) {
  const seat = store.looking.peek();
  const key = `rutter.standing.${store.id}.${seat}`;
  const read = () => recall(key, {}, localStorage);
  /** By key of each choice the turn in which it was made. */
  const chosen = signal(read());
  let tried = null; // what was asked when the latest answer was given

  function write(next) {
    keep(key, Object.keys(next).length ? next : null, localStorage);
    chosen.value = next;
  }

  const choose = (name) => write({ ...read(), [name]: turnOf(store.history.value) });

  function takeBack(name) {
    const { [name]: _, ...rest } = read();
    write(rest);
  }

  async function give(item, seq, names) {
    try {
      const headers = { "If-Match": `"${seq}"` };
      if (!(await store.play(item.command, seat, { closing: item.bot_next, headers }))) names.forEach(takeBack);
    } catch (problem) {
      if (STALE.has(problem.code)) return; // something else came first: it is asked for again
      names.forEach(takeBack);
      complain(problem);
    }
  }

  const watch = effect(() => {
    const now = chosen.value;
    const over = store.game.value?.status === "finished";
    const answer = store.answerable.value;
    const lines = store.history.value;
    if (over && Object.keys(now).length) queueMicrotask(() => write({}));
    // An answer that the player changes is theirs to give; what turn it is shows when all that happened is known.
    const mine = store.looking.value === seat && store.changing.value === null;
    if (over || !answer || !mine || (lines.at(-1)?.seq ?? 0) < answer.seq) return;
    const turn = turnOf(lines);
    const ended = offered.filter((each) => each.key in now && each.until === "turn" && now[each.key] !== turn);
    if (ended.length) {
      queueMicrotask(() => ended.forEach((each) => takeBack(each.key)));
      return;
    }
    const standing = offered.filter((each) => each.key in now);
    const item = due(answer.legal.filter((each) => each.seat === seat), standing);
    const asked = `${answer.seq} ${Object.keys(now)}`;
    if (!item || tried === asked || store.curtain.value !== null || acting.lead.value) return;
    tried = asked;
    const names = standing.filter((each) => due([item], [each])).map((each) => each.key);
    queueMicrotask(() => give(item, answer.seq, names));
  });

  // Another tab of the same browser may take it back.
  const heard = (event) => (event.key === key || event.key === null) && (chosen.value = read());
  addEventListener("storage", heard);
  return {
    chosen,
    choose,
    takeBack,
    close() {
      watch();
      removeEventListener("storage", heard);
    },
  };
}

/** In the bar: what is chosen ahead, each with a way to take it back, and the list to choose from. */
export function Standing({ store, acting, title }) {
  const offered = title.standing;
  const standing = useMemo(() => openStanding(store, acting, offered), [store]);
  const [open, setOpen] = useState(false);
  useEffect(() => standing.close, [standing]);
  const chosen = standing.chosen.value;
  const shut = (event) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    setOpen(false);
    document.querySelector("[data-part=ahead]")?.focus();
  };
  return html`<button type="button" class="quiet" data-part="ahead" aria-expanded=${String(open)} tabindex=${acting.legal.value.length ? -1 : 0}
      title="Answers that this page gives for you" onClick=${() => setOpen(!open)}>Answer ahead</button>
    ${offered.filter((each) => each.key in chosen).map((each) => html`<button key=${each.key} type="button" class="chip"
      data-part="standing" data-standing=${each.key} title="Take it back" onClick=${() => standing.takeBack(each.key)}>${each.text}
      <span aria-hidden="true">×</span><span class="sr">: take it back</span></button>`)}
    ${open && html`<section class="list" data-part="ahead-list" aria-label="Answer ahead" onKeyDown=${shut}>
      <button type="button" class="quiet close" aria-label="Close" onClick=${() => setOpen(false)}>×</button>
      <div class="actions"><h2>Answer ahead</h2>
      <p class="hint">This page gives these answers for you while it is open. Others do not see your choice.</p>
      ${offered.map((each) => html`<label key=${each.key} class="row"><input type="checkbox" name=${each.key}
        checked=${each.key in chosen} onChange=${(event) => (event.target.checked ? standing.choose : standing.takeBack)(each.key)}/>
        ${each.text}</label>`)}</div></section>`}`;
}
