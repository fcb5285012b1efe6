// A command to choose: its sentence, and its button with steps where several differ in a number.
import { classes, html, useState } from "../base/ui.js";

/** The sentence of an item, with what it costs and how likely it is. */
export function Sentence({ item }) {
  return html`<span class="sentence">${item.label}</span>
    ${item.cost && html`<span class="cost">${item.cost}</span>`}
    ${item.chance !== undefined && html`<span class="chance">${percent(item.chance)}</span>`}`;
}

function percent(chance) {
  const hundredth = chance * 100;
  return `${hundredth > 0 && hundredth < 1 ? "< 1" : Math.round(hundredth)} %`;
}

/** One candidate, or several that differ in a number: with steps between them. */
export function Choice({ group, acting, busy, primary, part }) {
  const [at, setAt] = useState(Math.min(group.items.length - 1, group.items[0].command.amount === 0 ? 1 : 0));
  const index = Math.min(at, group.items.length - 1);
  const item = group.items[index];
  const give = (event) => {
    // The second click of a double click is meant for the button that was there before.
    if (event.detail > 1 || busy) return;
    acting.give(item).catch(() => {});
  };
  const button = html`<button type="button" class=${classes("command", primary && "primary")} data-part=${part}
    data-command=${item.command.type} disabled=${busy} onClick=${give} ...${acting.hint(item.refs.flat())}><${Sentence} item=${item}/></button>`;
  if (!group.steps) return button;
  const step = (by) => (event) => {
    event.stopPropagation();
    setAt(Math.max(0, Math.min(group.items.length - 1, index + by)));
  };
  return html`<div class="stepper" role="group" aria-label="How many">
    <button type="button" data-part="less" aria-label="Less" disabled=${index === 0} onClick=${step(-1)}>−</button>
    ${button}
    <button type="button" data-part="more" aria-label="More" disabled=${index === group.items.length - 1}
      onClick=${step(1)}>+</button>
  </div>`;
}
