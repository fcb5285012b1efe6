// Clocks that count down: how long each seat still has, by the time of the service.
import { html, useEffect, useMemo, useState } from "../base/ui.js";
import { tr } from "../base/text.js";
import { seatName } from "../base/words.js";

const SECOND = 1000;

/** The time of each seat that a person holds; those whose time runs count down. */
export function Clocks({ clock, seats }) {
  // The service's time is told with the game: so a reader's clock that is wrong does no harm.
  const ahead = useMemo(() => Date.now() - Date.parse(clock.now), [clock]);
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    setNow(Date.now());
    const ticking = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(ticking);
  }, [clock]);
  return html`<ul class="clocks" aria-label="Clocks">${clock.seats.map(
    (each) =>
      html`<li key=${each.seat} data-seat=${each.seat} class=${each.deadline ? "running" : ""}>
        <bdi>${seatName(seats.find((seat) => seat.seat === each.seat) || {})}</bdi>${" "}
        <time>${span(remaining(each, now - ahead))}</time></li>`,
  )}</ul>`;
}

function remaining(each, now) {
  return each.deadline ? Math.max(0, Date.parse(each.deadline) - now) : each.left_ms;
}

/** `1:05` (minutes), `2:01:05` (hours), `3 d 2:01:05`. */
export function span(milliseconds) {
  const seconds = Math.floor(milliseconds / SECOND);
  const [days, hours, minutes] = [Math.floor(seconds / 86400), Math.floor(seconds / 3600) % 24, Math.floor(seconds / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  const clock = hours || days ? `${hours}:${two(minutes)}` : String(minutes);
  return `${days ? tr("{days} d ", { days }) : ""}${clock}:${two(seconds % 60)}`;
}
