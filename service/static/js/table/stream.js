// Live events. EventSource cannot send a token, so the stream is read with fetch and parsed here.
import { address, credentials } from "../base/api.js";

const SILENCE = 45_000; // the service sends a heartbeat far more often than this
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;

/** A parser of server-sent events: feed it text as it comes, it calls *onMessage* with {event, id, data}. */
export function sseParser(onMessage) {
  let rest = "";
  let lines = [];

  function dispatch() {
    const message = { event: "message", id: null, data: [] };
    for (const line of lines) {
      const colon = line.indexOf(":");
      if (colon === 0) continue; // a comment: the heartbeat
      const field = colon < 0 ? line : line.slice(0, colon);
      const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (field === "data") message.data.push(value);
      else if (field === "event") message.event = value;
      else if (field === "id") message.id = value;
    }
    lines = [];
    if (message.data.length) onMessage({ ...message, data: message.data.join("\n") });
  }

  return (text) => {
    const all = rest + text;
    // A carriage return at the very end may be half of a line end: wait for what follows.
    const complete = all.endsWith("\r") ? all.slice(0, -1) : all;
    const parts = complete.split(/\r\n|\n|\r/);
    rest = parts.pop() + all.slice(complete.length);
    for (const line of parts) {
      if (line === "") dispatch();
      else lines.push(line);
    }
  };
}

/**
 * Follow a stream for as long as it takes: after every break it goes on behind the last event seen.
 * *onState* hears "live", "reconnecting" or "off". Answers {stop, pause, resume}.
 */
export function follow({ path, query = {}, after, onEvent, onState }) {
  let lastId = after;
  let failures = 0;
  let controller = null;
  let timer = null;
  let running = true;

  async function listen() {
    timer = null;
    controller = new AbortController();
    const own = controller;
    let watchdog = null;
    const awake = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => own.abort(), SILENCE);
    };
    try {
      awake();
      const answer = await fetch(address(path, { ...query, after: lastId }), {
        signal: own.signal,
        cache: "no-store",
        headers: { Accept: "text/event-stream", "Last-Event-ID": String(lastId), ...credentials() },
      });
      if ([401, 403, 404, 410].includes(answer.status)) return finish();
      if (!answer.ok || !answer.body) throw new Error(`status ${answer.status}`);
      onState("live");
      const feed = sseParser((message) => {
        if (message.id !== null) lastId = Math.max(lastId, Number(message.id) || 0);
        onEvent(message);
      });
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        failures = 0;
        awake();
        feed(value);
      }
    } catch {
      // No matter what broke it, the answer is the same: connect again, a little later each time.
    } finally {
      clearTimeout(watchdog);
    }
    if (running && own === controller) again();
  }

  function again() {
    onState("reconnecting");
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures++);
    timer = setTimeout(listen, wait * (0.7 + 0.6 * Math.random()));
  }

  function finish() {
    running = false;
    onState("off");
  }

  function halt() {
    running = false;
    clearTimeout(timer);
    controller?.abort();
    controller = null;
  }

  function hurry() {
    if (!running || !timer) return;
    clearTimeout(timer);
    failures = 0;
    listen();
  }

  window.addEventListener("online", hurry);
  listen();
  return {
    stop() {
      window.removeEventListener("online", hurry);
      halt();
    },
    pause: halt,
    resume() {
      if (running) return;
      running = true;
      failures = 0;
      listen();
    },
  };
}
