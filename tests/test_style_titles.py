"""The language of the titles: RULES.md, guides, options, and what the rules say to players."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from events.rules.catalogue import packages, title_ids
from tests.test_style import BANNED, MOST_CHARACTERS, find_sentences
from tests.test_style_commands import find_messages

ROOT = Path(__file__).resolve().parents[1]
TITLES = sorted({*title_ids(), "example"})
LONG, SHARE = 30, 0.95
"""The words of a long sentence, and the least share of sentences that are no longer."""
TERMS = {
    "at sea": "where fleets fight in the rulebooks of both Colonials",
    "War at Sea": "a card, and a part of a war",
}
"""Phrases of rulebooks that stay as they are, and why. The list may only become shorter."""
TERM = re.compile("|".join(map(re.escape, sorted(TERMS, key=len, reverse=True))))


def find_folder(title_id: str) -> Path:
    """The folder of a title, also of the example."""
    example = ROOT / "tests" / "titles" / "example"
    return example if title_id == "example" else Path(str(files(packages()[title_id])))


def find_texts(value: Any) -> Iterator[str]:
    """All texts in the data of a TOML file."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from find_texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from find_texts(one)


def list_texts(title_id: str) -> Iterator[str]:
    """All texts of a title that people read."""
    folder = find_folder(title_id)
    yield (folder / "RULES.md").read_text(encoding="utf-8")
    for path in sorted(folder.rglob("*.toml")):
        yield from find_texts(tomllib.loads(path.read_text(encoding="utf-8")))
    for path in sorted(folder.rglob("*.py")):
        yield from (text for _, text in find_messages(path.read_text(encoding="utf-8"), path))


@pytest.mark.parametrize("title_id", TITLES)
def test_titles_speak_in_plain_words(title_id):
    """No word for which there is a plainer one, but for those of the rulebooks."""
    sentences = (sentence for text in list_texts(title_id) for sentence in find_sentences(text))
    faults = [s for s in sentences if BANNED.search(TERM.sub("X", s))]
    assert faults == []


@pytest.mark.parametrize("title_id", TITLES)
def test_sentences_of_rules_are_short(title_id):
    """Colons and semicolons end none."""
    text = (find_folder(title_id) / "RULES.md").read_text(encoding="utf-8")
    sentences = list(find_sentences(text, ".!?"))
    short = [sentence for sentence in sentences if len(sentence.split()) <= LONG]
    assert len(short) >= SHARE * len(sentences)


@pytest.mark.parametrize("title_id", TITLES)
def test_lines_of_rules_are_short(title_id):
    """A row of a table is one line, however long it is."""
    lines = (find_folder(title_id) / "RULES.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if len(line) > MOST_CHARACTERS and not line.startswith("|")] == []


@pytest.mark.parametrize("term", sorted(TERMS))
def test_a_term_is_needed(term):
    """Take it from the list when no title says it any more."""
    assert any(term in text for title_id in TITLES for text in list_texts(title_id))
