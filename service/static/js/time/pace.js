// What the others did is drawn command by command, so that one can follow it; a key or a button leads to now.
import { setting } from "../base/settings.js";
import { effect, signal } from "../base/ui.js";

const STEPS = { usual: 700, slow: 1500, quick: 300, 0: 0 }; // ms that a command stays before one's eyes
const step = () => STEPS[setting("pace")];
const PATIENCE = 2000; // ms that one waits for the table after it
const MOST = 12; // commands: of more than these only the last are shown, for nobody waits a minute

const after = (ms) => new Promise((done) => setTimeout(done, ms));

/** Wait until *table* shows what was so after event *seq*: not for ever, and not for a reader who hurries. */
async function drawn(table, seq, hurried) {
  let leave = null;
  const there = new Promise((done) => {
    leave = effect(() => {
      if (table.shown.value?.seq === seq) done();
    });
  });
  await Promise.race([hurried, there, after(PATIENCE)]);
  leave();
}

/** Shows the events of a game at a human pace on *table*. */
export function openPace(table) {
  /** True while something is being shown that is over already. */
  const under = signal(false);
  let hurry = null;

  /** Show the table after each of the events *stops*; at once done where nobody looks or wishes it. */
  async function through(stops) {
    if (!stops.length || document.hidden || !step()) return;
    under.value = true;
    const hurried = new Promise((done) => {
      hurry = done;
    });
    for (const seq of stops.slice(-MOST)) {
      if (!under.value || table.travelling.value) break;
      table.glance(seq);
      await drawn(table, seq, hurried);
      await Promise.race([hurried, after(step())]);
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
