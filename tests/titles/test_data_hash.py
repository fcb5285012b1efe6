"""What a game pins of a title's data: what its rules read, and none of the words and pictures."""

from __future__ import annotations

import copy
import hashlib
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from importlib.util import find_spec, module_from_spec
from typing import Annotated, Any

import msgspec
import pytest

from events.rules import data_files
from events.rules.catalogue import find_title
from events.rules.data_files import SHOWN, Words, fingerprint
from events.rules.kit.overseas.world import load_world
from tests.titles import golden

CARDS = {"cards[].name", "cards[].text"}
MAP = {
    *("resources[].name", "resources[].colour", "resources[].mark", "regions[].name"),
    *("territories[].name", "territories[].longitude", "territories[].latitude", "territories[].mark"),
    *("territories[].spaces[].picture", "borders[].mark"),
}
OTHER = {
    "editions.colonial_revised.unused",
    *(f"editions.colonial_revised.difficulty.{name}" for name in ("barbary", "egypt", "levant")),
}
"""What the map says of the other edition."""
CHARACTERS = (
    *("explorer", "conqueror", "viceroy", "ambassador", "sovereign", "rebel"),
    *("merchant", "governor", "trader", "financier", "scientist", "missionary"),
)
NOT_READ = {
    "colonial": {
        *("cards[].name", "nations[].name", *(f"characters.{name}" for name in CHARACTERS)),
        *(*MAP, *OTHER),
    },
    "colonial_revised": {*CARDS, "colours.names", *MAP},
    "colonial_empires": {
        *("region[].name", "resource[].name", "industry[].name", "event[].name", "event[].text"),
        *("empire[].name", "empire[].power", "empire[].plural", "every_empire.plural"),
    },
    "colonialism": {
        *CARDS,
        *(f"{part}[].{name}" for part in ("regions", "sea_zones") for name in ("name", "x", "y", "path")),
        *("width", "height", "regions[].color", "colors[].name", "resources[].name"),
    },
    "colonies": {
        *("planets[].resource", "cards[].title", "technologies[].when"),
        *(f"technologies[].{name}" for name in ("action", "action_text", "passive", "passive_text")),
    },
}
"""By title the members of its data files that no rule reads: they may change without a new version."""


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """The first value of each kind: what it is called, and where it stands (a container and its key)."""
    seen: set[str] = set()
    for name, inside, key in _walk(value, path):
        if name not in seen:
            seen.add(name)
            yield name, inside, key


def _walk(value: Any, path: str) -> Iterator[tuple[str, Any, Any]]:
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
        name = f"{path}[]" if isinstance(key, int) else f"{path}.{key}".lstrip(".")
        parts = isinstance(inner, dict) or (isinstance(inner, list) and inner and isinstance(inner[0], dict))
        if parts:
            yield from _walk(inner, name)
        elif inner not in ([], {}):
            yield name, value, key


def changed(value: Any) -> Any:
    """Another value of the same type."""
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case str():
            return value + "x"
        case _:
            return [changed(value[0]), *value[1:]]


@pytest.mark.parametrize("title_id", NOT_READ)
def test_words_do_not_count_and_numbers_do(title_id, monkeypatch):
    """Each kind of member of each file is changed: the hash is another, or the file is refused; it stays
    the same for what is only shown.
    """
    spec = find_spec(f"events.titles.{title_id}.data")
    usual, altered, files = data_files.read, {}, []

    def read(package: str, name: str) -> Any:
        files.append((package, name))
        return altered.get((package, name)) or usual(package, name)

    def load_hash() -> str:
        load_world.cache_clear()
        module = module_from_spec(spec)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as that the bag will run empty
            spec.loader.exec_module(module)
        return module.DATA_HASH

    monkeypatch.setattr(data_files, "read", read)
    before, found, tried = load_hash(), set(), 0
    assert before == find_title(title_id).data_hash
    for file in dict.fromkeys(files):
        for name, *_ in leaves(usual(*file)):
            data = copy.deepcopy(usual(*file))
            inside, key = next((inside, key) for other, inside, key in leaves(data) if other == name)
            inside[key] = changed(inside[key])
            altered.clear()
            altered[file] = data
            tried += 1
            try:
                if load_hash() == before:
                    found.add(name)
            except (msgspec.ValidationError, LookupError, ValueError, StopIteration):
                pass  # a name of something that is not there, a number that cannot be
    load_world.cache_clear()
    assert found == NOT_READ[title_id]
    assert tried > len(found) + 20


SCRAMBLED = """
import sys
from events.rules import data_files
usual = data_files.load

def scrambled(value):
    if isinstance(value, data_files.msgspec.Struct):
        read = data_files._fields_read(type(value))
        changes = {
            name: other(getattr(value, name)) if name not in read else scrambled(getattr(value, name))
            for name in value.__struct_fields__
        }
        return data_files.msgspec.structs.replace(value, **changes)
    if isinstance(value, dict):
        return {key: scrambled(inner) for key, inner in value.items()}
    return tuple(map(scrambled, value)) if isinstance(value, tuple) else value

def other(value):
    if isinstance(value, str):
        return value[::-1] + " 7"
    if isinstance(value, dict):
        return {key: other(inner) for key, inner in value.items()}
    return tuple(map(other, value)) if isinstance(value, tuple) else 1000 - value

data_files.load = lambda *given: scrambled(usual(*given))
from tests.titles import golden
for title in sys.argv[1:]:
    sys.stdout.buffer.write(golden.events_of(title))
"""


@pytest.mark.slow
@pytest.mark.parametrize("title_id", NOT_READ)
def test_no_rule_reads_the_words(title_id):
    """With all words and pictures of the data exchanged the golden game is the same, to the byte."""
    told = subprocess.run(
        [sys.executable, "-c", SCRAMBLED, title_id], env={**os.environ}, stdout=subprocess.PIPE, check=True
    )
    assert told.stdout == golden.events_of(title_id)


class Card(msgspec.Struct, frozen=True, tag_field="kind", tag="card"):
    """A card of these tests."""

    id: str
    name: Words = ""
    number: int = 0
    place: Annotated[int, SHOWN] = 0


class Ship(Card, frozen=True, tag="ship"):
    """Another one."""


def test_what_a_fingerprint_is_made_of():
    """Names and keys, types, defaults that were left out: by hand for once."""

    text = b'[{"all":[{"id":"a","kind":"card","number":3},{"id":"b","kind":"ship"}]},[1,true,null]]'
    data = {"all": (Card("a", "A", 3, 9), Ship("b"))}
    assert fingerprint(data, (1, True, None)) == hashlib.sha256(text).hexdigest()
    assert fingerprint({"all": (Card("a", "Ä", 3), Ship("b", "B", 0, 7))}, (1, True, None)) == fingerprint(
        data, (1, True, None)
    )
    for other in (Card("a", number=4), Ship("a", number=3), Card("b", number=3)):
        assert fingerprint({"all": (other, Ship("b"))}, (1, True, None)) != fingerprint(data, (1, True, None))
