// What has happened, in sentences. Clicking one travels to it.
import { seatColour } from "./colours.js";
import { Seats } from "./seats.js";
import { classes, html, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from "./ui.js";
import { seatName } from "./words.js";

const WINDOW = 250; // lines drawn at once: a long game has thousands
const NEAR_END = 40; // pixels from the bottom that still count as "at the bottom"

export function History({ store }) {
  const lines = store.history.value;
  const { wanted, travelling, go } = store.table;
  const here = lines.findLastIndex((line) => line.seq <= wanted.value);
  const [end, setEnd] = useState(null); // the last line drawn, null: the newest
  const box = useRef(null);
  const follow = useRef(true);
  const parts = useParts();

  // A traveller sees the lines round the place where he stands; the slider takes him further.
  const until = Math.min(lines.length, travelling.value ? here + WINDOW / 2 : (end ?? lines.length));
  const from = Math.max(0, until - WINDOW);
  const drawn = lines.slice(from, until);

  const wasAway = useRef(false);
  useLayoutEffect(() => {
    const list = box.current;
    // Who comes back to now wants to see what is new.
    if (wasAway.current && !travelling.value) follow.current = true;
    wasAway.current = travelling.value;
    if (travelling.value) {
      // Only the list scrolls, never the page under the reader.
      const line = list.querySelector("[aria-current]");
      if (line) keepInSight(list, line);
    } else if (follow.current && end === null) list.scrollTop = list.scrollHeight;
  }, [lines.length, here, travelling.value, end]);

  useEffect(() => {
    // The list gives way when there is more to do above it; its end stays in sight.
    const list = box.current;
    const watch = new ResizeObserver(() => {
      if (follow.current && !travelling.value) list.scrollTop = list.scrollHeight;
    });
    watch.observe(list);
    return () => watch.disconnect();
  }, []);

  const scrolled = (event) => {
    const list = event.currentTarget;
    follow.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_END;
  };
  return html`<section class="history" aria-labelledby="history-heading">
    <h2 id="history-heading">History</h2>
    <div class="lines scrolls" ref=${box} tabindex="0" onScroll=${scrolled} role="log" aria-label="History">
      ${from > 0 && !travelling.value && html`<button type="button" class="quiet"
        onClick=${() => setEnd(Math.max(WINDOW, from + 50))}>Earlier</button>`}
      <ol>${drawn.map(
        (line, index) => html`<${Line} key=${line.seq} line=${line} go=${go} parts=${parts}
        current=${travelling.value && from + index === here} later=${travelling.value && from + index > here}/>`,
      )}</ol>
      ${until < lines.length && !travelling.value && html`<button type="button" class="quiet"
        onClick=${() => setEnd(until + WINDOW >= lines.length ? null : until + WINDOW - 50)}>Later</button>`}
      ${!lines.length && html`<p class="hint">Nothing has happened yet.</p>`}
    </div>
  </section>`;
}

function keepInSight(list, line) {
  const top = line.offsetTop; // from the top of the list, which is positioned
  if (top < list.scrollTop + 20) list.scrollTop = top - list.clientHeight / 3;
  else if (top + line.offsetHeight > list.scrollTop + list.clientHeight - 20)
    list.scrollTop = top - (2 * list.clientHeight) / 3;
}

function Line({ line, go, parts, current, later }) {
  return html`<li class=${classes("line", later && "later")}>
    <button type="button" aria-current=${current ? "true" : undefined} title="Look at the table after this event"
      onClick=${() => go(line.seq)}>
      <span class="seq">${line.seq}</span><span class="text">${parts(line.text)}</span>
    </button></li>`;
}

/** A function that marks the names of seats in a sentence with their colours. */
function useParts() {
  const seats = useContext(Seats);
  const key = seats.map((seat) => seat.label).join("|");
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
        return html`<span class="named" style=${{ "--tone": seatColour(seat.seat, seat.label) }}>${part}</span>`;
      });
  }, [key]);
}
