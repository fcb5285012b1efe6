// How events/rules/kit/overseas/chart.toml was made: Territory polygons from Natural Earth outlines (public domain).
//
//   npm install world-atlas@2 topojson-client@3 d3-geo@3 polygon-clipping@0.15
//   node territories.cjs > chart.toml
//
// Countries are merged into Territories, cut along lines of longitude and latitude, and drawn in Mercator's
// projection between 135 W and 180 E, 56 S and 72 N, on a sheet of 1000 x 550.
const fs = require("fs");
const topo = require("topojson-client");
const pc = require("polygon-clipping");

const world = JSON.parse(fs.readFileSync("node_modules/world-atlas/countries-110m.json"));
const WEST = -135;
const EAST = 180;
const [SOUTH, NORTH] = [-56, 72];
const WIDTH = 1000;
const SMALLEST = 0.6; // square degrees: smaller islands are specks
const BESIDE = 1e-6;
const FAR_WEST = -150;

const EASTERN_BRAZIL = [[-50, -35], [-30, -35], [-30, 6], [-48, 6], [-50, -5], [-56, -18], [-60, -35]];
const TERRITORIES = {
  canada: { of: ["Canada"], without: [[[-66, 40], [-50, 40], [-50, 53], [-66, 53]]] },
  barbary: { of: ["Morocco", "Algeria", "Tunisia", "Libya", "W. Sahara"] },
  egypt: { of: ["Egypt", "Sudan"] },
  west_africa: {
    of: ["Mauritania", "Senegal", "Gambia", "Guinea-Bissau", "Guinea", "Sierra Leone", "Liberia", "Côte d'Ivoire",
      "Ghana", "Togo", "Benin", "Nigeria", "Mali", "Burkina Faso", "Niger", "Chad"],
  },
  congo: { of: ["Cameroon", "Central African Rep.", "Gabon", "Congo", "Dem. Rep. Congo", "Eq. Guinea", "Angola"] },
  east_africa: {
    of: ["Ethiopia", "Eritrea", "Djibouti", "Somalia", "Somaliland", "Kenya", "Uganda", "Tanzania", "Rwanda",
      "Burundi", "S. Sudan", "Mozambique", "Madagascar", "Malawi", "Zambia"],
  },
  cape_colony: { of: ["South Africa", "Namibia", "Botswana", "Zimbabwe", "Lesotho", "eSwatini"] },
  levant: { of: ["Turkey", "Syria", "Lebanon", "Israel", "Palestine", "Jordan", "Cyprus", "N. Cyprus", "Iraq"] },
  arabia: { of: ["Saudi Arabia", "Yemen", "Oman", "United Arab Emirates", "Qatar", "Kuwait"] },
  persia: { of: ["Iran", "Afghanistan", "Turkmenistan"] },
  india: { of: ["India", "Pakistan", "Bangladesh", "Sri Lanka", "Nepal", "Bhutan"] },
  indochina: { of: ["Myanmar", "Thailand", "Laos", "Vietnam", "Cambodia"] },
  china: { of: ["China", "Taiwan", "Mongolia", "North Korea", "South Korea"] },
  japan: { of: ["Japan"] },
  east_indies: { of: ["Indonesia", "Malaysia", "Philippines", "Papua New Guinea", "Brunei", "Timor-Leste"] },
  australia: { of: ["Australia", "New Zealand"] },
  new_spain: { of: ["Mexico", "Guatemala", "Belize", "Honduras", "El Salvador", "Nicaragua", "Costa Rica", "Panama"] },
  west_indies: { of: ["Cuba", "Haiti", "Dominican Rep.", "Jamaica", "Puerto Rico", "Bahamas", "Trinidad and Tobago"] },
  guyanas: { of: ["Venezuela", "Guyana", "Suriname", "Colombia"] },
  peru: { of: ["Peru", "Ecuador", "Bolivia"] },
  rio_de_la_plata: { of: ["Argentina", "Chile", "Uruguay", "Paraguay"] },
  brazil: { of: ["Brazil"], within: [EASTERN_BRAZIL] },
  amazonia: { of: ["Brazil"], without: [EASTERN_BRAZIL] },
  new_england: {
    of: ["United States of America", "Canada"],
    within: [[[-84, 24], [-50, 24], [-50, 53], [-66, 53], [-66, 46], [-80, 42], [-84, 35]]],
  },
  new_france: {
    of: ["United States of America"],
    within: [[[-98, 24], [-84, 24], [-84, 35], [-80, 42], [-80, 49.5], [-98, 49.5]]],
  },
  wild_west: {
    of: ["United States of America"],
    within: [[[-98, 24], [-98, 49.5], [-118, 49.5], [-116, 42], [-114, 30]]],
  },
  california: {
    of: ["United States of America"],
    within: [[[-130, 49.5], [-118, 49.5], [-116, 42], [-114, 30], [-125, 30]]],
  },
};

