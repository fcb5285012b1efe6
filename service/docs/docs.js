// Search, copying of samples, and a navigation that is folded on narrow screens.

const input = document.getElementById("search");
const list = document.getElementById("found");
const count = document.getElementById("count");
const MOST = 12;
let loading;

const load = () => (loading ??= fetch("/docs/search.json").then((answer) => answer.json()));

/** A heading that has a word counts more than a text that has it; every word must be found. */
const score = (section, words) => {
  const near = `${section.title} ${section.heading}`.toLowerCase();
  const text = section.text.toLowerCase();
  let total = 0;
  for (const word of words) {
    const points = (near.includes(word) ? 10 : 0) + (text.includes(word) ? 1 : 0);
    if (!points) return 0;
    total += points;
  }
  return total;
};

const show = async () => {
  const sections = await load();
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const best = sections.map((section) => [words.length && score(section, words), section])
    .filter(([points]) => points).sort(([a], [b]) => b - a);
  list.replaceChildren(...best.slice(0, MOST).map(([, { page, title, heading, anchor }]) => {
    const item = document.createElement("li"), link = document.createElement("a"), place = document.createElement("small");
    link.href = anchor ? `${page}#${anchor}` : page;
    place.textContent = title;
    link.append(heading, place);
    item.append(link);
    return item;
  }));
  list.hidden = !best.length;
  count.textContent = words.length ? `${best.length} found` : "";
};

const close = () => { list.hidden = true; count.textContent = ""; };
input.addEventListener("input", show);
input.addEventListener("focus", load);
document.addEventListener("keydown", (event) => {
  const links = [...list.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement);
  const inside = event.target === input || at >= 0;
  if (event.key === "/" && !event.target.closest("input, textarea, [contenteditable]")) input.focus();
  else if (inside && event.key === "ArrowDown") (links[at + 1] ?? input).focus();
  else if (inside && event.key === "ArrowUp") (at < 0 ? links.at(-1) : links[at - 1] ?? input)?.focus();
  else if (event.target === input && event.key === "Enter") links[0]?.click();
  else if (inside && event.key === "Escape") { close(); input.focus(); }
  else return;
  event.preventDefault();
});
document.addEventListener("click", (event) => { if (!event.target.closest(".search")) close(); });

for (const pre of document.querySelectorAll("main > pre")) {
  const block = document.createElement("div"), button = document.createElement("button");
  block.className = "block";
  button.className = "copy";
  button.type = "button";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = "Copied";
  });
  pre.replaceWith(block);
  block.append(pre, button);
}

const contents = document.querySelector(".contents");
const here = contents.querySelector("[aria-current]");
if (matchMedia("(max-width: 48rem)").matches) contents.removeAttribute("open");
else if (here) contents.scrollTop = here.offsetTop - contents.clientHeight / 2;
contents.classList.add("ready");
