// Standing at an event: now, or any earlier one. The panels of each (eyes, event) never change, so they are kept.
import { get } from "../base/api.js";
import { batch, computed, signal } from "../base/ui.js";
import { isolated, seatName } from "../base/words.js";

const KEEP = 300; // tables in memory
const CALM = 50; // ms without a movement before the service is asked ...
const LONGEST = 200; // ... but while one drags on, at least this often

/** The table of a game as a traveller sees it. *at* is the event looked at; null means now. */
export function travel({ path, last, looking, seats, eyesQuery, at: start, onProblem }) {
  const at = signal(start === null ? null : Math.max(1, start));
  const shown = signal(null); // {seq, panels}
  /** An event shown for a moment only: one that is passed on the way to now, or one whose line is pointed at. */
  const passing = signal(null);
  const aim = () => passing.value ?? at.value; // null: now
  const wanted = computed(() => aim() ?? last.value);
  const kept = new Map();
  let timer = null;
  let since = 0;
  let controller = null;

  const nameOf = (seq) => `${looking.value}:${seq}`;

  /** Remember *table*; of what is drawn now its panels keep those that look the same, so that those stay untouched. */
  function keep(name, table) {
    const drawn = new Map((shown.peek()?.panels || []).map((panel) => [JSON.stringify(panel), panel]));
    table.panels = table.panels.map((panel) => drawn.get(JSON.stringify(panel)) ?? panel);
    kept.set(name, table);
    if (kept.size > KEEP) kept.delete(kept.keys().next().value);
  }

  async function fetchTable() {
    controller?.abort();
    controller = new AbortController();
    const own = controller;
    since = 0;
    const when = aim();
    const query = { ...eyesQuery(), at: when };
    const name = looking.value;
    try {
      const table = await get(`${path}/table`, query, { signal: own.signal });
      if (name === "all") table.panels = [...table.panels, ...(await hands(when, own.signal))];
      keep(`${name}:${table.seq}`, table);
      // Meanwhile somebody may have travelled on, or changed eyes: then this answer is only kept.
      if (own === controller && when === aim() && name === looking.value) shown.value = table;
    } catch (error) {
      if (error.name === "AbortError") return;
      throw error;
    } finally {
      if (own === controller) controller = null;
    }
  }

  /** Of every seat what lies in its hand. */
  async function hands(when, signal) {
    const tables = await Promise.all(
      seats.value.map(({ seat }) => get(`${path}/table`, { at: when, seat }, { signal })),
    );
    return tables.flatMap(({ panels }, seat) =>
      panels
        .filter((panel) => panel.role === "hand")
        .map((panel) => ({ ...panel, title: `${isolated(seatName(seats.value[seat]))}: ${panel.title}` })),
    );
  }

  function soon() {
    clearTimeout(timer);
    since ||= performance.now();
    const wait = performance.now() - since >= LONGEST ? 0 : CALM;
    timer = setTimeout(() => fetchTable().catch(onProblem), wait);
  }

  /** Go to event *seq*; null or the last one means now. */
  function go(seq) {
    const to = seq === null || seq >= last.value ? null : Math.max(1, seq);
    // Who stands at now stays there: what is newer is on its way, and is shown in its order.
    if (to === null && at.value === null && passing.value === null) return;
    batch(() => {
      passing.value = null;
      at.value = to;
      draw();
    });
  }

  /** Look at event *seq* for a moment, without going there; null ends it. */
  function glance(seq) {
    if (passing.value === seq) return;
    batch(() => {
      passing.value = seq;
      draw();
    });
  }

  /** Show what is wanted: from memory, or soon from the service. */
  function draw() {
    const table = kept.get(nameOf(wanted.value));
    clearTimeout(timer);
    if (!table) return soon();
    shown.value = table;
    controller?.abort();
  }

  /** What is shown may be old: while one stands at an earlier event it cannot be. */
  function refresh() {
    if (at.value !== null && at.value >= last.value) at.value = null;
    const table = kept.get(nameOf(wanted.value));
    if (table) {
      shown.value = table;
      return Promise.resolve();
    }
    return fetchTable();
  }

  /** *table* is what is to be seen now. */
  function take(table) {
    keep(`${looking.value}:${table.seq}`, table);
    passing.value = null;
    if (at.value === null) shown.value = table;
  }

  return {
    take,
    at,
    shown,
    /** True while an earlier event is looked at. */
    travelling: computed(() => at.value !== null),
    /** The number of the event looked at. */
    wanted,
    go,
    glance,
    step: (by) => go(wanted.value + by),
    refresh,
    close() {
      clearTimeout(timer);
      controller?.abort();
    },
  };
}
