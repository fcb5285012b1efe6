// Live events. EventSource cannot send a token, so a stream is read with fetch and parsed here.
import { Problem } from "./problems.js";

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

/** The messages of a stream as they come, until it breaks off. */
async function* read({ answer, watch }) {
  const reader = answer.body.getReader();
  const decoder = new TextDecoder();
  let heard = [];
  const feed = sseParser((message) => heard.push(message));
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    watch.awake();
    feed(decoder.decode(value, { stream: true }));
    const messages = heard;
    heard = [];
    yield messages;
  }
}

/**
 * Every message of a stream, for as long as it takes: after each break it goes on behind the last id.
 *
 * *open*(last): connects, and answers what `Connection.send` does; a Problem that it throws ends the stream.
 * *pause*(failures): waits before the next attempt, unless *isOver*(). *onState* hears "live" and "reconnecting".
 */
export async function* listen({ open, pause, isOver, after = null, onState = () => {} }) {
  let last = after;
  for (let failures = 0; !isOver(); failures++) {
    let opened = null;
    try {
      opened = await open(last);
      onState("live");
      for await (const messages of read(opened)) {
        failures = 0;
        for (const message of messages) {
          last = message.id ?? last;
          yield message;
        }
      }
    } catch (error) {
      // No matter what broke it, the answer is the same: connect again, a little later each time.
      if (error instanceof Problem) throw error;
    } finally {
      opened?.watch.stop();
      opened?.watch.end();
    }
    if (isOver()) return;
    onState("reconnecting");
    await pause(failures);
  }
}
