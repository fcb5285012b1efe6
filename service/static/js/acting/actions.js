// What the game waits for, and what I may do: the legal commands as buttons, and forms where no list can be complete.
import { Acting, fits, names } from "./acting.js";
import { get } from "../base/api.js";
import { Chairs, CoveredAnswer, Others, deadline } from "./bar.js";
import { CommandForm } from "../forms/command.js";
import { isBare } from "../forms/schema.js";
import { gather } from "../forms/suggest.js";
import { draftOf } from "./counter.js";
import { complain } from "../base/notices.js";
import { Sentence } from "../board/choice.js";
import { loadTitle } from "../titles/titles.js";
import { tr } from "../base/text.js";
import { Clause, classes, html, useContext, useEffect, useMemo, useRef, useState } from "../base/ui.js";
import { within, words } from "../base/words.js";

const MANY = 12; // more commands than this get a search
const AT_ONCE = 12; // buttons of a long group before "show all"

export function Actions({ store }) {
  const [title, setTitle] = useState(null);
  const { title: id, version } = store.game.value;
  useEffect(() => void loadTitle(id, version).then(setTitle, complain), [id, version]);
  const answer = store.decisions.value;
  const looking = store.looking.value;
  if (!answer) return html`<section class="actions"><h2>To do</h2><p class="hint">…</p></section>`;
  const mine = answer.decisions.filter((each) => each.seat === looking);
  const awaited = mine.filter((each) => !each.free);
  const travelling = store.table.travelling.value;
  return html`<section class=${classes("actions", awaited.length && "my-turn")} aria-labelledby="actions-heading">
    <h2 id="actions-heading">${awaited.length ? tr("Your move") : tr("To do")}</h2>
    <div role="status">
      ${awaited.map((each, index) => html`<p key=${index}
        class="decision mine"><strong>${each.ask}</strong>${deadline(each)}</p>`)}
      ${!awaited.length && html`<p class="decision"><${Others} answer=${answer} game=${store.game.value}/></p>`}
    </div>
    <p class="chips"><${Chairs} store=${store} answer=${answer}/> <${CoveredAnswer} store=${store}/></p>
    ${
      travelling
        ? html`<p class="hint">You are looking at an earlier event. To give a command, go back to <button
          type="button" class="quiet-link" onClick=${() => store.table.go(null)}>now</button>.</p>`
        : mine.length > 0 &&
          html`<${Commands} key=${looking} store=${store} title=${title} decisions=${mine} answer=${answer}/>`
    }
  </section>`;
}

function Commands({ store, title, decisions, answer }) {
  const [filter, setFilter] = useState("");
  const [failure, setFailure] = useState(null);
  const looking = store.looking.value;
  const acting = useContext(Acting);
  const mine = answer.legal.filter((item) => item.seat === undefined || item.seat === looking);
  const legal = mine.filter((item) => meant(item, acting));
  const busy = !store.answerable.value;

  async function give(item, event) {
    // The second click of a double click is meant for the button that was there before.
    if (event.detail > 1 || busy) return;
    setFailure(null);
    try {
      if (await store.play(item.command, looking, { closing: item.bot_next })) setFilter("");
    } catch (problem) {
      setFailure(problem);
      if (problem.code === "unreachable") complain(problem);
    }
  }

  // What I may do at any time (a gift) stands apart, so that it does not hide what I am asked.
  const asked = new Set(decisions.filter((each) => !each.free).flatMap((each) => each.commands));
  const many = legal.filter((item) => asked.has(item.command.type)).length;
  const wanted = filter.trim().toLowerCase();
  const found = wanted ? legal.filter((item) => item.label.toLowerCase().includes(wanted)) : legal;
  const [due, free] = [
    groups(found).filter((group) => asked.has(group.type)),
    groups(found).filter((group) => !asked.has(group.type)),
  ];
  return html`<div class="commands" aria-busy=${busy}>
    ${
      many > MANY &&
      html`<input type="search" class="command-filter" aria-label="Search the commands"
        placeholder=${tr("Search {many} commands", { many })}
      value=${filter} onInput=${(event) => setFilter(event.target.value)}/>`
    }
    ${failure && html`<p class="failure" role="alert">${failure.detail} <${Clause} href=${failure.clause}/></p>`}
    ${legal.length < mine.length && html`<p class="hint" data-part="narrowed">${legal.length} of ${mine.length} commands
      fit what you point at. Press Escape to show all.</p>`}
    ${due.map((group) => html`<${Group} key=${group.type} group=${group} give=${give} busy=${busy}/>`)}
    ${
      free.length > 0 &&
      html`<details class="more at-will" open=${wanted ? true : undefined}>
        <summary>At any time: ${free.map((group) => within(words(group.type))).join(", ")}</summary>
        ${free.map((group) => html`<${Group} key=${group.type} group=${group} give=${give} busy=${busy}/>`)}
      </details>`
    }
    ${wanted && !found.length && html`<p class="none">No command contains “${filter}”.</p>`}
    ${!answer.complete && title && html`<${Forms} store=${store} title=${title} decisions=${decisions} legal=${mine}
      busy=${busy}/>`}
  </div>`;
}

