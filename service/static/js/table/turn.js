// Your turn: a dot in the tab, and for those who want them a sound and a message of the browser.
import { choose, setting } from "../base/settings.js";
import { tr } from "../base/text.js";
import { html } from "../base/ui.js";

const wanted = () => setting("notify") === "on";
const PLAIN = document.querySelector("link[rel=icon]")?.getAttribute("href") || "/static/icon.svg";

/** Marks the icon of the page with a dot, or not. */
export function mark(on) {
  const link = document.querySelector("link[rel=icon]");
  link.href = on ? `${PLAIN}#turn` : PLAIN;
  link.dataset.turn = String(on);
}

/** Tell of a turn that has just begun; nobody who looks at the page needs to be told. */
export function tell(name) {
  if (!wanted() || document.hasFocus()) return;
  ring();
  if ("Notification" in window && Notification.permission === "granted")
    new Notification(tr("Your move"), { body: name, tag: "rutter", icon: PLAIN });
}

function ring() {
  try {
    const sound = new AudioContext();
    const tone = sound.createOscillator();
    const volume = sound.createGain();
    tone.frequency.value = 660;
    volume.gain.setValueAtTime(0.15, sound.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, sound.currentTime + 0.5);
    tone.connect(volume).connect(sound.destination);
    tone.start();
    tone.stop(sound.currentTime + 0.5);
  } catch {
    // Without a sound card there is still the message.
  }
}

/** The switch. */
export function Notify() {
  const toggle = () => {
    choose("notify", wanted() ? "off" : "on");
    if (wanted() && "Notification" in window && Notification.permission === "default") void Notification.requestPermission();
  };
  return html`<button type="button" class="quiet notify" data-part="notify" aria-pressed=${String(wanted())}
    title="Play a sound and show a message when it is your turn and you look elsewhere" onClick=${toggle}><span
    aria-hidden="true">♪</span><span class="sr">Notify me when it is my turn</span></button>`;
}
