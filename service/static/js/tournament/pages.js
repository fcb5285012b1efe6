// The pages below /t: the list of tournaments, a new one, one of them.
import { account } from "../account/account.js";
import { NewTournament } from "./create.js";
import { TournamentList } from "./list.js";
import { TournamentPage } from "./page.js";
import { html } from "../base/ui.js";

export function Tournaments({ id }) {
  if (!id) return html`<${TournamentList}/>`;
  if (id === "new") return html`<${NewTournament}/>`;
  return html`<${TournamentPage} key=${account.value?.id} id=${id}/>`;
}
