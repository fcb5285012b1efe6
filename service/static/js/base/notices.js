// Short messages at the edge of the page: what went wrong, what was done.
import { tr } from "./text.js";
import { html, signal } from "./ui.js";

const notices = signal([]);
let number = 0;

/** Show *text* for a while; a *bad* one stays until it is put away. *action*: a button, its `label` and what to `run`. */
export function say(text, tone = "good", code = null, action = null) {
  if (notices.value.some((notice) => notice.text === text)) return;
  const id = ++number;
  notices.value = [...notices.value.slice(-3), { id, text, tone, code, action }];
  if (tone !== "bad") setTimeout(() => dismiss(id), 6000);
}

/** Show why something failed; an aborted request is no failure. */
export function complain(problem) {
  if (problem.name === "AbortError") return;
  say(tr(problem.detail || problem.message), "bad", problem.code);
}

/** The service answers again: what was said of its silence is over. */
export function recovered() {
  notices.value = notices.value.filter((notice) => notice.code !== "unreachable");
}

function dismiss(id) {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

export function Notices() {
  return html`<div class="notices" role="status" aria-live="polite">
    ${notices.value.map(
      (notice) => html`<p key=${notice.id} class="notice ${notice.tone}">
      <bdi>${notice.text}</bdi>
      ${notice.action && html`<button type="button" onClick=${() => {
        dismiss(notice.id);
        Promise.resolve(notice.action.run()).catch(complain);
      }}>${notice.action.label}</button>`}
      <button type="button" class="quiet" aria-label="Dismiss this message"
        onClick=${() => dismiss(notice.id)}>×</button>
    </p>`,
    )}
  </div>`;
}
