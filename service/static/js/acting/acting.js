// Acting by the board: which commands are still meant after some things have been pointed at, and what may be
// pointed at next. Every drawn thing has a ref, every legal command lists the refs of what it names.
import { keep, recall } from "../base/kept.js";
import { setting } from "../base/settings.js";
import { spelled, unlisted } from "./rows.js";
import { batch, computed, createContext, effect, signal, useContext } from "../base/ui.js";

/** The acting of the game that is drawn; null where nobody acts. */
export const Acting = createContext(null);

/** Whether *item* names *ref*. */
export const names = (item, ref) => item.refs.some((each) => each.includes(ref));
const hit = (each, chosen) => chosen.some((ref) => each.includes(ref));

/** Whether *item* may still be meant after the refs *chosen* were pointed at, in that order. */
export function fits(item, chosen) {
  if (item.ordered) return chosen.every((ref, index) => item.refs[index]?.includes(ref));
  return chosen.every((ref) => names(item, ref));
}

/** How many of the things that *item* names have not been pointed at yet. */
export function missing(item, chosen) {
  if (item.ordered) return item.refs.length - chosen.length;
  return item.refs.filter((each) => !hit(each, chosen)).length;
}

/** What may be pointed at next: every ref of *items* that tells some of them from others or completes one. */
export function litRefs(items, chosen) {
  const lit = new Set();
  for (const item of items) {
    const open = item.ordered
      ? item.refs.slice(chosen.length, chosen.length + 1)
      : item.refs.filter((each) => !hit(each, chosen)).map((each) => each.filter((ref) => !chosen.includes(ref)));
    for (const each of open) for (const ref of each) lit.add(ref);
  }
  return lit;
}

/** The paths of whole numbers in *command*, as `{"amount": 3}`. */
function numbers(value, path = [], found = {}) {
  if (Number.isInteger(value)) found[path.join(" ")] = value;
  else if (value && typeof value === "object")
    for (const [key, inner] of Object.entries(value)) numbers(inner, [...path, key], found);
  return found;
}

const without = (command, path) => JSON.stringify(blanked(command, path.split(" ")));

function blanked(value, [head, ...rest]) {
  if (Array.isArray(value)) return value.map((each, at) => (String(at) === head ? blanked(each, rest) : each));
  if (!value || typeof value !== "object") return null;
  return { ...value, [head]: rest.length ? blanked(value[head], rest) : null };
}

/**
 * The items in groups: those that differ in one whole number only stand together, `{items, steps: true}`, in the
 * order of that number; every other one alone.
 */
export function steps(items) {
  const groups = [];
  const taken = new Set();
  for (const item of items) {
    if (taken.has(item)) continue;
    const alike = items.filter((each) => !taken.has(each) && each.command.type === item.command.type);
    const best = Object.keys(numbers(item.command))
      .filter((path) => path !== "seat")
      .map((path) => ({
        path,
        group: alike.filter((each) => without(each.command, path) === without(item.command, path)),
      }))
      .sort((one, other) => other.group.length - one.group.length)[0];
    if (best && best.group.length > 2) {
      const at = (each) => numbers(each.command)[best.path];
      const sorted = [...best.group].sort((one, other) => at(one) - at(other));
      sorted.forEach((each) => taken.add(each));
      groups.push({ items: sorted, steps: true });
    } else {
      taken.add(item);
      groups.push({ items: [item], steps: false });
    }
  }
  return groups;
}

/** How each ref of *panels* looks, without what carries a ref of its own in it. */
function looks(panels) {
  const found = new Map();
  const walk = (value) => {
    if (!value || typeof value !== "object") return value;
    if (Array.isArray(value)) return value.map(walk);
    const told = Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]));
    if (!value.ref) return told;
    found.set(value.ref, `${found.get(value.ref) ?? ""}${JSON.stringify(told)}`);
    return value.ref;
  };
  panels.forEach(walk);
  return found;
}

/** The refs that look otherwise than before; what was not there before has changed too. */
function differing(before, now) {
  return new Set([...now].filter(([ref, look]) => before.get(ref) !== look).map(([ref]) => ref));
}

const keyOf = (store) => `rutter.chosen.${store.id}.${store.looking.value}`;

