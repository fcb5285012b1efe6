// All that is lit is one stop of the Tab key; from there arrows lead to the next one by where it lies.
import { useLayoutEffect } from "../base/ui.js";

export const OPEN = "[data-lit], [data-selected]";
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 2; // what lies aside of the way counts as that much further

const visible = (element) => element.getClientRects().length > 0;

/** Keep one of what is drawn and lit the stop of the Tab key. */
export function useStop(acting) {
  const { lit, chosen, stop } = acting;
  useLayoutEffect(() => {
    const there = [...document.querySelectorAll(OPEN)].filter(visible);
    if (!there.some((each) => each.dataset.ref === stop.value)) stop.value = there[0]?.dataset.ref ?? null;
  });
  return [lit.value, chosen.value];
}

/** Go from *element* to the nearest lit thing in the direction of *key*; whether there was one. */
export function wander(element, key) {
  const way = WAYS[key];
  const here = element.closest(OPEN);
  if (!way || !here) return false;
  const from = middle(here);
  const far = (each) => {
    const [x, y] = middle(each).map((value, axis) => value - from[axis]);
    const along = x * way[0] + y * way[1];
    return along > 1 ? along + ASIDE * Math.abs(x * way[1] + y * way[0]) : Infinity;
  };
  const [next] = [...document.querySelectorAll(OPEN)]
    .filter(visible)
    .map((each) => ({ each, distance: far(each) }))
    .filter(({ distance }) => distance < Infinity)
    .sort((one, other) => one.distance - other.distance);
  next?.each.focus();
  return true;
}

function middle(element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [(left + right) / 2, (top + bottom) / 2];
}
