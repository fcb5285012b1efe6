// The page as an app: a worker opens its frame without a network (see `worker.js`).

/** Have the browser keep the frame of the page. It works without that, too: some browsers and windows have no workers. */
export function keepFrame() {
  navigator.serviceWorker?.register("/worker.js").catch(() => null);
}

/** Leave nothing in this browser: the worker goes, and all that it keeps. */
export async function forgetFrame() {
  const workers = (await navigator.serviceWorker?.getRegistrations()) || [];
  const kept = globalThis.caches ? await caches.keys() : [];
  await Promise.all([...workers.map((each) => each.unregister()), ...kept.map((name) => caches.delete(name))]);
}
