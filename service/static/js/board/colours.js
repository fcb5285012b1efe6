// Ten colours for ten seats, chosen by computation so that each pair stays apart for normal, protan, deutan and
// tritan sight; wherever a seat's colour is drawn its number stands beside it or on it, so colour never speaks alone.
export const SEAT_COLOURS = [
  "#0072b2",
  "#d55e00",
  "#e6b800",
  "#aa4499",
  "#23a06b",
  "#56b4e9",
  "#6b4226",
  "#e87ba0",
  "#22262a",
  "#8fe0cf",
];

// A seat whose pieces have a colour in the box is drawn in it: anything else would confuse.
const BY_NAME = {
  blue: "#0072b2",
  red: "#c8281e",
  orange: "#e07b00",
  yellow: "#f0cf30",
  gold: "#e6b800",
  green: "#23a06b",
  purple: "#8e3f9b",
  violet: "#8e3f9b",
  pink: "#e87ba0",
  brown: "#6b4226",
  black: "#22262a",
  white: "#f7f4ec",
  grey: "#8b9094",
  gray: "#8b9094",
  cyan: "#56b4e9",
  turquoise: "#2fb5a8",
};

/** The colour of seat *number*, given the seat as the service tells it: the same from the first event to the last. */
export function seatColour(number, seat = null) {
  return BY_NAME[seat?.colour] ?? SEAT_COLOURS[number % SEAT_COLOURS.length];
}

function luminance(colour) {
  const [r, g, b] = [1, 3, 5].map((start) => {
    const part = parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The contrast of two colours as WCAG counts it, 1 to 21. */
export function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** White or near-black, whichever reads better on *colour*. */
export function textOn(colour) {
  return contrast(colour, "#ffffff") >= contrast(colour, "#14181c") ? "#ffffff" : "#14181c";
}
