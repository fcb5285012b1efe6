// A map: areas as shapes with their names, spaces and pieces on them, ways between them. One may go nearer.
import { useMark } from "../acting/acting.js";
import { keep, recall } from "../base/kept.js";
import { LINE_SIZE, NAME_SIZE, labelBox, layOut, moved, namePlaces, pushApart } from "./maplayout.js";
import { HEIGHT, Token, widthOf } from "./pieces.js";
import { Seats, toneClass, useTone } from "./seats.js";
import { isShortcut } from "../base/shortcuts.js";
import { tr } from "../base/text.js";
import { classes, createContext, html, useContext, useEffect, useLayoutEffect, useRef, useState } from "../base/ui.js";

/** The charts of the title: shapes of areas by the name of a chart. */
export const Charts = createContext({});

const NEAREST = 5;
const STEP = 1.25;
const LEGIBLE = 0.88; // pixels a unit below which names could not be read: then the map is larger than its frame
const BESIDE = 54; // from the edge of a planet to the number of what a route carries
const BELOW = 16; // from a name to the pieces under it

export function WorldMap({ panel, name = "map" }) {
  const [pointed, setPointed] = useState(null);
  const [legend, setLegend] = useState(false);
  const charts = useContext(Charts);
  const chart = charts[panel.chart];
  const frame = useRef(null);
  const { zoom, size, nearer, fit, moves } = useZoom(frame, panel, name, () => setLegend(!legend));
  const shapes = chart?.areas || {};
  const pathOf = (area) => area.path || shapes[area.key];
  const bare = panel.chart && !chart ? [] : panel.areas.filter((area) => !pathOf(area) && !area.radius);
  const unit = panel.width / 1000;
  const boxes = layOut(bare, panel.width, panel.height, unit);
  const shaped = panel.areas.filter((area) => !boxes.has(area.key) && !area.radius).map((area) => inside(area, panel.width));
  const slotted = shaped.filter((area) => area.slots?.length);
  const held = new Map(pushApart(slotted, boxesOf, panel).map((area) => [area.key, area]));
  const places = namePlaces(shaped, halfOf, [...held.values()].flatMap(boxesOf));
  const byKey = new Map(panel.areas.map((area) => [area.key, area]));
  const shown = byKey.get(pointed);
  const over = (event) => setPointed(event.target.closest("[data-area]")?.dataset.area ?? null);
  return html`<div class=${classes("map-frame", panel.scene && `scene-${panel.scene}`)}>
    <div class="map-scroll" ref=${frame} tabindex="0" onFocusIn=${over} role="group" aria-label=${tr("{title}. Keys: + and − zoom, 0 shows all, ? explains the pieces", { title: panel.title })}
      data-zoom=${zoom.toFixed(2)} ...${moves}>
      <svg class="map" width=${size.width} height=${size.height} viewBox=${`0 0 ${panel.width} ${panel.height}`}
        onMouseOver=${over} onClick=${over}>
        <defs><pattern id="hatch" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect
          width="7" height="7" class="hatch-ground"/><path d="M0 0V7" class="hatch-line"/></pattern></defs>
        <rect class="water" width=${panel.width} height=${panel.height}/>
        ${panel.scene === "space" && html`<${Stars} width=${panel.width} height=${panel.height}/>`}
        ${chart && html`<path class="outline" d=${chart.land}/>`}
        <g class="regions">${panel.areas.filter(pathOf).map((area) => html`<${Region} key=${area.key} area=${area}
          path=${pathOf(area)} pointed=${pointed === area.key}/>`)}</g>
        <g class="barriers">${(panel.barriers || []).map((bar) => html`<path key=${bar.ends.join(" ")} d=${bar.line}
          data-barrier=${bar.ends.join(" ")}><title>${bar.detail}</title></path>`)}</g>
        <g class="links">${panel.links.map(([from, to]) => html`<${Link} key=${`${from} ${to}`} from=${byKey.get(from)}
          to=${byKey.get(to)} boxes=${boxes} unit=${unit}/>`)}</g>
        ${(panel.routes || []).map((route) => html`<${Route} key=${route.ends.join(" ")} route=${route}
          ends=${route.ends.map((key) => byKey.get(key))}/>`)}
        ${bare.map((area) => html`<${Leader} key=${area.key} box=${boxes.get(area.key)} unit=${unit}/>`)}
        ${panel.areas.map((area) =>
          boxes.has(area.key)
            ? html`<${Label} key=${area.key} area=${area} box=${boxes.get(area.key)} unit=${unit}/>`
            : area.radius
              ? html`<${Planet} key=${area.key} area=${area}/>`
              : html`<${Holdings} key=${area.key} area=${held.get(area.key) ?? inside(area, panel.width)}/>`,
        )}
        ${shaped.map((area) => html`<${Name} key=${area.key} area=${{ ...area, ...places.get(area) }}/>`)}
      </svg>
    </div>
    <p class="map-caption" aria-live="polite">${shown && html`<${Caption} area=${shown}/>`}</p>
    <div class="map-tools" role="group" aria-label="Map">
      <button type="button" tabindex="-1" aria-label="Zoom in" title="Zoom in (+)" onClick=${() => nearer(STEP)}>+</button>
      <button type="button" tabindex="-1" aria-label="Zoom out" title="Zoom out (−)" onClick=${() => nearer(1 / STEP)}>−</button>
      <button type="button" tabindex="-1" aria-label="Show all" title="Show all (0)" onClick=${fit}>⤢</button>
      ${panel.legend?.length > 0 && html`<button type="button" tabindex="-1" aria-label="Legend" aria-expanded=${legend}
        data-part="legend" title="Explain the pieces (?)" onClick=${() => setLegend(!legend)}>?</button>`}
    </div>
    ${legend && html`<ul class="legend" data-part="legend-list">${panel.legend.map(
      (token, index) => html`<li key=${index}><svg width=${widthOf(token) + 2} height="24" aria-hidden="true"><${Token}
        token=${token} x="1" y="1"/></svg> ${token.detail}</li>`,
    )}</ul>`}
  </div>`;
}

