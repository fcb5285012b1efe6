// A player's review after the end: each of their moves beside what a bot would do, and the turns of the game on a curve.
import { get } from "../base/api.js";
import { seatColour } from "../board/colours.js";
import { tr } from "../base/text.js";
import { classes, html, useEffect, useState } from "../base/ui.js";
import { seatName } from "../base/words.js";

const WAIT = 1200; // ms between two looks at what is reviewed by now
const [WIDTH, HEIGHT, EDGE] = [900, 240, 44];

const percent = (chance) => (chance === null ? "–" : `${Math.round(100 * chance)} %`);

/** The review of a seat, chosen here; it goes on as long as it is shown. */
export function Review({ store, tell }) {
  const seats = store.seats.value;
  const [seat, setSeat] = useState(store.mine.value[0] ?? 0);
  const [told, setTold] = useState(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const stop = new AbortController();
    setTold(null);
    setFailure("");
    patiently(store, seat, setTold, stop.signal).catch((problem) => stop.signal.aborted || setFailure(problem.detail || String(problem)));
    return () => stop.abort();
  }, [store, seat]);
  useEffect(() => {
    const moves = new Map((told?.moves || []).map((move) => [move.seq, move]));
    tell(told && { seat, points: told.turning_points.map((point) => ({ ...point, label: moves.get(point.seq).label })), say, said: "" });
    function say(said) {
      tell((turns) => turns && { ...turns, said });
    }
    return () => tell(null);
  }, [told, seat]);
  return html`<section class="review" data-part="review" data-status=${told?.status} aria-label="Review">
    <p class="segments" role="group" aria-label="Player">${seats.map((each) => html`<button key=${each.seat} type="button"
      aria-pressed=${String(each.seat === seat)} onClick=${() => setSeat(each.seat)}><bdi>${seatName(each)}</bdi></button>`)}</p>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="hint" role="status">${progress(told)}</p>
    ${told && html`<${Chances} store=${store} told=${told} player=${seats[seat]}/><${Moves} store=${store} told=${told}/>`}
  </section>`;
}

function progress(told) {
  if (!told || told.total === null) return tr("A bot begins to think about each move …");
  if (told.status !== "ready") 
    return tr("{done} of {total} moves are reviewed. The bot goes on as long as you stay here.", { done: told.reviewed, total: told.total });
  return tr("{bot} has reviewed {total} moves, by what this player knew.", { bot: told.bot, total: told.total });
}

async function patiently(store, seat, tell, signal) {
  for (;;) {
    const told = await get(`${store.path}/review`, { seat }, { signal });
    tell(told);
    if (told.status === "ready") return;
    await new Promise((done) => setTimeout(done, WAIT));
    if (signal.aborted) return;
  }
}

/** The greatest turns of the reviewed game as marks on the curves of any measure; a tap says what happened there. */
export function Turns({ store, turns, x, height }) {
  const player = store.seats.value[turns.seat];
  const tap = ({ seq, before, after, label }) => () => {
    store.table.go(seq);
    turns.say(tr("The chance of {player} to win goes from {before} to {after}: {label}", {
      player: seatName(player), before: percent(before), after: percent(after), label,
    }));
  };
  return turns.points.map((point, index) => html`<g key=${point.seq} class="turn-mark" data-part="turn-mark" data-seq=${point.seq}
    style=${{ "--tone": seatColour(turns.seat, player) }} onClick=${tap(point)}>
    <line x1=${x(point.seq)} x2=${x(point.seq)} y1=${EDGE / 2} y2=${height - EDGE}/>
    <circle cx=${x(point.seq)} cy=${EDGE / 2} r="12"/><text x=${x(point.seq)} y=${EDGE / 2}>${index + 1}</text></g>`);
}

/** The chance to win from move to move; the three greatest turns have a number. */
function Chances({ store, told, player }) {
  const known = told.moves.filter((move) => move.chance !== null);
  if (known.length < 2) return null;
  const [first, last] = [known[0].seq, known.at(-1).seq];
  const x = (seq) => EDGE + ((seq - first) / (last - first)) * (WIDTH - 2 * EDGE);
  const y = (chance) => HEIGHT - EDGE - chance * (HEIGHT - 2 * EDGE);
  const go = (seq) => () => store.table.go(seq);
  return html`<svg class="curves" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label="Chance to win by move">
    ${[0, 0.5, 1].map((each) => html`<g key=${each} class="rule"><line x1=${EDGE} x2=${WIDTH - EDGE} y1=${y(each)} y2=${y(each)}/><text
      x=${EDGE - 8} y=${y(each)}>${100 * each} %</text></g>`)}
    <g class="curve" style=${{ "--tone": seatColour(player.seat, player) }}>
      <polyline points=${known.map((move) => `${x(move.seq)},${y(move.chance)}`).join(" ")}/>
      ${told.turning_points.map(({ seq, before, after }, index) => html`<g key=${seq} data-part="turning-point" data-seq=${seq}>
        <circle cx=${x(seq)} cy=${y(after)} r="8" onClick=${go(seq)}><title>${percent(before)} before, ${percent(after)} after event ${seq}</title></circle>
        <text class="whose" x=${x(seq) + 12} y=${y(after)}>${index + 1}</text></g>`)}
    </g></svg>
    <ol class="turning-points">${told.turning_points.map(({ seq, before, after }) => html`<li key=${seq}><button type="button" class="quiet"
      onClick=${go(seq)}>${percent(before)} → ${percent(after)}: ${told.moves.find((move) => move.seq === seq).label}</button></li>`)}</ol>`;
}

function Moves({ store, told }) {
  const turns = new Set(told.turning_points.map(({ seq }) => seq));
  return html`<div class="scrolls table-scroll" tabindex="0" role="group" aria-label="Moves"><table>
    <thead><tr><th scope="col">Event</th><th scope="col">Move</th><th scope="col" class="number">Chance</th><th scope="col"
      class="number">Lost</th><th scope="col">The bot</th></tr></thead>
    <tbody>${told.moves.map((move) => html`<tr key=${move.seq} data-part="reviewed" data-seq=${move.seq}>
      <td><button type="button" class="quiet" onClick=${() => store.table.go(move.seq)}>${move.seq}</button></td>
      <th scope="row" class=${classes(turns.has(move.seq) && "turn")}>${move.label}</th>
      <td class="number">${percent(move.chance)}</td><td class="number">${percent(move.lost)}</td>
      <td>${move.chosen && !move.simulations ? tr("the same") : html`<ol>${move.candidates.map((each, index) => html`<li key=${index}>${
        each.chance === null ? "" : `${percent(each.chance)} `}${each.label}${each.chosen ? " ✓" : ""}</li>`)}</ol>`}</td></tr>`)}</tbody>
  </table></div>`;
}
