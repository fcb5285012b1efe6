// A first visit: every title a card, and one click to a table against bots.
import { ensureAccount } from "../account/account.js";
import { complain } from "../base/notices.js";
import { makeGame } from "../proof/contribution.js";
import { go } from "../base/router.js";
import { rulesOf, titles, usualBot } from "../titles/titles.js";
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
      (title) => html`<li key=${title.id} class="title-tile">
      <img src=${new URL(`../../boards/${title.id}.jpg`, import.meta.url).href} alt="" width="340" height="191" loading="lazy"
        onError=${(event) => event.target.remove()}/>
      <h3><a href=${`/titles/${title.id}`}>${title.name}</a></h3>
      <p class="hint">${title.seats.min}–${title.seats.max} players · <a href=${rulesOf(title.id, title.version)}>rules</a></p>
      <button type="button" class="primary" disabled=${busy} data-part="play" onClick=${play(title)}>Play now</button></li>`,
    )}</ul></section>`;
}

/** I and as many bots as make a usual table. */
function seatsOf(title) {
  const number = Math.min(title.seats.max, Math.max(title.seats.min, AT_TABLE));
  const bot = usualBot(title);
  return Array.from({ length: number }, (_, seat) => (seat ? { bot } : { you: true }));
}
