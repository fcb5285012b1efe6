// What stands at the head of every page: the way home, and who I am.
import { account, openAccount, unknown } from "../account/account.js";
import { get } from "./api.js";
import { fileOf } from "./files.js";
import { plural, tr } from "./text.js";
import { html, useEffect, useState } from "./ui.js";

const AGAIN = 30_000;

export function Brand() {
  return html`<a class="brand" href="/" aria-label="Rutter: all games"><img src=${fileOf("icon.svg")} alt="" width="26"
    height="26"/><span>Rutter</span></a>`;
}

/** How many games wait for me, as a way to them. */
export function Turns() {
  const [turns, setTurns] = useState([]);
  const me = account.value?.id;
  useEffect(() => {
    if (!me) return setTurns([]);
    // Nobody needs to be told that this cannot be told just now: the next look will.
    const look = () => document.hidden || get("me/turns").then((answer) => setTurns(answer.turns), () => {});
    look();
    const timer = setInterval(look, AGAIN);
    return () => clearInterval(timer);
  }, [me]);
  const games = new Set(turns.map((turn) => turn.game)).size;
  if (!games) return null;
  return html`<a class="flag-turn turns" data-part="turns" href=${games === 1 ? `/g/${turns[0].game}` : "/"}
    >${plural(games, "{n} game waits for you", "{n} games wait for you")}</a>`;
}

export function Who() {
  if (unknown.value) return null;
  return html`<button type="button" class="who" data-part="who" title=${account.value?.name || undefined} onClick=${openAccount}><bdi>${
    account.value ? account.value.name || tr("My account") : tr("Sign in")
  }</bdi></button>`;
}
