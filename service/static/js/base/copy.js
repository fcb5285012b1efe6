// A button that copies a text.
import { tr } from "./text.js";
import { html, useState } from "./ui.js";

/** Copy *text*; answers whether that succeeded. Without the clipboard of a secure page the old way is tried. */
async function copy(text) {
  if (navigator.clipboard && (await navigator.clipboard.writeText(text).then(() => true, () => false))) return true;
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
}

/** *text*: what is copied; *part*: for checks from outside. */
export function Copy({ text, part, children, ...look }) {
  const [told, setTold] = useState("");
  const press = async () => setTold((await copy(text)) ? tr("Copied") : tr("Select the text and copy it"));
  return html`<button type="button" ...${look} data-part=${part} onClick=${press}>${children}</button><span
    class="hint" role="status">${told}</span>`;
}
