// What is read in full: a card or a player on whom somebody clicked where a click means nothing else.
import { signal } from "../base/ui.js";

/** `{card}` or `{player}`, as the panels have them; null while nothing is read. */
export const reading = signal(null);

/** The handler of a click on what is drawn as *what*; things that are lit mean something else. */
export const reads = (what) => (event) => {
  if (!event.target.closest("a, button, [data-lit], [data-selected], [data-free]") && !String(getSelection()))
    reading.value = what;
};
