// Where the labels of a map stand: as near as may be to their places, without covering each other.
import { HEIGHT, widthOf } from "./pieces.js";

const SCALE = 0.92; // pieces on a map are a little smaller than in text
const GAP = 3;
const ROUNDS = 60;
const FAR = 32; // a label further than this from its place misleads
export const NAME_SIZE = 12.5;
export const LINE_SIZE = 10.5;

const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();

/** How wide *text* stands, in the font of the page at *size* pixels. */
function written(text, size, weight) {
  const name = `${weight} ${size} ${text}`;
  if (!widths.has(name)) {
    pen.font = `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;
    widths.set(name, pen.measureText(text).width);
  }
  return widths.get(name);
}

/**
 * The labels of *areas*, each where it belongs. On a crowded map the lines of empty places are left out, and if that
 * is not enough all lines: who points at a place reads them below the map.
 */
export function layOut(areas, width, height, unit) {
  const brief = [() => false, (area) => !area.tokens.length, () => true];
  for (const isBrief of brief) {
    const boxes = settle(
      areas.map((area) => labelBox(isBrief(area) ? { ...area, lines: [] } : area, unit)),
      width,
      height,
      unit,
    );
    if (isBrief === brief.at(-1) || boxes.every((box) => moved(box) < FAR * unit))
      return new Map(boxes.map((box) => [box.key, box]));
  }
}

const ASIDE = [0, -6, 6, -12, 12, -18, 18]; // units that a name may move
const ALONG = [0, -12, 12, -24, 24, -36, 36, -48, 48];
const OTHERS = 4; // how much worse it is to hide a piece of another area than one of its own
const UP = 8; // from the middle of a name to its edge

/**
 * The places of the names of *areas*, whose *half* is half as wide as a name: moved a little where one would lie on
 * *pieces*, which are boxes `{key, x, y, w, h}` with the key of their area, or on another name.
 */
export function namePlaces(areas, half, pieces) {
  const box = ({ x, y }, area) => ({ x: x - half(area), y: y - UP, w: 2 * half(area), h: 2 * UP });
  const places = new Map(areas.map((area) => [area, { x: area.x, y: area.y }]));
  for (const area of areas) {
    const others = areas.filter((each) => each !== area).map((each) => box(places.get(each), each));
    const weight = (each) => (each.key === area.key ? 1 : OTHERS);
    const hidden = (place) => [...pieces, ...others].reduce((sum, each) => sum + weight(each) * shared(box(place, area), each), 0);
    const home = places.get(area);
    if (!hidden(home)) continue;
    const near = ASIDE.flatMap((dy) => ALONG.map((dx) => ({ x: home.x + dx, y: home.y + dy, far: Math.hypot(dx, 2 * dy) })));
    const bad = (place) => hidden(place) + place.far;
    places.set(area, near.map((place) => ({ place, cost: bad(place) })).reduce((one, other) => (other.cost < one.cost ? other : one)).place);
  }
  return places;
}

/**
 * *areas*, moved a little where the pieces of one would lie on those of another. *boxesOf* gives the boxes of the pieces
 * of an area, `{x, y, w, h}` from their upper left corners.
 */
export function pushApart(areas, boxesOf, { width, height }) {
  const boxes = settle(areas.map((area) => around(boxesOf(area))), width, height, 1);
  return areas.map((area, index) => {
    const { x, y, home } = boxes[index];
    return { ...area, x: area.x + x - home.x, y: area.y + y - home.y };
  });
}

/** The box around *boxes*, from its middle. */
function around(boxes) {
  const [left, right] = [Math.min(...boxes.map(({ x }) => x)), Math.max(...boxes.map(({ x, w }) => x + w))];
  const [top, bottom] = [Math.min(...boxes.map(({ y }) => y)), Math.max(...boxes.map(({ y, h }) => y + h))];
  const home = { x: (left + right) / 2, y: (top + bottom) / 2 };
  return { ...home, home, w: right - left, h: bottom - top };
}

/** How large the part is that two boxes share. */
function shared(a, b) {
  const wide = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? wide * high : 0;
}

/** How far a label stands from its place. */
export function moved(box) {
  return Math.hypot(box.x - box.home.x, box.y - box.home.y);
}

/** The size of an area's label, and its pieces in rows. All in the units of the map. */
export function labelBox(area, unit) {
  const text =
    Math.max(written(area.name, NAME_SIZE, 600), ...area.lines.map((line) => written(line, LINE_SIZE, 400))) * unit;
  const rows = rowsOf(area.tokens, Math.max(text, 104 * unit), unit);
  const textHeight = (19 + 12.5 * area.lines.length) * unit;
  return {
    key: area.key,
    x: area.x,
    y: area.y,
    home: { x: area.x, y: area.y },
    w: Math.max(text, ...rows.map((row) => row.width)) + 12 * unit,
    h: textHeight + rows.length * (HEIGHT * SCALE + 2) * unit + (rows.length ? 3 * unit : 0),
    textHeight,
    lines: area.lines,
    rows,
  };
}

function rowsOf(tokens, limit, unit) {
  const rows = [];
  for (const token of tokens) {
    const width = (widthOf(token) * SCALE + 1.5) * unit;
    const row = rows.at(-1);
    if (row && row.width + width <= limit) {
      row.tokens.push({ token, width });
      row.width += width;
    } else rows.push({ tokens: [{ token, width }], width });
  }
  return rows;
}

/** The same boxes, pushed apart and inside the frame. The order of *boxes* decides nothing but ties. */
function settle(boxes, width, height, unit) {
  const gap = GAP * unit;
  for (let round = 0; round < ROUNDS; round++) {
    let moved = false;
    for (let one = 0; one < boxes.length; one++) {
      for (let other = one + 1; other < boxes.length; other++) moved = part(boxes[one], boxes[other], gap) || moved;
    }
    for (const box of boxes) inside(box, width, height, gap);
    if (!moved) break;
  }
  return boxes;
}

/** Push two boxes apart along the shorter way, each by half. */
function part(a, b, gap) {
  const dx = (a.w + b.w) / 2 + gap - Math.abs(a.x - b.x);
  const dy = (a.h + b.h) / 2 + gap - Math.abs(a.y - b.y);
  if (dx <= 0 || dy <= 0) return false;
  const axis = dy <= dx ? "y" : "x";
  const way = (axis === "y" ? dy : dx) / 2 + 0.01;
  const sign = a[axis] <= b[axis] ? 1 : -1;
  a[axis] -= sign * way;
  b[axis] += sign * way;
  return true;
}

function inside(box, width, height, gap) {
  box.x = Math.min(width - box.w / 2 - gap, Math.max(box.w / 2 + gap, box.x));
  box.y = Math.min(height - box.h / 2 - gap, Math.max(box.h / 2 + gap, box.y));
}
