"""The pages of the repository are true: links lead somewhere, commands exist, codes and metrics are there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

import click
import pytest
import yaml

from events.base.settings import SETTINGS, Setting
from events.rules.catalogue import find_title, title_ids
from ops.cli import rutter
from service.openapi.response_structs import Lack
from service.presenters.documentation import make_anchor
from tests import settings, tiers

ROOT = Path(__file__).resolve().parents[1]
PAGES = (
    "README.md",
    "CHANGELOG.md",
    "events/README.md",
    "events/titles/README.md",
    "workers/bots/README.md",
    "ops/README.md",
    "ops/deploy/README.md",
    *(path.relative_to(ROOT).as_posix() for path in sorted((ROOT / ".github").glob("*.md"))),
)
DOCS = [path.relative_to(ROOT).as_posix() for path in sorted((ROOT / "service/docs/pages").rglob("*.md"))]
OPERATORS = "ops/README.md"
MOST_LINES, MOST_WORDS = 200, 1336
"""Of README.md: whatever else a reader needs has a page of its own."""
LARGEST_PICTURE = 60_000
PROGRAM = re.compile(r"(?:ops/|~/rutter/bin/)?rutter|(?:ExecStart=/opt/rutter/)?ops/up|ops")
SPAN = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^ *```(\w*)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def without_blocks(text: str) -> str:
    return FENCE.sub("", text)


def anchors(path: Path) -> set[str]:
    """The anchors of the headings of a page."""
    text = without_blocks(path.read_text(encoding="utf-8"))
    return {make_anchor(heading.replace("`", "")) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


def list_commands(text: str) -> list[list[str]]:
    """The commands of `rutter` in the code of a page, each as its words; `ops/up` is `up`."""
    fenced = [line for _, block in FENCE.findall(text) for line in block.replace("\\\n", " ").splitlines()]
    found = []
    for code in [*SPAN.findall(without_blocks(text)), *fenced]:
        for words in map(str.split, re.split(r"&&|[;|>(]|\s#", code)):
            starts = [place for place, word in enumerate(words) if PROGRAM.fullmatch(word)]
            if not starts or words[starts[-1] - 1] in ("-t", "-u"):  # the name of an image, or of a user
                continue
            rest = words[starts[-1] + 1 :]
            rest = ["up", *rest] if words[starts[-1]].endswith("ops/up") else rest
            if rest and re.fullmatch("[a-z]+", rest[0]):
                found.append([word.strip("\"')") for word in rest])
    return found


def find_command(words: list[str]) -> tuple[click.Command | None, list[str]]:
    """Return the command that *words* name, with its own words after it."""
    command = rutter.get_command(click.Context(rutter), words[0])
    rest = words[1:]
    while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
        command, rest = command.get_command(click.Context(command), rest[0]), rest[1:]
    return command, rest


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    """To files of the repository, and to headings of them."""
    text = without_blocks(read(name))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / name).parent / path if path else ROOT / name
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


@pytest.mark.parametrize("name", PAGES)
def test_commands_exist_with_their_options(name):
    """Each that is shown, in a sentence or a block."""
    for words in list_commands(read(name)):
        command, rest = find_command(words)
        assert command is not None, words
        known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
        known |= {"--help", "--version"}
        asked = {word.partition("=")[0] for word in rest if word.startswith("--")}
        assert asked <= known, words


def test_commands_are_found():
    """What the test above rests on."""
    text = "`sudo -u rutter ops/rutter nothing --at all`, `ops/up --port 1`, `-t rutter it`\n"
    text += "```text\n$ docker run rutter ops keys rotate --finish  # now\n```\n"
    assert list_commands(text) == [
        ["nothing", "--at", "all"],
        ["up", "--port", "1"],
        ["keys", "rotate", "--finish"],
    ]
    assert find_command(["nothing"])[0] is None
    assert find_command(["keys", "rotate", "--finish"])[0].name == "rotate"
    assert len(list_commands(read(OPERATORS))) > 50


@pytest.mark.parametrize("name", PAGES)
def test_tiers_and_extras_exist(name):
    """Of `ops/test` and `ops/install`, and what `python -m workers` starts."""
    text = read(name)
    for option in re.findall(r"ops/test (--\w+)", text):
        assert f"ops/test {option}" in tiers.__doc__, option
    for extra in re.findall(r"ops/install (\w+)", text):
        assert re.search(rf"\b{extra}\b", read("ops/install")), extra
    for words in re.findall(r"python -m rutter\.workers ([\w ]+)", text):
        assert re.fullmatch(r"dispatcher|work (ai|think|house|deliver)", words.strip()), words


ROOMS = ("events", "projections", "service", "workers", "ops", "tests")
BARE_MODULE = re.compile(
    rf"(?:^|[^.\w/])(?:from |import |-m )(?:{'|'.join(ROOMS)})\b"
    rf"|^(?:{'|'.join(ROOMS)})\.(?!ndjson|parquet|groupby|type)[a-z]",
    re.MULTILINE,
)


@pytest.mark.parametrize("name", [*PAGES, *DOCS])
def test_modules_are_named_as_readers_import_them(name):
    """Under `rutter`, which is there in a checkout and in a wheel; each of them is there."""
    text = read(name)
    code = [*SPAN.findall(without_blocks(text)), *(block for _, block in FENCE.findall(text))]
    assert [found[0] for one in code if (found := BARE_MODULE.search(one))] == []
    for module in re.findall(r"\brutter((?:\.[a-z_]+)+)", "\n".join(code)):
        first, *rest = module.removeprefix(".").split(".")
        place = ROOT.joinpath(first, *rest)
        assert first not in ROOMS or place.is_dir() or place.with_suffix(".py").exists(), module


@pytest.mark.parametrize("code", ["from events.rules import x", "python -m workers work", "events.research"])
def test_bare_modules_are_found(code):
    assert BARE_MODULE.search(code)
    assert not BARE_MODULE.search(
        code.replace("events", "rutter.events").replace("workers", "rutter.workers")
    )


def test_every_code_of_readyz_has_a_paragraph():
    codes = set(get_args(get_type_hints(Lack)["code"]))
    assert len(codes) > 20
    assert set(re.findall(r"^- \*\*`(\w+)`\*\*: ", read(OPERATORS), re.MULTILINE)) == codes


def test_every_metric_is_listed():
    """Those that the sources name, and no others; so it is with the rules that alert."""
    named = set()
    for folder in ("service/base", "service/health"):
        for path in (ROOT / folder).glob("*.py"):
            named |= set(re.findall(r'"(rutter_[a-z_]*[a-z])"', path.read_text(encoding="utf-8")))
    named = named - {"rutter_requests"} | {"rutter_requests_total"}
    text = read(OPERATORS)
    assert set(re.findall(r"`(rutter_[a-z_]+)`", text)) == named
    (rules,) = [block for language, block in FENCE.findall(text) if language == "yaml"]
    (group,) = yaml.safe_load(rules)["groups"]
    asked = {name for rule in group["rules"] for name in re.findall(r"rutter_\w+", rule["expr"])}
    assert len(asked) > 10
    assert asked <= named


@pytest.mark.parametrize("name", PAGES)
def test_settings_exist(name):
    """Each variable that a page names is declared."""
    declared = {
        setting.name for setting in [*SETTINGS, *vars(settings).values()] if isinstance(setting, Setting)
    }
    named = set(re.findall(r"\b(?:RUTTER_[A-Z_]+|[A-Z_]+_URL)\b", read(name)))
    assert named <= declared
    assert name != OPERATORS or len(named) > 15


def test_the_sample_of_a_report_has_every_line():
    """Those of the page for auditors, whose sample is what the program prints."""
    quickstart = read("service/docs/pages/audit/quickstart.md")
    (sample,) = re.findall(r"^```text\n(OK: .*?)^```$", read("README.md"), re.DOTALL | re.MULTILINE)
    whole = quickstart.partition("\nOK: ")[2].partition("\n```")[0]
    labels = [re.findall(r"^  ([a-z]+) ", text, re.MULTILINE) for text in (sample, whole)]
    assert labels[0] == labels[1]
    assert len(labels[0]) > 10


def test_a_block_that_goes_on_says_so():
    """What a shell block takes from one before it needs the same shell."""
    text = read("README.md")
    defined: set[str] = set()
    for found in FENCE.finditer(text):
        if found[1] != "sh":
            continue
        own = set(re.findall(r"\b([A-Z]+)=", found[2]))
        if (set(re.findall(r"\$\{?([A-Z]+)", found[2])) - own) & defined:
            assert "same shell" in text[: found.start()].rpartition("\n\n")[0].rpartition("\n\n")[2]
        defined |= own
    assert {"API", "GAME"} <= defined


def test_the_readme_is_short():
    assert len(read("README.md").splitlines()) <= MOST_LINES
    assert len(read("README.md").split()) <= MOST_WORDS
    assert (ROOT / "service/docs/board.svg").stat().st_size < LARGEST_PICTURE


def test_the_table_of_titles_is_true():
    """Seats, and the clauses of the rulebook with the weight that follows from them."""
    rows = re.findall(
        r"^\| [^|]+ \| `(\w+)` \| (\d+)-(\d+) \| [\d-]+ \| (\w+) \| \[(\d+) clauses\]",
        read("README.md"),
        re.MULTILINE,
    )
    assert {row[0] for row in rows} == {name for name in title_ids() if name != "example"}
    for name, least, most, weight, number in rows:
        seats = find_title(name).seats
        assert (int(least), int(most)) == (seats[0], seats[-1])
        clauses = re.findall(
            r"^- \*\*[A-Z]+-[\dA-Z-]+\*\*", read(f"events/titles/{name}/RULES.md"), re.MULTILINE
        )
        assert len(clauses) == int(number), name
        heavy, light = len(clauses) >= 200, len(clauses) <= 150
        assert weight == ("heavy" if heavy else "light" if light else "medium")


def test_lines_of_the_changelog_are_facts():
    """Five groups, and a line for each fact."""
    text = read("CHANGELOG.md")
    assert re.findall(r"^### Added: (.+)$", text, re.MULTILINE) == [
        "API", "players", "organisers and audit", "operators", "titles",
    ]  # fmt: skip
    body = text[text.index("### Added") :]
    assert [line for line in body.splitlines() if line and line[:2] not in ("- ", "##")] == []
    assert max(map(len, text.splitlines())) <= 120


def test_issue_forms_are_ones():
    """Each with a name, a sentence and questions whose ids differ; titles are those that there are."""
    forms = sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml"))
    read_forms = {path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in forms}
    assert set(read_forms) == {"bug", "feature", "rules", "config"}
    del read_forms["config"]
    for form in read_forms.values():
        assert set(form) == {"name", "description", "labels", "body"}
        ids = [one["id"] for one in form["body"] if one["type"] != "markdown"]
        assert len(ids) == len(set(ids)) >= 3
    (titles,) = [one for one in read_forms["rules"]["body"] if one.get("id") == "title"]
    assert set(titles["attributes"]["options"]) == {name for name in title_ids() if name != "example"}
