// The panels of a table, drawn from the vocabulary of events/panels.py. No title is known here.
import { Acting, useMark } from "../acting/acting.js";
import { CardRules, Drawings } from "../titles/clauses.js";
import { WorldMap } from "./map.js";
import { reads } from "./reading.js";
import { Piece } from "./pieces.js";
import { Badge, Here, Seats, toneClass, useTone } from "./seats.js";
import { tr } from "../base/text.js";
import { classes, html, useContext, useMemo } from "../base/ui.js";
import { NUMBERED, seatName, sitter } from "../base/words.js";

const KINDS = { facts: Facts, table: Table, cards: Cards, mats: Mats, seats: Players, map: WorldMap, track: Track };

export function Panels({ panels }) {
  return html`<div class="panels">${panels.map((panel, index) => html`<${Panel}
    key=${`${panel.kind} ${panel.title} ${index}`} panel=${panel}/>`)}</div>`;
}

/** One panel in its frame; a kind that this page does not know yet is shown as what it is. */
export function Panel({ panel, name }) {
  const Body = KINDS[panel.kind] || Unknown;
  const lit = [...(useContext(Acting)?.lit.value ?? [])];
  const holds = (ref) => JSON.stringify(panel).includes(`"ref":${JSON.stringify(ref)}`);
  // The players scroll where there is little room: then they are a stop of the Tab key, if nothing among them is.
  const stop = panel.role === "seats" && !lit.some(holds);
  const drawn = () => html`<div class=${classes("panel", `panel-${panel.kind}`)} data-role=${panel.role} style=${{ "--room": `${room(panel)}rem` }}
    role="group" aria-label=${panel.title} tabindex=${stop ? 0 : undefined}>
    ${panel.title && html`<h2>${panel.title}</h2>`}
    <${Body} panel=${panel} name=${name}/>
    ${panel.note && html`<p class="note">${panel.note}</p>`}
  </div>`;
  return useMemo(drawn, [panel, name, stop]);
}

/** How wide a panel would like to be, in rem. Small ones stand side by side; a row is always filled. */
function room(panel) {
  if (panel.kind === "facts" || panel.kind === "seats") return 15;
  if (panel.kind === "cards") return Math.min(60, Math.max(13, piles(panel.items).length * 10.2 + 3));
  if (panel.kind === "table") return Math.min(60, Math.max(15, tableRoom(panel)));
  if (panel.kind === "track") return Math.min(60, Math.max(15, panel.spaces.length * 3.6));
  return 60;
}

/** The room of a table: that of its longest words, column by column. */
function tableRoom({ columns, rows }) {
  const longest = columns.map((column, index) =>
    Math.max(column.length * 0.9, ...rows.map((row) => Math.min(30, textOf(row[index]).length))),
  );
  return longest.reduce((sum, length) => sum + length * 0.55 + 1.4, 2.4);
}

/** A function that calls the seats in a text, which have only numbers there, by who sits in them. */
function usePeople() {
  const seats = useContext(Seats);
  const parts = (text) =>
    text.split(/\b(seat \d+)\b/i).map((part) => {
      const seat = NUMBERED.test(part) && seats[part.slice(5)];
      return seat ? html`<bdi>${seatName(seat)}</bdi>` : part;
    });
  return (text) => (typeof text === "string" && /\bseat \d/i.test(text) ? parts(text) : text);
}

