// Saving something that the page has, or that the service gives, as a file.
import { request } from "./api.js";

/** Have *blob* saved under *name*. */
export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Have what the service answers under *path* saved under *name*; also what only I may see. Throws a Problem. */
export async function saveFrom(path, name, query = {}) {
  const answer = await request("GET", path, { query, headers: { Accept: "*/*" } });
  save(new Blob([answer.bytes], { type: answer.headers.get("Content-Type") ?? "" }), name);
}
