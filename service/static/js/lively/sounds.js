// The sounds of a table, made here: your turn, a move, a die, the end. They are off until you wish for them.
import { setting } from "../base/settings.js";
import { effect } from "../base/ui.js";

const DICE = /\b(dice|die|rolls?|rolled)\b/i;
const VOLUME = 0.12;

/** By name the notes of a sound: each with its pitch in Hz, when it begins, how long it lasts (s), and its shape. */
const SOUNDS = {
  turn: [
    [523, 0, 0.25, "sine"],
    [784, 0.14, 0.4, "sine"],
  ],
  move: [[196, 0, 0.09, "triangle"]],
  die: [
    [320, 0, 0.04, "square"],
    [260, 0.07, 0.04, "square"],
    [300, 0.15, 0.04, "square"],
    [210, 0.26, 0.07, "square"],
  ],
  end: [
    [392, 0, 0.9, "sine"],
    [494, 0.12, 0.8, "sine"],
    [587, 0.24, 0.9, "sine"],
  ],
};

let device = null;

const isWanted = () => setting("sound") === "on";

/** Play the sound *name*, if sounds are wanted. */
export function play(name) {
  if (!isWanted()) return;
  try {
    device ??= new AudioContext();
    for (const note of SOUNDS[name]) strike(device, note);
  } catch {
    // Without a sound card the table is silent.
  }
}

function strike(sound, [pitch, begins, lasts, shape]) {
  const [tone, volume] = [sound.createOscillator(), sound.createGain()];
  const start = sound.currentTime + begins;
  tone.type = shape;
  tone.frequency.value = pitch;
  volume.gain.setValueAtTime(VOLUME, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + lasts);
  tone.connect(volume).connect(sound.destination);
  tone.start(start);
  tone.stop(start + lasts);
}

/** Sound what happens in the game of *store* from now on; answers how that ends. */
export function openSounds(store) {
  let last = null;
  let [asked, ended] = [isAsked(store), store.game.peek()?.status === "finished"];
  return effect(() => {
    const lines = store.history.value;
    const [now, over] = [isAsked(store), store.game.value?.status === "finished"];
    const news = last === null ? [] : lines.filter((line) => line.seq > last);
    last = lines.at(-1)?.seq ?? last;
    const name = over && !ended ? "end" : now && !asked ? "turn" : news.some(({ text }) => DICE.test(text)) ? "die" : news.length ? "move" : null;
    [asked, ended] = [now, over];
    if (name) play(name);
  });
}

const isAsked = (store) => store.mine.value.includes(store.looking.value) && store.awaited.value.includes(store.looking.value);
