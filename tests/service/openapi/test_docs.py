"""The documentation: every page is found, every link leads somewhere, every generated page is complete."""

from __future__ import annotations

import hashlib
import html
import json
import re
import tomllib
from functools import cache

import pytest
from flask.testing import FlaskClient

from events.base.settings import SETTINGS
from events.rules.catalogue import find_title, title_ids
from events.rules.fact import type_name
from events.table import lifecycle_facts
from events.tournament.folding import FACTS
from ops.cli import MODULES, SECTIONS
from ops.cli.dev import reference
from ops.server.wsgi import create_app
from service.base.metric_descriptions import METRICS
from service.base.rate_limits import DEFAULTS_FILE, LimitSettings
from service.base.settings import Settings
from service.openapi import problem_codes
from service.presenters import documentation
from service.presenters.rulebooks import load_rulebook
from tests.installation import ROOT
from tests.service import page_blocks
from tests.vectors import tournaments

DOCS = ROOT / "service" / "docs"
VENDOR = DOCS / "vendor"
MARKDOWN_LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\(([^)\s]+)\)")
ADDRESS = "http://127.0.0.1:8000"


@cache
def nobody() -> FlaskClient:
    """Pages need neither database nor Redis."""
    return create_app(Settings("", log_requests=False)).test_client()


def shown(path: str, **headers: str) -> str:
    """The page at *path*."""
    answer = nobody().get(path, headers=headers)
    assert answer.status_code == 200, path
    return answer.text


def anchors(name: str) -> list[str]:
    """The anchors of a page."""
    return [heading.anchor for heading in documentation.render_page(name).headings]


def is_there(path: str) -> bool:
    """Whether something answers at a path of the server, where the path can be asked without a database."""
    if path in ("/", "/new", "/t", "/ratings") or path.startswith(("/v1/", "/log/", "/g/", "/t/")):
        return True
    return nobody().get(path).status_code == 200


def find_broken(links: list[str], name: str) -> list[str]:
    """Those of the *links* of a page that lead nowhere."""
    broken = []
    for link in links:
        target, _, anchor = html.unescape(link).partition("#")
        page = name if not target else target.removeprefix("/docs/")
        if re.match(r"[a-z]+:", target):
            continue
        if anchor and page in documentation.list_pages():
            if f' id="{anchor}"' not in shown(f"/docs/{page}"):
                broken.append(link)
        elif rules := re.fullmatch(r"/v1/titles/(\w+)/rules", target):
            book = load_rulebook(find_title(rules[1]))
            if book is None or (anchor and anchor not in book.ids):
                broken.append(link)
        elif target and not is_there(target):
            broken.append(link)
    return broken


# --- pages --------------------------------------------------------------------------------------------


def test_the_viewer_is_the_one_that_was_published():
    listed = re.findall(
        r"^(\S+) +swagger-ui-dist .* ([0-9a-f]{64})$", (VENDOR / "README.txt").read_text(), re.MULTILINE
    )
    assert {name for name, _ in listed} == {"swagger-ui-bundle.js", "swagger-ui.css"}
    for name, digest in listed:
        assert hashlib.sha256((VENDOR / name).read_bytes()).hexdigest() == digest


def test_navigation_and_pages_are_the_same():
    """Each file is listed in its place, each listed page is there."""
    doors = tomllib.loads((DOCS / "navigation.toml").read_text())["door"]
    listed = {f"{door['id']}/{page}" for door in doors for page in door["pages"]}
    files = [path.relative_to(DOCS / "pages") for path in (DOCS / "pages").rglob("*.md")]
    assert {path.with_suffix("").as_posix() for path in files} <= listed
    below = {f"reference/events-{title_id}" for title_id in title_ids()}
    assert listed | below == set(documentation.list_pages())


