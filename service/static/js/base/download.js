// A button that saves something of the service as a file.
import { complain } from "./notices.js";
import { saveFrom } from "./save.js";
import { html, useState } from "./ui.js";

/** *path*: below `/v1`; *name*: of the file. */
export function Download({ path, name, query, part, children, ...look }) {
  const [busy, setBusy] = useState(false);
  const download = () => {
    setBusy(true);
    saveFrom(path, name, query)
      .catch(complain)
      .finally(() => setBusy(false));
  };
  return html`<button type="button" ...${look} disabled=${busy} data-part=${part} onClick=${download}>${children}</button>`;
}
