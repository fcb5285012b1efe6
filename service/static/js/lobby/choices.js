// The options of a game that are not the usual ones, in words.
import { chosenOptions } from "./options.js";
import { loadTitle } from "../titles/titles.js";
import { html, useEffect, useState } from "../base/ui.js";

/** *title*, *version* and *options* of a game. Nothing where all are usual. */
export function Choices({ title, version, options }) {
  const [detail, setDetail] = useState(null);
  // Without the words of a title its table can be joined as well.
  useEffect(() => void loadTitle(title, version).then(setDetail, () => {}), [title, version]);
  const chosen = detail ? chosenOptions(detail.options, detail.option_words, options) : [];
  if (!chosen.length) return null;
  return html`<dl class="option-words" data-part="options">${chosen.map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}
