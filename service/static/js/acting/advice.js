// What a bot would do after the event looked at: in a game that has ended, or in an analysis game of one's own.
import { get } from "../base/api.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { count, seatName } from "../base/words.js";

const REST = 500; // ms that one stays at an event before a bot is asked
const WAIT = 700;

/** What the bot answers, at each event at which one stays. */
export function Advice({ store, close }) {
  const [told, setTold] = useState(null);
  const at = store.table.wanted.value;
  const seat = store.looking.value;
  useEffect(() => {
    const here = new AbortController();
    setTold(null);
    const timer = setTimeout(
      () =>
        patiently(store, at, seat, here.signal).then(setTold, (problem) => here.signal.aborted || setTold({ problem })),
      REST,
    );
    return () => {
      clearTimeout(timer);
      here.abort();
    };
  }, [store, at, seat]);
  return html`<aside class="guide" data-part="advice" aria-label="What a bot would do" data-seq=${told?.seq}>
    <div tabindex="0" class="thoughts" role="status">${!told ? tr("The bot is thinking …") : told.problem ? told.problem.detail || String(told.problem) : html`<${Thoughts} store=${store} told=${told}/>`}</div>
    <div><span class="hint">${told?.simulations ? `${told.bot}: ${count(told.simulations, "simulated game")}` : ""}</span>
      <button type="button" class="quiet" aria-label="Stop asking" onClick=${close}>×</button></div>
  </aside>`;
}

function Thoughts({ store, told }) {
  const seat = store.seats.value.find((each) => each.seat === told.seat);
  return html`<b><bdi>${seatName(seat)}</bdi>:</b><ol>${told.candidates.map(
    (each, index) => html`<li key=${index} data-part="thought" data-chosen=${each.chosen}>${each.chance === null ? "" : `${Math.round(each.chance * 100)} % `}${each.label}${
      each.chosen && told.candidates.length > 1 ? " ✓" : ""}</li>`,
  )}</ol>`;
}

/** A worker thinks: until it is done the service says that it is under way. Where one looks through a seat, it is asked first. */
async function patiently(store, at, seat, signal) {
  let own = typeof seat === "number" ? { seat } : {};
  for (;;) {
    try {
      const answer = await get(`${store.path}/advice`, { at, ...own }, { signal });
      if (answer.status === "ready") return answer;
    } catch (problem) {
      if (problem.code !== "nothing_to_decide" || own.seat === undefined) throw problem;
      own = {};
      continue;
    }
    await new Promise((done) => setTimeout(done, WAIT));
    if (signal.aborted) throw new DOMException("asked elsewhere", "AbortError");
  }
}
