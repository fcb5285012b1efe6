// Keeps the frame of the page, so that it opens without a network: a sentence, its style and its icon. Nothing else is
// ever kept: no answer of the API, and nothing of any person. A new release is a new EDITION, which drops the old one.
const EDITION = "";
const KEPT = `rutter ${EDITION}`;
const OFFLINE = "/offline";
const SHELL = [OFFLINE, `/edition/${EDITION}/bundle/page.css`, `/edition/${EDITION}/icon.svg`];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(SHELL)));
  self.skipWaiting();
});

self.addEventListener("activate", (event) => {
  const drop = (names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name)));
  event.waitUntil(caches.keys().then(drop).then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE).then((found) => found || Response.error())));
  } else if (SHELL.includes(new URL(request.url).pathname)) {
    event.respondWith(caches.match(request.url).then((found) => found || fetch(request)));
  }
});

// A push says that it is my turn, and where: at a game that everybody may see, or at the start page.
self.addEventListener("push", (event) => {
  const { text, address } = event.data.json();
  event.waitUntil(self.registration.showNotification("Rutter", { body: text, tag: address, data: { address } }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { href } = new URL(event.notification.data.address, self.location.origin);
  const show = (tabs) => {
    const open = tabs.find((tab) => tab.url.split(/[?#]/)[0] === href);
    return open ? open.focus() : self.clients.openWindow(href);
  };
  event.waitUntil(self.clients.matchAll({ type: "window", includeUncontrolled: true }).then(show));
});
