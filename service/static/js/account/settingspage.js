// The settings of this browser: how the page plays, sounds and looks. They need no account and stay here.
import { VALUES, choose, setting } from "../base/settings.js";
import { keyed, tr } from "../base/text.js";
import { html, useEffect } from "../base/ui.js";

const TEXTS = {
  pace: [keyed("Pace"), keyed("How long the page shows each command of the others."), { usual: keyed("Usual"), slow: keyed("Slow"), quick: keyed("Quick"), 0: keyed("At once") }],
  confirm: [
    keyed("Confirm"),
    keyed("The commands for which the page asks again."),
    { grave: keyed("Only what cannot be undone"), always: keyed("Every command"), off: keyed("None") },
  ],
  send: [keyed("Send"), keyed("What happens when your choice is whole."), { ask: keyed("You press a button"), at_once: keyed("It is sent at once") }],
  grace: [
    keyed("Moment to cancel"),
    keyed("Two seconds to take a command back before bots play on."),
    { on: keyed("On"), 0: keyed("Off") },
  ],
  notify: [keyed("Your move"), keyed("A tone and a message when you look elsewhere."), { off: keyed("Off"), on: keyed("On") }],
  sound: [keyed("Sound"), keyed("Table sounds."), { off: keyed("Off"), on: keyed("On") }],
  motion: [keyed("Motion"), keyed("Pieces slide to their new places. If your system asks for less motion, they stay still as well."), { on: keyed("On"), off: keyed("Off") }],
  presence: [keyed("Presence"), keyed("Others see when you have a game open, and you see when they do. It applies from the next game you open."), { on: keyed("On"), off: keyed("Off") }],
  theme: [keyed("Theme"), keyed("The colours of all pages."), { system: keyed("As your system"), light: keyed("Light"), dark: keyed("Dark") }],
  language: [keyed("Language"), keyed("The language of all pages."), { auto: keyed("As your browser"), en: "English", de: "Deutsch" }],
  shortcuts: [
    keyed("Shortcuts"),
    keyed("Single-key shortcuts while the board has the focus. Arrows travel through the game, Space plays it, L lists all commands, M goes to your last move, / searches."),
    { on: keyed("On"), off: keyed("Off") },
  ],
};

export function SettingsPage() {
  useEffect(() => {
    document.title = tr("Settings · Rutter");
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
    if (name === "language") location.reload(); // every text of the page is another
    if (name === "notify" && next === "on" && "Notification" in window && Notification.permission === "default")
      void Notification.requestPermission();
  };
  return html`<fieldset class="choice" data-part="setting" data-setting=${name}><legend>${tr(title)}</legend>
    <p class="hint">${tr(hint)}</p>
    <p class="segments">${VALUES[name].map((each) => html`<label key=${each} class="pick"><input type="radio" name=${name}
      value=${each} checked=${each === value} onChange=${change(each)}/> ${tr(words[each])}</label>`)}</p>
  </fieldset>`;
}
