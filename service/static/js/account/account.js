// Who is using this page: an account of the service, known by its token, which this browser keeps.
import { del, get, post, useToken } from "../base/api.js";
import { complain } from "../base/notices.js";
import { forgetContributions } from "../proof/contribution.js";
import { forgetReceipts } from "../proof/receipts.js";
import { forgetFrame } from "../base/installed.js";
import { route } from "../base/router.js";
import { forgetSeats } from "./sat.js";
import { html, signal, useEffect, useLate, useRef } from "../base/ui.js";

const KEEP = "rutter.token";

export const account = signal(null);
/** True until a kept token has been tried. */
export const unknown = signal(true);
export const token = signal(null);
const dialog = signal(null); // null, "account" or "welcome"
let waiting = []; // who waits for the welcome dialog to end

/** Take up the kept token, if there is one; not within somebody else's page, which could have me click on anything. */
export async function recall() {
  const kept = route.value.embedded ? null : localStorage.getItem(KEEP);
  if (kept)
    await adopt(kept).catch((problem) => {
      if (problem.status === 401) localStorage.removeItem(KEEP);
      complain(problem);
    });
  unknown.value = false;
}

/** Sign in with a token: yours from another device, or one that you were given. */
export async function adopt(value) {
  useToken(value);
  try {
    account.value = (await get("me")).account;
  } catch (problem) {
    useToken(token.value);
    throw problem;
  }
  keep(value);
}

function keep(value) {
  token.value = value;
  useToken(value);
  localStorage.setItem(KEEP, value);
}

/** Make an account for a person of that name. */
export async function create(name) {
  // Who was invited to a tournament may sit in a hall where many make accounts.
  const { invitation } = route.value.query;
  const made = await post("accounts", { ...(name && { name }), ...(invitation && { invitation }) });
  keep(made.token);
  account.value = made.account;
}

/** Be nobody in this browser, and leave nothing in it. */
export function signOut() {
  const push = localStorage.getItem("rutter.push");
  localStorage.removeItem("rutter.push");
  if (push) void del(`me/push_subscriptions/${push}`).catch(() => null); // its browser's part goes with the frame
  localStorage.removeItem(KEEP);
  forgetReceipts();
  forgetContributions();
  forgetSeats();
  void forgetFrame().catch(() => null);
  leave();
}

/** Be nobody in this tab. */
function leave() {
  token.value = null;
  useToken(null);
  account.value = null;
  close();
}

/** Keep this tab signed in as the others are: signing out, or in as another, counts for all of them. */
async function follow() {
  const kept = localStorage.getItem(KEEP);
  if (route.value.embedded || unknown.value || kept === token.value) return;
  leave();
  if (kept) await adopt(kept).catch(complain);
}

addEventListener("storage", ({ key }) => (key === KEEP || key === null) && follow());
addEventListener("pageshow", ({ persisted }) => persisted && follow()); // a page that was left is told of nothing

/** True once there is an account; asks for a name on first use. False when the person would rather not. */
export function ensureAccount() {
  if (account.value) return Promise.resolve(true);
  dialog.value = "welcome";
  return new Promise((resolve) => waiting.push(resolve));
}

export function openAccount() {
  dialog.value = account.value ? "account" : "welcome";
}

/** Close the dialog. */
export function close() {
  dialog.value = null;
  waiting.forEach((resolve) => resolve(Boolean(account.value)));
  waiting = [];
}

/** The dialog that is open now, if any. */
export function AccountDialog() {
  const box = useRef(null);
  const open = dialog.value;
  const Inside = useLate(open, () => import("./dialog.js").then((module) => module.Inside));
  useEffect(() => {
    if (open && !box.current.open) box.current.showModal();
    if (open) box.current.querySelector("input[name=name]")?.focus();
    if (!open && box.current.open) box.current.close();
  }, [open, Inside]);
  return html`<dialog ref=${box} class="account-dialog" onClose=${close} aria-labelledby="account-title">
    ${open && Inside && html`<${Inside} open=${open}/>`}
  </dialog>`;
}
