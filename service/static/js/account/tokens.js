// My tokens and recovery codes, as parts of the account dialog.
import { call, del, get, newKey } from "../base/api.js";
import { complain, say } from "../base/notices.js";
import { keyed, tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { ago, clock, count } from "../base/words.js";

const SCOPES = {
  "game:read": keyed("see what my seats see"),
  "game:play": keyed("join games and play"),
  "game:create": keyed("create games"),
  "game:direct": keyed("direct games"),
  "tournament:enter": keyed("enter tournaments"),
  "tournament:direct": keyed("direct tournaments"),
  "account:write": keyed("change or delete the account"),
  "webhook:write": keyed("set up webhooks"),
  "token:write": keyed("make and revoke tokens"),
};
const USUAL = ["game:read", "game:play"];
const DAY = 86_400_000;
const ENDS = [["", keyed("never")], [DAY, keyed("in one day")], [30 * DAY, keyed("in 30 days")], [365 * DAY, keyed("in a year")]];

/** Ask for something whose answer shows a secret: once, for it cannot be asked for again. */
const make = (path, body = {}) => call("POST", path, { body, headers: { "Idempotency-Key": newKey() } });

export function Tokens() {
  const [tokens, setTokens] = useState(null);
  const [made, setMade] = useState(null);
  const load = () => get("me/tokens").then((answer) => setTokens(answer.tokens), complain);
  useEffect(() => void load(), []);
  const revoke = async (token) => {
    try {
      await del(`me/tokens/${token.id}`);
      say(tr("“{label}” is revoked.", { label: token.label }));
    } catch (problem) {
      complain(problem);
    }
    load();
  };
  const taken = (token) => {
    setMade(token);
    load();
  };
  return html`<p class="hint">Give each program its own token, with only the rights that it needs. You can then revoke
      one without the others.</p>
    <ul class="tokens" aria-label="My tokens">${tokens?.map(
      (token) => html`<li key=${token.id}>
      <p><b><bdi>${token.label}</bdi></b> <span class="hint">${use(token)}</span></p>
      <p class="hint">${token.scopes.length === Object.keys(SCOPES).length ? tr("everything") : told(token.scopes)}</p>
      <button type="button" class="danger" aria-label=${tr("Revoke {label}", { label: token.label })}
        onClick=${() => revoke(token)}>Revoke</button>
    </li>`,
    )}</ul>
    ${made && html`<${Shown} title=${tr("The token “{label}”", { label: made.label })} text=${made.token}/>`}
    <${NewToken} onMade=${taken}/>`;
}

function use(token) {
  const used = token.last_used_at ? tr("used {ago}", { ago: ago(token.last_used_at) }) : tr("not used yet");
  return token.expires_at ? tr("{used}, expires {time}", { used, time: clock(token.expires_at) }) : used;
}

const told = (scopes) => scopes.map((scope) => tr(SCOPES[scope] ?? scope)).join(", ");

function NewToken({ onMade }) {
  const [label, setLabel] = useState("");
  const [scopes, setScopes] = useState(USUAL);
  const [ends, setEnds] = useState("");
  const [failure, setFailure] = useState("");
  const submit = async (event) => {
    event.preventDefault();
    const body = { label: label.trim(), scopes, ...(ends && { expires_in_ms: Number(ends) }) };
    try {
      onMade(await make("me/tokens", body));
      setLabel("");
      setFailure("");
    } catch (problem) {
      setFailure(problem.detail);
    }
  };
  const toggle = (scope) =>
    setScopes(scopes.includes(scope) ? scopes.filter((one) => one !== scope) : [...scopes, scope]);
  return html`<form onSubmit=${submit} aria-label="New token">
    <label class="field"><span>What is the new token for?</span>
      <input name="label" value=${label} maxlength="40" required autocomplete="off"
        onInput=${(event) => setLabel(event.target.value)}/></label>
    <fieldset class="group"><legend>Rights</legend>${Object.entries(SCOPES).map(
      ([scope, text]) => html`<label class="check" key=${scope}><input type="checkbox" name="scope" value=${scope}
        checked=${scopes.includes(scope)} onChange=${() => toggle(scope)}/> ${tr(text)}</label>`,
    )}</fieldset>
    <label class="inline"><span>Expires</span><select name="ends" value=${ends}
      onChange=${(event) => setEnds(event.target.value)}>${ENDS.map(
        ([time, text]) => html`<option key=${time} value=${time}>${tr(text)}</option>`,
      )}</select></label>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button disabled=${!scopes.length}>Make a token</button></p>
  </form>`;
}

export function Recovery() {
  const [kept, setKept] = useState(null);
  const [codes, setCodes] = useState(null);
  const load = () => get("me/recovery").then(setKept, complain);
  useEffect(() => void load(), []);
  const renew = async () => {
    try {
      setCodes((await make("me/recovery")).codes);
      load();
    } catch (problem) {
      complain(problem);
    }
  };
  return html`<p class="hint">If all tokens are lost, one of these codes opens the account again. Keep them on paper.
      ${kept && (kept.left ? tr(" {left} of them can still be used. New codes replace the old ones in 14 days.", { left: kept.left }) : tr(" You have none yet."))}</p>
    ${kept?.earlier_left > 0 && html`<p class="hint" data-part="earlier-codes">${count(kept.earlier_left, "earlier code")} can be used
      until ${clock(kept.earlier_until)}. If you did not replace them, use one now: it ends all newer codes and all tokens.</p>`}
    ${codes && html`<${Shown} title="Recovery codes" text=${codes.join("\n")}/>`}
    <p class="row"><button type="button" onClick=${renew}>Make ten codes</button></p>`;
}

/** A secret that is shown this once. */
export function Shown({ title, text }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say(tr("Copied.")),
      () => say(tr("Copying failed. Select the text and copy it."), "bad"),
    );
  return html`<section class="shown" role="status" aria-label=${title}>
    <p><bdi>${title}</bdi>: shown only once. Save it now.</p>
    <pre class="secret" tabindex="0">${text}</pre>
    <p class="row"><button type="button" onClick=${copy}>Copy</button></p>
  </section>`;
}
