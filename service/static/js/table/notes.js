// One's own notes beside a game: to the game as a whole and to its events. Nobody else ever sees them.
import { account, ensureAccount } from "../account/account.js";
import { call, get } from "../base/api.js";
import { complain, say } from "../base/notices.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";

const LONGEST = 4000; // characters of a note

export function Notes({ store }) {
  const [kept, setKept] = useState(null);
  const path = `${store.path}/notes`;
  const me = account.value?.id;
  useEffect(() => {
    if (me) get(path).then(setKept, complain);
    else setKept({ version: 0, notes: [] });
  }, [me, path]);
  if (!kept) return html`<div class="tab-page notes"><p class="hint">…</p></div>`;

  async function write(event, text) {
    if (!(await ensureAccount())) return;
    const others = kept.notes.filter((note) => note.event !== event);
    const notes = text.trim() ? [...others, { event, text: text.trim() }] : others;
    try {
      // Who has written from another device meanwhile is not overwritten.
      setKept(await call("PUT", path, { body: { notes }, headers: { "If-Match": `"${kept.version}"` } }));
      say(tr("Note saved."));
    } catch (problem) {
      complain(problem);
      if (problem.status === 412) get(path).then(setKept, complain);
    }
  }
  const of = (event) => kept.notes.find((note) => note.event === event)?.text ?? "";
  const here = store.table.wanted.value;
  const others = kept.notes.filter((note) => note.event !== null && note.event !== here);
  return html`<div class="tab-page notes">
    <p class="hint">Only you can see your notes. They are not part of the game's log.</p>
    <${Note} key=${`game ${kept.version}`} label="Note on the game" text=${of(null)} onKeep=${(text) => write(null, text)}/>
    <${Note} key=${`${here} ${kept.version}`} label=${tr("Note on event {here}", { here })} text=${of(here)} onKeep=${(text) => write(here, text)}/>
    ${others.length > 0 && html`<ul class="noted">${[...others].sort((one, other) => one.event - other.event).map(
      (note) => html`<li key=${note.event}><button type="button" class="quiet-link"
        onClick=${() => store.table.go(note.event)}>Event ${note.event}</button> <bdi>${note.text}</bdi></li>`,
    )}</ul>`}
  </div>`;
}

function Note({ label, text, onKeep }) {
  const [value, setValue] = useState(text);
  const submit = (event) => {
    event.preventDefault();
    onKeep(value);
  };
  return html`<form onSubmit=${submit} aria-label=${label}><label class="field"><span>${label}</span>
    <textarea rows="4" maxlength=${LONGEST} value=${value} onInput=${(event) => setValue(event.target.value)}></textarea></label>
    <p class="row"><button disabled=${value.trim() === text}>Save</button></p></form>`;
}
