// All tournaments: those that I take part in or run, those that one can enter, and the others.
import { account } from "../account/account.js";
import { Listing, TitleFilter, useSettled } from "../base/listing.js";
import { complain } from "../base/notices.js";
import { loadTitles, titleName } from "../titles/titles.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { ago, clock, count, list } from "../base/words.js";
import { formatName } from "./said.js";

const LISTS = ["open", "running", "finished"];

export function TournamentList() {
  const [title, setTitle] = useState("");
  const [settled, found] = useSettled(LISTS);
  useEffect(() => void loadTitles().catch(complain), []);
  return html`<div class="page lobby">
    <header class="page-head">
      <div><h1>Tournaments</h1><p class="lead">Pairings whose origin everybody sees, results that follow from the games, and one file
        that proves both.</p></div>
      <p class="row">
        <${TitleFilter} title=${title} onChange=${setTitle}/>
        <a class="button primary" href="/t/new">Create a tournament</a>
      </p>
    </header>
    <div hidden=${!settled}>
    ${account.value && html`<${Part} key=${account.value.id} heading="My tournaments" query=${{ mine: true, title }}
      none="You have no tournaments yet. Enter one below, or create one."/>`}
    <${Part} onFound=${found("open")} heading="Open for entry" query=${{ status: "open", title }} none="No other tournament is open for entry."/>
    <${Part} onFound=${found("running")} heading="Running" query=${{ status: "running", title }} none="No other tournament is running."/>
    <${Part} onFound=${found("finished")} heading="Finished" query=${{ status: "finished", title }} none="No other tournament has finished yet."/>
    </div>
  </div>`;
}

const Part = (props) => html`<${Listing} path="tournaments" Line=${Line} ...${props}/>`;

function Line({ each: one }) {
  return html`<li class="game">
    <a class="game-link" href=${`/t/${one.id}`}><bdi class="game-title">${one.name || tr("A tournament")}</bdi></a>
    <p class="row"><span>${titleName(one.title)}</span><span class="tag">${list(one.formats.map(formatName))}</span>
      <span class=${`status ${one.status}`}>${tr(one.status)}</span>
      ${one.visibility !== "public" && html`<span class="tag">${tr(one.visibility)}</span>`}</p>
    <p class="game-facts">${facts(one)}</p>
  </li>`;
}

function facts(one) {
  const entered = tr("{entrants} of {most} entered", { entrants: one.entrants, most: one.most });
  if (one.status === "draft" || one.status === "open")
    return one.starts_at ? tr("{entered} · starts {time}", { entered, time: clock(one.starts_at) }) : entered;
  return tr("{entrants} · round {round} · created {when}", {
    entrants: count(one.entrants, "entrant"),
    round: one.round,
    when: ago(one.created_at),
  });
}
