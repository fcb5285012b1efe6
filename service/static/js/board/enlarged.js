// A card or a player in full, large enough to be read: nothing of it is cut.
import { Clauses } from "../titles/clauses.js";
import { NameOf } from "./panels.js";
import { reading } from "./reading.js";
import { Badge, Seats } from "./seats.js";
import { tr } from "../base/text.js";
import { html, useContext, useEffect, useRef } from "../base/ui.js";
import { sitter } from "../base/words.js";

export function Enlarged() {
  const box = useRef(null);
  const what = reading.value;
  useEffect(() => {
    if (what && !box.current.open) box.current.showModal();
    if (!what && box.current.open) box.current.close();
  }, [what]);
  const leave = () => {
    reading.value = null;
  };
  return html`<dialog class="enlarged" data-part="enlarged" ref=${box} aria-label="In full" onClose=${leave}
    onClick=${(event) => event.target === box.current && leave()}>
    ${what?.card && html`<${CardInFull} item=${what.card}/>`}
    ${what?.cards && html`<h2>${what.title}</h2><div class="in-full">${what.cards.map((item, index) => html`<${CardInFull} key=${index}
      item=${item}/>`)}</div>`}
    ${what?.player && html`<${PlayerInFull} item=${what.player}/>`}
    <p class="row"><button type="button" class="primary" onClick=${leave}>Close</button></p>
  </dialog>`;
}

function CardInFull({ item }) {
  return html`<article class="full-card" style=${item.band ? { "--band": item.band } : {}}>
    ${item.kind && html`<p class="hint">${item.kind}</p>`}
    <h3>${item.name}${item.count > 1 && ` ×${item.count}`}</h3>
    ${item.text && html`<p class="full-text">${item.text}</p>`}
    ${item.coin !== undefined && html`<p>Income ${item.coin}</p>`}
    <p class="hint"><${Clauses} of=${item.ref}/></p>
  </article>`;
}

const told = (value) => (value && typeof value === "object" ? value : { text: String(value ?? ""), detail: "" });

function PlayerInFull({ item }) {
  const seat = useContext(Seats).find((each) => each.seat === item.seat);
  const score = told(item.score);
  return html`<h2><${Badge} seat=${item.seat}/> <${NameOf} item=${item}/></h2>
    ${seat && html`<p><bdi>${sitter(seat)}</bdi>${item.state && ` · ${item.state}`}</p>`}
    <dl class="facts">
      ${score.text && html`<div><dt>${score.detail || tr("Score")}</dt><dd>${score.text}</dd></div>`}
      ${item.facts.map(({ label, value }, index) => html`<div key=${index}><dt>${told(value).detail || label}</dt>
        <dd>${told(value).detail ? `${label} ` : ""}${told(value).text}</dd></div>`)}
    </dl>`;
}
