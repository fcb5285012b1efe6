"""The language of the page: short sentences and plain words in all that its scripts and its HTML show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.page_texts import find_markup_texts, find_texts
from tests.test_style import find_faults

ROOT = Path(__file__).resolve().parents[1]
STATIC = ROOT / "service" / "static"
PAGES = ROOT / "service" / "docs" / "pages"
GUIDES = [*PAGES.glob("play/*.md"), *PAGES.glob("audit/*.md"), PAGES / "organise" / "during.md"]
"""The pages whose bold words are texts of the page."""
SCRIPTS = sorted(
    path.relative_to(STATIC).as_posix()
    for place in ("js/**", "client")
    for path in STATIC.glob(f"{place}/*.js")
)
LEAST_TEXTS = 500
"""Fewer than the page has: a scanner that finds next to nothing would find no fault either."""
OTHER_TERMS = re.compile(
    r"\b(services?|chairs?|courses?|voyages?|somebody else|nobody else|may stay empty|put away)\b",
    re.IGNORECASE,
)
"""Words for which the page has one term: server, seat, fork, replay, optional, delete."""


def find_page_faults(text: str) -> list[str]:
    """What is wrong with the language of one text of the page."""
    faults = [fault for fault in find_faults(text) if not fault.startswith("line ")]
    if other := OTHER_TERMS.search(text):
        faults.append(f"{other[0]!r} in: {text}")
    return faults


def find_script_faults(source: str) -> list[str]:
    """What is wrong with the texts of a script, each with its line."""
    return [f"{line}: {fault}" for line, text in find_texts(source) for fault in find_page_faults(text)]


@pytest.mark.parametrize("name", SCRIPTS)
def test_the_texts_of_a_script_are_written_in_plain_words(name):
    assert find_script_faults((STATIC / name).read_text(encoding="utf-8")) == []


def test_the_first_html_is_written_in_plain_words():
    texts = list(find_markup_texts((STATIC / "index.html").read_text(encoding="utf-8")))
    assert "Loading …" in texts
    assert any(text.startswith("This page needs JavaScript.") for text in texts)
    assert [fault for text in texts for fault in find_page_faults(text)] == []


def read_page_texts() -> Iterator[str]:
    """Everything that the scripts show."""
    for name in SCRIPTS:
        yield from (text for _, text in find_texts((STATIC / name).read_text(encoding="utf-8")))


def test_the_scanner_finds_the_texts_of_the_page():
    """Of each kind: between elements, in attributes, in strings, in templates, through an inline element."""
    texts = list(read_page_texts())
    assert len(texts) >= LEAST_TEXTS
    known = {"Create a game", "Zoom in (+)", "Fixes the list of players.", "Signed in as X.", "Public view"}
    assert known <= set(texts)


@pytest.mark.parametrize("name", sorted(path.relative_to(PAGES).as_posix() for path in GUIDES))
def test_the_guides_quote_the_page(name):
    """What stands there in bold is a text of the page, or the beginning of one."""
    quoted = re.findall(r"\*\*([^*]+)\*\*", (PAGES / name).read_text(encoding="utf-8"))
    texts = list(read_page_texts())
    assert [quote for quote in quoted if not any(text.startswith(quote) for text in texts)] == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        ('say("He has left.");', "1: 'He' in: He has left."),
        ("say('Games of\\n whoever came');", "1: 'whoever' in: Games of whoever came"),
        ('html`<p>one</p>\n<button title="Sit down here">two</button>`', "1: 'Sit down' in: Sit down here"),
        ("html`<h1>Harbour</h1>`", "1: 'Harbour' in: Harbour"),
        ("html`<p>The <b>house</b> rules</p>`", "1: 'The house' in: The house rules"),
        ('html`<p>${open ? "yes" : html`<i>at ${place} anew</i>`}</p>`', "1: 'anew' in: at X anew"),
        ("const text = `${name} is told`;", "1: 'is told' in: X is told"),
        ("say(`" + "so ".rstrip() + " so" * 25 + ".`);", "1: 26 words: "),
        ('say("One service is busy.");', "1: 'service' in: One service is busy."),
        ('const found = /["`]/.test(text) || ask("Who is at sea?");', "1: 'at sea' in: Who is at sea?"),
        ('const half = (whole) / 2; say("As they wish / want");', "1: 'wish' in: As they wish / want"),
    ],
)
def test_faults_of_a_script_are_found(source, fault):
    (found,) = find_script_faults(source)
    assert found.startswith(fault)


@pytest.mark.parametrize(
    "source",
    [
        '// He is in a comment.\n/* "whoever reads it" */\nsay("They left.");',
        'html`<p class="harbour lit" data-part="the house">They left.</p>`',
        'const drawn = document.querySelector(".harbour [data-house]"); const name = "harbour";',
        "const path = `M1 ${y} he H2`;",
        'html`<a href="https://example.org/he">They</a>`',
    ],
)
def test_what_nobody_reads_is_no_fault(source):
    assert find_script_faults(source) == []


@pytest.mark.parametrize("source", ['say("open', "say('open\n')", "const found = /open\n;"])
def test_a_literal_without_an_end_is_an_error(source):
    with pytest.raises(ValueError, match="line 1: "):
        find_texts(source)
