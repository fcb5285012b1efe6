// What the rules say of a thing that is drawn: the title tells it by how the refs of such things begin.
import { Acting } from "../acting/acting.js";
import { tr } from "../base/text.js";
import { rulesOf } from "./titles.js";
import { Clause, classes, createContext, html, useContext } from "../base/ui.js";

/** The title whose things are drawn, with all that the service tells of it; null until it is known. */
export const Rules = createContext(null);

/** The component that draws on cards; null until it is here. */
export const Drawings = createContext(null);

/** What the title tells of *ref* in its part *part*: by the longest beginning that it names there. */
export function useNamed(part, ref) {
  const told = useContext(Rules)?.[part];
  if (!told || !ref) return undefined;
  const keyed = ref.toLowerCase().replaceAll(" ", "_"); // a thing without a key has its name in its ref
  const begins = Object.keys(told).filter((key) => keyed.startsWith(key));
  return told[begins.reduce((one, other) => (other.length > one.length ? other : one), "")];
}

/** The clauses that *ref* rests on, as links. */
function useClauses(ref) {
  const title = useContext(Rules);
  return (useNamed("clauses", ref) || []).map((clause) => `${rulesOf(title.id, title.version)}#${clause}`);
}

/** In the corner of a card: beside it and not within, since the card is a button while it is lit. */
export function CardRules({ item }) {
  const asked = useContext(Acting)?.lit.value.size > 0; // then Tab leads to what can be answered
  const clauses = useClauses(item.ref);
  if (!clauses.length) return null;
  return html`<span class=${classes("card-rules", item.coin !== undefined && "beside-coin")}>${clauses.map((href) => {
    const clause = href.split("#")[1];
    return html`<a key=${href} href=${href} target="_blank" rel="noopener" title=${clause} data-part="clause"
      tabindex=${asked ? -1 : undefined} aria-label=${tr("Rules of {name}: {clause}", { name: item.name, clause })}>§</a>`;
  })}</span>`;
}

/** In words, where there is room: beside what has been pointed at. */
export function Clauses({ of }) {
  return useClauses(of).map((href) => html`<${Clause} key=${href} href=${href}/> `);
}
