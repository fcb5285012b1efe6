// Pieces and cards that moved between two tables slide to where they are now. Nothing waits for them.
import { setting } from "../base/settings.js";
import { effect } from "../base/ui.js";

const TIME = 200; // ms
const NEAR = 2; // px: less than that is no move
const FAR = 40; // events: after a longer jump there is another position, and no move
const MANY = 24; // things that move at once: more of them are a new layout

/** True where nothing slides: the reader has switched it off, here or in the system. */
function isStill() {
  return setting("motion") === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** What a drawn thing looks like; two that look alike are the same to a reader. */
function lookOf(thing) {
  const { ref, key, owner } = thing.dataset;
  return ref || key || `${owner} ${thing.classList.contains("token") ? thing.getAttribute("class").replace(/ (lit|selected)\b/g, "") : ""} ${thing.textContent}`;
}

/** Where all pieces and cards are, by their look: within their map or panel, whatever has been scrolled. */
function placesOf(page) {
  const found = new Map();
  for (const thing of page.querySelectorAll(".token, .card")) {
    const frame = thing.closest("svg.map, .panel");
    const box = thing.getBoundingClientRect();
    if (!frame || !box.width) continue;
    const origin = frame.getBoundingClientRect();
    const look = lookOf(thing);
    if (!found.has(look)) found.set(look, []);
    found.get(look).push({ thing, frame, box, x: box.left - origin.left, y: box.top - origin.top });
  }
  return found;
}

/** From where *now* came to where it is, in px of the screen. */
function wayOf(before, now) {
  if (before.frame === now.frame) return [before.x - now.x, before.y - now.y];
  return [before.box.left - now.box.left, before.box.top - now.box.top];
}

const isMove = ([across, down]) => Math.hypot(across, down) >= NEAR;

/** The things that moved between *before* and *now*, each with its way. */
function movesBetween(before, now) {
  const moves = [];
  for (const [look, places] of now) {
    const old = [...(before.get(look) || [])];
    const fresh = places.filter((place) => {
      const at = old.findIndex((each) => !isMove(wayOf(each, place)));
      if (at >= 0) old.splice(at, 1);
      return at < 0;
    });
    fresh.slice(0, old.length).forEach((place, at) => moves.push({ thing: place.thing, way: wayOf(old[at], place) }));
  }
  return moves;
}

/** Let *thing* slide to where it is. */
function slide({ thing, way }) {
  const scale = thing.ownerSVGElement ? thing.parentNode.getScreenCTM().a : 1;
  const [across, down] = way.map((each) => each / scale);
  thing.animate({ translate: [`${across}px ${down}px`, "0px 0px"] }, { id: "slide", duration: TIME, easing: "ease-out" });
}

/** Let things slide whenever *store* shows another table; answers how that ends. */
export function openMotion(store) {
  const page = document.querySelector(".game-page");
  let shown = store.table.shown.peek();
  let eyes = store.looking.peek();
  let frame = 0;
  const leave = effect(() => {
    const next = store.table.shown.value;
    const looking = store.looking.peek();
    const follows = shown && next && looking === eyes && next !== shown && Math.abs(next.seq - shown.seq) <= FAR;
    [shown, eyes] = [next, looking];
    if (!follows || isStill() || document.hidden || !page) return;
    const before = placesOf(page); // nothing has been drawn again yet
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => {
      const moves = movesBetween(before, placesOf(page));
      if (moves.length <= MANY) moves.forEach(slide);
    });
  });
  return () => {
    cancelAnimationFrame(frame);
    leave();
  };
}
