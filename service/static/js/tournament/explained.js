// A label that explains itself to those who point at it, tap it or reach it by keyboard.
import { classes, html, useEffect, useId, useRef, useState } from "../base/ui.js";

const GAP = 6; // pixels between a label and its explanation
const WIDE = 300; // of an explanation

/** The label *children*, with *text* beside it while it is wanted. */
export function Explained({ text, part, children }) {
  const id = useId();
  const whole = useRef(null);
  const [place, setPlace] = useState(null);
  const show = () => {
    const { left, bottom } = whole.current.getBoundingClientRect();
    const most = document.documentElement.clientWidth - WIDE - GAP;
    setPlace({ left: `${Math.max(GAP, Math.min(left, most))}px`, top: `${bottom + GAP}px` });
  };
  const hide = () => setPlace(null);
  // What touches a screen neither leaves a label nor, everywhere, takes the focus from it.
  useEffect(() => {
    if (!place) return undefined;
    const away = (event) => whole.current?.contains(event.target) || hide();
    document.addEventListener("pointerdown", away);
    window.addEventListener("scroll", hide, true);
    return () => {
      document.removeEventListener("pointerdown", away);
      window.removeEventListener("scroll", hide, true);
    };
  }, [Boolean(place)]);
  const mouse = (act) => (event) => event.pointerType === "mouse" && act();
  return html`<span ref=${whole} class=${classes("explained", place && "open")} onPointerEnter=${mouse(show)} onPointerLeave=${mouse(hide)}>
    <button type="button" class="quiet-link" data-part=${part} aria-describedby=${place ? id : null} onClick=${show} onFocus=${show}
      onBlur=${hide} onKeyDown=${(event) => event.key === "Escape" && hide()}>${children}</button>
    ${place && html`<span role="tooltip" id=${id} class="explanation" style=${place}>${text}</span>`}</span>`;
}
