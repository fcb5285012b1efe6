// Lists that the service gives page by page, looked at again now and then.
import { get, samePlace } from "./api.js";
import { complain } from "./notices.js";
import { titles } from "../titles/titles.js";
import { html, useEffect, useState } from "./ui.js";

const AGAIN = 15_000; // ms

/** A choice of one title, or of all. */
export function TitleFilter({ title, onChange }) {
  return html`<label class="inline"><span>Title</span><select name="title" value=${title}
    onChange=${(event) => onChange(event.target.value)}>
    <option value="">all titles</option>
    ${titles.value.map((each) => html`<option key=${each.id} value=${each.id}>${each.name}</option>`)}
  </select></label>`;
}

/**
 * For lists below each other: True once all *names* and the titles are here, and a function that says so of one of
 * them. Shown together, none pushes another down.
 */
export function useSettled(names) {
  const [found, setFound] = useState([]);
  const settled = titles.value.length > 0 && names.every((each) => found.includes(each));
  return [settled, (name) => () => setFound((old) => [...old, name])];
}

/**
 * What stands under *path* for *query*, in the answer's member *of*, as a section. *select*: what of a page is shown,
 * in which order; *Line*: how one of them is drawn, as `each`; *onFound*: called once the first answer is here.
 */
export function Listing({ path, of = path, query, heading, none, select = (found) => found, Line, onFound = () => null }) {
  const [found, setFound] = useState(null);
  const [next, setNext] = useState(null);
  useEffect(() => {
    const controller = new AbortController();
    const load = () =>
      get(path, { ...query, limit: 20 }, { signal: controller.signal }).then((page) => {
        setFound(page[of]);
        setNext(page.next);
      }, complain);
    load().then(onFound);
    const timer = setInterval(() => document.hidden || load(), AGAIN);
    return () => {
      controller.abort();
      clearInterval(timer);
    };
  }, [path, JSON.stringify(query)]);
  const more = () =>
    get(samePlace(next)).then((page) => {
      setFound([...found, ...page[of]]);
      setNext(page.next);
    }, complain);
  const id = `list-${heading.toLowerCase().replace(/ /g, "-")}`;
  return html`<section class="games" aria-labelledby=${id}>
    <h2 id=${id}>${heading}</h2>
    <${Lines} found=${found && select(found)} none=${none} Line=${Line}/>
    ${next && html`<p><button type="button" onClick=${more}>More</button></p>`}
  </section>`;
}

function Lines({ found, none, Line }) {
  if (found === null) return html`<p class="hint">…</p>`;
  if (!found.length) return html`<p class="none">${none}</p>`;
  return html`<ul class="game-list">${found.map((each) => html`<${Line} key=${each.id} each=${each}/>`)}</ul>`;
}
