// What everybody had, turn by turn: the numbers of the seats at a glance, as curves. Clicking a point travels there.
import { ensureAccount } from "../account/account.js";
import { get } from "../base/api.js";
import { seatColour } from "../board/colours.js";
import { keyed, tr } from "../base/text.js";
import { stations } from "./timeline.js";
import { classes, html, useEffect, useLate, useState } from "../base/ui.js";
import { seatName } from "../base/words.js";

const MOST = 40; // points of a curve
const [WIDTH, HEIGHT, EDGE] = [900, 420, 44];
const SCORE = { key: "score", name: keyed("Score") };

const textOf = (cell) => String(typeof cell === "object" && cell ? cell.text : (cell ?? ""));
const numberOf = (cell) => {
  const found = textOf(cell).match(/-?\d+(\.\d+)?/);
  return found ? Number(found[0]) : null;
};

/** By measure and seat the values of one table: those that the title declares, else the numbers at its seats. */
function measured(panels) {
  const found = new Map();
  const note = (name, seat, value) => {
    if (value !== null) found.set(name, { ...found.get(name), [seat]: value });
  };
  const seats = panels.filter((each) => each.kind === "seats");
  const declared = seats.flatMap((panel) => panel.measures || []);
  if (declared.length) {
    for (const { name, values } of declared) values.forEach((value, seat) => note(name, seat, value));
    return found;
  }
  for (const panel of seats)
    for (const item of panel.items) {
      note(tr(SCORE.name), item.seat, numberOf(item.score));
      for (const { label, value } of item.facts) note(label, item.seat, numberOf(value));
    }
  return found;
}

/** The events at which the game is measured: where turns begin (commands end, in a title without turns), and the last. */
function moments(store) {
  const { turns, commands } = stations(store.history.value);
  const stops = turns.length > 1 ? turns : commands;
  const every = Math.max(1, Math.ceil(stops.length / MOST));
  const end = store.replay ? store.table.wanted.value : store.last.value;
  return [...new Set([...stops.filter((_, index) => index % every === 0), end])].filter((seq) => seq <= end && seq > 1);
}

/** What the measure that decides the game is called. */
const nameOfScore = (panels) => tr((measuresOf(panels).find(({ key }) => key === SCORE.key) || SCORE).name);

/** What a title measures, as its table tells. */
const measuresOf = (panels) => panels.flatMap((panel) => panel.measures || []);

/** The table at event *seq* through *eyes*; of a game that has ended with what each seat alone knew then. */
async function look(store, seq, eyes, signal) {
  const at = (seat) => get(`${store.path}/table`, { at: seq, seat }, { signal });
  const table = await at(eyes);
  const seats = store.seats.value.map(({ seat }) => seat);
  const hidden = seats.filter((seat) => measuresOf(table.panels).some(({ values }) => values[seat] === null));
  if (!store.ended.value || !hidden.length) return table;
  const told = await Promise.all(hidden.map(at));
  for (const [index, seat] of hidden.entries())
    for (const [number, { values }] of measuresOf(table.panels).entries())
      values[seat] ??= measuresOf(told[index].panels)[number].values[seat];
  return table;
}