const keyOf = (name) => `rutter.zoom.${name}`; // how near one stands outlasts a change of tab and a reload

/** Going nearer and away: the drawing grows inside its frame, which scrolls. */
function useZoom(frame, { width, height }, name, explain) {
  const [box, setBox] = useState(null);
  const [zoom, setZoom] = useState(() => recall(keyOf(name), 1));
  const about = useRef(null); // the point that stays where it is
  useLayoutEffect(() => {
    const look = () => setBox({ width: frame.current.clientWidth, height: frame.current.clientHeight });
    const watch = new ResizeObserver(look);
    watch.observe(frame.current);
    look();
    return () => watch.disconnect();
  }, []);
  const whole = box ? Math.min(box.width / width, box.height / height) : 1;
  const least = box && box.width < 900 ? Math.max(whole, LEGIBLE) : whole;
  const scale = least * zoom;
  const size = { width: Math.floor(width * scale), height: Math.floor(height * scale) };
  useLayoutEffect(() => {
    const { current: list } = frame;
    const at = about.current;
    about.current = null;
    if (at) {
      list.scrollLeft = at.x * size.width - at.left;
      list.scrollTop = at.y * size.height - at.top;
    } else if (zoom === 1) {
      list.scrollLeft = (size.width - list.clientWidth) / 2;
      list.scrollTop = (size.height - list.clientHeight) / 2;
    }
  }, [size.width, size.height]);

  function nearer(by, point = null) {
    const list = frame.current;
    const left = point ? point.x : list.clientWidth / 2;
    const top = point ? point.y : list.clientHeight / 2;
    const next = Math.max(1, Math.min(NEAREST, zoom * by));
    about.current = {
      left,
      top,
      x: (list.scrollLeft + left) / size.width,
      y: (list.scrollTop + top) / size.height,
    };
    stand(next);
  }
  const stand = (next) => {
    keep(keyOf(name), next === 1 ? null : next);
    setZoom(next);
  };
  const fit = () => stand(1);
  const within = (event) => {
    const { left, top } = frame.current.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const state = useRef({});
  state.current = { nearer, within, zoom };
  useEffect(() => {
    const list = frame.current;
    const wheel = (event) => {
      event.preventDefault();
      state.current.nearer(event.deltaY < 0 ? STEP : 1 / STEP, state.current.within(event));
    };
    const stop = pinch(list, (by, point) => state.current.nearer(by, point));
    list.addEventListener("wheel", wheel, { passive: false });
    return () => {
      list.removeEventListener("wheel", wheel);
      stop();
    };
  }, []);
  const keys = { "+": () => nearer(STEP), "=": () => nearer(STEP), "-": () => nearer(1 / STEP), 0: fit, "?": explain };
  const moves = {
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || !keys[event.key] || !isShortcut(event)) return;
      event.preventDefault();
      keys[event.key]();
    },
    onDblClick: (event) => event.target.closest("[data-lit], [data-selected]") || fit(),
    onPointerDown: (event) => drag(event, frame.current),
  };
  return { zoom, size, nearer, fit, moves };
}