/** What the player of *store* points at, and what that leaves. */
export function openActing(store) {
  const chosen = signal([]);
  /** Where the last click was: the popover stands beside it. */
  const anchor = signal(null);
  /** The refs that the mouse or the keyboard shows without choosing them. */
  const shown = signal([]);
  /** The lit ref on which the mouse rests. */
  const pointed = signal(null);
  /** The lit ref at which the Tab key stops. */
  const stop = signal(null);
  /** The item that waits for a yes. */
  const asked = signal(null);
  const failure = signal(null);
  /** The type of command whose form was filled from the board, until that form is opened. */
  const composed = signal(null);
  /** Picks what a guided turn offers of all that may be done; null where none leads. */
  const lead = signal(null);
  /** The item given last. */
  const given = signal(null);

  const offered = computed(() => {
    const answer = store.answerable.value;
    if (!answer) return [];
    return spelled(answer.legal.filter((item) => item.seat === store.looking.value));
  });
  const legal = computed(() => (lead.value ? lead.value(offered.value) : offered.value));
  /** What may be meant by *refs*, with rows that a list which is cut leaves out. */
  const meant = (refs) => {
    const more = store.answerable.value?.complete || lead.value ? [] : unlisted(legal.value, refs);
    return [...legal.value, ...more].filter((item) => fits(item, refs));
  };
  const here = computed(() => {
    const kept = chosen.value;
    return kept.length && !meant(kept).length ? [] : kept;
  });
  const candidates = computed(() => meant(here.value));
  /** Whether *item* answers what is asked; where nothing is, all that may be done does. */
  const asks = computed(() => {
    const own = (store.answerable.value?.decisions || []).filter((each) => each.seat === store.looking.value && !each.free);
    const types = new Set(own.flatMap((each) => each.commands));
    return (item) => !types.size || types.has(item.command.type);
  });
  const open = computed(() => litRefs(candidates.value, here.value));
  /** What is ringed: only what the question is about, until something else is pointed at. */
  const lit = computed(() => (here.value.length ? open.value : litRefs(candidates.value.filter(asks.value), [])));
  /** The only command, where one answer is left to what is asked. */
  const forced = computed(() => {
    const due = store.answerable.value?.complete && !lead.value ? legal.value.filter(asks.value) : [];
    return due.length === 1 && due[0].refs.length ? due : [];
  });
  const placeless = computed(() => legal.value.filter((item) => !item.refs.length));

  function settle(next) {
    batch(() => {
      chosen.value = next;
      asked.value = null;
      failure.value = null;
    });
    keep(keyOf(store), next.length ? next : null);
  }

  /** Point at *ref*: choose it (in a row perhaps again), or take it back. Answers whether that meant anything. */
  function press(ref, place = null) {
    const now = here.value;
    if (open.value.has(ref)) {
      if (place) anchor.value = place;
      settle([...now, ref]);
      const left = candidates.value;
      const sure = left.length === 1 && !missing(left[0], here.value);
      if (sure && setting("send") === "at_once") give(left[0]).catch(() => {});
    } else if (now.includes(ref)) {
      const at = now.indexOf(ref);
      settle(candidates.value[0]?.ordered ? now.slice(0, at) : now.filter((each) => each !== ref));
    } else return false;
    return true;
  }

  const insist = (item) => item.grave && setting("confirm") !== "off";

  /** Give the command of *item*; a grave one is asked for first. */
  async function give(item, sure = false) {
    const always = setting("confirm") === "always";
    if (!sure && (insist(item) || always)) {
      asked.value = item;
      return;
    }
    // The button goes at once: who uses the keyboard goes on from what is asked next.
    if (document.activeElement?.closest(".popover, .answers")) toAsk();
    try {
      if (!(await store.play(item.command, store.looking.value, { closing: item.bot_next }))) return;
      settle([]);
      given.value = item;
      if (document.activeElement === document.body) toAsk();
    } catch (problem) {
      asked.value = null;
      failure.value = problem;
      throw problem;
    }
  }

  /** The attributes of a button that shows *refs* as long as the mouse or the keyboard is on it. */
  function hint(refs) {
    const show = (what) => () => {
      shown.value = what;
    };
    return { onMouseEnter: show(refs), onMouseLeave: show([]), onFocus: show(refs), onBlur: show([]) };
  }

  /** The refs that are drawn otherwise than before the latest event. */
  const changed = signal(new Set());
  let before = null;
  const watch = effect(() => {
    const table = store.table.shown.value;
    if (!table || table === before?.table) return;
    const now = { table, looks: looks(table.panels), eyes: store.looking.peek(), seq: table.seq };
    const further = before && before.eyes === now.eyes && now.seq > before.seq;
    changed.value = further ? differing(before.looks, now.looks) : new Set();
    before = now;
  });

  /** Why a command did not arrive is of no interest any more when the service answers again. */
  const heard = effect(() => {
    if (store.connection.value === "live" && failure.peek()?.code === "unreachable") failure.value = null;
  });

  return {
    changed,
    close() {
      watch();
      heard();
    },
    chosen: here,
    candidates,
    lit,
    open,
    offered,
    lead,
    given,
    legal,
    placeless,
    asks,
    forced,
    anchor,
    stop,
    shown,
    pointed,
    hint,
    /** The mouse rests on *ref* of the board, or on nothing there. */
    point: (ref) => {
      pointed.value = open.value.has(ref) ? ref : null;
    },
    asked,
    failure,
    composed,
    press,
    give,
    clear: () => settle([]),
    /** Take up again what was pointed at before the page was left. */
    resume: () => settle(recall(keyOf(store), [])),
  };
}

const toAsk = () => document.getElementById("ask")?.focus({ preventScroll: true });

/** The attributes of what carries a ref: `...${mark("area:goa")}`. */
export function useMark() {
  const acting = useContext(Acting);
  return (ref) => {
    if (!ref) return {};
    const lit = acting?.lit.value.has(ref);
    const selected = acting?.chosen.value.includes(ref);
    const changed = acting?.changed?.value.has(ref);
    const open = lit || selected;
    const free = !open && acting?.open?.value.has(ref);
    return {
      "data-ref": ref,
      "data-lit": lit ? "" : undefined,
      "data-selected": selected ? "" : undefined,
      "data-free": free ? "" : undefined,
      "data-changed": changed ? "" : undefined,
      "data-hinted": acting?.shown.value.includes(ref) ? "" : undefined,
      role: open ? "button" : undefined,
      tabindex: open ? (acting.stop.value === ref ? 0 : -1) : undefined,
      "aria-pressed": open ? String(Boolean(selected)) : undefined,
    };
  };
}
