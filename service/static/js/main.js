// The start of the page: the frame, and which page stands in it.
import { account, AccountDialog, openAccount, recall, unknown } from "./account.js";
import { Create } from "./create.js";
import { Lobby } from "./lobby.js";
import { Notices } from "./notices.js";
import { revealAll } from "./proof/contribution.js";
import { route } from "./router.js";
import { TablePage } from "./tablepage.js";
import { TitlePage } from "./titlepage.js";
import { html, render, useErrorBoundary } from "./ui.js";

const REVEAL = 20_000;
const PAGES = { "": Lobby, new: Create, games: TablePage, titles: TitlePage };

function App() {
  const { page, id } = route.value;
  const Page = PAGES[page] || Lost;
  return html`<a class="skip" href="#main" onClick=${skip}>To the content</a>
    <header class="masthead">
      <a class="brand" href="#/"><img src="/static/icon.svg" alt="" width="28" height="28"/><span>Rutter</span></a>
      <nav aria-label="Pages"><a href="#/">Harbour</a><a href="#/new">New game</a></nav>
      ${!unknown.value && html`<button type="button" class="who"
        onClick=${openAccount}>${account.value ? account.value.name || "My account" : "Sit down"}</button>`}
    </header>
    <main id="main" tabindex="-1">
      ${!unknown.value && html`<${Boundary} key=${`${page}/${id}`}><${Page} id=${id}/><//>`}
    </main>
    <${Notices}/><${AccountDialog}/>`;
}

function skip(event) {
  event.preventDefault(); // the hash belongs to the router
  document.getElementById("main").focus();
}

function Lost() {
  return html`<div class="page"><h1>Off the chart</h1><p>There is no such page. <a
    href="#/">Back to the harbour</a></p></div>`;
}

/** Whatever breaks inside, the frame of the page stays. */
function Boundary({ children }) {
  const [error, reset] = useErrorBoundary((problem) => console.error(problem));
  if (!error) return children;
  return html`<div class="page" role="alert"><h1>This page ran aground</h1>
    <p>Something went wrong while it was drawn: <code>${String(error.message || error)}</code></p>
    <p class="row"><button type="button" onClick=${reset}>Try again</button><a class="button"
      href="#/">Back to the harbour</a></p></div>`;
}

const root = document.getElementById("app");
root.textContent = "";
render(html`<${App}/>`, root);
recall();
setInterval(revealAll, REVEAL); // also while nobody looks: the other players wait for it
