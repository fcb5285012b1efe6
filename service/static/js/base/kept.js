// What this browser keeps: as long as the window is open, unless another store is given.

/** The value kept under *key*, or *otherwise*. */
export function recall(key, otherwise, store = sessionStorage) {
  try {
    return JSON.parse(store.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Keep *value* under *key*; null forgets it. */
export function keep(key, value, store = sessionStorage) {
  if (value === null) store.removeItem(key);
  else store.setItem(key, JSON.stringify(value));
}
