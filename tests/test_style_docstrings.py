"""The docstrings of the packages: a summary of one line that says what the thing does or is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("events", "projections", "service", "workers", "ops")
MOST_CHARACTERS = 100
"""Of a summary."""
DOCSTRING = re.compile(r'(?:\A|:\n)(?: *#.*\n)* *r?"""(?P<summary>.*?)(?P<end>"""|\n(?P<second>.*))')
"""The docstring of a module, a class or a function. Read as text, which is quicker than to parse."""
FIRST_PERSON = re.compile(r"(?<![\w`./*(])(I|[Mm]y|[Mm]ine|[Mm]yself)(?![\w`*/):])")
RIDDLE = re.compile(r"(Whether|Who|Whose|Whom|What|How|Which|Where|When|Why|Of|As|By|To|It|They)\b")
"""Beginnings that say something about a thing, and not what it does or is."""
ATTRIBUTE = re.compile(
    r'^ *"""(?P<summary>(?:Whether|Who|Whose|Whom|What|How|Which|When|Why'
    r"|(?:After|For|In|Of|To|Under) which)\b.*)",
    re.MULTILINE,
)
"""The docstring of an attribute or a constant that begins with a question, or with a clause about nothing."""
STATUS = re.compile(r"\b[45]\d\d\b problem|[Rr]aises (a )?problems?\b")
"""What only those know who answer HTTP."""
WITHOUT_HTTP = ("events", "projections", "workers", "service/stores", "service/base")


def find_docstrings(source: str) -> Iterator[re.Match[str]]:
    """All docstrings of a source, but those of attributes."""
    yield from DOCSTRING.finditer(source)


def find_summary_faults(source: str) -> list[str]:
    """What is wrong with the summaries of a source."""
    faults = []
    for found in find_docstrings(source):
        summary, second = found["summary"], found["second"]
        if len(summary) > MOST_CHARACTERS:
            faults.append(f"{len(summary)} characters: {summary}")
        if second and second.strip() not in ("", '"""'):
            faults.append(f"a second line: {summary}")
        if RIDDLE.match(summary):
            faults.append(f"riddle: {summary}")
        if FIRST_PERSON.search(summary):
            faults.append(f"first person: {summary}")
    faults += [f"riddle: {found['summary']}" for found in ATTRIBUTE.finditer(source)]
    return list(dict.fromkeys(faults))


def read_sources(*folders: str) -> dict[str, str]:
    """The sources of folders by path, without kept versions."""
    paths = (path for folder in folders for path in sorted((ROOT / folder).rglob("*.py")))
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in paths
        if "kept" not in path.parts
    }


def test_summaries_are_short_and_clear():
    sources = read_sources(*PACKAGES)
    assert sum(1 for source in sources.values() for _ in find_docstrings(source)) > 6500
    faults = [f"{name}: {fault}" for name, source in sources.items() for fault in find_summary_faults(source)]
    assert faults == []


def test_every_package_says_what_it_holds():
    sources = read_sources(*PACKAGES)
    packages = [name for name in sources if name.endswith("/__init__.py")]
    assert len(packages) > 60
    assert [name for name in packages if not sources[name].startswith('"""')] == []


def test_only_what_answers_http_names_problems():
    """Elsewhere a docstring names the class of an error, and its code."""
    found = [
        f"{name}:{source.count(chr(10), 0, one.start()) + 1}: {one[0]}"
        for name, source in read_sources(*WITHOUT_HTTP).items()
        for one in STATUS.finditer(source)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("source", "fault"),
    [
        (f'def f():\n    """{"so " * 33}on."""\n', "102 characters"),
        ('class A:\n    """A thing that\n    is one.\n    """\n', "a second line"),
        ('"""Whether it is there."""\n', "riddle"),
        ('    def f(\n        self,\n    ) -> int:\n        """Of a million."""\n', "riddle"),
        ('def f():\n    """Return my seats."""\n', "first person"),
        ('class A:\n    name: str\n    """What it is called."""\n', "riddle"),
        ('MOST = 3\n"""How many there may be."""\n', "riddle"),
        ('LEAVE_SECONDS = 3\n"""After which it is gone."""\n', "riddle"),
    ],
)
def test_faults_of_summaries_are_found(source, fault):
    assert find_summary_faults(source)[0].startswith(fault)


@pytest.mark.parametrize(
    "source",
    [
        'def f():\n    """Return a number.\n\n    It is large.\n    """\n',
        'def f():\n    """Return a number.\n    """\n',
        'class A:\n    name: str\n    """Of the one it is."""\n',
    ],
)
def test_good_summaries_pass(source):
    assert find_summary_faults(source) == []
