// The settings of this browser: each is stored as `rutter.<name>`, and the first of its values holds until you choose one.
import { signal } from "./ui.js";

export const VALUES = {
  pace: ["usual", "slow", "quick", "0"], // how long each command of others stays before your eyes; 0: not at all
  confirm: ["grave", "always", "off"], // the commands that ask for a yes
  send: ["ask", "at_once"], // whether a click on the last thing sends the command
  grace: ["on", "0"], // a moment to cancel before bots play on
  notify: ["off", "on"], // a tone and a message when it is your turn and you look elsewhere
  sound: ["off", "on"], // sounds of the table
  motion: ["on", "off"], // pieces that slide; the browser's own wish for less motion counts as well
  presence: ["on", "off"], // whether others see that you have a game open, and you see it of them
  theme: ["system", "light", "dark"],
  shortcuts: ["on", "off"], // keys of one letter, and arrows through time
  language: ["auto", "en", "de"], // of all texts of the page; auto: that of the browser
};
const keyOf = (name) => `rutter.${name}`;
const changes = signal(0);

/** The value of the setting *name*; a component that reads it follows its changes. */
export function setting(name) {
  void changes.value;
  const kept = localStorage.getItem(keyOf(name));
  return VALUES[name].includes(kept) ? kept : VALUES[name][0];
}

/** Set *name* to *value* from now on, in every tab. */
export function choose(name, value) {
  if (value === VALUES[name][0]) localStorage.removeItem(keyOf(name));
  else localStorage.setItem(keyOf(name), value);
  announce();
}

/** The language that the address asks for, or the setting, or else the browser; English where there is none of them. */
export function language() {
  const wanted = new URLSearchParams(location.search).get("lang") ?? setting("language");
  const codes = wanted === "auto" ? navigator.languages.map((each) => each.slice(0, 2)) : [wanted];
  return codes.find((each) => VALUES.language.slice(1).includes(each)) ?? "en";
}

function announce() {
  changes.value++;
  document.documentElement.dataset.theme = setting("theme");
}

addEventListener("storage", ({ key }) => (key === null || key.startsWith("rutter.")) && announce());
announce();
