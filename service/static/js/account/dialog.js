// What stands in the account dialog: a welcome, or my account. It is loaded when the dialog is opened.
import { account, adopt, close, create, signOut, token } from "./account.js";
import { say } from "../base/notices.js";
import { Farewell, Names } from "./myself.js";
import { tr } from "../base/text.js";
import { Recovery, Tokens } from "./tokens.js";
import { Webhooks } from "./webhooks.js";
import { Pushes } from "./pushes.js";
import { html, useState } from "../base/ui.js";

/** The dialog that is *open*: "account" or "welcome". */
export function Inside({ open }) {
  if (open === "welcome") return html`<${Welcome}/>`;
  return account.value && html`<${Mine}/>`;
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
    <details class="more"><summary>I have a token</summary><${Paste}/></details>
    <p><a href="/settings">Settings of this browser</a></p>`;
}

function Mine() {
  const [shown, setShown] = useState(false);
  const copy = () =>
    navigator.clipboard.writeText(token.value).then(
      () => say(tr("Token copied.")),
      () => setShown(true),
    );
  return html`<${Head} title=${account.value.name || tr("Your account")}/>
    <p>Your token is your key: anyone who has it can play as you. To sign in on another device, open this page
      there and paste it.</p>
    <p class="token"><code>${shown ? token.value : "•".repeat(24)}</code></p>
    <p class="row">
      <button type="button" onClick=${() => setShown(!shown)}>${shown ? tr("Hide") : tr("Show")} token</button>
      <button type="button" onClick=${copy}>Copy token</button>
    </p>
    <${Pushes}/>
    <${More} summary="Name and handle"><${Names} account=${account.value}
      onChange=${(changed) => { account.value = changed; }}/><//>
    <${More} summary="Tokens for programs and devices"><${Tokens}/><//>
    <${More} summary="Webhooks: calls to your own program"><${Webhooks}/><//>
    <${More} summary="Recovery codes"><${Recovery}/><//>
    <${More} summary="Sign in with another token"><${Paste}/><//>
    <${More} summary="Delete the account"><${Farewell} account=${account.value} onGone=${signOut}/><//>
    <p><a href="/settings">Settings of this browser</a></p>
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
      say(account.value.name ? tr("Signed in as {name}.", { name: account.value.name }) : tr("You are signed in."));
      close();
    } catch (problem) {
      setFailure(problem.status === 401 ? tr("Unknown or revoked token. Copy all of it, without spaces.") : problem.detail);
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
