// A new game: which title, who sits where, which options. After a game it can be the same again.
import { ensureAccount } from "../account/account.js";
import { get } from "../base/api.js";
import { Field } from "../forms/field.js";
import { blank, clean, follow } from "../forms/schema.js";
import { complain } from "../base/notices.js";
import { invite } from "./invitations.js";
import { makeGame } from "../proof/contribution.js";
import { go, route } from "../base/router.js";
import { Badge } from "../board/seats.js";
import { worded } from "./options.js";
import { loadTitle, loadTitles, measureOf, titles, usualBot } from "../titles/titles.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { count, TALK } from "../base/words.js";

const NO_HINTS = () => ({ chips: [], more: [] });

export function Create() {
  const { title: named, again } = route.value.query;
  const [chosen, setChosen] = useState(named || "");
  const [before, setBefore] = useState(null); // the game that is to be played again
  useEffect(() => {
    const like = again ? get(`games/${again}`) : Promise.resolve(null);
    like.then((game) => {
      setBefore(game);
      if (game) setChosen(game.title);
      return loadTitles().then((all) => setChosen((id) => id || all[0]?.id || ""));
    }).catch(complain);
  }, []);
  const title = titles.value.find((each) => each.id === chosen);
  return html`<div class="page create">
    <header class="page-head"><div><h1>A new game</h1><p
      class="lead">If no seat is open, the game begins at once.</p></div></header>
    <fieldset class="choice"><legend>Title</legend>
      <div class="title-cards">${titles.value.map(
        (each) => html`<label key=${each.id} class="title-card">
        <input type="radio" name="title" value=${each.id} checked=${each.id === chosen}
          onChange=${() => setChosen(each.id)}/>
        <span class="title-card-name">${each.name}</span>
        <span class="hint">${each.about && `${each.about.sentence} `}${measureOf(each)} · <a
          href=${`/titles/${each.id}`}>more</a></span>
      </label>`,
      )}</div>
    </fieldset>
    ${title && html`<${Seating} key=${`${title.id} ${before?.id}`} title=${title}
      before=${before?.title === title.id ? before : null}/>`}
  </div>`;
}

function defaultSeats(title, number) {
  const bot = usualBot(title);
  return Array.from({ length: number }, (_, seat) => (seat === 0 ? "you" : bot ? `bot ${bot}` : "open"));
}

/** Who sits where once more: I, the same bots, and the other players by invitation. */
const sameSeats = ({ seats }) => seats.map(({ you, bot }) => (you ? "you" : bot ? `bot ${bot}` : "invited"));

/** The seat of a create request that a choice stands for. */
function seatOf(choice) {
  if (choice.startsWith("bot ")) return { bot: choice.slice(4) };
  if (choice === "you") return { you: true };
  return choice === "invited" ? { invited: true } : { open: true };
}

/** How strong each chosen bot was at a table of this size. */
function Strength({ tables, sits }) {
  const bots = [...new Set(sits.filter((sitter) => sitter.startsWith("bot ")).map((sitter) => sitter.slice(4)))];
  if (!tables || !bots.length) return null;
  const levels = tables.find((table) => table.seats === sits.length)?.levels ?? [];
  return html`<ul class="hint" data-part="strength">${bots.map((bot) => {
    const level = levels.findLast((each) => each.name === bot);
    return html`<li key=${bot}><b>${bot}</b>: ${level?.sentence || tr("Not measured for {seats}.", { seats: count(sits.length, "seat") })}</li>`;
  })}</ul>`;
}

