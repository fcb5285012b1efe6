// Which page the address names: `/g/<id>?at=12` becomes {page: "games", id, query: {at: "12"}}.
import { signal } from "./ui.js";

const PAGES = {
  "": "",
  new: "new",
  join: "join",
  g: "games",
  t: "tournament",
  u: "profile",
  ratings: "ratings",
  settings: "settings",
  titles: "titles",
};
const PLACES = { "": "", new: "new", join: "join", games: "g", titles: "titles" };

/** The place that an address of the time of hashes names now, or null. */
function moved(hash) {
  if (!hash.startsWith("#/")) return null;
  const [path, search] = hash.slice(2).split("?");
  const [page = "", ...rest] = path.split("/");
  const place = PLACES[page] ?? "off";
  return `/${[place, ...rest].join("/")}${search ? `?${search}` : ""}`;
}

function parse() {
  const there = moved(location.hash);
  if (there) history.replaceState(null, "", there);
  const embedded = location.pathname.startsWith("/embed/");
  const [place = "", id = ""] = location.pathname.slice(embedded ? 7 : 1).split("/").map(decoded);
  const page = id === null ? "off" : (PAGES[place] ?? "off");
  return { page, id: id || "", query: Object.fromEntries(new URLSearchParams(location.search)), embedded };
}

/** A part of a path as text; null where it is none. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

export const route = signal(parse());

function arrive() {
  route.value = parse();
}

window.addEventListener("popstate", arrive);
window.addEventListener("hashchange", arrive);
/** Go to another page. Each is loaded from the browser's own store, and nothing of the last one stays. */
export function go(address) {
  location.assign(address);
}

/** The address with the query that is given, of those of its entries that have a value. */
export function address(path, query) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given).toString();
  return `${path}${search ? "?" + search : ""}`;
}

/** Change the address of this page without a new entry in the browser's history (the slider moves often). */
export function amend(path, query) {
  // A reader who has left that page already must not be called back.
  if (location.pathname !== path) return;
  const next = address(path, query);
  if (next !== location.pathname + location.search) history.replaceState(null, "", next);
}
