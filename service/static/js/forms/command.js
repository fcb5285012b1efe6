// A form for one type of command, made from its JSON Schema and from what the page knows of the game.
import { keep, recall } from "../base/kept.js";
import { complain } from "../base/notices.js";
import { Clause, html, useEffect, useMemo, useState } from "../base/ui.js";
import { words } from "../base/words.js";
import { Field } from "./field.js";
import { blank, clean, follow } from "./schema.js";
import { suggest } from "./suggest.js";

/**
 * *send(command)* answers a promise; what it is rejected with is shown beside the form. What is written is kept under
 * *draft*, where that is given, until it is sent.
 */
export function CommandForm({ type, schema, known, send, busy, draft }) {
  const empty = () => blank(schema, schema);
  const [value, setValue] = useState(() => (draft && recall(draft, null)) || empty());
  const unwritten = JSON.stringify(value) === JSON.stringify(empty());
  useEffect(() => void (draft && keep(draft, unwritten ? null : value)), [draft, value]);
  const [failure, setFailure] = useState(null);
  const whole = follow(schema, schema);
  const hints = useMemo(() => {
    const asked = new Map();
    return (path) => {
      const key = path.join("/");
      if (!asked.has(key)) asked.set(key, suggest(known, type, path));
      return asked.get(key);
    };
  }, [known, type]);

  async function submit(event) {
    event.preventDefault();
    if (busy) return;
    setFailure(null);
    try {
      const sent = await send({ ...clean(schema, value, schema), type });
      if (sent) setValue(empty());
    } catch (problem) {
      setFailure(problem);
      if (problem.code === "unreachable") complain(problem);
    }
  }

  return html`<form class="command-form" data-command=${type} onSubmit=${submit} novalidate>
    ${whole.description && html`<p class="hint">${whole.description}</p>`}
    <${Field} name=${type} schema=${schema} root=${schema} value=${value} onChange=${setValue} path=${[]}
      hints=${hints} known=${known} seats=${known.seats}/>
    ${failure && html`<p class="failure" role="alert">${failure.detail || failure.message}${details(failure)}
      <${Clause} href=${failure.clause}/></p>`}
    <p class="row"><button class="primary" disabled=${busy}>${words(type)}</button>
      <button type="button" class="quiet-link" onClick=${() => {
        setValue(empty());
        setFailure(null);
      }}>Clear</button></p>
  </form>`;
}

/** Where the service says which part is wrong, say it too. */
function details({ errors }) {
  if (!errors) return null;
  const told = (inner, path) =>
    typeof inner === "string"
      ? [`${path.join(" – ")}: ${inner}`]
      : Array.isArray(inner)
        ? inner.flatMap((each) => told(each, path))
        : inner && typeof inner === "object"
          ? Object.entries(inner).flatMap(([key, each]) => told(each, [...path, words(key)]))
          : [];
  const lines = told(errors, []);
  return lines.length ? html`<ul>${lines.map((line, index) => html`<li key=${index}>${line}</li>`)}</ul>` : null;
}
