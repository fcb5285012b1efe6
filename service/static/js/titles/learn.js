// The way to a guided first turn, where a title has one.
import { complain } from "../base/notices.js";
import { tr } from "../base/text.js";
import { loadTitles } from "./titles.js";
import { html, useEffect, useState } from "../base/ui.js";

/** A button that begins the guided first turn of *title*. */
export function Learn({ title }) {
  const [busy, setBusy] = useState(false);
  if (!title?.lesson) return null;
  const learn = async () => {
    setBusy(true);
    await import("./lesson.js").then((module) => module.beginLesson(title)).catch(complain);
    setBusy(false);
  };
  return html`<button type="button" class="learn" data-part="learn" disabled=${busy} onClick=${learn}
    aria-label=${tr("Learn by playing, 3 minutes: {name}", { name: title.name })}>Learn by playing, 3 minutes</button>`;
}

/** The same for the title *id*, which is asked for first. */
export function LearnById({ id }) {
  const [title, setTitle] = useState(null);
  useEffect(() => void loadTitles().then((found) => setTitle(found.find((each) => each.id === id)), complain), [id]);
  return html`<${Learn} title=${title}/>`;
}
