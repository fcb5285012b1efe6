// How a war might end, before one declares it.
import { get } from "../base/api.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";

const WAIT = 700;
const asked = new Map();

/** The odds of *item* in the game of *store*, where its command begins a war; nothing for any other. */
export function Odds({ store, item }) {
  const { command } = item;
  const [odds, setOdds] = useState(null);
  const target = item.war;
  const key = `${store.id} ${store.last.value} ${store.looking.value} ${target}`;
  useEffect(() => {
    if (target === undefined) return;
    if (!asked.has(key))
      asked.set(key, patiently(store, target).catch((problem) => ({ problem })));
    let here = true;
    setOdds(null);
    void asked.get(key).then((found) => here && setOdds(found));
    return () => {
      here = false;
    };
  }, [key]);
  if (target === undefined || !command) return null;
  return html`<p class="odds" data-part="odds" role="status">${odds ? told(odds) : tr("Odds …")}</p>`;
}

/** A worker tries the war out: until it is done the service says that it is under way. */
async function patiently(store, target) {
  for (;;) {
    const answer = await get(`${store.path}/wars/odds`, { seat: store.looking.value, target });
    if (answer.status === "ready") return answer.odds;
    await new Promise((done) => setTimeout(done, WAIT));
  }
}

const percent = (part) => `${Math.round(part * 100)} %`;

function told(odds) {
  if (odds.problem) return tr("The odds are not available now.");
  const share = (count) => percent(count / odds.simulations);
  return tr("Odds: win {win}, draw {draw}, loss {loss} (from {simulations} simulated wars)", { win: share(odds.victory), draw: share(odds.draw), loss: share(odds.defeat), simulations: odds.simulations });
}