@pytest.mark.parametrize("name", documentation.list_pages())
def test_pages_ask_nobody_else_and_can_be_read(name):
    """A title, a description, no script or style in the text, and the navigation with this page marked."""
    page = shown(f"/docs/{name}")
    source = documentation.read_source(name)
    assert source.title
    assert source.summary, f"{name} needs a summary"
    assert re.findall(r"<script[^>]*>", page) == ['<script type="module" src="/docs/docs.js">']
    assert "style=" not in page
    assert not re.search(r'src="(?!/)', page)
    assert f'<a href="/docs/{name}" aria-current="page">' in page
    assert page.count("<h1>") == 1
    marks = re.findall(r' id="([^"]+)"', page)
    assert len(marks) == len(set(marks)), "an id stands twice"


@pytest.mark.parametrize("name", ["", "api", *(door.id for door in documentation.load_navigation().door)])
def test_starting_points_lead_to_pages(name):
    page = shown(f"/docs/{name}".rstrip("/"))
    assert find_broken(re.findall(r'(?:href|src)="([^"]+)"', page.replace('href="#content"', "")), "") == []


@pytest.mark.parametrize("name", documentation.list_pages())
def test_links_and_anchors_of_pages_resolve(name):
    page = shown(f"/docs/{name}")
    broken = find_broken(re.findall(r'<a [^>]*?href="([^"]+)"', page), name)
    assert broken == []


def test_pages_of_the_repository_lead_to_files_that_there_are():
    """Each relative link of a README, and each link to the documentation."""
    broken = []
    for path in (ROOT / "README.md", *sorted((ROOT / ".github").rglob("*.md"))):
        for link in MARKDOWN_LINK.findall(path.read_text(encoding="utf-8")):
            target = link.partition("#")[0]
            if link.startswith("/docs"):
                broken += find_broken([link], "")
            elif target and not re.match(r"[a-z]+:|/", target) and not (path.parent / target).exists():
                broken.append(f"{path.name}: {link}")
    assert broken == []


def test_samples_call_the_server_that_shows_them():
    """Under the name by which it was called; nothing that is no name comes into the page."""
    page = shown("/docs/reference/errors", Host="play.example:8443")
    assert "http://play.example:8443/v1/games/nothing" in page
    assert ADDRESS not in page
    assert ADDRESS in shown("/docs/reference/errors", Host="127.0.0.1:8000")
    refused = nobody().get("/docs/reference/errors", headers={"Host": 'a"><script>'})
    assert "<script>" not in refused.text


