// What is asked for is in sight: after each change its frame scrolls there, and at the edges stands how much lies beyond.
import { OPEN } from "./roving.js";
import { tr } from "../base/text.js";
import { html, useEffect, useLayoutEffect, useState } from "../base/ui.js";

const SCROLLERS = ".hand, .side > .panel, .map-scroll, .mats, .boards > .panel:not(.panel-map, .panel-mats)";
const MARGIN = 10; // px that stay free around what is scrolled to
const PAGE = 0.85; // of a frame that one press of an arrow moves

const shown = (element) => element.getClientRects().length > 0;

/** The frames that can scroll now, each with the lit things in it. */
function frames() {
  return [...document.querySelectorAll(SCROLLERS)]
    .filter((each) => shown(each) && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1))
    .map((frame) => ({ frame, lit: [...frame.querySelectorAll(OPEN)].filter(shown) }));
}

/** What encloses the boxes of *elements*. */
function around(elements) {
  const boxes = elements.map((each) => each.getBoundingClientRect());
  return {
    left: Math.min(...boxes.map((box) => box.left)),
    right: Math.max(...boxes.map((box) => box.right)),
    top: Math.min(...boxes.map((box) => box.top)),
    bottom: Math.max(...boxes.map((box) => box.bottom)),
  };
}

/** How far a frame from *near* to *far* must move, so that what lies from *start* to *end* is in it. */
function way(start, end, near, far) {
  if (start < near + MARGIN) return start - near - MARGIN;
  return end > far - MARGIN ? end - far + MARGIN : 0;
}

/** Scroll *frame* to all of *elements*; where they have no room together, to the first of them, if none is in sight. */
function bring(frame, elements) {
  const box = frame.getBoundingClientRect();
  const all = around(elements);
  const whole = ({ left, right, top, bottom }) =>
    left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
  const wide = all.right - all.left > box.width - 2 * MARGIN;
  const high = all.bottom - all.top > box.height - 2 * MARGIN;
  if ((wide || high) && elements.some((each) => whole(each.getBoundingClientRect()))) return;
  const first = elements[0].getBoundingClientRect();
  frame.scrollLeft += wide ? first.left - box.left - MARGIN : way(all.left, all.right, box.left, box.right);
  frame.scrollTop += high ? first.top - box.top - MARGIN : way(all.top, all.bottom, box.top, box.bottom);
}

/** Keep what is asked in sight: whenever *question* changes, each frame goes to what is lit in it, or to my own seat. */
export function useInSight(question) {
  useLayoutEffect(() => {
    const look = () => {
      for (const { frame, lit } of frames()) {
        const own = [...frame.querySelectorAll(".player.mine")].slice(0, 1);
        if (lit.length || own.length) bring(frame, lit.length ? lit : own);
      }
    };
    const later = () => requestAnimationFrame(look); // the map is laid out again first
    look();
    const due = later();
    window.addEventListener("resize", later);
    return () => {
      cancelAnimationFrame(due);
      window.removeEventListener("resize", later);
    };
  }, [question]);
}

/** How many lit things lie beyond each edge of a frame. */
function beyond({ frame, lit }) {
  const box = frame.getBoundingClientRect();
  const middles = lit.map((each) => {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    return [(left + right) / 2, (top + bottom) / 2];
  });
  return [
    { name: "left", arrow: "‹", dx: -1, dy: 0, count: middles.filter(([x]) => x < box.left).length },
    { name: "right", arrow: "›", dx: 1, dy: 0, count: middles.filter(([x]) => x > box.right).length },
    { name: "up", arrow: "▴", dx: 0, dy: -1, count: middles.filter(([, y]) => y < box.top).length },
    { name: "down", arrow: "▾", dx: 0, dy: 1, count: middles.filter(([, y]) => y > box.bottom).length },
  ]
    .filter(({ count }) => count > 0)
    .map((edge) => ({ ...edge, frame, box }));
}

/** Arrows at the edges of frames beyond which something is lit. */
export function Edges({ question }) {
  const [edges, setEdges] = useState([]);
  useEffect(() => {
    let due = 0;
    const look = () => {
      cancelAnimationFrame(due);
      due = requestAnimationFrame(() => setEdges(frames().flatMap(beyond)));
    };
    look();
    document.addEventListener("scroll", look, true);
    window.addEventListener("resize", look);
    return () => {
      cancelAnimationFrame(due);
      document.removeEventListener("scroll", look, true);
      window.removeEventListener("resize", look);
    };
  }, [question]);
  return edges.map(({ name, arrow, dx, dy, count, frame, box }, index) => {
    const go = (event) => {
      event.stopPropagation();
      frame.scrollBy({ left: dx * box.width * PAGE, top: dy * box.height * PAGE });
    };
    const style = {
      left: `${box.left + ((dx + 1) / 2) * box.width}px`,
      top: `${box.top + ((dy + 1) / 2) * box.height}px`,
    };
    return html`<button key=${`${name} ${index}`} type="button" class=${`edge edge-${name}`} data-part="edge" tabindex="-1" style=${style}
      aria-label=${tr("{count} more, {name}", { count, name: tr(name) })} title=${tr("{count} more, {name}", { count, name: tr(name) })} onClick=${go}>${arrow} ${count}</button>`;
  });
}
