"""The language of the command line: its help, and the messages that it prints."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from events.base.settings import SETTINGS
from ops.cli import SECTIONS, rutter
from tests.test_style import BANNED, MOST_WORDS, find_faults, find_sentences

ROOT = Path(__file__).resolve().parents[1]
PRINTING = {"ops": 700, "workers": 70, "projections": 60, "events": 800}
"""Folders whose texts `rutter` prints or the history tells, and the least number of them; titles aside."""
LEAST_WORDS = 3
"""A text with fewer words is a name or a format."""
CODE = re.compile(
    r"\b(SELECT|INSERT|UPDATE|DELETE|GRANT|REVOKE|DROP|COPY|SET)\b|^\s*(import|from) |[\\^]", re.MULTILINE
)
"""Texts that are code, not messages."""


def list_commands(group: click.Group = rutter, words: str = "rutter") -> Iterator[tuple[str, click.Command]]:
    """All commands, and those of groups, by the words that call them."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        yield f"{words} {name}", found
        if isinstance(found, click.Group):
            yield from list_commands(found, f"{words} {name}")


COMMANDS = dict(list_commands())


def list_messages(folder: str) -> list[tuple[str, str]]:
    """All texts in the code of a folder, each with its place; docstrings aside."""
    paths = [
        path
        for path in sorted((ROOT / folder).rglob("*.py"))
        if not path.is_relative_to(ROOT / "events" / "titles")
    ]
    return [found for path in paths for found in find_messages(path.read_text("utf-8"), path)]


def find_messages(source: str, path: Path) -> Iterator[tuple[str, str]]:
    """The texts in the source of a module; what is put into an f-string is one word."""
    tree = ast.parse(source)
    parts = {
        id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in ast.walk(node)
    }
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            text = node.value
        else:
            continue
        if id(node) not in docstrings and len(text.split()) >= LEAST_WORDS and not CODE.search(text):
            yield f"{path.relative_to(ROOT)}:{node.lineno}", text


@pytest.mark.parametrize("words", sorted(COMMANDS))
def test_help_is_written_in_plain_words(words):
    """The text with its lists, and every option."""
    command = COMMANDS[words]
    text = re.sub(r"\n {2,}", "\n\n", (command.help or "").replace("\b", ""))
    helps = [param.help or "" for param in command.params if isinstance(param, click.Option)]
    assert text.strip()
    assert all(helps), "an option says nothing"
    faults = find_faults("\n\n".join([text, *helps]))
    assert [fault for fault in faults if not fault.startswith("line ")] == []


def test_the_list_of_commands_is_written_in_plain_words():
    texts = [text for commands in SECTIONS.values() for text in commands.values()]
    assert find_faults("\n\n".join([*SECTIONS, *texts, rutter.help or ""])) == []


def test_settings_are_described_in_plain_words():
    assert find_faults("\n\n".join(f"{one.text}\n\n{one.kind.takes}" for one in SETTINGS)) == []


@pytest.mark.parametrize(("folder", "least"), PRINTING.items())
def test_messages_are_written_in_plain_words(folder, least):
    """Short sentences, and no word for which there is a plainer one."""
    messages = list_messages(folder)
    faults = []
    for place, text in messages:
        for sentence in find_sentences(text):
            if found := BANNED.search(sentence):
                faults.append(f"{place}: {found[0]!r} in: {sentence}")
            if len(sentence.split()) > MOST_WORDS:
                faults.append(f"{place}: {len(sentence.split())} words: {sentence}")
    assert len(messages) >= least
    assert faults == []


def test_sentences_of_the_history_are_messages():
    path = ROOT / "events" / "table" / "lifecycle_facts.py"
    assert "X joins as seat X." in [text for _, text in find_messages(path.read_text("utf-8"), path)]


@pytest.mark.parametrize(
    ("source", "texts"),
    [
        ('raise OpsError("Name a file.")', ["Name a file."]),
        ('raise OpsError(f"Name {one} of {two + 3}.")', ["Name X of X."]),
        ('"""A docstring of words."""\nname = "short text"', []),
        ('run("SELECT one FROM two")', []),
    ],
)
def test_messages_are_found(source, texts):
    assert [text for _, text in find_messages(source, ROOT / "a.py")] == texts