/** Dragging with the mouse moves the map; touch scrolls by itself. */
function drag(event, list) {
  if (event.pointerType !== "mouse" || event.button !== 0) return;
  const from = { x: event.clientX, y: event.clientY, left: list.scrollLeft, top: list.scrollTop };
  const move = (now) => {
    list.scrollLeft = from.left - (now.clientX - from.x);
    list.scrollTop = from.top - (now.clientY - from.y);
  };
  const end = () => {
    document.removeEventListener("pointermove", move);
    document.removeEventListener("pointerup", end);
  };
  document.addEventListener("pointermove", move);
  document.addEventListener("pointerup", end);
}

/** Two fingers go nearer and away. Answers how to stop listening. */
function pinch(list, zoomed) {
  let apart = null;
  const spread = ([one, other]) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
  const move = (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    const now = spread(event.touches);
    const { left, top } = list.getBoundingClientRect();
    const [one, other] = event.touches;
    if (apart)
      zoomed(now / apart, {
        x: (one.clientX + other.clientX) / 2 - left,
        y: (one.clientY + other.clientY) / 2 - top,
      });
    apart = now;
  };
  const end = () => {
    apart = null;
  };
  list.addEventListener("touchmove", move, { passive: false });
  list.addEventListener("touchend", end);
  return () => {
    list.removeEventListener("touchmove", move);
    list.removeEventListener("touchend", end);
  };
}

function Stars({ width, height }) {
  // A scatter that is always the same: multiples of the golden ratio.
  const stars = Array.from({ length: 60 }, (_, index) => [
    ((index * 0.618034) % 1) * width,
    ((index * 0.754878) % 1) * height,
    index % 7 ? 0.9 : 1.7,
  ]);
  return html`<g class="stars">${stars.map(([x, y, r], index) => html`<circle key=${index} cx=${x} cy=${y} r=${r}/>`)}</g>`;
}

function stateOf(mark) {
  return classes(
    mark["data-lit"] !== undefined && "lit",
    mark["data-selected"] !== undefined && "selected",
    mark["data-changed"] !== undefined && "changed",
    mark["data-hinted"] !== undefined && "hinted",
  );
}

function Region({ area, path, pointed }) {
  const tone = useTone();
  const state = stateOf(useMark()(area.ref));
  return html`<path class=${classes("region", toneClass(area.tone), pointed && "pointed", state)}
    style=${tone(area.tone)} d=${path} data-area=${area.key} data-under=${area.ref}/>`;
}

function Link({ from, to, boxes, unit }) {
  if (!from || !to || from.borders?.includes(to.key)) return null;
  const end = (area) => boxes.get(area.key) || area;
  const [a, b] = [end(from), end(to)];
  return html`<line x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y} stroke-width=${1.4 * unit} data-link=${`${from.key} ${to.key}`}/>`;
}

