// The page of one tournament: my part, standings, rounds, entrants, rulings, log, proof, and its director's tools.
import { ensureAccount } from "../account/account.js";
import { Download } from "../base/download.js";
import { fileOf } from "../base/files.js";
import { LIVELY, Live } from "../base/live.js";
import { complain } from "../base/notices.js";
import { amend, go, route } from "../base/router.js";
import { loadTitles, titleName } from "../titles/titles.js";
import { figure, keyed, plural, tr } from "../base/text.js";
import { html, useEffect, useMemo, useState } from "../base/ui.js";
import { TALK, ago, clock, count, list, words } from "../base/words.js";
import { CrossTable } from "./crosstable.js";
import { Directing } from "./directing.js";
import { MyPart } from "./part.js";
import { Rounds } from "./rounds.js";
import { Rulings } from "./rulings.js";
import { Name, Names, formatName } from "./said.js";
import { Screen } from "./screen.js";
import { Sheet, SheetLinks, isSheet } from "./sheets.js";
import { Standings } from "./standings.js";
import { openTournament } from "./store.js";

const TABS = {
  standings: keyed("Standings"),
  rounds: keyed("Rounds"),
  cross: keyed("Cross table"),
  entrants: keyed("Entrants"),
  rulings: keyed("Rulings"),
  log: keyed("Log"),
  proof: keyed("Proof"),
  direct: keyed("Direct"),
};

export function TournamentPage({ id }) {
  const store = useMemo(() => openTournament(id), [id]);
  useEffect(() => () => store.close(), [store]);
  useEffect(() => void loadTitles().catch(complain), []);
  const [tab, setTab] = useState(TABS[route.value.query.tab] ? route.value.query.tab : "standings");
  const t = store.tournament.value;
  useEffect(() => {
    if (t?.name) document.title = `${t.name} · Rutter`;
    return () => {
      document.title = "Rutter";
    };
  }, [t?.name]);
  if (!t) return html`<div class="page">${store.problem.value ? html`<${Missing} store=${store}/>` : html`<p class="hint">…</p>`}</div>`;
  const { query } = route.value;
  if (query.screen) return html`<${Screen} store=${store} t=${t}/>`;
  if (isSheet(query.sheet)) return html`<${Sheet} store=${store} t=${t} name=${query.sheet} number=${query.round}/>`;
  const directs = Boolean(t.you.director) && !t.over;
  const shown = tab === "direct" && !directs ? "standings" : tab;
  const choose = (key) => {
    setTab(key);
    amend(`/t/${id}`, { ...route.value.query, tab: key === "standings" ? null : key });
  };
  return html`<div class="page tournament" data-tournament=${t.id} data-seq=${t.seq} data-status=${t.status}
    data-live=${LIVELY[store.connection.value]}>
    <link rel="stylesheet" href=${fileOf("css/sheets.css")}/>
    <${Head} store=${store} t=${t}/>
    ${store.problem.value && html`<p class="failure strip" role="alert">${store.problem.value.detail}
      <button type="button" onClick=${store.refresh}>Try again</button></p>`}
    ${directs && html`<${Awaited} t=${t} onDirect=${() => choose("direct")}/>`}
    <${Contributions} store=${store} t=${t}/>
    <${AtTable} store=${store} query=${query}/>
    <${MyPart} store=${store}/>
    <nav class="tabs" role="tablist" aria-label="Views">${Object.entries(TABS)
      .filter(([key]) => key !== "direct" || directs)
      .map(([key, name]) => html`<button key=${key} type="button" role="tab" id=${`tab-${key}`} data-part="tab" data-tab=${key}
        aria-selected=${String(shown === key)} aria-controls="tab-panel" onClick=${() => choose(key)}>${tr(name)}${badge(store, key)}</button>`)}</nav>
    <div class="tab-panel" id="tab-panel" role="tabpanel" aria-labelledby=${`tab-${shown}`}><${VIEWS[shown]} store=${store} t=${t}/></div>
  </div>`;
}

/** The table whose code a phone has read, with the way to its game. */
function AtTable({ store, query }) {
  if (!query.table) return null;
  const round = store.rounds.value.find((one) => one.round === Number(query.round));
  const table = round?.tables.find((one) => one.table === Number(query.table));
  const place = tr("Round {round}, table {table}", { round: query.round, table: query.table });
  if (!table) return html`<section class="at-table" data-part="at-table"><p>${place}: there is no such table. Look for it under Rounds.</p></section>`;
  return html`<section class="at-table" data-part="at-table" aria-label=${place}><h2>${place}</h2>
    <p><${Names} names=${table.holders.map((name) => store.byName.value.get(name)?.name || name)}/></p>
    <p class="row">${table.game
      ? html`<a class="button primary large" href=${`/g/${table.game}`}>${table.holders.includes(store.tournament.value.you.entrant) ? tr("To my game") : tr("Watch this table")}</a>`
      : tr("The game has not started yet. This page shows it as soon as it has.")}</p></section>`;
}