const radians = Math.PI / 180;
const mercator = (latitude) => Math.log(Math.tan(Math.PI / 4 + (latitude * radians) / 2));
const SCALE = WIDTH / ((EAST - WEST) * radians);
const project = ([longitude, latitude]) => [
  (longitude - WEST) * radians * SCALE,
  (mercator(NORTH) - mercator(Math.max(SOUTH - 1, Math.min(NORTH + 1, latitude)))) * SCALE,
];
const HEIGHT = Math.round(project([0, SOUTH])[1]);
const SHEET = [[[WEST, SOUTH], [EAST, SOUTH], [EAST, NORTH], [WEST, NORTH], [WEST, SOUTH]]];

const countries = Object.fromEntries(world.objects.countries.geometries.map((each) => [each.properties.name, each]));
const closed = (ring) => [[...ring, ring[0]]];
const size = (ring) =>
  Math.abs(ring.reduce((sum, [x, y], at) => sum + x * ring[(at + 1) % ring.length][1] - ring[(at + 1) % ring.length][0] * y, 0) / 2);

function polygonsOf({ of, within, without }) {
  const given = of.map((name) => {
    if (!countries[name]) throw new Error(`no country ${name}`);
    return countries[name];
  });
  let shape = topo.merge(world, given).coordinates;
  if (within) shape = pc.intersection(shape, ...within.map(closed));
  if (without) shape = pc.difference(shape, ...without.map(closed));
  return onSheet(shape);
}

function onSheet(shape) {
  // What crosses the antimeridian would be drawn across the whole sheet: its far end is put behind its near one.
  const sound = shape.map((rings) => {
    const xs = rings[0].map(([x]) => x);
    const crosses = Math.max(...xs) - Math.min(...xs) > 350;
    return rings.map((ring) => ring.map(([x, y]) => [crosses && x < FAR_WEST ? x + 360 : x, y]));
  });
  return pc.intersection(sound, SHEET).filter(([outer]) => size(outer) > SMALLEST);
}

function path(shape) {
  const text = (point) => project(point).map((value) => Math.round(value * 10) / 10).join(" ");
  return shape
    .flatMap((polygon) => polygon.map((ring) => "M" + [...new Set(ring.map(text))].join("L") + "Z"))
    .join("");
}

function touch(one, other) {
  const edges = (shape) => shape.flat().flatMap((ring) => ring.slice(1).map((end, at) => [ring[at], end]));
  const beside = ([[x1, y1], [x2, y2]], [[x3, y3], [x4, y4]]) => {
    const across = (x, y) => Math.abs((x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)) / Math.hypot(x2 - x1, y2 - y1);
    if (across(x3, y3) > BESIDE || across(x4, y4) > BESIDE) return false;
    const along = (x, y) => ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2);
    const [a, b] = [along(x3, y3), along(x4, y4)].sort((p, q) => p - q);
    return Math.min(1, b) - Math.max(0, a) > BESIDE;
  };
  const others = edges(other);
  return edges(one).some((edge) => others.some((each) => beside(edge, each)));
}

const shapes = Object.fromEntries(Object.entries(TERRITORIES).map(([key, recipe]) => [key, polygonsOf(recipe)]));
const keys = Object.keys(shapes);
const taken = new Set(Object.values(TERRITORIES).flatMap(({ of }) => of));
const rest = Object.values(countries).filter(({ properties }) => !taken.has(properties.name) && properties.name !== "Antarctica");
const borders = keys.flatMap((one, at) =>
  keys.slice(at + 1).filter((other) => touch(shapes[one], shapes[other])).map((other) => `    ["${one}", "${other}"],`),
);
process.stdout.write(
  [
    "# The world between 135 W and 180 E, 56 S and 72 N in Mercator's projection, as SVG paths: made once by",
    "# territories.cjs beside this file from Natural Earth's outlines, which are in the public domain.",
    `width = ${WIDTH}`,
    `height = ${HEIGHT}`,
    `land = "${path(onSheet(topo.merge(world, rest).coordinates))}"`,
    "borders = [",
    ...borders,
    "]",
    "",
    "[areas]",
    ...keys.map((key) => `${key} = "${path(shapes[key])}"`),
    "",
  ].join("\n"),
);
