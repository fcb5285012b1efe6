// A guided first turn: one step after the other, and nothing is lit but what the step asks for.
import { get } from "../base/api.js";
import { keep, recall } from "../base/kept.js";
import { complain } from "../base/notices.js";
import { go } from "../base/router.js";
import { playAt, playNow } from "./play.js";
import { tr } from "../base/text.js";
import { loadTitles, rulesOf } from "./titles.js";
import { Clause, html, useEffect, useLayoutEffect, useMemo, useState } from "../base/ui.js";

const KEEP = "rutter.lesson"; // the game of the lesson begun last, and how many of its steps are done
const SEED = "1e"; // a game with a seed waits for nobody's contribution

const lessonOf = (id) => get(`titles/${encodeURIComponent(id)}/lesson`);

/** Begin the guided first turn of *title* in a game of its own, and go there. */
export async function beginLesson(title) {
  const { version, seats, position } = await lessonOf(title.id);
  const game = await playNow(title, { seats, version, position, seed: SEED });
  if (!game) return;
  keep(KEEP, { game, at: 0 }, localStorage);
  go(`/g/${game}`);
}

/** Whether *told* has all that *wanted* has. */
function has(told, wanted) {
  if (!wanted || typeof wanted !== "object" || Array.isArray(wanted)) return JSON.stringify(told) === JSON.stringify(wanted);
  return Object.keys(wanted).every((name) => told && name in told && has(told[name], wanted[name]));
}

/** The step that the *items* allow: the next, an answer in between, or one that was taken back. */
function stepFor({ steps, asides }, at, items) {
  for (const step of [steps[at], ...asides, ...steps.slice(0, at).reverse()]) {
    const item = items.find((each) => has(each.command, step.command));
    if (item) return { step, item };
  }
  return null;
}

/** The step of the guided turn that is due in *game*. */
export function Lesson({ store, acting, game }) {
  const [lesson, setLesson] = useState(null);
  const [at, setAt] = useState(recall(KEEP, null, localStorage)?.at ?? 0);
  useEffect(() => void lessonOf(game.title).then(setLesson, complain), [game.title]);
  const over = lesson && at >= lesson.steps.length;
  const leads = lesson && !over;
  const now = useMemo(() => leads && stepFor(lesson, at, acting.offered.value), [lesson, at, acting.offered.value]);
  useLayoutEffect(() => {
    acting.lead.value = leads ? (items) => narrowed(stepFor(lesson, at, items), items) : null;
    return () => void (acting.lead.value = null);
  }, [lesson, at]);
  const given = acting.given.value;
  useEffect(() => {
    if (!given || !leads || !has(given.command, lesson.steps[at].command)) return;
    keep(KEEP, { game: game.id, at: at + 1 }, localStorage);
    setAt(at + 1);
  }, [given]);
  if (!lesson) return null;
  if (over) return html`<${End} game=${game}/>`;
  const asked = acting.offered.value.length > 0 && store.awaited.value.includes(store.looking.value);
  const text = now ? now.step.text : asked ? tr("Answer this as you like: the next step follows.") : tr("Now the others move.");
  return html`<aside class="guide" data-part="lesson" data-step=${at + 1} aria-label="A guided first turn">
    <p tabindex="0" role="status">${text} ${now?.step.clause && html`<${Clause}
      href=${`${rulesOf(game.title, game.version)}#${now.step.clause}`}/>`}</p>
    <div><span class="hint">Step ${at + 1} of ${lesson.steps.length}</span></div></aside>`;
}

const narrowed = (found, items) => (found ? [found.item] : items);

function End({ game }) {
  const [busy, setBusy] = useState(false);
  const play = async () => {
    setBusy(true);
    await loadTitles()
      .then((all) => playAt(all.find((each) => each.id === game.title)))
      .catch(complain);
    setBusy(false);
  };
  return html`<aside class="guide" data-part="lesson" data-step="end" aria-label="A guided first turn">
    <p tabindex="0" role="status">You have played your first turn. Go on here as you like, or begin a game of your own.</p>
    <div><button type="button" class="primary" data-part="real" disabled=${busy} onClick=${play}>Play a real game</button></div>
  </aside>`;
}