def test_pages_are_kept_by_browsers_until_they_change():
    first = nobody().get("/docs/reference/errors")
    again = nobody().get("/docs/reference/errors", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_only_pages_and_their_files_are_served():
    for name in (
        "pages/reference/errors.md", "reference/errors.md", "navigation.toml", "nothing", "../app.py",
        "first-game", "errors", "bundle", "auditing",
    ):  # fmt: skip
        assert nobody().get(f"/docs/{name}").status_code == 404, name


def test_every_heading_can_be_searched():
    found = json.loads(shown("/docs/search.json"))
    places = {(one["page"], one["anchor"]) for one in found}
    for name in documentation.list_pages():
        assert {(f"/docs/{name}", anchor) for anchor in ("", *anchors(name))} <= places
    assert any("Idempotency-Key" in one["text"] for one in found)


def test_the_audit_bundle_has_everything_for_another_verifier():
    """All that a verifier in another language needs, with values to test against."""
    page = shown("/docs/audit/bundle")
    assert "Canonical form" in page
    downloads = documentation.load_navigation().download
    assert "tests/vectors/bundle.ndjson" in downloads
    for file, copy in downloads.items():
        assert f'href="/docs/{copy}"' in page
        source = tournaments.ARCHIVE if (ROOT / file).is_dir() else ROOT / file
        assert nobody().get(f"/docs/{copy}").data == source.read_bytes()


@pytest.mark.integration
@pytest.mark.parametrize("name", ["errors", "limits", "settings", "cli", "metrics", "events", "versions"])
def test_blocks_of_the_reference_run(live_server, tmp_path, name):
    path = page_blocks.PAGES / "reference" / f"{name}.md"
    runs = [block for block in page_blocks.read_blocks(path) if block.language in page_blocks.LANGUAGES]
    assert len(page_blocks.run_page(f"reference/{name}", live_server.address, tmp_path)) == len(runs)


# --- generated pages ----------------------------------------------------------------------------------


def test_every_code_has_a_meaning_a_cure_and_an_anchor():
    there = set(anchors("reference/errors"))
    assert set(problem_codes.get_all_codes()) <= there
    for code, problem in problem_codes.get_problems().items():
        for sentence in (problem.meaning, problem.cure):
            assert re.fullmatch(r"[A-Z`].*[.]", sentence), (code, sentence)
    for told in problem_codes.get_refusals().values():
        for code, refusal in told.items():
            assert re.fullmatch(r"[A-Z…].*[.]", refusal.cure), (code, refusal.cure)
    assert problem_codes.make_type("banned") == "/docs/reference/errors#banned"


def test_a_problem_leads_to_its_description_and_names_its_request():
    answer = nobody().get("/v1/nothing", headers={"X-Request-ID": "abc-1"})
    problem = json.loads(answer.data)
    assert problem["type"] == "/docs/reference/errors#not_found"
    assert problem["instance"] == answer.headers["X-Request-ID"] == "abc-1"


def test_every_limit_stands_in_the_page():
    page = documentation.read_source("reference/limits").text
    for group in LimitSettings.__struct_fields__:
        if group != "on":
            assert f"\n## {group}\n" in page
    figures = re.findall(r"^(\w+) = ", DEFAULTS_FILE.read_text(), re.MULTILINE)
    assert len(re.findall(r"^\| `\w+[.]\w+` \|", page, re.MULTILINE)) == len(figures)


def test_every_setting_stands_in_the_page():
    """With what it takes, its default and who reads it."""
    text = documentation.read_source("reference/settings").text
    for setting in SETTINGS:
        section = text.partition(f"\n## {setting.name}\n")[2].partition("\n## ")[0]
        assert setting.text in section, setting.name
        assert f"* Takes {setting.kind.takes}." in section
        assert "* Read by " in section
    assert "Default: `127.0.0.1:8000`." in text
    assert "Default: `0`." in text, "a switch that is off"


def test_the_page_of_commands_is_what_the_commands_say():
    """Made again with ``ops/rutter reference``."""
    assert reference.PAGE.read_text(encoding="utf-8") == reference.make_page(), "run `ops/rutter reference`"
    marks = anchors("reference/cli")
    assert {f"rutter-{name}" for commands in SECTIONS.values() for name in commands} <= set(marks)
    assert {name for commands in SECTIONS.values() for name in commands} == {"up", "migrate", *MODULES}


@pytest.mark.integration
def test_every_metric_stands_in_the_page(api):
    page = documentation.read_source("reference/metrics").text
    served = re.findall(r"^# HELP (\w+) (.*)$", api.send("GET", "/metrics").text, re.MULTILINE)
    names = {name.removesuffix("_total") for name, _ in served if name.startswith("rutter_")}
    assert names == set(METRICS)
    assert all(f"| `{name}` |" in page for name in names)


@pytest.mark.parametrize("title_id", [None, *title_ids()])
def test_every_event_stands_in_its_page(title_id):
    """With all members; a secret one says so."""
    name = "reference/events" + (f"-{title_id}" if title_id else "")
    text = documentation.read_source(name).text
    facts = find_title(title_id).facts if title_id else (*lifecycle_facts.FACTS.values(), *FACTS.values())
    for fact in facts:
        section = text.partition(f"\n### {type_name(fact)}\n")[2].partition("\n### ")[0]
        members = set(fact.__struct_encode_fields__)
        assert members <= set(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)), fact
        assert section.count("ecret") >= len({path.partition(".")[0] for path in fact.secrets}), fact
        assert not members or len(section.strip().splitlines()[0]) > 10, "a sentence"


def test_every_word_of_the_glossary_stands_in_the_page():
    text = (ROOT / "events" / "GLOSSARY.md").read_text()
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    page = documentation.render_page("reference/glossary").body
    assert page.count("<tr>") == len(rows)