/** A way that carries something: a band for each direction, as wide as it carries, its number near its end. */
function Route({ route, ends: [from, to] }) {
  const tone = useTone();
  const mark = useMark();
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const long = Math.hypot(dx, dy);
  const [ux, uy] = [dx / long, dy / long];
  const [nx, ny] = [-uy, ux];
  const bands = route.weights.map((weight, index) => ({ weight, tone: route.tones[index], way: index ? -1 : 1 }));
  const wide = (weight) => (weight ? 2.5 + weight * 1.9 : 1);
  const aside = ({ weight, way }) => (wide(weight) / 2 + 0.8) * way;
  const piece = (band, index) => {
    const start = index ? to : from;
    // Clear of the globe and of what is written below it, and not in the middle, where pieces lie.
    const clear = Math.max(Math.min(long * 0.3, 128), (start.radius ?? 0) + BESIDE);
    const along = (index ? -1 : 1) * Math.min(clear, long * 0.38);
    return [start.x + ux * along + nx * aside(band), start.y + uy * along + ny * aside(band)];
  };
  const [mx, my] = [(from.x + to.x) / 2, (from.y + to.y) / 2];
  const room = route.tokens.reduce((sum, token) => sum + widthOf(token) + 3, 0);
  let left = mx - room / 2;
  const attributes = mark(route.ref);
  return html`<g class=${classes("route", stateOf(attributes))} ...${attributes} data-area=${undefined}>
    <title>${route.detail}</title>
    ${bands.map((band, index) => html`<line key=${index} class=${classes("band", toneClass(band.tone))} style=${tone(band.tone)}
      x1=${from.x + nx * aside(band)} y1=${from.y + ny * aside(band)} x2=${to.x + nx * aside(band)}
      y2=${to.y + ny * aside(band)} stroke-width=${wide(band.weight)}/>`)}
    ${bands.map((band, index) => {
      const [x, y] = piece(band, index);
      return html`<g key=${`n${index}`} class=${classes("weight", toneClass(band.tone))} style=${tone(band.tone)}><circle cx=${x}
        cy=${y} r="13"/><text x=${x} y=${y}>${band.weight}</text></g>`;
    })}
    ${route.tokens.map((token, index) => {
      const x = left;
      left += widthOf(token) + 3;
      return html`<${Token} key=${`t${index}`} token=${token} x=${x} y=${my - HEIGHT / 2}/>`;
    })}
  </g>`;
}

/** Where a label had to give way, a thin line shows the place it belongs to. */
function Leader({ box, unit }) {
  if (!box || moved(box) < 6 * unit) return null;
  return html`<g class="leader"><line x1=${box.home.x} y1=${box.home.y} x2=${box.x} y2=${box.y}
    stroke-width=${unit}/><circle cx=${box.home.x} cy=${box.home.y} r=${3 * unit}/></g>`;
}

/** An area without a shape: a label with a name, lines and pieces. */
function Label({ area, box, unit }) {
  const tone = useTone();
  const mark = useMark()(area.ref);
  const left = box.x - box.w / 2;
  const top = box.y - box.h / 2;
  return html`<g class=${classes("place", toneClass(area.tone), stateOf(mark))} style=${tone(area.tone)} ...${mark}
    role=${mark.role || "img"} data-area=${area.key} data-key=${area.key}>
    <title>${spoken(area)}</title>
    <rect x=${left} y=${top} width=${box.w} height=${box.h} rx=${5 * unit}/>
    <text class="area-name" data-part="label" x=${box.x} y=${top + 13 * unit} font-size=${NAME_SIZE * unit}>${area.name}</text>
    ${box.lines.map((line, index) => html`<text key=${index} class="area-line" x=${box.x}
      y=${top + (13 + (index + 1) * 12.5) * unit} font-size=${LINE_SIZE * unit}>${line}</text>`)}
    <${Pieces} rows=${box.rows} x=${box.x} y=${top + box.textHeight} unit=${unit}/>
  </g>`;
}

