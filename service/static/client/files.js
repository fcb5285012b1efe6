// A Storage for Node: a folder with one file an item. For one program at a time.
import { closeSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { MemoryStorage } from "./storage.js";

const DRAFT = ".draft";

/** Keeps each item in a file of *folder* that only its owner may read; what is set is on the disk. */
export class FileStorage extends MemoryStorage {
  #folder;

  constructor(folder) {
    super();
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder).filter((each) => !each.endsWith(DRAFT)))
      this.items.set(decodeURIComponent(name), readFileSync(join(folder, name), "utf8"));
  }

  setItem(name, value) {
    const place = this.#placeOf(name);
    const file = openSync(place + DRAFT, "w", 0o600);
    try {
      writeFileSync(file, String(value));
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(place + DRAFT, place);
    super.setItem(name, value);
  }

  removeItem(name) {
    rmSync(this.#placeOf(name), { force: true });
    super.removeItem(name);
  }

  #placeOf(name) {
    return join(this.#folder, encodeURIComponent(name));
  }
}
