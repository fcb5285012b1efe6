// A map: areas drawn as paths or as labels, links between them, pieces on them, a known outline behind them.
import { LINE_SIZE, NAME_SIZE, labelBox, layOut, moved } from "./maplayout.js";
import { HEIGHT, Token } from "./pieces.js";
import { toneClass, useTone } from "./seats.js";
import { classes, html, useEffect, useState } from "./ui.js";

const outlines = new Map();

/** The outline of that name, once it has come; a map without it is a map all the same. */
function useOutline(name) {
  const [shape, setShape] = useState(null);
  useEffect(() => {
    if (!/^[a-z0-9_]+$/.test(name || "")) return;
    if (!outlines.has(name)) {
      outlines.set(
        name,
        fetch(`/static/vendor/${name}.json`)
          .then((answer) => (answer.ok ? answer.json() : null))
          .catch(() => null),
      );
    }
    outlines.get(name).then(setShape);
  }, [name]);
  return shape;
}

export function WorldMap({ panel }) {
  const [pointed, setPointed] = useState(null);
  const outline = useOutline(panel.outline);
  const { width, height } = panel;
  const unit = width / 1000; // sizes below are those of a map of width 1000
  const labelled = panel.areas.filter((area) => !area.path);
  const boxes = layOut(labelled, width, height, unit);
  const byKey = new Map(panel.areas.map((area) => [area.key, area]));
  const shown = byKey.get(pointed);
  const point = (area) => ({
    onMouseEnter: () => setPointed(area.key),
    onFocus: () => setPointed(area.key),
    onClick: () => setPointed(area.key),
  });
  return html`<div class="map-frame">
    <div class="scrolls map-scroll" tabindex="0" role="group" aria-label=${panel.title}>
      <svg class="map" viewBox=${`0 0 ${width} ${height}`} preserveAspectRatio="xMidYMid meet">
        <rect class="water" width=${width} height=${height}/>
        ${outline && html`<${Outline} shape=${outline} width=${width} height=${height}/>`}
        ${panel.areas.filter((area) => area.path).map((area) => html`<${Region} key=${area.key} area=${area}
          point=${point(area)} pointed=${pointed === area.key}/>`)}
        <g class="links">${panel.links.map(([from, to], index) => html`<${Link} key=${index} from=${byKey.get(from)}
          to=${byKey.get(to)} boxes=${boxes} unit=${unit}/>`)}</g>
        ${panel.areas.filter((area) => boxes.has(area.key)).map((area) => html`<${Leader} key=${area.key}
          box=${boxes.get(area.key)} unit=${unit}/>`)}
        ${panel.areas.map((area) =>
          boxes.has(area.key)
            ? html`<${Label} key=${area.key} area=${area} box=${boxes.get(area.key)} unit=${unit} point=${point(area)}
              pointed=${pointed === area.key}/>`
            : html`<${Writing} key=${area.key} area=${area} unit=${unit} point=${point(area)}/>`,
        )}
      </svg>
    </div>
    <p class="map-caption" aria-live="polite">${shown ? html`<${Caption} area=${shown}/>` : html`<span
      class="hint">Point at a place to read about it.</span>`}</p>
  </div>`;
}

function Outline({ shape, width, height }) {
  const paths = shape.paths || (shape.path ? [shape.path] : []);
  const scale = `scale(${width / (shape.width || 1000)} ${height / (shape.height || 500)})`;
  return html`<g class="outline" transform=${scale}>${paths.map((path, index) => html`<path key=${index}
    d=${path}/>`)}</g>`;
}

function Region({ area, point, pointed }) {
  const tone = useTone();
  return html`<path class=${classes("region", toneClass(area.tone), pointed && "pointed")} style=${tone(area.tone)}
    d=${area.path} ...${point}/>`;
}

function Link({ from, to, boxes, unit }) {
  if (!from || !to) return null;
  const end = (area) => boxes.get(area.key) || area;
  const [a, b] = [end(from), end(to)];
  return html`<line x1=${a.x} y1=${a.y} x2=${b.x} y2=${b.y} stroke-width=${1.4 * unit}/>`;
}

/** Where a label had to give way, a thin line shows the place it belongs to. */
function Leader({ box, unit }) {
  if (moved(box) < 6 * unit) return null;
  return html`<g class="leader"><line x1=${box.home.x} y1=${box.home.y} x2=${box.x} y2=${box.y}
    stroke-width=${unit}/><circle cx=${box.home.x} cy=${box.home.y} r=${3 * unit}/></g>`;
}

/** An area without a path: a label with a name, lines and pieces. */
function Label({ area, box, unit, point, pointed }) {
  const tone = useTone();
  const left = box.x - box.w / 2;
  const top = box.y - box.h / 2;
  return html`<g class=${classes("place", toneClass(area.tone), pointed && "pointed")} style=${tone(area.tone)}
    tabindex="0" role="img" aria-label=${spoken(area)} data-key=${area.key} ...${point}>
    <rect x=${left} y=${top} width=${box.w} height=${box.h} rx=${5 * unit}/>
    <${Text} area=${{ name: area.name, lines: box.lines }} x=${box.x} y=${top + 13 * unit} unit=${unit}/>
    <${Pieces} rows=${box.rows} x=${box.x} y=${top + box.textHeight} unit=${unit}/>
  </g>`;
}

/** The writing on an area that is drawn as a path. */
function Writing({ area, unit, point }) {
  const box = labelBox(area, unit);
  return html`<g class="writing" tabindex="0" role="img" aria-label=${spoken(area)} data-key=${area.key} ...${point}>
    <${Text} area=${area} x=${area.x} y=${area.y - box.h / 2 + 13 * unit} unit=${unit}/>
    <${Pieces} rows=${box.rows} x=${area.x} y=${area.y - box.h / 2 + box.textHeight} unit=${unit}/>
  </g>`;
}

function Text({ area, x, y, unit }) {
  return html`<text class="area-name" x=${x} y=${y} font-size=${NAME_SIZE * unit}>${area.name}</text>
    ${area.lines.map((line, index) => html`<text key=${index} class="area-line" x=${x}
      y=${y + (index + 1) * 12.5 * unit} font-size=${LINE_SIZE * unit}>${line}</text>`)}`;
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

function spoken(area) {
  return [area.name, ...area.lines, ...area.tokens.map((token) => token.detail || token.text)]
    .filter(Boolean)
    .join(", ");
}

function Caption({ area }) {
  const details = area.tokens.map((token) => token.detail || token.text).filter(Boolean);
  return html`<strong>${area.name}</strong>${[...area.lines, ...details].map((text) => ` · ${text}`)}`;
}
