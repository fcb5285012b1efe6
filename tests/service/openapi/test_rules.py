"""The rules of a title as the API serves them, and refusals that name the clause they rest on."""

import re
from html.parser import HTMLParser

import pytest

from events.rules.catalogue import find_title, packages, title_ids, versions
from service.presenters import rulebooks
from tests.installation import ROOT
from tests.service.factories import GameRequest
from tests.service.openapi.test_described import validator
from tests.titles.golden import PROJECT
from tests.titles.test_clauses import clauses

TITLES = title_ids()
PROJECT_TITLES = [name for name, place in packages().items() if place.startswith(PROJECT)]


class Page(HTMLParser):
    """What a page is made of."""

    def __init__(self, text):
        super().__init__()
        self.pictures, self.chapters = [], []
        self.ids, self.links, self.tags, self.attributes = [], [], set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.pictures += [value for name, value in attrs if (tag, name) == ("img", "src")]
        self.chapters += [value for name, value in attrs if (tag, name) == ("h2", "id")]
        self.ids += [value for name, value in attrs if name == "id"]
        self.links += [value[1:] for name, value in attrs if name == "href" and value.startswith("#")]


@pytest.mark.parametrize("title_id", TITLES)
def test_every_clause_has_an_anchor(title_id):
    """Each once; every link within the page leads somewhere; nothing in it can do anything."""
    book = rulebooks.load_rulebook(find_title(title_id))
    page = Page(book.html.decode())
    assert set(clauses(title_id)) <= set(page.ids)
    assert len(page.ids) == len(set(page.ids))
    assert set(page.links) <= set(page.ids)
    assert not page.tags & {"script", "style", "iframe", "form"}
    assert "style" not in page.attributes
    assert not [name for name in page.attributes if name.startswith("on")]


@pytest.mark.parametrize("title_id", PROJECT_TITLES)
def test_the_page_begins_with_how_it_is_played(title_id):
    """That chapter has pictures which are there, and is short; those for programs are not in the page."""
    book = rulebooks.load_rulebook(find_title(title_id))
    page, text = Page(book.html.decode()), book.markdown.decode()
    assert page.chapters[0] == "how-it-is-played"
    assert len(page.pictures) >= 2
    for picture in page.pictures:
        assert (ROOT / "service" / picture.removeprefix("/")).is_file(), picture
    chapter = text.partition("## How it is played\n")[2].partition("\n## ")[0]
    assert 350 <= len(chapter.split()) <= 1000
    named = set(rulebooks._MENTION.findall(chapter))
    assert named <= set(clauses(title_id))
    assert len(named) >= 25
    assert not {"the-position", "position", "lists-of-commands", "codes"} & set(page.chapters)
    assert re.search(r"^## (The p|P)osition$", text, re.MULTILINE)  # for those who write programs


def test_what_a_text_says_of_html_is_text(tmp_path, monkeypatch):
    """A rulebook cannot bring markup of its own."""
    (tmp_path / "RULES.md").write_text(
        "# A\n\n- **ABC-01** <script>alert(1)</script> [x](javascript:alert)\n"
    )
    monkeypatch.setattr(rulebooks, "files", lambda _package: tmp_path)
    page = rulebooks.load_rulebook.__wrapped__(find_title(TITLES[0])).html.decode()
    assert "<script" not in page
    assert 'href="javascript' not in page
    assert 'id="ABC-01"' in page


@pytest.mark.integration
def test_it_is_served_in_three_forms(api):
    """As a page with a policy of its own, as Markdown, as a list of clauses; kept by its tag."""
    path = "/v1/titles/example/rules"
    page = api.send("GET", path)
    assert page.content_type == "text/html; charset=utf-8"
    assert page.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self';")
    assert "Accept" in page.headers["Vary"]
    assert 'id="LFL-03"' in page.text
    assert api.send("GET", path, If_None_Match=page.headers["ETag"]).status_code == 304
    text = api.send("GET", path, Accept="text/markdown")
    assert text.text.startswith("# Landfall")
    assert text.headers["ETag"] != page.headers["ETag"]
    told = api.get(path, Accept="application/json")
    assert [clause["id"] for clause in told["clauses"]][2] == "LFL-03"
    assert told["clauses"][2]["text"].startswith("Both captains choose a sail")
    assert api.send("GET", f"{path}?version=1").text == page.text
    assert api.refused("GET", f"{path}?version=9") == (404, "unknown_version")
    assert api.refused("GET", "/v1/titles/example?version=9") == (404, "unknown_version")
    assert api.refused("GET", "/v1/titles/chess/rules") == (404, "unknown_title")
    assert api.get("/v1/titles")["titles"][0]["versions"] == [one.version for one in versions("colonial")]


@pytest.mark.integration
def test_the_clauses_of_every_title_are_as_described(api):
    for title_id in TITLES:
        if rulebooks.load_rulebook(find_title(title_id)):
            validator("Rules").validate(api.get(f"/v1/titles/{title_id}/rules", Accept="application/json"))


@pytest.mark.integration
def test_a_refusal_links_the_clause(api):
    """An empire can be chosen by one player only: the problem says where it stands, in its version."""
    ada = api.account("Ada")
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    path = f"/v1/games/{game['id']}"
    first = ada.get(f"{path}/decisions")["legal"][0]
    ada.post(f"{path}/commands", {**first["command"], "seat": first["seat"]})
    answer = ada.send("POST", f"{path}/commands", {**first["command"], "seat": 1 - first["seat"]})
    assert answer.status_code == 409
    address, _, clause = answer.get_json(force=True)["clause"].partition("#")
    assert address == "/v1/titles/colonial_empires/rules?version=2"
    assert clause in clauses("colonial_empires")
    assert re.search(rf'<li id="{clause}">', ada.send("GET", address).text)
