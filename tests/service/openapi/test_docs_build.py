"""The pages for developers: their tables, addresses, codes and figures are those of the program."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec
import pytest

from events.clocks.absence_policy import Absence
from events.clocks.clock import CorrespondenceClock, LiveClock
from projections.read_models.notices import NoticeType
from service.base.scopes import SCOPES
from service.client import Client
from service.http import query_strings
from service.http.responses import ALLOWED_HEADERS, EXPOSED_HEADERS
from service.openapi import problem_codes
from service.openapi.request_structs import MAX_TOURNAMENT_NAME, NewGame
from service.openapi.response_structs import Problem
from tests.installation import ROOT
from tests.service.openapi.test_described import description

DOCS = ROOT / "service" / "docs" / "pages"
PAGES = (
    *sorted(DOCS.rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CHANGELOG.md", "events/README.md", "events/proof/BUNDLE.md")),
    *(ROOT / name for name in ("events/titles/README.md", "workers/bots/README.md", "ops/README.md")),
    *(ROOT / name for name in ("ops/deploy/README.md", "tests/vectors/README.md")),
    *sorted((ROOT / ".github").glob("*.md")),
)
ELSEWHERE = {("GET", "/drops/{}/{}"), ("POST", "/add-checkpoint"), ("POST", "/drop"), ("POST", "/rutter")}
"""Addresses of witnesses, and of a reader's receiver of webhooks."""
MADE_BY_OPERATORS = {"ops/deploy/.env", "ops/deploy/settings.env"}
ADDRESS = re.compile(r"\b(GET|POST|PUT|PATCH|DELETE) ((?:\.\.\.)?/[^\s`\"',)?]+)")
ROOMS = re.compile(r"`((?:events|projections|service|workers|ops|tests|\.ci|\.github)/[\w./-]+)`")


def read_rows(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the tables below a heading, without the heads."""
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    part = re.split(r"^#+ ", text.partition(f"# {heading}\n")[2], maxsplit=1, flags=re.MULTILINE)[0]
    rows = re.findall(r"^\| (.*) \|$", part, re.MULTILINE)
    assert rows, heading
    return [[cell.strip() for cell in row.split(" | ")] for row in rows[1:]]


def read_names(page: str, heading: str, column: int = 0) -> list[str]:
    """Return what stands between code marks in a column."""
    return [name for row in read_rows(page, heading) for name in re.findall(r"`([^`]+)`", row[column])]


def name_fields(*structs: type[msgspec.Struct]) -> list[str]:
    """Return the members of structs."""
    return [field.encode_name for kind in structs for field in msgspec.structs.fields(kind)]


@pytest.mark.parametrize(
    ("page", "heading", "known"),
    [
        ("build/games", "All settings", name_fields(NewGame)),
        ("build/auth", "Scopes", SCOPES),
        ("build/clocks", "Live: one sitting", name_fields(LiveClock)),
        ("build/clocks", "Correspondence: over days", name_fields(CorrespondenceClock)),
        ("build/clocks", "Absence", name_fields(Absence)),
    ],
)
def test_tables_have_each_member_once(page, heading, known):
    names = [re.findall(r"`([^`]+)`", row[0])[0] for row in read_rows(page, heading)]
    assert sorted(names) == sorted(known)


def test_every_member_of_a_problem_is_explained():
    text = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8").partition("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    names = [name for cell in cells for name in re.findall(r"`([^`]+)`", cell)]
    assert sorted(names) == sorted(name_fields(Problem))


def test_headers_for_pages_are_those_that_are_allowed():
    assert sorted(read_names("build/browsers", "Headers")) == sorted(ALLOWED_HEADERS.split(", "))
    assert sorted(read_names("build/browsers", "Headers", 1)) == sorted(EXPOSED_HEADERS.split(", "))


def test_every_notice_is_explained():
    found: list[str] = []
    for name in read_names("build/webhooks", "Types of notices"):
        found.append(found[-1].partition(".")[0] + name if name.startswith(".") else name)
    assert sorted(found) == sorted({*get_args(NoticeType), "webhook.test"})


def test_calls_of_the_library_exist():
    for name in read_names("build/library", "Calls"):
        assert callable(getattr(Client, name.partition("(")[0])), name


def test_filters_of_exports_are_those_of_the_api():
    ((_, words),) = [row for row in read_rows("analyse/quickstart", "Large exports") if row[0] == "filter"]
    filters = set(query_strings.ExportQuery().fields) - {"after", "games"}
    assert set(re.findall(r"`(\w+)`", words)) == filters


def test_the_longest_name_of_a_tournament_is_told():
    text = (DOCS / "organise" / "before.md").read_text(encoding="utf-8")
    assert f"| `name` | none | The name, up to {MAX_TOURNAMENT_NAME} characters." in text


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_addresses_codes_and_files_exist(page: Path):
    """Each `METHOD /address` is an operation, each status has its code, each file is there."""
    text = page.read_text(encoding="utf-8")
    known = {(how.upper(), blank(path)) for path, ways in description()["paths"].items() for how in ways}
    for how, written in ADDRESS.findall(text):
        path = re.sub(r"/(?:ID|GAME|LOG)\b", "/{}", blank(written).rstrip(".:;"))
        if path.startswith("..."):
            assert any(way == how and one.endswith(path[3:]) for way, one in known), (how, path)
        else:
            assert (how, path) in known | ELSEWHERE
    problems = problem_codes.get_problems()
    for status, code in re.findall(r"\b([45]\d\d) `([a-z_]+)`", text):
        assert code in problem_codes.get_all_codes()
        assert code not in problems or int(status) in problems[code].status, (status, code)
    missing = {name for name in ROOMS.findall(text) if not (ROOT / name).exists()}
    assert missing <= MADE_BY_OPERATORS


def blank(path: str) -> str:
    """Return an address without the names of its parameters."""
    return re.sub(r"\{[^}]*\}", "{}", path)


def test_buttons_that_pages_name_are_on_the_page():
    """What stands in bold in the pages for players is a text of the page."""
    scripts = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "service/static/js").rglob("*.js")
    )
    shown = re.sub(r"\s+", " ", re.sub(r"<span\s+class=\"spare\">", "", scripts))
    for path in sorted((DOCS / "play").glob("*.md")):
        for words in re.findall(r"\*\*([^*\n]+)\*\*", path.read_text(encoding="utf-8")):
            assert words in shown, (path.name, words)


def test_what_a_bot_needs_of_a_generated_client_is_in_the_description():
    """The operations with their tags, and the tags by which the page filters."""
    page = (DOCS / "build" / "clients.md").read_text(encoding="utf-8")
    tags = {
        one["operationId"]: one["tags"]
        for path in description()["paths"].values()
        for one in path.values()
        if isinstance(one, dict) and "operationId" in one
    }
    rows = read_rows("build/clients", "What a bot needs")
    assert [tags[row[0].strip("`")] for row in rows] == [[row[1].strip("`")] for row in rows]
    assert len(rows) == 3
    filters = set(re.findall(r"FILTER=tag:([\w|]+)", page))
    assert filters == {"accounts|games|play"}
    assert tags["create_account"] == ["accounts"]
