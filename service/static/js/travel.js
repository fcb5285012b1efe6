// Standing at an event: now, or any earlier one. The panels of each (eyes, event) never change, so they are kept.
import { get } from "./api.js";
import { batch, computed, signal } from "./ui.js";

const KEEP = 300; // tables in memory
const CALM = 50; // ms without a movement before the service is asked ...
const LONGEST = 200; // ... but while one drags on, at least this often

/** The table of a game as a traveller sees it. *at* is the event looked at; null means now. */
export function travel({ path, last, looking, eyesQuery, at: start, onProblem }) {
  const at = signal(start === null ? null : Math.max(1, start));
  const shown = signal(null); // {seq, panels}
  const wanted = computed(() => at.value ?? last.value);
  const kept = new Map();
  let timer = null;
  let since = 0;
  let controller = null;

  const nameOf = (seq) => `${looking.value}:${seq}`;

  function keep(name, table) {
    kept.set(name, table);
    if (kept.size > KEEP) kept.delete(kept.keys().next().value);
  }

  async function fetchTable() {
    controller?.abort();
    controller = new AbortController();
    const own = controller;
    since = 0;
    const travelling = at.value;
    const query = { ...eyesQuery(), at: travelling };
    const name = looking.value;
    try {
      const table = await get(`${path}/table`, query, { signal: own.signal });
      keep(`${name}:${table.seq}`, table);
      // Meanwhile somebody may have travelled on, or changed eyes: then this answer is only kept.
      if (own === controller && travelling === at.value && name === looking.value) shown.value = table;
    } catch (error) {
      if (error.name === "AbortError") return;
      throw error;
    } finally {
      if (own === controller) controller = null;
    }
  }

  function soon() {
    clearTimeout(timer);
    since ||= performance.now();
    const wait = performance.now() - since >= LONGEST ? 0 : CALM;
    timer = setTimeout(() => fetchTable().catch(onProblem), wait);
  }

  /** Go to event *seq*; null or the last one means now. */
  function go(seq) {
    const next = seq === null || seq >= last.value ? null : Math.max(1, seq);
    const table = kept.get(nameOf(next ?? last.value));
    batch(() => {
      at.value = next;
      if (table) shown.value = table;
    });
    clearTimeout(timer);
    if (table) controller?.abort();
    else soon();
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

  return {
    at,
    shown,
    /** True while an earlier event is looked at. */
    travelling: computed(() => at.value !== null),
    /** The number of the event looked at. */
    wanted,
    go,
    step: (by) => go(wanted.value + by),
    refresh,
    close() {
      clearTimeout(timer);
      controller?.abort();
    },
  };
}
