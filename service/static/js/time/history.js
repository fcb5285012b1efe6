// What has happened, turn by turn and command by command. Clicking a sentence travels to it.
import { seatColour } from "../board/colours.js";
import { Badge, Seats } from "../board/seats.js";
import { Speech, saidAt } from "../talk/said.js";
import { tr } from "../base/text.js";
import { groups, myLast } from "./timeline.js";
import { isShortcut } from "../base/shortcuts.js";
import { classes, html, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../base/ui.js";
import { NUMBERED, count, seatName } from "../base/words.js";

const BY_HAND = 400; // ms that a scroll may come after the hand, or what was drawn, that caused it
const NEAR_END = 40; // pixels from the bottom that still count as "at the bottom"
const HOVER = 250; // ms that the mouse rests on a line before the table after it is shown
const LONGEST = 60; // commands of a group, and lines that were searched for, that are drawn at once

export function History({ store }) {
  const all = store.history.value;
  const { wanted, travelling, go } = store.table;
  // Without spoilers nothing is told that happens later, and what is being shown is told as it comes.
  const lines = store.replay || store.pace.under.value ? all.filter((line) => line.seq <= wanted.value) : all;
  const found = useMemo(() => groups(lines), [lines.length, lines[0]]);
  const here = wanted.value;
  const messages = store.curtain.value === null ? store.talk.messages.value : [];
  const until = store.replay || store.pace.under.value ? here : Infinity;
  const said = useMemo(
    () => saidAt(messages, found.flatMap((group) => group.commands), until),
    [messages, found, until],
  );
  const [open, setOpen] = useState(new Map()); // groups that the reader opened or closed
  const [sought, setSought] = useState(null); // what is searched for; null: nothing
  const [round, setRound] = useState(0); // how often the reader went back to the end
  const box = useRef(null);
  const follow = useRef(true);
  const touched = useRef(0); // when the reader last moved the list
  const top = useRef(0); // where it stood when it last scrolled
  const laid = useRef(0); // when its layout last changed
  const heights = useRef(""); // those of the list and of its lines when it was last looked at
  const [left, setLeft] = useState(null); // how many lines there were when the reader went back; null: they follow
  const parts = useParts();
  const current = found.findLast((group) => group.seq <= here);
  const isOpen = (group) => open.get(group.seq) ?? (group === found.at(-1) || (travelling.value && group === current));
  const mine = myLast(lines, store.mine.value);
  const glance = useGlance(store.table);

  const toBottom = (list) => {
    list.scrollTop = list.scrollHeight;
    heights.current = measure(list);
  };

  const wasAway = useRef(false);
  useLayoutEffect(() => {
    const list = box.current;
    laid.current = performance.now();
    // Who comes back to now wants to see what is new.
    if (wasAway.current && !travelling.value) follow.current = true;
    wasAway.current = travelling.value;
    if (travelling.value) {
      // Only the list scrolls, never the page under the reader.
      const line = list.querySelector("[aria-current]");
      if (line) keepInSight(list, line);
    } else if (follow.current) toBottom(list);
  }, [lines.length, store.table.at.value]); // not what is only glanced at: the list stays under the mouse

  useEffect(() => {
    // The list gives way when there is more to do above it; its end stays in sight.
    const list = box.current;
    const watch = new ResizeObserver(() => {
      laid.current = performance.now();
      if (follow.current && !store.table.travelling.value) toBottom(list);
    });
    watch.observe(list);
    return () => watch.disconnect();
  }, []);

  // A layout that changes scrolls the list too: then only the reader's own hand makes it stand still.
  const byHand = () => {
    touched.current = performance.now();
  };
  const scrolled = (event) => {
    const list = event.currentTarget;
    const away = list.scrollHeight - list.scrollTop - list.clientHeight;
    const atEnd = away < NEAR_END;
    const back = away > 1 && list.scrollTop < top.current;
    top.current = list.scrollTop;
    const now = performance.now();
    // A reader's scroll changes no height. On a slow machine that of a layout is told long after it.
    const moved = now - laid.current < BY_HAND || measure(list) !== heights.current;
    heights.current = measure(list);
    if (!atEnd && now - touched.current > BY_HAND && moved) {
      if (follow.current && !travelling.value && !sought) toBottom(list);
      return;
    }
    // A reader who begins to go back is no longer at the end, however little they have come as yet.
    const stays = atEnd && !(back && now - touched.current < BY_HAND);
    follow.current = stays;
    setLeft((before) => (stays ? null : (before ?? lines.length)));
  };
  const toEnd = () => {
    follow.current = true;
    setLeft(null);
    setRound(round + 1);
    toBottom(box.current);
  };
  const toggle = (group) => () => {
    byHand();
    setOpen(new Map(open).set(group.seq, !isOpen(group)));
  };
  const news = left === null || travelling.value ? 0 : lines.length - left;
  return html`<section class="history" data-part="log" aria-labelledby="history-heading">
    <${Search} sought=${sought} seek=${(text) => {
      byHand();
      setSought(text);
    }}/>
    <${Since} found=${found} mine=${mine} show=${() => {
      byHand();
      follow.current = false;
      box.current.querySelector(".fresh")?.scrollIntoView({ block: "start" });
    }}/>
    ${news > 0 && html`<button type="button" class="news primary" data-part="new" onClick=${toEnd}>${news} new ↓</button>`}
    <div class="lines scrolls" ref=${box} tabindex="0" onScroll=${scrolled} onWheel=${byHand} onTouchMove=${byHand}
      onKeyDown=${byHand} onPointerDown=${byHand} onMouseOver=${glance} onMouseLeave=${glance} onPointerMove=${(event) => event.buttons && byHand()} role="log"
      aria-live="off" aria-label="History">
      ${sought
        ? html`<${Found} lines=${lines} sought=${sought} here=${store.table.at.value} go=${go} parts=${parts}/>`
        : found.map((group) => html`<${Group} key=${group.seq} group=${group} open=${isOpen(group)} toggle=${toggle(group)}
        said=${said} round=${round} mine=${mine} here=${store.table.at.value} go=${go} parts=${parts}/>`)}
      ${!lines.length && html`<p class="hint">Nothing has happened yet.</p>`}
    </div>
  </section>`;
}

/** How much the others have done since my last command; a click leads to where that begins. */
function Since({ found, mine, show }) {
  const news = mine ? found.flatMap((group) => group.commands).filter((block) => block.seq > mine && block.by !== "sys").length : 0;
  if (!news) return null;
  return html`<button type="button" class="since" data-part="since" data-seq=${mine} onClick=${show}>Since your last move
    <b class="count">${news}</b></button>`;
}

/** A listener: the table after the line on which the mouse rests is shown as long as it rests there. */
function useGlance(table) {
  const timer = useRef(null);
  const leave = () => {
    clearTimeout(timer.current);
    table.glance(null);
  };
  useEffect(() => leave, [table]);
  return (event) => {
    const seq = event.type === "mouseleave" ? null : event.target.closest("[data-part=line]")?.dataset.seq;
    clearTimeout(timer.current);
    if (!seq) table.glance(null);
    else timer.current = setTimeout(() => table.glance(Number(seq)), HOVER);
  };
}

/** The heights of a list and of what it holds: they differ if its layout has changed. */
function measure(list) {
  return `${list.clientHeight} ${list.scrollHeight}`;
}

function keepInSight(list, line) {
  const top = line.offsetTop; // from the top of the list, which is positioned
  if (top < list.scrollTop + 20) list.scrollTop = top - list.clientHeight / 3;
  else if (top + line.offsetHeight > list.scrollTop + list.clientHeight - 20)
    list.scrollTop = top - (2 * list.clientHeight) / 3;
}

/** The heading, and the search of the log: `/` leads there, Escape leaves it. */
function Search({ sought, seek }) {
  const field = useRef(null);
  useLayoutEffect(() => {
    const keys = (event) => {
      if (event.key !== "/" || !isShortcut(event)) return;
      event.preventDefault();
      seek("");
    };
    document.addEventListener("keydown", keys);
    return () => document.removeEventListener("keydown", keys);
  }, []);
  useEffect(() => void (sought === "" && field.current?.focus()), [sought]);
  const leave = (event) => event.key === "Escape" && seek(null);
  return html`<header class="history-head"><h2 id="history-heading" class=${sought === null ? "" : "sr"}>What happened</h2>
    ${sought === null
      ? html`<button type="button" class="quiet" data-part="search" title="Search (/)" aria-label="Search what happened"
        onClick=${() => seek("")}>⌕</button>`
      : html`<input type="search" ref=${field} value=${sought} aria-label="Search what happened" placeholder="Search what happened"
        onInput=${(event) => seek(event.target.value)} onKeyDown=${leave}/><button type="button" class="quiet"
        aria-label="Close the search" onClick=${() => seek(null)}>×</button>`}</header>`;
}

/** The lines that say what is searched for, the newest last. */
function Found({ lines, sought, here, go, parts }) {
  const wanted = sought.trim().toLowerCase();
  const hits = lines.filter((line) => line.text.toLowerCase().includes(wanted));
  return html`<p class="hint" role="status">${hits.length > LONGEST ? tr("The newest {count} of ", { count: LONGEST }) : ""}${count(hits.length, "line")}</p>
    <ol>${hits.slice(-LONGEST).map((line) => html`<li key=${line.seq} class="block"><span class="hint">${line.seq}</span>
      <div><${Line} line=${line} here=${here} go=${go} parts=${parts}/></div></li>`)}</ol>`;
}

/** One turn: its first sentence, and when it is open what happened in it, of a long one a part. */
function Group({ group, open, toggle, said, round, mine, here, go, parts }) {
  const all = group.commands;
  const [begin, setBegin] = useState(null); // where the reader wants the part to begin; null: where they stand
  useEffect(() => setBegin(null), [here, round]);
  const stands = here === null ? all.length : all.findLastIndex((block) => block.seq <= here) + LONGEST / 2;
  const from = Math.max(0, Math.min(begin ?? stands - LONGEST, all.length - LONGEST));
  const later = all.length - from - LONGEST;
  return html`<section class="turn" data-part="group" data-seq=${group.last}>
    <h3><button type="button" aria-expanded=${String(open)} onClick=${toggle}><span
      aria-hidden="true">${open ? "▾" : "▸"}</span> ${group.head.begins ? group.head.text : tr("The beginning")} <span
      class="hint">${open ? "" : count(group.last - group.seq + 1, "event")}</span></button></h3>
    ${open && html`<ol>
      ${from > 0 && html`<li><button type="button" class="quiet" data-part="earlier"
        onClick=${() => setBegin(from - LONGEST)}>${count(from, "earlier command")}</button></li>`}
      ${all.slice(from, from + LONGEST).map((block) => html`<${Block} key=${block.seq} block=${block} said=${said.get(block.seq)}
        mine=${mine} here=${here} go=${go} parts=${parts}/>`)}
      ${later > 0 && html`<li><button type="button" class="quiet" data-part="later"
        onClick=${() => setBegin(from + LONGEST)}>${count(later, "later command")}</button></li>`}</ol>`}
  </section>`;
}

/** One command, what followed from it, and what was said then: a promise stands beside the event at which it was made. */
function Block({ block, said = [], mine, here, go, parts }) {
  const seats = useContext(Seats);
  const seat = /^p\d+$/.test(block.by ?? "") ? Number(block.by.slice(1)) : null;
  const tone = seat === null ? undefined : seatColour(seat, seats.find((each) => each.seat === seat));
  const first = block.seq > mine && mine > 0;
  return html`<li class=${classes("block", first && "fresh")} style=${tone && { "--tone": tone }}>
    ${seat !== null && html`<${Badge} seat=${seat}/>`}
    <div>${block.lines.map((line) => html`<${Line} key=${line.seq} line=${line} here=${here} go=${go} parts=${parts}/>`)}
      ${said.map((message) => html`<p key=${message.n} class="said-here" data-part="said-here" data-n=${message.n} data-seq=${message.at_event}>
        <${Speech} message=${message}/></p>`)}</div></li>`;
}

/** One sentence; a click leads to the table after it. */
function Line({ line, here, go, parts }) {
  return html`<button type="button" class=${classes("line", here !== null && line.seq > here && "later", line.taken_back && "taken-back")}
    data-part="line" data-seq=${line.seq} aria-current=${line.seq === here ? "true" : undefined}
    title=${tr("Show the board after event {seq}", { seq: line.seq })} onClick=${() => go(line.seq)}>${line.taken_back ? html`<s>${parts(line.text)}</s>` : parts(line.text)}</button>`;
}

/** A function that marks the names of seats in a sentence with their colours. */
function useParts() {
  const seats = useContext(Seats);
  const key = seats.map((seat) => `${seat.label} ${seat.name}`).join("|");
  return useMemo(() => {
    const byName = new Map();
    for (const seat of seats)
      for (const name of [seatName(seat), `Seat ${seat.seat}`, `seat ${seat.seat}`]) byName.set(name, seat);
    if (!byName.size) return (text) => text;
    const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
    const longest = [...byName.keys()].sort((a, b) => b.length - a.length);
    const pattern = new RegExp(`\\b(${longest.map(escape).join("|")})\\b`, "g");
    return (text) =>
      text.split(pattern).map((part) => {
        const seat = byName.get(part);
        if (!seat) return part;
        const name = NUMBERED.test(part) && seat.name ? html`<bdi>${seat.name}</bdi>` : part;
        return html`<span class="named" style=${{ "--tone": seatColour(seat.seat, seat) }}>${name}</span>`;
      });
  }, [key]);
}
