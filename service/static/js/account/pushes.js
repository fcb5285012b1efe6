// The switch of the account dialog for Web Push: this browser shows that it is my turn, even while no page is open.
import { del, get, post } from "../base/api.js";
import { complain } from "../base/notices.js";
import { keyed, tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";

const KEEP = "rutter.push";
const able = () => Boolean(navigator.serviceWorker && globalThis.PushManager && globalThis.Notification);
const DENIED = keyed("This browser does not let the page notify you. Allow notifications in its settings, then try again.");

/** The bytes of a key in base64url. */
const bytes = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));

async function subscribe(key) {
  if ((await Notification.requestPermission()) !== "granted") throw { detail: tr(DENIED) };
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe(); // it may be with another key
  const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
  const { endpoint, keys } = made.toJSON();
  const { p256dh, auth } = keys;
  try {
    localStorage.setItem(KEEP, (await post("me/push_subscriptions", { endpoint, keys: { p256dh, auth } })).id);
  } catch (problem) {
    await made.unsubscribe();
    throw problem;
  }
}

async function unsubscribe() {
  const { pushManager } = await navigator.serviceWorker.ready;
  await (await pushManager.getSubscription())?.unsubscribe();
  const id = localStorage.getItem(KEEP);
  localStorage.removeItem(KEEP);
  if (id) await del(`me/push_subscriptions/${id}`);
}

export function Pushes() {
  const [told, setTold] = useState(null);
  const [busy, setBusy] = useState(false);
  const load = () => get("me/push_subscriptions").then(setTold, () => null);
  useEffect(() => void (able() && load()), []);
  if (!told?.public_key) return null;
  const kept = localStorage.getItem(KEEP);
  const on = told.push_subscriptions.some((one) => one.id === kept);
  const change = async () => {
    setBusy(true);
    await (on ? unsubscribe() : subscribe(told.public_key)).catch((problem) =>
      complain(problem.detail ? problem : { detail: tr("This browser could not be subscribed. Try again later.") }));
    await load();
    setBusy(false);
  };
  return html`<p><label class="inline"><input type="checkbox" name="push" checked=${on} disabled=${busy} onChange=${change}/>
    <span>Notify this browser when it is my turn</span></label></p>`;
}
