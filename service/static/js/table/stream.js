// The live stream of a page: stopped, paused, and taken up again when the browser is back on line.
import { Problem, request } from "../base/api.js";
import { listen } from "../../client/streams.js";

const SILENCE = 45; // seconds; the server sends a heartbeat far more often than this
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
const FINAL = [401, 403, 404, 410];

/**
 * Follow a stream for as long as it takes: after every break it goes on behind the last event seen.
 * *onState* hears "live", "reconnecting" or "off". Answers {stop, pause, resume}.
 */
export function follow({ path, query = {}, after, onEvent, onState }) {
  let lastId = after;
  let controller = null;
  let hurry = () => {};

  async function run() {
    const own = (controller = new AbortController());
    const { signal } = own;
    const isOver = () => signal.aborted;
    const headers = (last) => ({ Accept: "text/event-stream", "Last-Event-ID": String(last) });
    const open = async (last) => {
      try {
        const options = { query: { ...query, after: last }, headers: headers(last), signal, silence: SILENCE, isOpen: true };
        return await request("GET", path, options);
      } catch (problem) {
        throw FINAL.includes(problem.status) ? problem : new Error(problem.message);
      }
    };
    const pause = (failures) =>
      new Promise((done) => {
        const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (0.7 + 0.6 * Math.random());
        const timer = setTimeout(done, wait);
        hurry = () => {
          clearTimeout(timer);
          done();
        };
      });
    try {
      for await (const message of listen({ open, pause, isOver, after: lastId, onState })) {
        if (isOver()) return;
        if (message.id !== null) lastId = Math.max(lastId, Number(message.id) || 0);
        try {
          onEvent(message);
        } catch (error) {
          reportError(error); // the messages after it are heard all the same
        }
      }
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      controller = null;
      onState("off");
    }
  }

  function halt() {
    controller?.abort();
    controller = null;
    hurry();
  }

  const online = () => hurry();
  window.addEventListener("online", online);
  void run();
  return {
    stop() {
      window.removeEventListener("online", online);
      halt();
    },
    pause: halt,
    resume() {
      if (!controller) void run();
    },
  };
}
