// Who is using this page: an account of the service, known by its token, which this browser keeps.
import { get, post, useToken } from "../base/api.js";
import { complain, say } from "../base/notices.js";
import { Farewell, Names } from "./myself.js";
import { forgetContributions } from "../proof/contribution.js";
import { forgetReceipts } from "../proof/receipts.js";
import { route } from "../base/router.js";
import { forgetSeats } from "./sat.js";
import { Recovery, Tokens } from "./tokens.js";
import { html, signal, useEffect, useRef, useState } from "../base/ui.js";

const KEEP = "rutter.token";

export const account = signal(null);
/** True until a kept token has been tried. */
export const unknown = signal(true);
const token = signal(null);
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
async function adopt(value) {
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

async function create(name) {
  // Who was invited to a tournament may sit in a hall where many make accounts.
  const { invitation } = route.value.query;
  const made = await post("accounts", { ...(name && { name }), ...(invitation && { invitation }) });
  keep(made.token);
  account.value = made.account;
}

function signOut() {
  localStorage.removeItem(KEEP);
  forgetReceipts();
  forgetContributions();
  forgetSeats();
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

function close() {
  dialog.value = null;
  waiting.forEach((resolve) => resolve(Boolean(account.value)));
  waiting = [];
}

/** The dialog that is open now, if any. */
export function AccountDialog() {
  const box = useRef(null);
  const open = dialog.value;
  useEffect(() => {
    if (open && !box.current.open) {
      box.current.showModal();
      box.current.querySelector("input[name=name]")?.focus();
    }
    if (!open && box.current.open) box.current.close();
  }, [open]);
  return html`<dialog ref=${box} class="account-dialog" onClose=${close} aria-labelledby="account-title">
    ${open === "welcome" && html`<${Welcome}/>`}
    ${open === "account" && account.value && html`<${Mine}/>`}
  </dialog>`;
}

function Welcome() {
  const [name, setName] = useState("");
  const [failure, setFailure] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    try {
      await create(name.trim());
      close();
    } catch (problem) {
      setFailure(problem.detail);
    }
  };
  return html`<${Head} title="Welcome"/>
    <form onSubmit=${submit}>
      <label class="field"><span>Name that other players see</span>
        <input name="name" value=${name} maxlength="40" autocomplete="nickname" required
          onInput=${(event) => setName(event.target.value)}/></label>
      <p class="hint">You need no password and no email address. You get a token, which this browser keeps.
        Use the token to sign in on other devices.</p>
      ${failure && html`<p class="failure" role="alert">${failure}</p>`}
      <p class="row"><button class="primary">Sign in</button></p>
    </form>
    <details class="more"><summary>I have a token</summary><${Paste}/></details>`;
}

function Mine() {
  const [shown, setShown] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(token.value).then(
      () => say("Token copied."),
      () => setShown(true),
    );
  return html`<${Head} title=${account.value.name || "Your account"}/>
    <p>Your token is your key: anyone who has it can play as you. To sign in on another device, open this page
      there and paste it.</p>
    <p class="token"><code>${shown ? token.value : "•".repeat(24)}</code></p>
    <p class="row">
      <button type="button" onClick=${() => setShown(!shown)}>${shown ? "Hide" : "Show"} token</button>
      <button type="button" onClick=${copy}>Copy token</button>
    </p>
    <${More} summary="Name and handle"><${Names} account=${account.value}
      onChange=${(changed) => { account.value = changed; }}/><//>
    <${More} summary="Tokens for programs and devices"><${Tokens}/><//>
    <${More} summary="Recovery codes"><${Recovery}/><//>
    <${More} summary="Sign in with another token"><${Paste}/><//>
    <${More} summary="Delete the account"><${Farewell} account=${account.value} onGone=${signOut}/><//>
    <hr/>
    <p class="row"><button type="button" class="danger" onClick=${signOut}>Sign out</button>
      <span class="hint">Save the token or recovery codes first. Without them you cannot open this account again. The receipts
        that this browser keeps are deleted, too.</span></p>`;
}

/** A part of the dialog that is made when it is opened. */
function More({ summary, children }) {
  const [open, setOpen] = useState(false);
  return html`<details class="more" onToggle=${(event) => setOpen(event.target.open)}><summary>${summary}</summary>
    ${open && html`<div>${children}</div>`}</details>`;
}

function Paste() {
  const [value, setValue] = useState("");
  const [failure, setFailure] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    try {
      await adopt(value.trim());
      say(account.value.name ? `Signed in as ${account.value.name}.` : "You are signed in.");
      close();
    } catch (problem) {
      setFailure(problem.status === 401 ? "Unknown or revoked token. Copy all of it, without spaces." : problem.detail);
    }
  };
  return html`<form onSubmit=${submit}>
    <label class="field"><span>Token</span>
      <input name="token" value=${value} autocomplete="off" spellcheck=${false} required
        onInput=${(event) => setValue(event.target.value)}/></label>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button>Sign in</button></p>
  </form>`;
}

function Head({ title }) {
  return html`<header class="dialog-head"><h2 id="account-title"><bdi>${title}</bdi></h2>
    <button type="button" class="quiet" aria-label="Close" onClick=${close}>×</button></header>`;
}