const AWAITED = {
  open_entry: () => tr("Entry is not open yet: open it, or set a time for it."),
  close_entry: () => tr("Entry is open until you close it."),
  admission: (one) => tr("{entrant} waits to be admitted.", { entrant: one.entrant }),
  entrants: () => tr("There are too few entrants. Wait for more, change the conditions of entry, or cancel the tournament."),
  pair_round: (one) => tr("Round {round} waits until you pair it.", { round: one.round }),
  start_round: (one) => tr("Round {round} waits until you start it.", { round: one.round }),
  result: (one) => tr("Round {round}, table {table} ended without a result: give a ruling.", { round: one.round, table: one.table }),
  dispute: (one) => tr("Dispute {dispute} waits for your ruling.", { dispute: one.dispute }),
  appeal: (one) => tr("The appeal against ruling {ruling} waits for a decision.", { ruling: one.ruling }),
  server: (one) => tr("The server cannot go on: the rules refuse the step “{step}”. Pair by hand, or cancel the tournament.", { step: words(one.command) }),
};

/** What only a director can do, so that the tournament goes on. */
function Awaited({ t, onDirect }) {
  if (!t.waits_for.length) return null;
  return html`<section class="awaited-steps" data-part="waits-for" aria-label="The tournament waits for you">
    <ul>${t.waits_for.map((one, index) => html`<li key=${index} data-kind=${one.kind}>${AWAITED[one.kind](one)}</li>`)}</ul>
    <p class="row"><button type="button" onClick=${onDirect}>To the commands</button></p></section>`;
}

/** The contributions that the first pairing waits for: until then there is nothing to do, for directors as well. */
function Contributions({ store, t }) {
  const missing = store.entrants.value.filter((one) => one.status === "playing" && one.committed && !one.revealed).length;
  if (t.over || !t.reveal_until || t.check_in || !missing) return null;
  return html`<p class="hint" data-part="contributions">${plural(
    missing,
    "Pairing waits for {n} contribution to the randomness, until {time} at the latest.",
    "Pairing waits for {n} contributions to the randomness, until {time} at the latest.",
    { time: clock(t.reveal_until) },
  )}</p>`;
}

/** How many wait there for a word. */
function badge(store, key) {
  const open = key === "rulings" ? store.judged.value.disputes.filter((one) => one.open).length : 0;
  return open > 0 && html` <b class="tag">${open}</b>`;
}

function Missing({ store }) {
  const problem = store.problem.value;
  const { invitation } = route.value.query;
  if (problem.status === 404 && invitation) return html`<${Invited} store=${store} invitation=${invitation}/>`;
  return html`<h1>${problem.status === 404 ? tr("No such tournament") : tr("The tournament cannot be shown")}</h1>
    <p class="failure" role="alert">${problem.detail || String(problem)}</p>
    <p class="row"><button type="button" onClick=${store.refresh}>Try again</button><a class="button" href="/t">All tournaments</a></p>`;
}

/** Of a private tournament nothing can be shown before one has entered it. */
function Invited({ store, invitation }) {
  const [failure, setFailure] = useState("");
  const enter = async () => {
    if (!(await ensureAccount())) return;
    try {
      await store.give("enter", { invitation });
      go(`/t/${store.id}`);
    } catch (problem) {
      setFailure(problem.code === "unknown_tournament" ? tr("This invitation is unknown, used or expired. Ask for a new one.") : problem.detail);
    }
  };
  return html`<h1>You are invited to a tournament</h1>
    ${failure && html`<p class="failure" role="alert">${failure}</p>`}
    <p class="row"><button type="button" class="primary large" onClick=${enter}>Enter</button></p>`;
}

function Head({ store, t }) {
  const { settings } = t;
  const sizes = settings.table.least === settings.table.size ? settings.table.size : `${settings.table.least}–${settings.table.size}`;
  return html`<header class="tournament-head">
    <div class="row"><h1><bdi>${t.name || tr("A tournament")}</bdi></h1><span class=${`status ${t.status}`} data-part="status">${t.paused ? tr("paused") : tr(t.status)}</span>
      <${Live} state=${store.connection.value}/></div>
    <p class="lead"><a href=${`/titles/${t.title}`}>${titleName(t.title)}</a> · ${list(settings.stages.map(stageText), "then")} · tables of ${sizes} · ${
      clockText(settings.clock)} · ${talkText(settings.talk)} · ${count(t.entrants, "entrant")}</p>
    ${t.description && html`<p class="description" dir="auto"><bdi>${t.description}</bdi></p>`}
    <p class="hint">Run by <${Names} names=${t.directors.map((one) => one.name)}/> · created ${ago(t.created_at)}${
      ["open", "draft"].includes(t.status) && t.starts_at ? tr(" · starts {time}", { time: clock(t.starts_at) }) : ""}${t.paused ? tr(" · paused until {time}", { time: clock(t.paused) }) : ""}</p>
  </header>`;
}

