// The tools of who runs a tournament: what is of use now first, then everything else.
import { postOnce } from "../base/api.js";
import { complain } from "../base/notices.js";
import { tr } from "../base/text.js";
import { html, useState } from "../base/ui.js";
import { DIRECTING } from "./commands.js";
import { CommandForm } from "./form.js";

export function Directing({ store, t }) {
  const [open, setOpen] = useState(null);
  const useful = DIRECTING.filter((each) => each.now(t, store.rounds.value, store.entrants.value));
  const others = DIRECTING.filter((each) => !useful.includes(each));
  const folded = (command) => html`<details key=${command.type} class="more tool" open=${open === command.type}
    onToggle=${(event) => event.target.open && setOpen(command.type)}><summary data-tool=${command.type}>${tr(command.name)}</summary>
    ${open === command.type && html`<${CommandForm} store=${store} command=${command}/>`}</details>`;
  const plain = useful.filter((each) => !each.fields);
  return html`<section class="directing" aria-labelledby="now-do"><h2 id="now-do">What you can do now</h2>
      <div class="tools">${plain.map((command) => html`<${CommandForm} key=${command.type} store=${store} command=${command}/>`)}</div>
      ${useful.filter((each) => each.fields).map(folded)}
    </section>
    <section class="directing" aria-labelledby="else-do"><h2 id="else-do">At other times</h2>${others.map(folded)}</section>
    <section class="directing" aria-labelledby="invite-do"><h2 id="invite-do">Invitations</h2><${Invite} store=${store}/></section>`;
}

/** A link with which people enter what is not public. */
function Invite({ store }) {
  const [uses, setUses] = useState(1);
  const [link, setLink] = useState("");
  const invite = (event) => {
    event.preventDefault();
    postOnce(`${store.path}/invitations`, { uses: Number(uses) }).then(
      ({ invitation }) => setLink(`${location.origin}/t/${store.id}?invitation=${invitation}`),
      complain,
    );
  };
  return html`<form class="row" onSubmit=${invite}>
    <label class="inline"><span>For how many people</span><input name="uses" type="number" min="1" max="1000" value=${uses}
      onInput=${(event) => setUses(event.target.value)}/></label>
    <button>Make an invitation link</button>
    ${link && html`<input name="invitation" readonly value=${link} onFocus=${(event) => event.target.select()}/>`}
  </form>`;
}