export function Graph({ store }) {
  const [points, setPoints] = useState([]);
  const [chosen, setName] = useState(null);
  const [reviewed, setReviewed] = useState(false);
  const [turns, setTurns] = useState(null);
  const late = useLate(reviewed, () => import("./review.js").then(({ Review, Turns }) => ({ Review, Turns })));
  useEffect(() => {
    const stop = new AbortController();
    const eyes = typeof store.looking.value === "number" ? store.looking.value : "spectator";
    const draw = async () => {
      const found = [];
      for (const seq of moments(store)) {
        const table = await look(store, seq, eyes, stop.signal);
        if (table.panels.length) found.push({ seq, values: measured(table.panels), score: nameOfScore(table.panels) });
        setPoints([...found]);
      }
      const scores = store.replay ? null : store.game.value.outcome?.scores;
      const last = found.at(-1);
      // The end is told by the outcome itself.
      if (scores && last) {
        last.values.set(last.score, Object.fromEntries(scores.map((score, seat) => [seat, score])));
        setPoints([...found]);
      }
    };
    draw().catch((problem) => problem.name === "AbortError" || console.warn(problem.message));
    return () => stop.abort();
  }, [store.looking.value, store.history.value.length > 0, store.game.value.status]);
  const names = [...new Set(points.flatMap(({ values }) => [...values.keys()]))];
  const name = chosen ?? names[0];
  const review = async () => {
    if (reviewed || (await ensureAccount())) setReviewed(!reviewed);
  };
  return html`<div class="tab-page graph" data-part="graph">
    <p class="segments" role="group" aria-label="Measure">${names.map((each) => html`<button key=${each} type="button"
      aria-pressed=${String(each === name)} onClick=${() => setName(each)}>${each}</button>`)}</p>
    <${Curves} store=${store} points=${points} name=${name} mark=${(x) => late && reviewed && turns
      && html`<${late.Turns} store=${store} turns=${turns} x=${x} height=${HEIGHT}/>`}/>
    ${reviewed && turns && html`<p class="hint" role="status" data-part="turn">${turns.said}</p>`}
    ${store.ended.value && !store.replay && html`<p><button type="button" data-part="review-button" aria-expanded=${String(reviewed)}
      onClick=${review}>Review</button></p>${reviewed && late && html`<${late.Review} store=${store} tell=${setTurns}/>`}`}
  </div>`;
}

/** The curves of one measure; *mark* draws something on them, given where each event stands. */
function Curves({ store, points, name, mark }) {
  const seats = store.seats.value;
  const all = points.flatMap(({ values }) => Object.values(values.get(name) || {}));
  if (!all.length) return html`<p class="hint">…</p>`;
  const [least, most] = [Math.min(0, ...all), Math.max(1, ...all)];
  const end = points.at(-1).seq;
  const x = (seq) => EDGE + (seq / end) * (WIDTH - 2 * EDGE);
  const y = (value) => HEIGHT - EDGE - ((value - least) / (most - least)) * (HEIGHT - 2 * EDGE);
  return html`<svg class="curves" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${tr("{name} by turn", { name })}>
    ${[least, (least + most) / 2, most].map((value) => html`<g key=${value} class="rule"><line x1=${EDGE} x2=${WIDTH - EDGE}
      y1=${y(value)} y2=${y(value)}/><text x=${EDGE - 8} y=${y(value)}>${Math.round(value * 10) / 10}</text></g>`)}
    ${seats.map((each) => {
      const { seat } = each;
      const own = points.filter(({ values }) => values.get(name)?.[seat] !== undefined);
      const at = ({ seq, values }) => [x(seq), y(values.get(name)[seat])];
      const last = own.at(-1);
      return html`<g key=${seat} class="curve" style=${{ "--tone": seatColour(seat, each) }}>
        <polyline points=${own.map((point) => at(point).join(",")).join(" ")}/>
        ${own.map((point) => html`<circle key=${point.seq} data-part="point" data-measure=${name} data-seat=${seat}
          data-seq=${point.seq} data-value=${point.values.get(name)[seat]} cx=${at(point)[0]} cy=${at(point)[1]} r="4.5"
          class=${classes(point.seq === store.table.wanted.value && "here")} onClick=${() => store.table.go(point.seq)}><title>${
            seatName(each)
          }: ${point.values.get(name)[seat]} at event ${point.seq}</title></circle>`)}
        ${last && html`<text class="whose" x=${at(last)[0] + 8} y=${at(last)[1]}>${seat}</text>`}
      </g>`;
    })}
    ${mark((seq) => x(Math.min(seq, end)))}
  </svg>`;
}