/** A round area of a given size: a planet. */
function Planet({ area }) {
  const tone = useTone();
  const mark = useMark()(area.ref);
  const { x, y, radius: r } = area;
  const rows = labelBox({ ...area, lines: [] }, 1).rows;
  const owner = typeof area.tone === "number" ? area.tone : undefined;
  const here = useContext(Seats).some((seat) => seat.seat === owner && seat.here);
  return html`<g class=${classes("planet", toneClass(area.tone), stateOf(mark))} style=${tone(area.tone)} ...${mark}
    data-area=${area.key} data-key=${area.key} data-owner=${owner}>
    <title>${spoken(area)}</title>
    <circle class="globe" cx=${x} cy=${y} r=${r}/>
    <ellipse class="ring" cx=${x} cy=${y} rx=${r * 1.4} ry=${r * 0.36} transform=${`rotate(-15 ${x} ${y})`}/>
    <text class="area-name" data-part="label" x=${x} y=${y - 9} font-size="16">${area.name}${owner !== undefined ? ` ${owner}` : ""}</text>
    ${here && html`<circle class="here" data-part="here" cx=${x + r * 0.71} cy=${y - r * 0.71} r="6.5"><title>Has the game open</title></circle>`}
    ${area.lines.slice(0, 1).map((line) => html`<text class="area-line" x=${x} y=${y + 10} font-size="12.5">${line}</text>`)}
    ${area.lines.slice(1).map((line, index) => html`<text class="area-note" x=${x} y=${y + r + 17 + index * 15}
      font-size="13">${line}</text>`)}
    <${Pieces} rows=${rows} x=${x} y=${y - r - 26} unit=${1}/>
  </g>`;
}

const CHAR = 8.2; // of a name

const halfOf = (area) => area.name.length * (CHAR / 2) + 6;

/** *area* with its name inside the map. */
function inside(area, width) {
  const half = halfOf(area);
  return { ...area, x: Math.max(half, Math.min(width - half, area.x)) };
}

/** The name of an area that is drawn as a shape, over all pieces. */
function Name({ area }) {
  const own = useMark()(area.ref);
  const half = halfOf(area);
  return html`<g class=${classes("writing", toneClass(area.tone), stateOf(own))} ...${own} role=${own.role || "img"} data-key=${area.key}
    data-area=${area.key} data-owner=${typeof area.tone === "number" ? area.tone : undefined}>
    <title>${spoken(area)}</title>
    <rect x=${area.x - half} y=${area.y - 11} width=${half * 2} height="20" rx="6"/>
    <text class="area-name" data-part="label" x=${area.x} y=${area.y}>${area.name}</text>
  </g>`;
}

const ROW = 140; // how wide spaces and pieces stand below a name before they take another line
const LINE = 23;
const RING = 20; // an empty space
const AGAIN = 0.72; // the scale of counters that do not control their space
const scaleOf = (token, slot) => (slot && !token.main && slot.tokens.some((each) => each.main) ? AGAIN : 0.92);

/** Spaces and pieces side by side in lines below a name: `{slot, token, x, y, wide}`. */
function lay(area) {
  const slots = area.slots || [];
  const wide = (tokens, slot) => tokens.reduce((sum, token) => sum + widthOf(token) * scaleOf(token, slot) + 1, 0);
  const things = [
    ...slots.map((slot) => ({ slot, wide: (slot.tokens.length ? wide(slot.tokens, slot) : RING) + 2 })),
    ...area.tokens.map((token) => ({ token, wide: wide([token]) })),
  ];
  const lines = [];
  for (const thing of things) {
    const line = lines.at(-1);
    if (line && line.wide + thing.wide <= ROW) {
      line.things.push(thing);
      line.wide += thing.wide;
    } else lines.push({ things: [thing], wide: thing.wide });
  }
  return lines.flatMap((line, number) => {
    let left = area.x - line.wide / 2;
    return line.things.map((thing) => {
      const x = left;
      left += thing.wide;
      return { ...thing, x, y: area.y + BELOW + 3 + number * LINE };
    });
  });
}

