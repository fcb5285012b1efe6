"""The glossary: it names files that exist, and code keeps to its words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GLOSSARY = ROOT / "events/GLOSSARY.md"
PACKAGES = ("events", "projections", "service", "workers", "ops")


PEOPLE = re.compile(
    r"(?<![A-Za-z])(he|him|his|himself|she|her|hers|whoever|anew|the house)(?![A-Za-z])", re.IGNORECASE
)
"""Words for which the code says others: a person is "they", and who acts for nobody is the server."""
SPOKEN = ("events", "projections", "service", "workers", "ops", "tests")
"""The folders whose texts, comments and names are read for them."""
SILENT = {
    "tests/test_style.py",
    "tests/test_style_docstrings.py",
    "tests/test_page_words.py",
    "tests/test_style_titles.py",
    "tests/events/test_glossary.py",
    "tests/service/openapi/test_words.py",
}
"""What is not read: the files that list such words."""


def rows(heading: str) -> list[list[str]]:
    """The rows of the table that follows a heading, without its two first lines."""
    text = GLOSSARY.read_text().partition(heading)[2].partition("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


DEFINITION = re.compile(r"((?:^ *@.*\n)*)^ *(?:async )?(class|def) (\w+)", re.MULTILINE)


def definitions() -> Iterator[tuple[str, str, str]]:
    """The decorators, the kind and the name of all classes and functions of the packages.

    Read as text, which takes a tenth of the time that the parser takes.
    """
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            yield from DEFINITION.findall(path.read_text())


def read_words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(re.findall(r"\w+", text))


# Words that say what was done, where, when or how much: none of them begins the name of a function. Those
# in "ed" need not stand here. Those that are a verb as well are left out: cut, found, hit, put, read.
PARTICIPLES = read_words("""
    begun borne bought broken brought built caught chosen dealt done drawn driven fallen felt forgotten
    frozen given gone grown heard held hidden kept known laid left lent lost made meant met paid said
    seen sent shown sold sought spent spoken stolen stood sworn taken taught thought thrown told
    understood won worn written
""")
ADVERBS = read_words("""
    about above across after again against ago ahead along alike alone already also always among apart
    around at away before behind below beneath beside besides between beyond by clockwise despite down
    during either elsewhere enough ever everywhere except here in inside into just later less likewise
    maybe minus more most much near never now off often once only onto out outside over past per perhaps
    plus quite rather seldom several since some somehow sometimes somewhere soon still than then there
    through together too toward towards twice under unless until up upon upto very while within yet
""")
VERBS = {"need", "embed", "exceed", "feed", "proceed", "seed", "shed", "speed", "succeed"}
"""They end in "ed" and are no participles."""
USUAL = re.compile(
    r"(from|to|as|with|without)_\w+"  # conversions and changed copies, as the standard library names them
    r"|on_[a-z_]+"  # what a server calls when something happens
    r"|\w+_problem"  # a problem of RFC 9457: the words before it are its name
)
TAKEN = {
    "at": "a method of the client: `client.at(game, seq)` looks at a game after an event",
    "awaited": "a member of `Title`, which is made of the methods of these names",
    "beside": "a member of `Fact`, which titles set",
    "of_game": "reads with its owner: `tournament.of_game(game)`",
}


def is_misnamed(name: str) -> bool:
    """Return True if a function's name begins with what was done, where, when or how much."""
    bare = name.strip("_")
    word = bare.partition("_")[0]
    if USUAL.fullmatch(bare) or name in TAKEN:
        return False
    participle = word in PARTICIPLES or (word.endswith("ed") and word not in VERBS)
    return participle or word in ADVERBS or word in {"of", "on", "to", "as", "from", "with", "without", "not"}


def is_property(decorators: str) -> bool:
    """Return True for what is read as a value: such names are nouns or adjectives."""
    return re.search(r"@(\w+\.)?(property|cached_property|setter)\b", decorators) is not None


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
    names = {name for _, _, name in definitions()}
    unused = {name for row in NOT_USED for name in row[0].split(", ")}
    assert len(unused) > 30
    assert "GameContext" in names
    assert sorted(unused & names) == []


@pytest.mark.parametrize(
    "name", ["told", "_taken_by", "asked_owners", "in_play", "most_lost", "not_parked", "under"]
)
def test_bare_participles_and_adverbs_are_noticed(name):
    assert is_misnamed(name)


@pytest.mark.parametrize(
    "name", ["take_from_hand", "succeed", "with_etag", "from_json", "unknown_game_problem"]
)
def test_verbs_and_usual_words_are_not(name):
    assert not is_misnamed(name)


def test_functions_are_verbs():
    """A name such as `told` says what a function is about, not what it does."""
    functions = [(name, decorators) for decorators, kind, name in definitions() if kind == "def"]
    names = {name for name, decorators in functions if not is_property(decorators)}
    assert len(functions) > 6000
    assert TAKEN.keys() - names == set()
    assert sorted(filter(is_misnamed, names)) == []


OLD_MODULES = {
    "hangups": "disconnects", "tails": "stream_reads", "manners": "response_headers",
    "given_away": "seat_changes", "herald": "stream_dispatch", "believing": "stale_token_app",
    "desk": "recorded_table", "courses": "forks", "voyage": "replay", "crew": "supervisor",
    "gathering": "request_buffer", "event_halls": "event_accounts", "player_words": "title_guide",
}  # fmt: skip
"""Names of modules of an older dialect, and what they are called now."""


def test_modules_have_the_words_of_the_field():
    """Those of the packages, of the tests and of the page."""
    kinds = [*((folder, "py") for folder in SPOKEN), ("service/static", "js")]
    names = {
        path.stem.removeprefix("test_")
        for folder, kind in kinds
        for path in (ROOT / folder).rglob(f"*.{kind}")
    }
    assert names >= set(OLD_MODULES.values())
    assert sorted(names & OLD_MODULES.keys()) == []


def test_people_are_they():
    """In names, docstrings, comments and messages alike."""
    paths = [path for folder in SPOKEN for path in sorted((ROOT / folder).rglob("*.py"))]
    scripts = [
        path for kind in ("js", "css", "html") for path in sorted((ROOT / "service").rglob(f"*.{kind}"))
    ]
    paths += [path for path in scripts if "vendor" not in path.parts]
    texts = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in paths}
    found = [
        f"{name}:{text.count(chr(10), 0, word.start()) + 1}: {word[0]}"
        for name, text in texts.items()
        if name not in SILENT
        for word in PEOPLE.finditer(text)
    ]
    assert len(texts) > 1300
    assert "service/static/js/base/router.js" in texts
    assert found == []
