// The start of the page: the frame, and which page stands in it.
import { AccountDialog, recall, unknown } from "./account/account.js";
import { Brand, Turns, Who } from "./base/frame.js";
import { keepFrame } from "./base/installed.js";
import { Notices } from "./base/notices.js";
import { revealAll } from "./proof/contribution.js";
import { route } from "./base/router.js";
import { language } from "./base/settings.js";
import { tr } from "./base/text.js";
import { html, render, useEffect, useErrorBoundary, useState } from "./base/ui.js";

const REVEAL = 20_000;
const PAGES = {
  "": () => import("./lobby/lobby.js").then((module) => module.Lobby),
  new: () => import("./lobby/create.js").then((module) => module.Create),
  join: () => import("./lobby/invitations.js").then((module) => module.Join),
  games: () => import("./table/tablepage.js").then((module) => module.TablePage),
  titles: () => import("./titles/titlepage.js").then((module) => module.TitlePage),
  tournament: () => import("./tournament/pages.js").then((module) => module.Tournaments),
  profile: () => import("./account/profile.js").then((module) => module.Profile),
  ratings: () => import("./account/ratings.js").then((module) => module.Ratings),
  settings: () => import("./account/settingspage.js").then((module) => module.SettingsPage),
};

const NAMES = {
  "": "lobby",
  new: "new",
  join: "join",
  games: "game",
  titles: "title",
  tournament: "tournament",
  profile: "profile",
  ratings: "ratings",
  settings: "settings",
};

function App() {
  const { page, id } = route.value;
  const [found, setFound] = useState({});
  useEffect(() => void PAGES[page]?.().then((Page) => setFound({ page, Page })), [page]);
  const Page = page in PAGES ? (found.page === page ? found.Page : Starting) : Lost;
  // A game fills the whole window and has a head of its own.
  if (page === "games") return html`<${Skip}/>${!unknown.value && html`<${Boundary} key=${id}><${Page} id=${id}/><//>`}
    <${Notices}/><${AccountDialog}/>`;
  // A big screen in a room shows nothing but the tournament.
  if (page === "tournament" && route.value.query.screen) return html`<main id="main" data-page="screen">${
    !unknown.value && html`<${Boundary}><${Page} id=${id}/><//>`}</main>`;
  return html`<${Skip}/>
    <header class="masthead">
      <${Brand}/>
      <nav aria-label="Pages"><a href="/">Games</a><a href="/new">New game</a><a
        href="/t">Tournaments</a><a href="/ratings">Ratings</a><a
        href="/docs">Docs</a><a href="/settings">Settings</a></nav>
      <${Turns}/>
      <${Who}/>
    </header>
    <main id="main" tabindex="-1" data-page=${NAMES[page] || "off"}>
      ${!unknown.value && html`<${Boundary} key=${`${page}/${id}`}><${Page} id=${id}/><//>`}
    </main>
    <${Notices}/><${AccountDialog}/>`;
}

function Starting() {
  return html`<p class="starting">…</p>`;
}

function Skip() {
  const skip = (event) => {
    event.preventDefault(); // an address of its own would be another page
    (document.getElementById("ask") || document.getElementById("main")).focus();
  };
  const label = route.value.page === "games" ? tr("Skip to your move") : tr("Skip to the content");
  return html`<a class="skip" href="#main" onClick=${skip}>${label}</a>`;
}

function Lost() {
  return html`<div class="page"><h1>Page not found</h1><p>There is no page at this address. <a
    href="/">Back to the games</a></p></div>`;
}

/** If anything breaks inside, the frame of the page stays. */
function Boundary({ children }) {
  const [error, reset] = useErrorBoundary((problem) => console.error(problem));
  if (!error) return children;
  return html`<div class="page" role="alert"><h1>This page failed</h1>
    <p>An error occurred while the page was drawn: <code>${String(error.message || error)}</code></p>
    <p class="row"><button type="button" onClick=${reset}>Try again</button><a class="button"
      href="/">Back to the games</a></p></div>`;
}

function begin() {
  const root = document.getElementById("app");
  root.textContent = "";
  render(html`<${App}/>`, root);
  recall();
  // A first visit to a game fetches nothing that it can do without: the other pages keep the frame.
  if (!route.value.embedded && route.value.page !== "games") keepFrame();
  setInterval(revealAll, REVEAL); // also while nobody looks: the other players wait for it
}

// Without a catalogue the page speaks English: it is better understood than nothing.
if (language() === "en") begin();
else import("./base/translate.js").then(({ speak }) => speak(language())).catch(console.warn).then(begin);
