// The titles that the service knows, asked for once.
import { get } from "./api.js";
import { signal } from "./ui.js";

export const titles = signal([]);
const details = new Map();

/** Ask for the list of titles; later calls cost nothing. */
export async function loadTitles() {
  if (!titles.value.length) titles.value = (await get("titles")).titles;
  return titles.value;
}

/** All of one title: options, command schemas, board. */
export function loadTitle(id) {
  if (!details.has(id)) {
    const asked = get(`titles/${encodeURIComponent(id)}`);
    asked.catch(() => details.delete(id)); // a failure is not remembered
    details.set(id, asked);
  }
  return details.get(id);
}

/** The name of a title, as far as it is known yet. */
export function titleName(id) {
  return titles.value.find((title) => title.id === id)?.name || id;
}