const stageText = (stage) => `${formatName(stage.format)}${stage.rounds ? `, ${count(stage.rounds, "round")}` : ""}${stage.cut ? tr(" of the top {cut}", { cut: stage.cut }) : ""}`;

const talkText = (talk) => (talk === "none" ? tr(TALK.none) : tr("talk {manner}", { manner: tr(TALK[talk]) }));

function clockText(settings) {
  if (!settings) return tr("no clocks");
  const minutes = (ms) => tr("{minutes} min", { minutes: figure(Math.round(ms / 6000) / 10) });
  if (settings.kind === "live") return `${minutes(settings.base_ms)} + ${settings.increment_ms / 1000} s`;
  return tr("{hours} h per decision", { hours: figure(Math.round(settings.per_decision_ms / 360_000) / 10) });
}

function StandingsTab({ store }) {
  return html`<div class="beside"><section aria-labelledby="standings-heading"><h2 id="standings-heading">Standings</h2><${Standings} store=${store}/>
      <p class="row"><${SheetLinks} store=${store}/></p></section>
    <section aria-labelledby="now-heading"><h2 id="now-heading">Tables</h2><${Rounds} store=${store} newest=${true}/></section></div>`;
}

function Entrants({ store, t }) {
  if (!store.entrants.value.length) return html`<p class="none">Nobody has entered yet.</p>`;
  const notes = (one) =>
    [
      one.late && tr("late, from round {late}", { late: one.late }),
      t.check_in && one.checked_in >= t.check_in.round && tr("checked in for round {round}", { round: t.check_in.round }),
      one.ready && tr("ready"),
      one.warnings && count(one.warnings, "warning"),
      one.committed && (one.revealed ? tr("contribution revealed") : tr("contribution committed")),
      one.kind === "service" && tr("a program"),
    ].filter(Boolean);
  return html`<div class="scrolls table-scroll" tabindex="0" role="group" aria-label="Entrants"><table>
    <thead><tr><th scope="col">No.</th><th scope="col">Name</th><th scope="col">Status</th><th scope="col">Notes</th></tr></thead>
    <tbody>${store.entrants.value.map((one) => html`<tr key=${one.entrant} data-entrant=${one.entrant} data-status=${one.status}>
      <td>${one.entrant}</td><th scope="row"><${Name} of=${one}/></th><td>${words(one.status)}</td><td>${notes(one).join(", ")}</td>
    </tr>`)}</tbody></table></div>`;
}

function Log({ store }) {
  return html`<ol class="tournament-log">${[...store.history.value].reverse().map((line) => html`<li key=${line.seq} data-seq=${line.seq}><span
    class="hint">${line.seq}</span> <bdi>${line.text}</bdi></li>`)}</ol>`;
}

/** The file that proves all of it, and how to check it. */
function Proof({ t }) {
  const name = `${t.id}.ndjson`;
  const command = `rutter verify ${name} --jobs 2${t.over ? "" : " --partial"}`;
  return html`<section class="proof-page">
    <h2>One file to check it all</h2>
    <p>It has every event of the tournament${t.over ? tr(" and all of its games in full") : ""}. One command, on any machine, draws the
      pairings again, replays each game, compares the results, and counts the standings with all rulings. It names the first fault by
      round and table.${t.over ? "" : tr(" While the tournament runs, its games are not in the file.")}</p>
    <p class="row"><${Download} class="primary" part="audit" path=${`tournaments/${t.id}/audit`} name=${name}>Download the audit file<//>
      <${Download} path=${`tournaments/${t.id}/export`} name=${`${t.id}-tables.ndjson`}>Results as NDJSON<//>
      <${Download} path=${`tournaments/${t.id}/export`} name=${`${t.id}-tables.csv`} query=${{ format: "csv" }}>Results as a spreadsheet<//></p>
    <pre class="command-line" data-part="verify"><code>${command}</code></pre>
    <p class="hint">Add <code>--key</code> with the server's key that you noted before the tournament (<a href="/v1/keys">its keys now</a>).
      The pages about <a href="/docs/audit/quickstart">audits</a> explain what the file proves and what it cannot prove.</p>
    <h3>Committed before anyone entered</h3>
    <dl class="facts wide">${Object.entries(t.chance).map(([key, value]) => html`<div key=${key}><dt>${words(key)}</dt><dd
      class="digest"><code>${value}</code></dd></div>`)}</dl>
  </section>`;
}

const VIEWS = {
  standings: StandingsTab,
  rounds: Rounds,
  cross: CrossTable,
  entrants: Entrants,
  rulings: Rulings,
  log: Log,
  proof: Proof,
  direct: Directing,
};
