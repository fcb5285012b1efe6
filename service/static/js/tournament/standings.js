// The standings: rows move to their new places when results come in.
import { Download } from "../base/download.js";
import { tr } from "../base/text.js";
import { html, useLayoutEffect, useRef } from "../base/ui.js";
import { Explained } from "./explained.js";
import { Name, breakName, breakValue, points } from "./said.js";

const GLIDE = { duration: 700, easing: "cubic-bezier(0.2, 0.8, 0.2, 1)" };

export function Standings({ store }) {
  const told = store.standings.value;
  const body = useRef(null);
  useGliding(body, told);
  if (!told?.standings.length) return html`<p class="none">There are no standings yet.</p>`;
  const breaks = told.tie_breaks.map((one) => one.name);
  const rounds = Array.from({ length: told.round }, (_, index) => index + 1);
  const mine = store.tournament.value.you.entrant;
  return html`<div class="scrolls table-scroll" tabindex="0" role="group" aria-label="Standings"><table class="standings" data-part="standings"
    data-seq=${told.seq}>
    <thead><tr><th scope="col">#</th><th scope="col">Player</th><th scope="col" class="number">Points</th>
      ${told.tie_breaks.map((one) => html`<th key=${one.name} scope="col" class="number" data-break=${one.name}><${Explained}
        part="tie-break" text=${meaningOf(one)}>${breakName(one.name)}<//></th>`)}
      ${rounds.map((round) => html`<th key=${round} scope="col" class="number" title=${tr("Round {round}: place at the table", { round })}>R${round}</th>`)}
    </tr></thead>
    <tbody ref=${body}>${told.standings.map((line) => html`<tr key=${line.entrant} data-entrant=${line.entrant} data-rank=${line.rank}
      class=${line.entrant === mine ? "mine" : ""}>
      <td class="number">${line.rank}</td>
      <th scope="row"><${Name} of=${store.byName.value.get(line.entrant)} entrant=${line.entrant}/></th>
      <td class="number"><b>${points(line.points, told.unit)}</b></td>
      ${breaks.map((key) => html`<td key=${key} class="number">${breakValue(key, line[key], told.unit)}</td>`)}
      ${rounds.map((round) => html`<td key=${round} class="number">${played(store, line, round)}</td>`)}
    </tr>`)}</tbody>
  </table></div>
  ${breaks.length > 0 && html`<dl class="printed meanings" data-part="meanings">${told.tie_breaks.map((one) => html`<div key=${one.name}><dt>${
    breakName(one.name)}</dt><dd>${meaningOf(one)}</dd></div>`)}</dl>`}
  <p class="note">${told.provisional && told.round ? tr("Round {round} is being played. ", { round: told.round }) : ""}<${Download}
    class="quiet-link" path=${`tournaments/${store.id}/standings`} query=${{ format: "csv" }} name=${`${store.id}-standings.csv`}>As a spreadsheet<//></p>`;
}

/** What a tie-break counts, and who stands better by it. */
const meaningOf = (one) => `${tr(one.meaning)} ${one.better === "lower" ? tr("Lower is better.") : tr("Higher is better.")}`;

/** The place at the table of a round; who had none had a bye or was not there. */
function played(store, line, round) {
  const found = line.rounds.find((one) => one.round === round);
  if (found) return `${found.place}.`;
  return store.rounds.value[round - 1]?.byes.includes(line.entrant) ? tr("bye") : "–";
}

/** Rows that have changed places glide there, for those who like motion. */
function useGliding(body, told) {
  const tops = useRef(new Map());
  useLayoutEffect(() => {
    const rows = [...(body.current?.children || [])];
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const row of rows) {
      const before = tops.current.get(row.dataset.entrant);
      const moved = before === undefined ? 0 : before - row.offsetTop;
      if (moved && !still) row.animate([{ transform: `translateY(${moved}px)` }, { transform: "none" }], GLIDE);
    }
    tops.current = new Map(rows.map((row) => [row.dataset.entrant, row.offsetTop]));
  }, [told]);
}
