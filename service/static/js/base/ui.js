// What every component needs: markup without a build step (htm), hooks, signals.
import { h } from "../../vendor/preact.js";
import { useEffect, useState } from "../../vendor/preact-hooks.js";
import htm from "../../vendor/htm.js";
import { speech } from "./text.js";

export { Fragment, createContext, render } from "../../vendor/preact.js";
export {
  useContext,
  useEffect,
  useErrorBoundary,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "../../vendor/preact-hooks.js";
export { batch, computed, effect, signal } from "../../vendor/signals.js";

const draw = htm.bind(h);

/** What a template draws, in the language of the reader. */
export const html = (strings, ...values) =>
  speech.markup ? draw(...speech.markup(strings, values)) : draw(strings, ...values);

/** Class names from what is true: `classes("a", open && "open")`. */
export function classes(...names) {
  return names.filter(Boolean).join(" ");
}

/** The rule that a refusal rests on, where it is known: a link to its clause. */
export function Clause({ href }) {
  if (!href) return null;
  return html`<a class="clause" href=${href} target="_blank" rel="noopener">${href.split("#")[1]}</a>`;
}

/** A component that is fetched when it is first *wanted*; null until it is here. */
export function useLate(wanted, fetched) {
  const [found, setFound] = useState(null);
  useEffect(() => void (wanted && !found && fetched().then((component) => setFound(() => component))), [Boolean(wanted)]);
  return found;
}
