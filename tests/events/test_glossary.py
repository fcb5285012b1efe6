"""The glossary: it names files that exist, and code keeps to its words."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = ROOT / "events/GLOSSARY.md"
PACKAGES = ("events", "projections", "service", "workers", "ops")


def rows(heading: str) -> list[list[str]]:
    """The rows of the table that follows a heading, without its two first lines."""
    text = GLOSSARY.read_text().partition(heading)[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def defined() -> set[str]:
    """The names of all classes and functions of the packages."""
    found = set()
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            nodes = ast.walk(ast.parse(path.read_text()))
            found |= {node.name for node in nodes if isinstance(node, ast.ClassDef | ast.FunctionDef)}
    return found


WORDS = rows("# Words")
NOT_USED = rows("## Names that are not used")


@pytest.mark.parametrize(("word", "meaning", "code"), WORDS, ids=[row[0] for row in WORDS])
def test_each_word_has_a_meaning_and_a_place(word, meaning, code):
    assert word
    assert meaning
    for path in re.findall(r"`([\w./]+(?:\.py|\.md|/))`", code):
        assert (ROOT / path if path.startswith("ops/") else ROOT / "events" / path).exists(), path


def test_each_word_stands_once_and_there_are_forty():
    words = [word for row in WORDS for word in row[0].split(", ")]
    assert len(words) == len(set(words))
    assert len(WORDS) >= 36


def test_code_keeps_to_the_words():
    names = defined()
    unused = {name for row in NOT_USED for name in row[0].split(", ")}
    assert len(unused) > 30
    assert "GameContext" in names
    assert sorted(unused & names) == []