/** A cell is a text, a number, or {text, tone, detail, ref}. */
export function Cell({ value }) {
  const tone = useTone();
  const mark = useMark();
  const asked = useContext(Acting)?.lit.value.size > 0; // then Tab leads to what can be answered
  const people = usePeople();
  const seat = useContext(Seats).find((each) => each.seat === value?.tone);
  if (value === null || value === undefined) return null;
  if (typeof value !== "object") return people(String(value));
  const named = toneClass(value.tone);
  const text = people(value.text);
  const detail = NUMBERED.test(value.detail) && seat ? apart(sitter(seat), seatName(seat)) : value.detail;
  if (!named && !detail && !value.ref) return text;
  const marks = mark(value.ref);
  return html`<span class=${classes("cell", named, detail && "has-detail")} style=${tone(value.tone)}
    title=${detail || undefined} ...${marks}
    tabindex=${marks.tabindex ?? (detail && !asked ? 0 : undefined)}>${text}${detail && html`<span
      class="sr"> (${detail})</span>`}</span>`;
}

/** *who*, if it says more than *name*. */
const apart = (who, name) => (who.toLowerCase() === name.toLowerCase() ? undefined : who);

function Facts({ panel }) {
  return html`<dl class="facts">${panel.items.map((item, index) => html`<div key=${index}>
    <dt>${item.label}</dt><dd><${Cell} value=${item.value}/></dd>
  </div>`)}</dl>`;
}

const textOf = (cell) => String(typeof cell === "object" && cell ? cell.text : (cell ?? ""));
const NUMBER = /^[-+−]?\d[\d\s.,]*%?$/;
const NOTHING = /^[-–—]?$/;

function Table({ panel }) {
  // A column of numbers is set flush right, so that they can be compared at a glance.
  const numeric = panel.columns.map((_, column) => {
    const texts = panel.rows.map((row) => textOf(row[column])).filter((text) => !NOTHING.test(text));
    return texts.length > 0 && texts.every((text) => NUMBER.test(text));
  });
  const kind = (index) => (numeric[index] ? "number" : "");
  if (!panel.rows.length) return html`<p class="none">none</p>`;
  return html`<div class="scrolls table-scroll" tabindex="0" role="group" aria-label=${panel.title}><table>
    <thead><tr>${panel.columns.map((column, index) => html`<th key=${index} scope="col"
      class=${kind(index)}>${column}</th>`)}</tr></thead>
    <tbody>${panel.rows.map((row, line) => html`<tr key=${line}>${row.map((cell, index) => (index === 0
      ? html`<th key=${index} scope="row" class=${kind(index)}><${Cell} value=${cell}/></th>`
      : html`<td key=${index} class=${kind(index)}><${Cell} value=${cell}/></td>`))}</tr>`)}</tbody>
  </table></div>`;
}

/** Equal cards lie on one pile. */
export function piles(items) {
  const byFace = new Map();
  for (const item of items) {
    const face = JSON.stringify([item.key, item.name, item.kind, item.text, item.tone]);
    const pile = byFace.get(face);
    if (pile) pile.count += item.count ?? 1;
    else byFace.set(face, { ...item, count: item.count ?? 1 });
  }
  return [...byFace.values()];
}

function Cards({ panel }) {
  const items = piles(panel.items);
  if (!items.length) return html`<p class="none">none</p>`;
  const longest = Math.max(...items.map((item) => item.text?.length ?? 0));
  const size = longest === 0 ? "plain" : longest > 110 && "wordy";
  // No list in the sense of the markup: a card may be a button.
  return html`<div class=${classes("cards", size)}>${items.map((item, index) => html`<${Card}
    key=${`${item.key || item.name} ${index}`} item=${item}/>`)}</div>`;
}

/** A card, and beside it what the rules say of it: no link stands within what is a button while it is lit. */
export function Card({ item }) {
  const tone = useTone();
  const mark = useMark()(item.ref);
  const Art = useContext(Drawings);
  const people = usePeople();
  return html`<div class="card-place"><div class=${classes("card", toneClass(item.tone), item.band && "banded")} data-key=${item.key || undefined} onClick=${reads({ card: item })}
    style=${{ ...tone(item.tone), ...(item.band && { "--band": item.band }) }} ...${mark}>
    ${Art && html`<${Art} of=${item.ref}/>`}
    ${item.kind && html`<span class="card-kind">${people(item.kind)}</span>`}
    <span class="card-name">${item.name}</span>
    ${item.text && html`<span class="card-text">${people(item.text)}</span>`}
    ${item.coin !== undefined && html`<b class="coin" aria-label=${tr("income {coin}", { coin: item.coin })}>${item.coin}</b>`}
    ${item.count !== 1 && html`<b class="card-count" aria-label=${tr("{count} of them", { count: item.count })}>×${item.count}</b>`}
  </div><${CardRules} item=${item}/></div>`;
}