/** Where the spaces and pieces of *area* lie. */
const boxesOf = (area) => lay(area).map(({ x, y, wide }) => ({ key: area.key, x, y: y - HEIGHT / 2, w: wide, h: HEIGHT }));

/** The spaces and pieces of an area that is drawn as a shape. */
function Holdings({ area }) {
  const gauge = area.gauge ? 14 : 0;
  if (!area.slots?.length)
    return html`<g data-area=${area.key}>${gauge > 0 && html`<${Gauge} area=${area}/>`}<${Pieces}
      rows=${labelBox({ ...area, lines: [] }, 1).rows} x=${area.x} y=${area.y + 12 + gauge} unit=${1}/></g>`;
  return html`<g data-area=${area.key}>
    ${gauge > 0 && html`<${Gauge} area=${area}/>`}
    ${lay(area).map(({ slot, token, x, y, wide }, index) =>
      slot
        ? html`<${Slot} key=${slot.ref || index} slot=${slot} x=${x} y=${y} wide=${wide}/>`
        : html`<${Token} key=${index} token=${token} x=${x} y=${y - HEIGHT * 0.46} scale=${0.92}/>`,
    )}
  </g>`;
}

const BAR = 96;

/** How full an area is. */
function Gauge({ area: { x, y, gauge } }) {
  const [value, most] = gauge;
  return html`<g class="gauge"><rect class="all" x=${x - BAR / 2} y=${y + 13} width=${BAR} height="7" rx="3.5"/>
    <rect class="part" x=${x - BAR / 2} y=${y + 13} width=${BAR * Math.min(1, value / most)} height="7" rx="3.5"/>
    <text x=${x + BAR / 2 + 5} y=${y + 17}>${value}/${most}</text></g>`;
}

/** A space: an empty ring that names what belongs there, or the pieces that lie there, the main one first. */
function Slot({ slot, x, y, wide }) {
  const mark = useMark()(slot.ref);
  const state = stateOf(mark);
  // The name of a space tells what lies there: pieces that cannot be pointed at themselves are not told twice.
  const told = slot.tokens.some((token) => token.ref) ? undefined : "true";
  const middle = x + (wide - 2) / 2;
  let left = x;
  return html`<g class=${classes("slot", state)} ...${mark}>
    <title>${slot.detail}</title>
    ${
      slot.tokens.length
        ? html`<g aria-hidden=${told}>${slot.tokens.map((token, index) => {
            const [at, scale] = [left, scaleOf(token, slot)];
            left += widthOf(token) * scale + 1;
            return html`<${Token} key=${index} token=${token} x=${at} y=${y - (HEIGHT * scale) / 2} scale=${scale}/>`;
          })}</g>`
        : html`<circle class="empty" cx=${middle} cy=${y} r="9.5"/><text aria-hidden="true" x=${middle} y=${y}>${slot.text}</text>`
    }
    ${state !== "" && html`<rect class="halo" x=${x - 3} y=${y - 13} width=${wide + 3} height="26" rx="13"/>`}
  </g>`;
}

function Pieces({ rows, x, y, unit }) {
  return rows.map((row, line) => {
    let left = x - row.width / 2;
    return row.tokens.map((piece, index) => {
      const at = left;
      left += piece.width;
      return html`<${Token} key=${`${line} ${index}`} token=${piece.token} x=${at}
        y=${y + line * (HEIGHT * 0.92 + 2) * unit} scale=${0.92 * unit}/>`;
    });
  });
}

function tokensOf(area) {
  return [...(area.slots || []), ...area.tokens].map((each) => each.detail || each.text).filter(Boolean);
}

function spoken(area) {
  return [area.name, ...area.lines, ...tokensOf(area)].join(", ");
}

function besideOf(area) {
  return area.neighbours ? [tr("beside {areas}", { areas: area.neighbours.join(", ") || tr("no other") })] : [];
}

function Caption({ area }) {
  const texts = [...area.lines, ...tokensOf(area), ...besideOf(area)];
  return html`<strong>${area.name}</strong>${texts.map((text) => ` · ${text}`)}`;
}
