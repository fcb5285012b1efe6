// My webhooks, as a part of the account dialog: addresses that are called when something concerns me.
import { call, del, get, newKey } from "../base/api.js";
import { complain, say } from "../base/notices.js";
import { keyed, tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { Shown } from "./tokens.js";

const TURN = ["game.your_turn"];
const TOLD = [["turn", keyed("my turn alone")], ["all", keyed("everything that concerns me")]];
const WHY = { gone: keyed("The address answered that it is gone."), failing: keyed("No call arrived for five days.") };

export function Webhooks() {
  const [webhooks, setWebhooks] = useState(null);
  const [made, setMade] = useState(null);
  const load = () => get("me/webhooks").then((answer) => setWebhooks(answer.webhooks), complain);
  useEffect(() => void load(), []);
  const act = (action, told) => () => action().then(() => say(told), complain).then(load);
  const taken = (webhook) => {
    setMade(webhook);
    load();
  };
  return html`<p class="hint">A webhook is an address of a program of yours. The server calls it when it is your turn, signed with a
      secret. <a href="/docs/build/webhooks">How to write a receiver</a></p>
    <ul class="tokens" aria-label="My webhooks">${webhooks?.map((one) => html`<li key=${one.id} data-webhook=${one.id}>
      <p><b class="digest"><bdi>${one.url}</bdi></b> <span class="hint">${one.enabled ? tr("on") : tr("off")}, ${
        one.types.length === 1 && one.types[0] === TURN[0] ? tr("for my turns") : tr("for several notices")}</span></p>
      ${one.disabled_for && html`<p class="hint">${tr(WHY[one.disabled_for])} Mend it, then switch it on.</p>`}
      <p class="row">
        ${one.enabled && html`<button type="button" onClick=${act(() => call("POST", `me/webhooks/${one.id}/test`), tr("A test call is on its way."))}>Call it now</button>`}
        <button type="button" onClick=${act(() => call("PATCH", `me/webhooks/${one.id}`, { body: { enabled: !one.enabled } }), one.enabled ? tr("The webhook is off.") : tr("The webhook is on."))}>${
          one.enabled ? tr("Switch off") : tr("Switch on")}</button>
        <button type="button" class="danger" aria-label=${tr("Delete {url}", { url: one.url })}
          onClick=${act(() => del(`me/webhooks/${one.id}`), tr("The webhook is deleted."))}>Delete</button></p>
    </li>`)}</ul>
    ${made && html`<${Shown} title="The secret that signs its calls" text=${made.secret}/>`}
    <${NewWebhook} onMade=${taken}/>`;
}

function NewWebhook({ onMade }) {
  const [url, setUrl] = useState("");
  const [what, setWhat] = useState("turn");
  const [failure, setFailure] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    const body = { url: url.trim(), ...(what === "turn" && { types: TURN }) };
    try {
      onMade(await call("POST", "me/webhooks", { body, headers: { "Idempotency-Key": newKey() } }));
      setUrl("");
      setFailure("");
    } catch (problem) {
      setFailure(Object.values(problem.errors || {}).flat().join(" ") || problem.detail);
    }
  };
  return html`<form onSubmit=${submit} aria-label="New webhook">
    <label class="field"><span>Address of the receiver</span><input name="url" type="url" value=${url} required maxlength="500"
      autocomplete="off" onInput=${(event) => setUrl(event.target.value)}/></label>
    <label class="inline"><span>Call it for</span><select name="what" value=${what}
      onChange=${(event) => setWhat(event.target.value)}>${TOLD.map(([key, text]) => html`<option key=${key} value=${key}>${tr(text)}</option>`)}</select></label>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button>Add the webhook</button></p>
  </form>`;
}
