// A first visit: every title a card, and one click to a table against bots.
import { ensureAccount } from "../account/account.js";
import { fileOf } from "../base/files.js";
import { complain } from "../base/notices.js";
import { makeGame } from "../proof/contribution.js";
import { go } from "../base/router.js";
import { measureOf, rulesOf, titles, usualBot } from "../titles/titles.js";
import { html, useState } from "../base/ui.js";

const AT_TABLE = 3;

export function PlayNow() {
  const [busy, setBusy] = useState(false);
  const play = (title) => async () => {
    if (busy || !(await ensureAccount())) return;
    setBusy(true);
    try {
      go(`/g/${(await makeGame({ title: title.id, seats: seatsOf(title) })).id}`);
    } catch (problem) {
      complain(problem);
      setBusy(false);
    }
  };
  return html`<section class="play-now" aria-labelledby="play-heading"><h2 id="play-heading">Play now against bots</h2>
    <ul class="title-list title-cards">${titles.value.map(
      (title) => html`<li key=${title.id} class="title-tile" data-title=${title.id}>
      <img src=${fileOf(`boards/${title.id}.jpg`)} alt="" width="683" height="384" loading="lazy"
        onError=${(event) => event.target.remove()}/>
      <h3><a href=${`/titles/${title.id}`}>${title.name}</a></h3>
      ${title.about && html`<p>${title.about.sentence}</p>`}
      <p class="hint" data-part="measure">${measureOf(title)} · <a href=${rulesOf(title.id, title.version)}>rules</a></p>
      <button type="button" class="primary" disabled=${busy} data-part="play" aria-label=${`Play now: ${title.name}`}
        onClick=${play(title)}>Play now</button></li>`,
    )}</ul></section>`;
}

/** I and as many bots as make a usual table. */
function seatsOf(title) {
  const number = Math.min(title.seats.max, Math.max(title.seats.min, AT_TABLE));
  const bot = usualBot(title);
  return Array.from({ length: number }, (_, seat) => (seat ? { bot } : { you: true }));
}
