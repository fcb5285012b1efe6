// What one passes on of a game: addresses of a moment, a frame for another page, the file of the game, a picture.
import { request } from "../base/api.js";
import { Copy } from "../base/copy.js";
import { complain } from "../base/notices.js";
import { address } from "../base/router.js";
import { save } from "../base/save.js";
import { html } from "../base/ui.js";
import { titleName } from "../titles/titles.js";
import { AuditFile } from "./downloads.js";

const FRAME = 'width="800" height="600"';

export function ShareMenu({ store, game }) {
  const at = store.table.wanted.value;
  const eyes = store.looking.value;
  const here = (query, place = "/g") => `${location.origin}${address(`${place}/${game.id}`, query)}`;
  const frame = `<iframe src="${here({ at }, "/embed/g")}" ${FRAME} title="${titleName(game.title)} on Rutter"></iframe>`;
  const secret = typeof eyes === "number" || eyes === "all";
  return html`<div class="share-menu" role="group" aria-label="Share this game" data-part="share-menu">
    ${game.visibility === "private" && html`<p class="hint">This game is private: only players and invited people can open these links.</p>`}
    <ul>
      <li><${Copy} text=${here({ at })} part="share-event">Link to event ${at}<//></li>
      <li><${Copy} text=${here({ at, seat: eyes })} part="share-eyes">Link through these eyes<//>${secret && game.status !== "finished" && html`<p
        class="hint">Before the end, others see the public view there.</p>`}</li>
      <li><${Copy} text=${here({ replay: 1 })} part="share-replay">Replay without the end<//></li>
      ${game.visibility !== "private" && html`<li><${Copy} text=${frame} part="share-embed">Embed code<//></li>`}
      <li><${AuditFile} store=${store} game=${game}/></li>
      <li><button type="button" class="quiet-link" data-part="share-picture" onClick=${() => savePicture(game).catch(complain)}>Picture
        of the board now, public view</button></li>
    </ul></div>`;
}

/** Have the board, as spectators see it now, saved as a PNG. */
async function savePicture(game) {
  const { bytes } = await request("GET", `/g/${game.id}/picture.svg`, { headers: { Accept: "image/svg+xml" } });
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new TextDecoder().decode(bytes))}`;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  const picture = await new Promise((drawn) => canvas.toBlob(drawn, "image/png"));
  save(picture, `${game.title}-${game.id.slice(0, 8)}.png`);
}
