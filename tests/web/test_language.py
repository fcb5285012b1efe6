"""The page in another language than English: its templates, its forms for numbers, its setting."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import LiveServer
from tests.page_catalogue import read_catalogue
from tests.web.conftest import Visitor
from tests.web.table import Player, enter

SAYS = """async ({ base, texts, language }) => {
  const { html, render } = await import(base + "js/base/ui.js");
  const { count, figure, keyed, plural, speech, tr } = await import(base + "js/base/text.js");
  const { speak } = await import(base + "js/base/translate.js");
  const icon = Object.assign(document.createElement("link"), { rel: "icon", href: base + "icon.svg" });
  document.head.append(icon);
  const real = window.fetch;
  window.fetch = async () => new Response(JSON.stringify(texts));
  const drawn = (n) => {
    const place = document.createElement("div");
    render(html`<p title="Round ${n}, table ${"a"}" class="Open">${n} of
      <b>them</b> ${html`<i>Open</i>`}</p>`, place);
    return place.innerHTML;
  };
  const told = () => [drawn(7), tr("Signed in as {name}.", { name: "{x}" }),
    count(1, "seat"), count(2, "seat"), plural(0, "{n} is left", "{n} are left"),
    tr(keyed("Not there")), figure(0.5)];
  try {
    const before = told();
    await speak(language);
    return [before, told(), document.documentElement.lang];
  } finally {
    Object.assign(speech, { language: "en", texts: null, markup: null });
    document.documentElement.lang = "en";
    window.fetch = real;
    icon.remove();
  }
}"""
TEXTS = {
    "Round {1}, table {2}": "Tisch {2}, Runde {1}",
    "Open": "Offen",
    "{1} of": "von {1}",
    "them": "ihnen",
    "Signed in as {name}.": "Angemeldet als {name}.",
    "{n} seats": {"one": "{n} Sitz", "other": "{n} Sitze"},
    "{n} are left": {"one": "{n} bleibt", "other": "{n} bleiben"},
}


@pytest.mark.browser
def test_texts_come_from_the_catalogue(workbench: Page, files: str) -> None:
    """Templates with their expressions in another order, forms for numbers, and what no catalogue has."""
    english, german, lang = workbench.evaluate(SAYS, {"base": files, "texts": TEXTS, "language": "de"})
    assert english == [
        '<p title="Round 7, table a" class="Open">7 of<b>them</b> <i>Open</i></p>',
        "Signed in as {x}.", "1 seat", "2 seats", "0 are left", "Not there", "0.5",
    ]  # fmt: skip
    assert german == [
        '<p title="Tisch a, Runde 7" class="Open">von 7<b>ihnen</b> <i>Offen</i></p>',
        "Angemeldet als {x}.", "1 Sitz", "2 Sitze", "0 bleiben", "Not there", "0,5",
    ]  # fmt: skip
    assert lang == "de"


CHOOSES = """async ({ base, kept, browser }) => {
  Object.defineProperty(navigator, "languages", { value: browser, configurable: true });
  localStorage.setItem("rutter.language", kept);
  const { language } = await import(base + "js/base/settings.js");
  const found = language();
  localStorage.removeItem("rutter.language");
  return found;
}"""


@pytest.mark.browser
@pytest.mark.parametrize(
    ("kept", "browser", "language"),
    [
        ("auto", ["de-AT", "en"], "de"),
        ("auto", ["fr", "de", "en"], "de"),
        ("auto", ["fr"], "en"),
        ("en", ["de"], "en"),
        ("de", ["en"], "de"),
        ("xx", ["en"], "en"),
    ],
)
def test_the_language_is_chosen(
    workbench: Page, files: str, kept: str, browser: list[str], language: str
) -> None:
    """The setting decides, else the first language of the browser that there is."""
    given = {"base": files, "kept": kept, "browser": browser}
    assert workbench.evaluate(CHOOSES, given) == language


WORDS = (
    "the",
    "and",
    "your",
    "game",
    "games",
    "player",
    "players",
    "seat",
    "event",
    "events",
    "is",
    "to",
    "of",
)
"""English words that no German text has."""
SPOKEN = """(of_others) => {
  document.querySelectorAll(of_others).forEach((each) => each.remove());
  const named = [...document.querySelectorAll("[aria-label], [title]")];
  const spoken = named.flatMap((each) => [each.getAttribute("aria-label"), each.title]);
  return [document.body.innerText, ...spoken].filter(Boolean).join("\\n");
}"""
OF_OTHERS = ".title-tile, .title-cards, .options, [data-part=strength], .brand"
"""What titles say in their own words: it is taken away, and the rest read before the page draws it again."""


def english_on(page: Page, names: Iterable[str] = ()) -> list[str]:
    """Return the English words on the page; *names* that people chose are none."""
    text = page.evaluate(SPOKEN, OF_OTHERS)
    for name in sorted(names, key=len, reverse=True):
        text = text.replace(name, "")
    return sorted({each for each in re.findall(r"[a-z]+", text.lower()) if each in WORDS})


def find_names(answer: Any) -> set[str]:
    """Return all names in an answer of the API: of people, games and tournaments."""
    if isinstance(answer, list):
        return set().union(*map(find_names, answer))
    if not isinstance(answer, dict):
        return set()
    name = answer.get("name")
    return find_names(list(answer.values())) | ({name} if isinstance(name, str) and name else set())


@pytest.mark.browser
@pytest.mark.integration
def test_the_pages_speak_german(visitor: Visitor, live_server: LiveServer) -> None:
    """By the browser's language, and by the setting against it."""
    anna = Player(live_server.address, "Anna of the North")
    page = visitor(locale="de-DE")
    enter(page, anna.address, anna, "")
    expect(page.locator("h1")).to_have_text("Partien")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    titles = anna.call("GET", "/v1/titles")["titles"]
    lists = ["me", "games", "tournaments", *(f"titles/{title['id']}/ratings" for title in titles)]
    names = find_names([anna.call("GET", f"/v1/{path}") for path in lists])
    assert "Anna of the North" in names
    for path in ("", "new", "t", "t/new", "ratings"):
        page.goto(f"{anna.address}/{path}")
        expect(page.locator("h1")).to_be_visible()
        expect(page.locator("main select option").first).to_be_attached()
        assert english_on(page, names) == [], path
    page.goto(f"{anna.address}/settings")
    assert english_on(page, names) == []
    setting = page.locator("[data-setting=language]")
    setting.get_by_text("English").click()
    expect(page.locator("h1")).to_have_text("Settings")
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.browser
@pytest.mark.integration
def test_a_table_speaks_german(visitor: Visitor, live_server: LiveServer) -> None:
    """The bar, the tabs, the replay; what the title says is its own."""
    anna = Player(live_server.address, "Anna")
    game = anna.game("example", [{"you": True}, {"you": True}])
    page = enter(visitor(locale="de-DE"), anna.address, anna, f"g/{game}")
    german = read_catalogue("de")
    expect(page.locator("[data-part=tab][data-tab=board]")).to_have_text(str(german["Board"]))
    expect(page.locator("[data-part=transport]")).to_have_attribute(
        "aria-label", str(german["Travel through the game"])
    )
    expect(page.locator("[data-part=bar]")).to_have_attribute("aria-label", str(german["What to do"]))
    expect(page.locator(".history h2")).to_have_text(str(german["What happened"]))
