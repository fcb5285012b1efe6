// What the others did is drawn command by command, so that one can follow it; a key or a button leads to now.
import { signal } from "./ui.js";

const STEP = 700; // ms that a command stays before one's eyes
const MOST = 12; // commands: of more than these only the last are shown, for nobody waits a minute

/** Shows the events of a game at a human pace on *table*. */
export function openPace(table) {
  /** True while something is being shown that is over already. */
  const under = signal(false);
  let hurry = null;

  /** Show the table after each of the events *stops*; at once done where nobody looks or wishes it. */
  async function through(stops) {
    if (!stops.length || document.hidden || localStorage.getItem("rutter.pace") === "0") return;
    under.value = true;
    for (const seq of stops.slice(-MOST)) {
      if (!under.value || table.travelling.value) break;
      table.glance(seq);
      await new Promise((done) => {
        const timer = setTimeout(done, STEP);
        hurry = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    under.value = false;
  }

  /** Show what is now; answers whether anything was being shown. */
  function skip() {
    const shown = under.value;
    under.value = false;
    hurry?.();
    return shown;
  }

  return { under, through, skip };
}
