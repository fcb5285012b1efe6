// A first visit: every title a card, and one click to a table against bots.
import { fileOf } from "../base/files.js";
import { Learn } from "../titles/learn.js";
import { playAt } from "../titles/play.js";
import { measureOf, rulesOf, titles } from "../titles/titles.js";
import { tr } from "../base/text.js";
import { html, useState } from "../base/ui.js";

export function PlayNow() {
  const [busy, setBusy] = useState(false);
  const play = (title) => async () => {
    if (busy) return;
    setBusy(true);
    await playAt(title);
    setBusy(false);
  };
  return html`<section class="play-now" aria-labelledby="play-heading"><h2 id="play-heading">Play now against bots</h2>
    <ul class="title-list title-cards">${titles.value.map(
      (title) => html`<li key=${title.id} class="title-tile" data-title=${title.id}>
      ${title.picture && html`<img src=${fileOf(`boards/${title.id}.jpg`)} alt="" width="683" height="384" loading="lazy"
        onError=${(event) => event.target.remove()}/>`}
      <h3><a href=${`/titles/${title.id}`}>${title.name}</a></h3>
      ${title.about && html`<p>${title.about.sentence}</p>`}
      <p class="hint" data-part="measure">${measureOf(title)} · <a href=${rulesOf(title.id, title.version)}>rules</a></p>
      <button type="button" class="primary" disabled=${busy} data-part="play" aria-label=${tr("Play now: {name}", { name: title.name })}
        onClick=${play(title)}>Play now</button>
      <${Learn} title=${title}/></li>`,
    )}</ul></section>`;
}
