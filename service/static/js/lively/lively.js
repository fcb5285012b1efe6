// What makes a table lively: things slide, and those who wish it hear what happens.
import { openMotion } from "./motion.js";
import { openSounds } from "./sounds.js";
import { useEffect } from "../base/ui.js";

/** Nothing of its own: it lets the table of *store* move and sound as long as it is there. */
export function Lively({ store }) {
  useEffect(() => {
    const ends = [openMotion(store), openSounds(store)];
    return () => ends.forEach((end) => end());
  }, [store]);
  return null;
}