/** The name that a panel gives a seat; where it is only a number, who sits there. */
export function NameOf({ item }) {
  const seat = useContext(Seats).find((each) => each.seat === item.seat);
  return NUMBERED.test(item.name) && seat ? html`<bdi>${seatName(seat)}</bdi>` : item.name;
}

/** The table of a game of cards: what lies before each seat. */
function Mats({ panel }) {
  const tone = useTone();
  const seats = useContext(Seats);
  return html`<ul class="mats">${panel.items.map(
    (mat) => html`<li key=${mat.seat} class="mat tone-seat" style=${tone(mat.seat)} data-owner=${mat.seat}>
      <h3><${Badge} seat=${mat.seat}/> <${NameOf} item=${mat}/><${Here} seat=${seats.find((each) => each.seat === mat.seat)}/><span class="mat-note">${mat.note}</span></h3>
      <div class="cards small">${piles(mat.items).map((item, index) => html`<${Card} key=${`${item.key} ${index}`} item=${item}/>`)}</div>
    </li>`,
  )}</ul>`;
}

/** Everybody at a glance: what ranks them, then what they have. My own seat stands first, the others as they sit. */
function Players({ panel }) {
  const own = useContext(Seats).find((seat) => seat.looking)?.seat;
  const at = Math.max(0, panel.items.findIndex((item) => item.seat === own));
  const items = [...panel.items.slice(at), ...panel.items.slice(0, at)];
  return html`<div class="players">${items.map((item) => html`<${Player} key=${item.seat} item=${item}/>`)}</div>`;
}

function Player({ item }) {
  const tone = useTone();
  const mark = useMark()(item.ref);
  const seats = useContext(Seats);
  const seat = seats.find((each) => each.seat === item.seat) || {};
  return html`<div class=${classes("player", "tone-seat", seat.you && "mine", seat.awaited && "awaited")}
    style=${tone(item.seat)} ...${mark} data-owner=${item.seat} onClick=${reads({ player: item })}>
    <p class="player-head"><${Badge} seat=${item.seat}/> <b class="player-name"><${NameOf} item=${item}/></b> <bdi
      class="sitter">${seat.seat === undefined || NUMBERED.test(item.name) ? "" : sitter(seat)}</bdi><${Here} seat=${seat}/>${item.state && html`<span
      class="tag">${item.state}</span>`}<b class="score"><${Cell} value=${item.score}/></b></p>
    ${item.facts.length > 0 && html`<dl>${item.facts.map(
      ({ label, value }, index) => html`<div key=${index}><dt>${label}</dt><dd><${Cell} value=${value}/></dd></div>`,
    )}</dl>`}
  </div>`;
}

function Track({ panel }) {
  const on = (index) => panel.markers.filter((marker) => marker.at === index);
  const kind = (space, index) => classes("space", toneClass(space?.tone), on(index).length && "occupied");
  return html`<ol class="track">${panel.spaces.map((space, index) => html`<li key=${index} class=${kind(space, index)}>
    <span class="space-name"><${Cell} value=${space}/></span>
    <span class="on-space">${on(index).map((marker, place) => html`<${Piece} key=${place} token=${marker.token}/>`)}</span>
  </li>`)}</ol>`;
}

function Unknown({ panel }) {
  return html`<pre class="scrolls" tabindex="0">${JSON.stringify(panel, null, 2)}</pre>`;
}
