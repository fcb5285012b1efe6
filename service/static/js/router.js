// Which page the address names: `#/games/<id>?at=12` becomes {page: "games", id, query: {at: "12"}}.
import { signal } from "./ui.js";

export const route = signal(parse(location.hash));

function parse(hash) {
  const [path, search = ""] = hash.replace(/^#\/?/, "").split("?");
  const [page = "", id = ""] = path.split("/").map(decodeURIComponent);
  return { page, id, query: Object.fromEntries(new URLSearchParams(search)) };
}

window.addEventListener("hashchange", () => {
  route.value = parse(location.hash);
});

/** Go to another page. */
export function go(hash) {
  location.hash = hash;
}

/** Change the address of this page without a new entry in the browser's history (the slider moves often). */
export function amend(path, query) {
  // Whoever has left that page already must not be called back.
  if (!location.hash.startsWith(`#/${path}`)) return;
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given).toString();
  const hash = `#/${path}${search ? "?" + search : ""}`;
  if (hash !== location.hash) history.replaceState(null, "", hash);
}