/** Whether *item* names what is chosen on the board, and what the mouse rests on there. */
function meant(item, acting) {
  const { chosen, pointed } = acting;
  return fits(item, chosen.value) && (!pointed.value || names(item, pointed.value));
}

/** The commands by type, in the order in which the types first come. */
function groups(legal) {
  const byType = new Map();
  for (const item of legal) byType.set(item.command.type, [...(byType.get(item.command.type) || []), item]);
  return [...byType].map(([type, items]) => ({ type, items }));
}

function Group({ group, give, busy }) {
  const [all, setAll] = useState(false);
  const { hint } = useContext(Acting);
  const { type, items } = group;
  const drawn = all || items.length <= AT_ONCE + 4 ? items : items.slice(0, AT_ONCE);
  return html`<section class=${classes("command-group", items.length === 1 && "single")} aria-label=${words(type)}>
    ${items.length > 1 && html`<h3>${words(type)} <span class="hint">${items.length}</span></h3>`}
    <ul>${drawn.map(
      (item) => html`<li key=${JSON.stringify(item.command)}><button type="button" class="command" data-command=${type}
      disabled=${busy} onClick=${(event) => give(item, event)} ...${hint(item.refs.flat())}><${Sentence} item=${item}/></button></li>`,
    )}</ul>
    ${drawn.length < items.length && html`<button type="button" class="quiet-link"
      onClick=${() => setAll(true)}>Show all ${items.length}</button>`}
  </section>`;
}

/** Forms for the command types of my decisions that take something, one open at a time. */
function Forms({ store, title, decisions, legal, busy }) {
  const types = [...new Set(decisions.flatMap((each) => each.commands))].filter(
    (type) => title.commands[type] && !isBare(title.commands[type]),
  );
  const { composed } = useContext(Acting);
  const [filled, setFilled] = useState(0); // how many forms were filled from the board
  const [open, setOpen] = useState(null);
  const box = useRef(null);
  // A form that was filled from the board is opened, and one goes on there.
  useEffect(() => {
    if (!composed.value) return;
    setOpen(composed.value);
    setFilled((before) => before + 1);
    composed.value = null;
  }, [composed.value]);
  useEffect(() => void (filled && box.current?.querySelector("form input, form button")?.focus()), [filled]);
  const [view, setView] = useState(null);
  const seq = store.last.value;
  // A refresh does not tell the view: only who composes a command needs it.
  useEffect(() => void get(store.path, { seat: store.looking.value }).then((game) => setView(game.view), complain), [seq]);
  const seat = store.looking.value;
  const known = useMemo(
    () => gather({ board: title.board, view: view || {}, legal, seats: store.seats.value, seat }),
    [title, view, legal, seat],
  );
  if (!types.length) return null;
  const shown = types.length === 1 ? types[0] : open;
  const send = (command) => store.play(command, seat);
  return html`<section class="compose" ref=${box} aria-labelledby="compose-heading">
    <h3 id="compose-heading">Compose your own</h3>
    <p class="hint">The list cannot show every possible command. Compose one here:</p>
    ${types.map(
      (type) => html`<details key=${type} class="composer" open=${type === shown}>
      <summary onClick=${(event) => {
        event.preventDefault();
        setOpen(type === shown ? null : type);
      }}>${words(type)}</summary>
      ${type === shown && html`<${CommandForm} key=${filled} type=${type} schema=${title.commands[type]} known=${known} send=${send}
        draft=${draftOf(store, type)} busy=${busy}/>`}
    </details>`,
    )}
  </section>`;
}
