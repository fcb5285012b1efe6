// Whether a page is kept fresh by a live stream: for people, and in the words of the DOM.
import { keyed, tr } from "./text.js";
import { html } from "./ui.js";

const TOLD = { live: keyed("live"), connecting: keyed("connecting …"), reconnecting: keyed("reconnecting …"), off: keyed("not live") };

/** By the state of a connection the value of `data-live`. */
export const LIVELY = { live: "live", connecting: "lost", reconnecting: "lost", off: "off" };

export function Live({ state }) {
  return html`<span class="live is-${state}" role="status"><i aria-hidden="true"></i><span class="told">${tr(TOLD[state])}</span></span>`;
}
