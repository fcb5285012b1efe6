// The talk at a table: what was said, and what I say, to everybody or to some seats alone.
import { get } from "../base/api.js";
import { complain } from "../base/notices.js";
import { Badge } from "../board/seats.js";
import { Speech } from "./said.js";
import { keyed, tr } from "../base/text.js";
import { classes, html, useEffect, useLayoutEffect, useRef, useState } from "../base/ui.js";
import { clock, seatName, sitter } from "../base/words.js";

const LONGEST = 500; // characters of a message
const NEAR_END = 40; // pixels from the end that still count as "at the end"
const MANNERS = {
  all: keyed("Players speak to all, or whisper."),
  public: keyed("Players speak to all. Nobody can whisper."),
  phrases: keyed("Players use only the phrases of this title."),
  none: keyed("Nobody can talk at this table."),
};

export function Talk({ store }) {
  const { talk } = store;
  const messages = store.curtain.value === null ? talk.messages.value : [];
  const list = useRef(null);
  const follow = useRef(true);
  useLayoutEffect(() => {
    if (follow.current) list.current.scrollTop = list.current.scrollHeight;
  }, [messages.length]);
  useEffect(() => {
    const look = () => document.hidden || talk.seen();
    look();
    document.addEventListener("visibilitychange", look);
    return () => document.removeEventListener("visibilitychange", look);
  }, [messages.length]);
  const scrolled = ({ currentTarget: box }) => {
    follow.current = box.scrollHeight - box.scrollTop - box.clientHeight < NEAR_END;
  };
  return html`<section class="history talk" data-part="talk" aria-labelledby="talk-heading">
    <header class="history-head"><h2 id="talk-heading">Talk</h2></header>
    <div class="lines scrolls" ref=${list} tabindex="0" role="log" aria-label="Messages" onScroll=${scrolled}>
      <p class="hint">${tr(MANNERS[talk.manner.value] ?? "…")} ${talk.manner.value !== "none" && tr("Everyone who may see the game reads what is said to all.")}</p>
      <ol>${messages.map((message) => html`<${Message} key=${message.n} store=${store} message=${message}/>`)}</ol>
    </div>
    <${Composer} key=${store.looking.value} store=${store}/>
  </section>`;
}

/** One message, the way to the event at which it was said, and what I may do about it. */
function Message({ store, message }) {
  const { talk, table } = store;
  const account = store.seats.value[message.seat]?.account;
  return html`<li class=${classes("message", message.to && "whisper", message.you && "mine")} data-part="message" data-n=${message.n}>
    <p><${Speech} message=${message}/></p>
    <p class="message-foot"><button type="button" class="quiet-link" title="Show the board when this was said"
      onClick=${() => table.go(message.at_event)}>event ${message.at_event}</button>
      <time datetime=${message.at}>${clock(message.at)}</time>
      ${message.signed && html`<span class="hint" data-part="signed" title="Signed with the key of the seat">signed</span>`}
      <${Menu} talk=${talk} message=${message} account=${account} known=${store.mine.value.length > 0}/></p>
  </li>`;
}

function Menu({ talk, message, account, known }) {
  const { n, you, hidden } = message;
  const readable = hidden === undefined;
  const items = [
    you && readable && ["erase", tr("Erase"), () => talk.erase(n)],
    !you && known && account && hidden !== "muted" && ["mute", tr("Mute this player"), () => talk.mute(account)],
    !you && known && account && hidden === "muted" && ["unmute", tr("Stop muting"), () => talk.unmute(account)],
    !you && known && readable && ["report", tr("Report"), () => talk.report(n)],
  ].filter(Boolean);
  if (!items.length) return null;
  const press = (run) => (event) => {
    event.currentTarget.closest("details").open = false;
    run();
  };
  return html`<details class="menu"><summary aria-label="What to do with this message" title="More">⋯</summary>
    <span class="row">${items.map(([part, name, run]) => html`<button key=${part} type="button" class="quiet" data-part=${part}
      onClick=${press(run)}>${name}</button>`)}</span></details>`;
}

/** What I say, and to whom. */
function Composer({ store }) {
  const { talk } = store;
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const manner = talk.manner.value;
  const seat = talk.from.value;
  if (manner === null || manner === "none") return null;
  if (seat === null) return html`<p class="hint composer-none">Only players can talk. You can read.</p>`;
  if (!talk.open.value) return html`<p class="hint composer-none">The talk of this game is closed.</p>`;
  const send = async (content, sentence) => {
    if (busy) return false;
    setBusy(true);
    const done = await talk.say(content, sentence);
    setBusy(false);
    return done;
  };
  const submit = async (event) => {
    event.preventDefault();
    if (text.trim() && (await send({ text: text.trim() }))) setText("");
  };
  const whispers = talk.to.value.length > 0;
  return html`<form class="talk-form" onSubmit=${submit} aria-label="Say something">
    ${manner === "all" && html`<${Recipients} store=${store}/>`}
    ${manner !== "phrases" && html`<p class="row nowrap"><input name="message" maxlength=${LONGEST} autocomplete="off" value=${text}
      aria-label=${whispers ? tr("Your whisper") : tr("Your message")} placeholder=${whispers ? tr("Whisper …") : tr("Say to all …")}
      onInput=${(event) => setText(event.target.value)}/>
      <button class="primary" data-part="say" disabled=${busy || !text.trim()}>${whispers ? tr("Whisper") : tr("Say")}</button></p>`}
    <${Phrases} store=${store} send=${send} busy=${busy} open=${manner === "phrases"}/>
  </form>`;
}

