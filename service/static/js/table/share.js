// The button with which one passes on a game.
import { html, useEffect, useLate, useRef, useState } from "../base/ui.js";

/** A button that opens the menu, and closes it. */
export function Share({ store, game }) {
  const [open, setOpen] = useState(false);
  const place = useRef(null);
  const Menu = useLate(open, () => import("./sharemenu.js").then((module) => module.ShareMenu));
  useEffect(() => {
    if (!open) return;
    const leave = (event) => place.current.contains(event.target) || setOpen(false);
    // A button that is busy loses the focus: the key counts wherever it is pressed.
    const escape = (event) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      setOpen(false);
      place.current.querySelector("[data-part=share]").focus();
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("keydown", escape, true);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("keydown", escape, true);
    };
  }, [open]);
  return html`<div class="share" ref=${place}><button type="button" data-part="share"
      aria-expanded=${String(open)} onClick=${() => setOpen(!open)}>Share</button>
    ${open && Menu && html`<${Menu} store=${store} game=${game}/>`}</div>`;
}
