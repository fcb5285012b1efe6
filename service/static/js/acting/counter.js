// The button that answers an offer with an offer: it fills a form with what is offered, turned round.
import { get } from "../base/api.js";
import { keep } from "../base/kept.js";
import { complain } from "../base/notices.js";
import { loadTitle } from "../titles/titles.js";
import { html, useEffect, useState } from "../base/ui.js";

/** Where the draft of a command of *type* is kept. */
export const draftOf = (store, type) => `rutter.draft.${store.id}.${store.looking.value}.${type}`;

/** The button, where the *items* that are left name one offer to me; *onCompose* opens the list with its form. */
export function Counter({ store, acting, items, onCompose }) {
  const [found, setFound] = useState(null);
  const answer = store.answerable.value;
  const seat = store.looking.value;
  const asked = answer && !answer.complete && items.map((item) => item.command);
  const named = JSON.stringify(asked || null);
  useEffect(() => {
    let left = false;
    setFound(null);
    if (asked) void search(store, asked).then((one) => left || setFound(one), complain);
    return () => {
      left = true;
    };
  }, [named, seat, answer?.seq]);
  if (!found) return null;
  const compose = () => {
    keep(draftOf(store, found.type), found.value);
    acting.clear();
    acting.composed.value = found.type;
    onCompose();
  };
  return html`<p class="row"><button type="button" data-part="counter" disabled=${store.busy.value}
    onClick=${compose}>Counter-offer</button></p>`;
}

/** The type and the value of the form that turns the offer named by *commands* round; null where they name none. */
async function search(store, commands) {
  const { sameThing, shownAs, turned } = await import("../forms/counter.js");
  const thing = sameThing(commands);
  if (!thing) return null;
  const seat = store.looking.value;
  const title = await loadTitle(store.game.value.title, store.game.value.version);
  const mine = store.answerable.value?.decisions.filter((each) => each.seat === seat) ?? [];
  const types = new Set(mine.flatMap((each) => each.commands).filter((type) => title.commands[type]));
  const { view } = await get(store.path, { seat });
  const offer = shownAs(thing, view);
  for (const type of offer ? types : []) {
    const value = turned(title.commands[type], offer, seat);
    if (value) return { type, value };
  }
  return null;
}
