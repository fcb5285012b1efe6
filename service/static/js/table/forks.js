// Forks: analysis games from an event of this one, and the way back to where such a game left its source.
import { account, ensureAccount } from "../account/account.js";
import { del, get } from "../base/api.js";
import { complain } from "../base/notices.js";
import { postKept } from "../proof/receipts.js";
import { go } from "../base/router.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { ago } from "../base/words.js";

/** A new analysis game from the event looked at. */
export function Analyse({ store }) {
  const [busy, setBusy] = useState(false);
  const analyse = async () => {
    if (busy || !(await ensureAccount())) return;
    setBusy(true);
    try {
      const fork = await postKept(`${store.path}/forks`, { at: store.table.wanted.value });
      go(`/g/${fork.id}`);
    } catch (problem) {
      complain(problem);
    } finally {
      setBusy(false);
    }
  };
  return html`<button type="button" class="analyse" disabled=${busy} onClick=${analyse}
    title="Start an analysis game of your own from this event">Analyse<span
    class="spare"> from here</span></button>`;
}

/** From which event of which game *game* was taken, as a way there. */
export function Source({ game }) {
  const { origin } = game;
  if (!origin) return null;
  return html`<a class="source" data-part="source" href=${`/g/${origin.game}?at=${origin.seq}`}
    title="Back to the event where this fork starts">from event ${origin.seq}</a>`;
}

/** Your forks of this game, oldest event first, each with its name. */
export function Forks({ store }) {
  const [found, setFound] = useState(null);
  const me = account.value?.id;
  useEffect(() => {
    if (me) forksOf(store.id).then(setFound, complain);
    else setFound([]);
  }, [me, store.id]);
  if (!found?.length) return null;
  const remove = (fork) => async () => {
    await del(`games/${fork.id}`).then(() => setFound(found.filter((each) => each !== fork)), complain);
  };
  return html`<section class="forks" data-part="forks" aria-labelledby="forks-heading">
    <h2 id="forks-heading">My forks</h2>
    <ul>${found.map((fork) => html`<${Fork} key=${fork.id} fork=${fork} remove=${remove(fork)}/>`)}</ul></section>`;
}

function Fork({ fork, remove }) {
  const [sure, setSure] = useState(false);
  return html`<li class="row"><a href=${`/g/${fork.id}`}>From event ${fork.origin.seq}</a>
    ${fork.called && html`<b>${fork.called}</b>`}<span class="hint">${tr(fork.status)} · ${ago(fork.created_at)}</span>
    ${sure
      ? html`<span>Delete this fork? This cannot be undone.</span><button type="button" class="danger" onClick=${remove}>Yes</button>
        <button type="button" onClick=${() => setSure(false)}>No</button>`
      : html`<button type="button" class="quiet" onClick=${() => setSure(true)}>Delete</button>`}</li>`;
}

async function forksOf(id) {
  const { games } = await get("games", { mine: true, forked_from: id, limit: 100 });
  games.sort((one, other) => one.origin.seq - other.origin.seq);
  return Promise.all(games.map(async (fork) => ({ ...fork, called: await nameOf(fork.id) })));
}

/** The name of a fork: the first line of the note to it as a whole. */
async function nameOf(id) {
  const { notes } = await get(`games/${id}/notes`);
  return notes.find((note) => note.event === null)?.text.split("\n")[0];
}
