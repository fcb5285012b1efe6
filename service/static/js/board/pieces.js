// Pieces on maps and tracks: a short text in a shape. An owned piece carries its seat's number besides its colour.
import { useMark } from "../acting/acting.js";
import { Seats, toneClass, useTone } from "./seats.js";
import { classes, html, useContext } from "../base/ui.js";
import { seatName } from "../base/words.js";

export const HEIGHT = 22;
const ROOM = 9; // for the number of the owner
const EDGES = { ship: 18, flag: 15 }; // what a shape leaves free beside its text

const owned = (token) => typeof token.tone === "number";

/** How wide a piece must be for its text, in the units of HEIGHT. */
export function widthOf(token) {
  const plain = { disc: 22, square: 22, ship: 32, flag: 26, triangle: 25, cross: 22 }[token.shape] ?? 22;
  const letters = token.text.length * 7.2 + (token.text.match(/[WM]/g)?.length ?? 0) * 4;
  return Math.max(plain, letters + (EDGES[token.shape] ?? 9)) + (owned(token) ? ROOM : 0);
}

/** The outline of a shape in a box of *w* by HEIGHT. */
function outline(shape, w) {
  const h = HEIGHT;
  if (shape === "square") return `M1.5 1.5H${w - 1.5}V${h - 1.5}H1.5Z`;
  if (shape === "triangle") return `M${w / 2} .5 L${w - 0.5} ${h - 1} H.5Z`;
  if (shape === "cross")
    return `M${w / 2 - 5.5} 1 H${w / 2 + 5.5} V5.5 H${w - 1} V${h - 5.5} H${w / 2 + 5.5} V${h - 1} H${w / 2 - 5.5} V${h - 5.5} H1 V5.5 H${w / 2 - 5.5}Z`;
  if (shape === "ship") {
    const hull = `M1 9 H${w - 1} Q${w - 3} ${h - 1} ${w - 9} ${h - 0.5} H9 Q3 ${h - 1} 1 9Z`;
    return `${hull} M${w / 2 - 6} 8 V-3 L${w / 2 + 7} 8Z`;
  }
  if (shape === "flag") return `M1 ${h} V1 H${w - 1} L${w - 6} ${h / 2 - 1.5} L${w - 1} ${h - 5} H3.4 V${h}Z`;
  const r = h / 2 - 1;
  return `M${1 + r} 1 H${w - 1 - r} A${r} ${r} 0 0 1 ${w - 1 - r} ${h - 1} H${1 + r} A${r} ${r} 0 0 1 ${1 + r} 1Z`;
}

const MIDDLE = { ship: 15, flag: 9.5, triangle: 14.5 };
const ASIDE = { flag: 2.5 }; // a text keeps away from the notch
const OWNER = { ship: [10, 6.5], flag: [11.5, 11] }; // from the lower right corner, inside the shape

/** A piece as part of a drawing, its upper left corner at (x, y). */
export function Token({ token, x = 0, y = 0, scale = 1 }) {
  const tone = useTone();
  const mark = useMark()(token.ref);
  const w = widthOf(token);
  const seat = owned(token) ? token.tone : undefined;
  const owner = useContext(Seats).find((each) => each.seat === seat);
  const middle = w / 2 - (ASIDE[token.shape] ?? 0) - (seat === undefined ? 0 : ROOM / 2);
  const [right, up] = OWNER[token.shape] ?? [7.5, 6.5];
  return html`<g class=${classes("token", toneClass(token.tone), mark["data-lit"] !== undefined && "lit",
    mark["data-selected"] !== undefined && "selected", token.main && "main")} style=${tone(token.tone)} ...${mark} data-owner=${seat}
    transform=${`translate(${x} ${y}) scale(${scale})`}>
    ${Boolean(token.detail) && html`<title>${token.detail}${owner ? ` (${seatName(owner)})` : ""}</title>`}
    <path d=${outline(token.shape, w)}/>
    <text aria-hidden="true" x=${middle} y=${(MIDDLE[token.shape] ?? HEIGHT / 2) + 0.5}>${token.text}</text>
    ${seat !== undefined && html`<text class="owner" aria-hidden="true" x=${w - right} y=${HEIGHT - up}>${seat}</text>`}
  </g>`;
}

/** A piece that stands in running text. */
export function Piece({ token }) {
  const w = widthOf(token);
  const name = [token.text, token.detail].filter(Boolean).join(": ");
  return html`<svg class="piece" viewBox=${`-0.5 -0.5 ${w + 1} ${HEIGHT + 1}`} width=${w + 1} height=${HEIGHT + 1}
    role="img" aria-label=${name}><${Token} token=${token}/></svg>`;
}
