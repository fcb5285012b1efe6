// Asking the service again, never twice at a time.

const PAUSE = 250; // ms between two rounds while news pour in

/**
 * A function that has *round* done: calls while one is under way are answered by one more round.
 * *over*: whether nobody wants any more.
 */
export function again(round, over) {
  let wanted = false;
  let running = null;
  async function rounds() {
    while (wanted && !over()) {
      wanted = false;
      await round();
      if (wanted) await new Promise((done) => setTimeout(done, PAUSE));
    }
    running = null; // in the same breath as the last look at `wanted`: no call may fall between
  }
  return () => {
    wanted = true;
    running ??= rounds();
    return running;
  };
}
