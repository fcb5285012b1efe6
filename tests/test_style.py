"""The language of everything that people read in Markdown: short sentences, plain words, short lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.presenters import documentation
from service.presenters.generated_pages import GENERATED_PARTS

ROOT = Path(__file__).resolve().parents[1]
MOST_WORDS, MOST_CHARACTERS = 25, 120
BANNED = re.compile(
    r"""\b(he|him|his|himself|she|her|whoever|whatever|whichever|anew|thereof|thereby|hence|manners|at[ ]hand
    |is[ ]told|are[ ]told|tells[ ]of|the[ ]house|sits?[ ]down|sat[ ]down|harbour|at[ ]sea|come[ ]home
    |nobody[ ]else's|somebody|where[ ]it[ ]is[ ]not|laid|vouch(es)?|insist|patience|wish(es)?|reckon(s|ed)?
    |thrice|aught|naught|whereupon|shall|lest|one's[ ]own|oneself|betray(s|ed)?|just[ ]now|not[ ]any[ ]more
    |to[ ]be[ ]had|by[ ]and[ ]by|the[ ]service(?![ ](X|accounts?|of)\b)|the[ ]course|of[ ]which[ ]is
    |(put|puts|putting)[ ](\w+[ ]){1,2}away|be[ ]put[ ]away)\b""",
    re.IGNORECASE | re.VERBOSE,
)
"""Words and turns of phrase for which there are plainer ones."""
PLACES = (
    "README.md", "CHANGELOG.md", ".github/**/*.md", "events/*.md", "events/titles/README.md",
    "workers/**/*.md", "ops/**/*.md", "tests/**/README.md", "service/docs/pages/**/*.md",
)  # fmt: skip
EXCEPTED = {
    "events/GLOSSARY.md": "names the words that are not used",
}
"""Files with faults, and why. The list may only become shorter."""


def find_files() -> list[str]:
    """All files that are read, but for licences of others and copies."""
    found = {path for place in PLACES for path in ROOT.glob(place)}
    parts = {"kept", "node_modules", "vendor", ".venv"}
    return sorted(
        path.relative_to(ROOT).as_posix() for path in found if not parts & set(path.relative_to(ROOT).parts)
    )


def find_sentences(text: str, ends: str = ".!?:;") -> Iterator[str]:
    """The sentences of a text in Markdown, without code; each cell of a table has its own."""
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.DOTALL)
    text = re.sub(r"^ *(```|~~~).*?^ *\1\s*$", "", text, flags=re.DOTALL | re.MULTILINE)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+\.)\s)|\n(?=#)|\n(?=\|)", text):
        is_row = block.lstrip().startswith("|")
        for cell in block.strip().strip("|").split("|") if is_row else [block]:
            words = re.sub(r"`[^`]*`", "X", cell)
            words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", words)
            yield from (one for one in re.split(rf"(?<=[{ends}])\s+", " ".join(words.split())) if one)


def find_faults(text: str) -> list[str]:
    """What is wrong with the language of a text."""
    faults = [
        f"line {number} has {len(line)} characters"
        for number, line in enumerate(text.splitlines(), 1)
        if len(line) > MOST_CHARACTERS and not line.lstrip().startswith(("|", "http", "["))
    ]
    for sentence in find_sentences(text):
        if found := BANNED.search(sentence):
            faults.append(f"{found[0]!r} in: {sentence}")
        if len(sentence.split()) > MOST_WORDS:
            faults.append(f"{len(sentence.split())} words: {sentence}")
    return faults


@pytest.mark.parametrize("name", [name for name in find_files() if name not in EXCEPTED])
def test_files_are_written_in_plain_words(name):
    assert find_faults((ROOT / name).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", sorted(GENERATED_PARTS))
def test_generated_pages_are_written_in_plain_words(name):
    """Sentences only: nobody reads the lines of a text that is made."""
    text = documentation.read_source(name).text
    assert [fault for fault in find_faults(text) if not fault.startswith("line ")] == []


@pytest.mark.parametrize("name", sorted(EXCEPTED))
def test_an_exception_is_needed(name):
    """Take it from the list when the file has no fault left."""
    assert find_faults((ROOT / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("He plays.", "'He' in: He plays."),
        ("so " * 26 + "on.", "27 words"),
        ("a" * 121, "line 1 has 121 characters"),
        ("| cell | it is at hand |", "'at hand' in: it is at hand"),
        ("* one\n* whoever comes", "'whoever' in: * whoever comes"),
    ],
)
def test_faults_are_found(text, fault):
    assert find_faults(text)[0].startswith(fault)


@pytest.mark.parametrize(
    "text",
    [
        "The seat is free. `he` is code.",
        "```text\nhe is in a block\n```",
        "---\ntitle: Whoever\n---\nA page.",
        "| a link of many characters | [words](/" + "x" * 120 + ") |",
    ],
)
def test_code_and_tables_may_be_long(text):
    assert find_faults(text) == []