/** Those who may be whispered to: people at the table. */
function Recipients({ store }) {
  const { talk } = store;
  const people = store.seats.value.filter((each) => !each.you && each.bot === undefined && !each.open && !each.vacant);
  if (!people.length) return null;
  const everybody = () => {
    talk.to.value = [];
  };
  return html`<p class="chips" role="group" aria-label="To">
    <button type="button" class="chip" data-part="to-all" aria-pressed=${String(!talk.to.value.length)} onClick=${everybody}>To all</button>
    ${people.map((each) => html`<button key=${each.seat} type="button" class="chip" data-part="recipient" data-seat=${each.seat}
      aria-pressed=${String(talk.to.value.includes(each.seat))} onClick=${() => talk.turnTo(each.seat)}
      title="Whisper to this player"><${Badge} seat=${each.seat}/> <bdi>${seatName(each)}</bdi></button>`)}</p>`;
}

/** The phrases of the title: one click, or a choice for each slot and then a click. */
function Phrases({ store, send, busy, open }) {
  const [offered, setOffered] = useState(null);
  const [shown, setShown] = useState(open);
  const [chosen, setChosen] = useState(null); // the phrase whose slots are being filled
  const game = store.game.value;
  useEffect(() => {
    if (shown && !offered) get(`titles/${game.title}/phrases`, { version: game.version }).then(setOffered, complain);
  }, [shown]);
  const press = (phrase) => {
    if (Object.keys(phrase.slots).length) setChosen(phrase);
    else void send({ phrase: phrase.id }, phrase.text);
  };
  const words = (phrase) => tr(phrase.text).replace(/\{\w+\}/g, "…");
  return html`<details class=${classes("more phrases", open && "alone")} open=${shown} onToggle=${(event) => setShown(event.currentTarget.open)}>
    <summary>Phrases</summary>
    <div class="phrase-box">${
      chosen
        ? html`<${Slots} key=${chosen.id} store=${store} phrase=${chosen} areas=${offered.areas} busy=${busy}
            onSay=${async (slots) => (await send({ phrase: chosen.id, slots }, filledIn(store, chosen, slots, offered.areas))) && setChosen(null)} onBack=${() => setChosen(null)}/>`
        : html`<div class="phrase-list">${(offered?.phrases ?? []).map((phrase) => html`<button key=${phrase.id} type="button" class="chip"
            data-part="phrase" data-phrase=${phrase.id} disabled=${busy} onClick=${() => press(phrase)}>${words(phrase)}</button>`)}</div>`
    }</div>
  </details>`;
}

/** The sentence of a phrase with its slots filled, as the server writes it. */
function filledIn(store, phrase, slots, areas) {
  return phrase.text.replace(/\{(\w+)\}/g, (_, name) =>
    phrase.slots[name] === "seat" ? (store.seats.value[slots[name]].plain ?? store.seats.value[slots[name]].label) : areas[slots[name]],
  );
}

/** A phrase with a choice in the place of each slot. */
function Slots({ store, phrase, areas, busy, onSay, onBack }) {
  const others = store.seats.value.filter((seat) => seat.seat !== store.talk.from.value);
  const choices = {
    seat: others.map((seat) => [seat.seat, called(seat)]),
    area: Object.entries(areas).map(([area, name]) => [area, tr(name)]).sort((one, other) => one[1].localeCompare(other[1])),
  };
  const [filled, setFilled] = useState(() =>
    Object.fromEntries(Object.entries(phrase.slots).map(([name, kind]) => [name, choices[kind][0]?.[0]])),
  );
  const choose = (name, kind) => (event) => {
    const value = event.target.value;
    setFilled({ ...filled, [name]: kind === "seat" ? Number(value) : value });
  };
  const parts = tr(phrase.text).split(/\{(\w+)\}/);
  return html`<p class="row slots" data-part="slots">${parts.map((part, index) => {
    if (index % 2 === 0) return part && html`<span key=${index}>${part}</span>`;
    const kind = phrase.slots[part];
    return html`<select key=${index} name=${part} aria-label=${kind === "seat" ? tr("Player") : tr("Area")} value=${filled[part]}
      onChange=${choose(part, kind)}>${choices[kind].map(([value, name]) => html`<option key=${value} value=${value}>${name}</option>`)}</select>`;
  })} <button type="button" class="primary" data-part="say-phrase" disabled=${busy} onClick=${() => onSay(filled)}>Say</button>
    <button type="button" onClick=${onBack}>Other phrases</button></p>`;
}

/** What a seat is called in a list: `Portugal (Ana)`, or who sits there alone. */
function called(seat) {
  const [label, who] = [seatName(seat), sitter(seat)];
  return label.toLowerCase() === who.toLowerCase() ? label : `${label} (${who})`;
}