/** The seats and, once all that stands above it is known, the rest of the form: nothing is pushed down. */
function Seating({ title, before }) {
  const usual = Math.min(title.seats.max, Math.max(title.seats.min, 3));
  const [sits, setSits] = useState(() => (before ? sameSeats(before) : defaultSeats(title, usual)));
  const [options, setOptions] = useState(undefined);
  const [schema, setSchema] = useState(null);
  const [tables, setTables] = useState(null); // how strong the bots are, by the number of seats; false if nobody can say
  const [advanced, setAdvanced] = useState({ seed: "", position: "" });
  const [visibility, setVisibility] = useState(before?.visibility ?? "public");
  const [undo, setUndo] = useState(before?.undo ?? "own");
  const [talk, setTalk] = useState(before?.talk ?? "all");
  const [failure, setFailure] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(
    () =>
      void loadTitle(title.id).then((detail) => {
        const schema = worded(detail.options, detail.option_words);
        setSchema(schema);
        setOptions({ ...blank(schema, schema), ...before?.options });
      }).catch((problem) => {
        setSchema({});
        complain(problem);
      }),
    [],
  );
  useEffect(
    () =>
      void get(`titles/${encodeURIComponent(title.id)}/ladder`).then((ladder) => setTables(ladder.tables), (problem) => {
        setTables(false);
        complain(problem);
      }),
    [],
  );

  const resize = (number) => setSits(defaultSeats(title, number).map((sitter, seat) => sits[seat] ?? sitter));
  const place = (seat, sitter) => setSits(sits.map((old, index) => (index === seat ? sitter : old)));

  async function make(places) {
    if (busy) return;
    setFailure("");
    try {
      const body = {
        title: title.id,
        seats: places.map(seatOf),
        visibility,
        undo,
        talk,
        ...chosenOptions(schema, options),
        ...analysis(advanced),
      };
      if (!(await ensureAccount())) return;
      setBusy(true);
      const { id } = await makeGame(body);
      const guests = places.filter((sitter) => sitter === "invited").length;
      if (guests) await invite(id, guests).catch(() => {}); // on the page of the game it can be made as well
      go(`/g/${id}`);
    } catch (problem) {
      setFailure(problem.detail || problem.message);
    } finally {
      setBusy(false);
    }
  }

  const submit = (event) => {
    event.preventDefault();
    make(sits);
  };
  const withFriends = () => make(sits.map((sitter) => (sitter === "you" ? sitter : "invited")));

  const range = Array.from({ length: title.seats.max - title.seats.min + 1 }, (_, index) => title.seats.min + index);
  const hasOptions = schema && Object.keys(follow(schema, schema).properties || {}).length > 0;
  return html`<form class="seating" onSubmit=${submit}>
    <fieldset class="choice"><legend>Seats</legend>
      <p class="segments" role="group" aria-label="Number of seats">${range.map(
        (number) => html`<button key=${number} type="button"
        aria-pressed=${number === sits.length} onClick=${() => resize(number)}>${number}</button>`,
      )}</p>
      <ol class="places">${sits.map(
        (sitter, seat) => html`<li key=${seat}>
        <${Badge} seat=${seat}/>
        <select name=${`seat-${seat}`} aria-label=${tr("Seat {seat}", { seat })} value=${sitter}
          onChange=${(event) => place(seat, event.target.value)}>
          <option value="you">you</option>
          ${title.bots.map((bot) => html`<option key=${bot} value=${`bot ${bot}`}>bot ${bot}</option>`)}
          <option value="open">open to others</option>
          <option value="invited">by invitation</option>
        </select></li>`,
      )}</ol>
      <p class="hint">You can take several seats and switch between them. The bots random and steady answer at once. The bots
        brisk and strong play games out, which takes time: strong thinks for some seconds about each move.</p>
      <${Strength} tables=${tables} sits=${sits}/>
    </fieldset>
    ${schema && tables !== null && html`${
      hasOptions &&
      html`<fieldset class="choice options"><legend>Options</legend>
      <${Field} name="" schema=${schema} root=${schema} value=${options} onChange=${setOptions} hints=${NO_HINTS}
        path=${[]} seats=${[]}/>
    </fieldset>`
    }
    <label class="field"><span>Who may see it</span><select name="visibility" value=${visibility}
      onChange=${(event) => setVisibility(event.target.value)}>
      <option value="public">everybody</option>
      <option value="unlisted">anyone who knows its address</option>
      <option value="private">only players and invited people</option>
    </select></label>
    <label class="field"><span>Taking back</span><select name="undo" value=${undo}
      onChange=${(event) => setUndo(event.target.value)}>
      <option value="own">your own moves</option>
      <option value="ask">any moves, if all agree</option>
      <option value="none">nothing</option>
    </select></label>
    <label class="field"><span>Talk at the table</span><select name="talk" value=${talk}
      onChange=${(event) => setTalk(event.target.value)}>${Object.entries(TALK).map(
        ([manner, name]) => html`<option key=${manner} value=${manner}>${tr(name)}</option>`,
      )}</select></label>
    <details class="more"><summary>Analysis: start from a seed or a position</summary>
      <label class="field"><span>Seed</span><input name="seed" value=${advanced.seed} placeholder="hexadecimal"
        pattern="[0-9a-fA-F]*"
        onInput=${(event) => setAdvanced({ ...advanced, seed: event.target.value })}/></label>
      <label class="field"><span>Position</span><textarea name="position" rows="4" value=${advanced.position}
        placeholder="{ … } as JSON"
        onInput=${(event) => setAdvanced({ ...advanced, position: event.target.value })}></textarea></label>
    </details>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button class="primary large"
      disabled=${busy}>${sits.includes("open") || sits.includes("invited") ? tr("Open the game") : tr("Begin")}</button>
      ${!sits.includes("invited") && sits.includes("you") && sits.some((sitter) => sitter !== "you") && html`<button
        type="button" class="large" data-part="friends" disabled=${busy} onClick=${withFriends}>Invite friends instead</button>`}</p>`}
  </form>`;
}

function chosenOptions(schema, options) {
  if (!schema || options === undefined) return {};
  return { options: clean(schema, options, schema) };
}

function analysis({ seed, position }) {
  const body = {};
  if (seed.trim()) body.seed = seed.trim().toLowerCase();
  if (position.trim()) {
    try {
      body.position = JSON.parse(position);
    } catch {
      throw new Error(tr("The position is not valid JSON. Paste all of it, including the braces."));
    }
  }
  return body;
}
