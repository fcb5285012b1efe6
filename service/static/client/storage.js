// Where a client keeps receipts and contributions: a Storage as browsers have it, such as localStorage.

/** A Storage that lasts as long as the program. */
export class MemoryStorage {
  items = new Map();

  get length() {
    return this.items.size;
  }

  key(index) {
    return [...this.items.keys()][index] ?? null;
  }

  getItem(name) {
    return this.items.get(name) ?? null;
  }

  setItem(name, value) {
    this.items.set(name, String(value));
  }

  removeItem(name) {
    this.items.delete(name);
  }
}

/** The names of a *storage* that begin with *start*. */
export function namesIn(storage, start) {
  const all = Array.from({ length: storage.length }, (_, index) => storage.key(index));
  return all.filter((name) => name.startsWith(start));
}
