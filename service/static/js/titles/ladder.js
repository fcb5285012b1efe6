// How strong the bots of a title are, at each size of table: measured, with how sure that is.
import { get } from "../base/api.js";
import { tr } from "../base/text.js";
import { html, useEffect, useState } from "../base/ui.js";
import { count, words } from "../base/words.js";

const WIDTH = 160;

export function Ladder({ title }) {
  const [ladder, setLadder] = useState(null);
  const [failure, setFailure] = useState("");
  useEffect(() => void get(`titles/${encodeURIComponent(title)}/ladder`).then(setLadder, (problem) => setFailure(problem.detail)), [title]);
  if (failure) return html`<p class="failure" role="alert">${failure}</p>`;
  if (!ladder) return html`<p class="hint">…</p>`;
  if (!ladder.tables.length) return html`<p class="none" data-part="ladder">The bots of this title have not been measured yet.</p>`;
  return html`<p>Each level played whole games against the levels below it, the same deal from every seat. Elo is the strength compared with
      <i>random</i>, which has 0. A bot with 200 more is ahead in 3 of 4 comparisons, with 400 more in 10 of 11. The interval holds the
      true figure in 95 of 100 such measurements. With few games it is wide. Levels whose intervals overlap may be equally strong.</p>
    ${ladder.tables.map((table) => html`<${Table} key=${table.seats} table=${table}/>`)}`;
}

/** The ratings of bots by their games with people; nothing where none counts yet. */
export function AgainstPeople({ title }) {
  const [bots, setBots] = useState([]);
  useEffect(() => void get(`titles/${encodeURIComponent(title)}/ratings`).then((told) => setBots(told.bots), () => {}), [title]);
  if (!bots.length) return null;
  return html`<section class="part inner" data-part="bot-ratings"><h3>Against people</h3>
    <p>Rated games with a clock give bots a rating too. Your own rating stays as it is when you play against bots.</p>
    <div class="scrolls table-scroll" tabindex="0" role="group" aria-label="Ratings against people"><table>
      <thead><tr><th scope="col">Bot</th><th scope="col">Seats</th><th scope="col" class="number">Rating</th><th scope="col"
        class="number">Games</th></tr></thead>
      <tbody>${bots.map((one) => html`<tr key=${one.bot + one.version + one.seats}><th scope="row">${words(one.bot)}
        <span class="hint"> version ${one.version}</span></th><td>${one.seats}</td>
        <td class="number">${one.rating} ± ${2 * one.deviation}${one.provisional ? "?" : ""}</td>
        <td class="number">${one.games}</td></tr>`)}</tbody></table></div></section>`;
}

function Table({ table }) {
  const name = count(table.seats, "seat");
  const low = Math.min(0, ...table.levels.map((level) => level.low));
  const high = Math.max(1, ...table.levels.map((level) => level.high));
  return html`<section class="part inner" data-part="ladder" data-seats=${table.seats}><h3>${name}</h3>
    <div class="scrolls table-scroll" tabindex="0" role="group" aria-label=${tr("Levels at {name}", { name })}><table class="ladder">
      <thead><tr><th scope="col">Level</th><th scope="col" class="number">Elo</th><th scope="col" class="number">95 % interval</th><th
        scope="col" class="number">Games</th><th scope="col">Chart</th></tr></thead>
      <tbody>${[...table.levels].reverse().map((level) => html`<tr key=${level.name + level.version} data-level=${level.name}>
        <th scope="row">${words(level.name)} <span class="hint">version ${level.version}${level.budget > 0 ? tr(", simulates {budget} games per move", { budget: level.budget }) : ""}</span>
          <span class="hint" data-sentence>${level.sentence}</span></th>
        <td class="number">${level.elo}</td>
        <td class="number">${level.low === level.high ? tr("fixed") : tr("{low} to {high}", { low: level.low, high: level.high })}</td>
        <td class="number">${level.games}</td>
        <td><${Interval} level=${level} low=${low} high=${high}/></td></tr>`)}</tbody></table></div>
    <details class="more"><summary>Who beat whom</summary>
      <div class="scrolls table-scroll" tabindex="0" role="group" aria-label=${tr("Pairs at {name}", { name })}><table>
        <thead><tr><th scope="col">Level</th><th scope="col">against</th><th scope="col" class="number">Won</th><th scope="col"
          class="number">of games</th><th scope="col" class="number">Share</th><th scope="col" class="number">95 % interval</th><th
          scope="col" class="number">by chance</th></tr></thead>
        <tbody>${table.pairs.map((pair) => html`<tr key=${pair.challenger + pair.other}><th scope="row">${pair.challenger}</th><td>${pair.other}</td>
          <td class="number">${pair.won}</td><td class="number">${pair.games}</td><td class="number">${percent(pair.share)}</td>
          <td class="number">${percent(pair.low)} to ${percent(pair.high)}</td><td class="number">${percent(pair.luck)}</td></tr>`)}</tbody></table></div>
    </details></section>`;
}

const percent = (share) => `${Math.round(100 * share)} %`;

/** The interval as a line with a dot in it; the figures beside it say the same. */
function Interval({ level, low, high }) {
  const at = (points) => 5 + ((WIDTH - 10) * (points - low)) / (high - low);
  return html`<svg class="interval" viewBox=${`0 0 ${WIDTH} 12`} width=${WIDTH} height="12" aria-hidden="true" focusable="false">
    <line x1=${at(low)} x2=${at(high)} y1="6" y2="6" class="axis"/><line x1=${at(level.low)} x2=${at(level.high)} y1="6" y2="6"/>
    <circle cx=${at(level.elo)} cy="6" r="4"/></svg>`;
}
