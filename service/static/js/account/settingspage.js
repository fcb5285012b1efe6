// The settings of this browser: how the page plays, sounds and looks. They need no account and stay here.
import { VALUES, choose, setting } from "../base/settings.js";
import { html, useEffect } from "../base/ui.js";

const TEXTS = {
  pace: ["Pace", "How long the page shows each command of the others.", { usual: "Usual", slow: "Slow", quick: "Quick", 0: "At once" }],
  confirm: [
    "Confirm",
    "The commands for which the page asks again.",
    { grave: "Only what cannot be undone", always: "Every command", off: "None" },
  ],
  send: ["Send", "What happens when your choice is whole.", { ask: "You press a button", at_once: "It is sent at once" }],
  grace: [
    "Moment to cancel",
    "Two seconds to take a command back before bots play on.",
    { on: "On", 0: "Off" },
  ],
  notify: ["Your move", "A tone and a message when you look elsewhere.", { off: "Off", on: "On" }],
  sound: ["Sound", "Sounds of the table.", { off: "Off", on: "On" }],
  motion: ["Motion", "Pieces slide to their new places. If your system asks for less motion, they stay still as well.", { on: "On", off: "Off" }],
  presence: ["Presence", "Others see that you have a game open, and you see it of them. It holds from the next game you open.", { on: "On", off: "Off" }],
  theme: ["Theme", "The colours of all pages.", { system: "As your system", light: "Light", dark: "Dark" }],
  shortcuts: [
    "Shortcuts",
    "Keys of one letter, arrows and space, while the board has the focus: arrows travel through the game, space plays it, L lists all commands, M leads to your last move, / searches.",
    { on: "On", off: "Off" },
  ],
};

export function SettingsPage() {
  useEffect(() => {
    document.title = "Settings · Rutter";
  }, []);
  return html`<div class="page settings"><div class="page-head"><div><h1>Settings</h1>
    <p class="lead">They hold for this browser, at once, and for all your games.</p></div></div>
    ${Object.keys(VALUES).map((name) => html`<${Setting} key=${name} name=${name}/>`)}
  </div>`;
}

function Setting({ name }) {
  const [title, hint, words] = TEXTS[name];
  const value = setting(name);
  const change = (next) => () => {
    choose(name, next);
    if (name === "notify" && next === "on" && "Notification" in window && Notification.permission === "default")
      void Notification.requestPermission();
  };
  return html`<fieldset class="choice" data-part="setting" data-setting=${name}><legend>${title}</legend>
    <p class="hint">${hint}</p>
    <p class="segments">${VALUES[name].map((each) => html`<label key=${each} class="pick"><input type="radio" name=${name}
      value=${each} checked=${each === value} onChange=${change(each)}/> ${words[each]}</label>`)}</p>
  </fieldset>`;
}
