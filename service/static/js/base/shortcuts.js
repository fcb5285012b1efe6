// Keys that mean something without Ctrl: they can be switched off, and hold only while the board has the focus.
import { setting } from "./settings.js";

const BOARD = ".stage, .side, .hand, .replay, .bar, .list, .popover";
const TYPES = "input, select, textarea, dialog, iframe, [contenteditable], [role=tablist]";

/** Whether a shortcut may act on *event*: it is on, and the focus is on the board, its log or its foot, or nowhere. */
export function isShortcut(event) {
  if (event.altKey || event.ctrlKey || event.metaKey || setting("shortcuts") === "off") return false;
  const { target } = event;
  if (target.closest(TYPES)) return false;
  return target.matches("body, main") || Boolean(target.closest(BOARD));
}
