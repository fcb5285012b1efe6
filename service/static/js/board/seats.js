// Seats as they appear everywhere: a coloured number, a name, who sits there.
import { seatColour, textOn } from "./colours.js";
import { tr } from "../base/text.js";
import { classes, createContext, html, useContext } from "../base/ui.js";
import { between, seatName, sitter } from "../base/words.js";

/** The seats of the game that is drawn, for tones that are seat numbers. */
export const Seats = createContext([]);

/** The colours of a tone as CSS properties: seats by number, words by class (see `toneClass`). */
export function useTone() {
  const seats = useContext(Seats);
  return (tone) => {
    if (typeof tone !== "number") return {};
    const colour = seatColour(tone, seats.find((seat) => seat.seat === tone));
    return { "--tone": colour, "--on-tone": textOn(colour) };
  };
}

/** The class of a tone: `tone-seat`, `tone-good`, ... or none. */
export function toneClass(tone) {
  if (typeof tone === "number") return "tone-seat";
  return tone ? `tone-${tone}` : "";
}

/** The seat's number in its colour. */
export function Badge({ seat }) {
  const tone = useTone();
  return html`<b class="badge tone-seat" style=${tone(seat)} aria-hidden="true">${seat}</b>`;
}

/** A dot beside a seat whose player has the game open now. */
export function Here({ seat }) {
  return seat?.here && html`<span class="here" data-part="here" title="Has the game open"><span class="sr">has the game open</span></span>`;
}

/** A seat in one line: number, label, who sits there, whether it is awaited. */
export function SeatPill({ seat, awaited, children }) {
  const label = seatName(seat);
  const who = sitter(seat);
  const apart = who.toLowerCase() !== label.toLowerCase();
  return html`<span class=${classes("seat", awaited && "awaited", seat.you && "mine")}>
    <${Badge} seat=${seat.seat}/>
    <bdi class="seat-name">${label}</bdi>
    ${apart && html`<bdi class="sitter">${who}</bdi>`}
    ${awaited && html`<span class="awaits" title="The game waits for this seat">to move</span>`}
    ${children}
  </span>`;
}

/** All seats of a game as a list. *awaited*: seat numbers. */
export function SeatRow({ seats, awaited = [], action }) {
  return html`<${Seats.Provider} value=${seats}>
    <ul class="seats">${seats.map(
      (seat) => html`<li key=${seat.seat}>
      <${SeatPill} seat=${seat} awaited=${awaited.includes(seat.seat)}>${action?.(seat)}<//>
    </li>`,
    )}</ul>
  <//>`;
}

/** Who holds a seat, in its colour, and what they play: `Ana (Portugal)`. */
export function Holder({ seat }) {
  const [who, label] = [sitter(seat), seatName(seat)];
  const apart = who.toLowerCase() !== label.toLowerCase();
  return html`<span class="holder"><${Badge} seat=${seat.seat}/> <bdi>${who}</bdi>${apart && ` (${label})`}</span>`;
}

/** How a game that is over ended. */
export function Ending({ game }) {
  if (!game.outcome) return tr("The game was abandoned and has no result");
  const won = game.outcome.winners;
  if (!won.length) return tr("Nobody won");
  const mark = between(won.length);
  return html`<${Seats.Provider} value=${game.seats}>Won by ${won.map(
    (number, index) => html`<span key=${number}>${mark(index)}<${Holder} seat=${game.seats[number]}/></span>`,
  )}<//>`;
}
