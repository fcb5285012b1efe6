// What was said at a table, in one line: in the talk itself, in its strip, and in the log beside the event.
import { Badge, Seats } from "../board/seats.js";
import { keyed, tr } from "../base/text.js";
import { html, useContext } from "../base/ui.js";
import { between, isolated, seatName, sitter } from "../base/words.js";

const HIDDEN = { erased: keyed("(erased)"), muted: keyed("(muted)") };

/** Who is meant by a seat of the talk: the person where one sits there, else what they play. */
function Speaker({ seat }) {
  const found = useContext(Seats).find((each) => each.seat === seat) ?? { seat, label: "" };
  const who = found.name ?? (found.you ? sitter(found) : seatName(found));
  return html`<span class="speaker"><${Badge} seat=${seat}/> <bdi>${who}</bdi></span>`;
}

/** A message: `Ana whispers to Bo: …`. Its words are text and nothing else, whatever they look like. */
export function Speech({ message }) {
  const { seat, to, text, hidden } = message;
  const mark = between(to?.length ?? 0);
  const seats = useContext(Seats);
  const words = text === null ? tr(HIDDEN[hidden]) : html`<bdi class="words">${message.phrase ? named(text, seats) : text}</bdi>`;
  return html`<b><${Speaker} seat=${seat}/></b>${
    to && html`${tr(" whispers to ")}${to.map((each, index) => html`<span key=${each}>${mark(index)}<${Speaker} seat=${each}/></span>`)}`
  }${words ? html`: ${words}` : "."}`;
}

/** The text of a phrase with the people in it by name, where it has only the numbers of seats. */
function named(text, seats) {
  return text.replace(/\bSeat (\d+)\b/g, (words, number) => {
    const seat = seats.find((each) => each.seat === Number(number));
    return seat ? isolated(seatName({ ...seat, you: false })) : words;
  });
}

/** The newest message, and how many are unread: the way to the talk. */
export function TalkStrip({ store, onOpen }) {
  const { talk } = store;
  const newest = talk.messages.value.filter((each) => each.hidden !== "muted").at(-1);
  if (!newest || store.curtain.value !== null) return null;
  const unread = talk.unread.value;
  return html`<button type="button" class="talk-strip" data-part="talk-strip" data-unread=${unread} onClick=${onOpen}
    title="Open the talk"><span class="talk-newest"><${Speech} message=${newest}/></span>${unread > 0 && html` <b class="count">${unread}</b>`}</button>`;
}

/**
 * By the first event of a command what was said after it and before the next one; nothing that was said later than
 * event *until*.
 */
export function saidAt(messages, commands, until = Infinity) {
  const found = new Map();
  for (const message of messages) {
    if (message.at_event > until || message.hidden === "muted") continue;
    const block = commands.findLast((each) => each.seq <= message.at_event);
    if (block) found.set(block.seq, [...(found.get(block.seq) ?? []), message]);
  }
  return found;
}
