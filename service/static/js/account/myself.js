// What I am called, and how to leave for good: parts of the account dialog.
import { call, del } from "../base/api.js";
import { say } from "../base/notices.js";
import { tr } from "../base/text.js";
import { html, useState } from "../base/ui.js";

/** Name and handle of *account*; *onChange* gets the account as it is then. */
export function Names({ account, onChange }) {
  const [name, setName] = useState(account.name);
  const [handle, setHandle] = useState(account.handle ?? "");
  const [failure, setFailure] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    const body = { name: name.trim(), ...(handle && handle !== account.handle && { handle }) };
    try {
      onChange(await call("PATCH", "me", { body }));
      setFailure("");
      say(tr("Saved. Other players see the change from now on."));
    } catch (problem) {
      setFailure(problem.detail);
    }
  };
  return html`<form onSubmit=${submit} aria-label="Name and handle">
    <label class="field"><span>Name</span>
      <input name="my-name" value=${name} maxlength="40" required autocomplete="nickname"
        onInput=${(event) => setName(event.target.value)}/></label>
    <label class="field"><span>Unique handle: lowercase letters, digits, - and _</span>
      <input name="handle" value=${handle} maxlength="20" pattern="[a-z0-9][a-z0-9_\\-]{1,19}" autocomplete="username"
        spellcheck=${false} onInput=${(event) => setHandle(event.target.value)}/></label>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button>Save</button></p>
  </form>`;
}

/** Deleting *account*; *onGone* is called when it is done. */
export function Farewell({ account, onGone }) {
  const [confirm, setConfirm] = useState("");
  const [failure, setFailure] = useState("");
  const wanted = account.handle || account.name;
  const submit = async (event) => {
    event.preventDefault();
    try {
      await del("me", { confirm });
      onGone();
      say(tr("The account is deleted."));
    } catch (problem) {
      setFailure(problem.detail);
    }
  };
  return html`<form onSubmit=${submit} aria-label="Delete the account">
    <p class="hint">You leave all your seats, and your name is removed from all games. The games remain. This cannot be undone.</p>
    <label class="field"><span>Type <b>${wanted}</b> to confirm</span>
      <input name="confirm" value=${confirm} autocomplete="off" required
        onInput=${(event) => setConfirm(event.target.value)}/></label>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button class="danger" disabled=${confirm !== wanted}>Delete my account</button></p>
  </form>`;
}
