"""The words with which people choose a title and set up a table: true to its options, and plain."""

from __future__ import annotations

import re

import pytest

from events.rules.catalogue import find_title, packages, versions
from service.openapi.json_schemas import make_options_schema
from service.presenters.title_guide import load_art, load_title_guide
from tests.installation import ROOT
from tests.test_readmes import read
from tests.titles.golden import PROJECT

TITLES = [name for name, place in packages().items() if place.startswith(PROJECT)]
OF_PROGRAMS = re.compile(r"\b(true|false|null)\b|`|_")
MINUTES = r"^\| [^|]+ \| `{}` \| [\d-]+ \| (\d+)(?:-(\d+))? \| (\w+) \|"


def names_of(schema):
    """The values of an option that need a name, as a file of words spells them."""
    if schema.get("type") == "boolean":
        return {"true", "false"}
    if schema.get("type") == "array":
        return names_of(schema["items"])
    return {str(value) for value in schema.get("enum", ())}


@pytest.mark.parametrize("title_id", TITLES)
def test_every_option_is_in_words(title_id):
    """Each has a name that differs from the others', a sentence, and a name for each of its values."""
    title = find_title(title_id)
    shown = make_options_schema(title)["properties"]
    words = load_title_guide(title).options
    assert list(words) == list(shown)
    assert len({one.name for one in words.values()}) == len(words)
    for name, one in words.items():
        assert names_of(shown[name]) <= set(one.values), name
        assert one.effect.endswith(".")
        assert not OF_PROGRAMS.search(" ".join([one.name, one.effect, *one.values.values()])), name


@pytest.mark.parametrize("title_id", TITLES)
def test_a_title_says_in_short_what_it_is(title_id):
    """One sentence; minutes and weight are those of the table in the README."""
    about = load_title_guide(find_title(title_id)).about
    least, most, weight = re.search(MINUTES.format(title_id), read("README.md"), re.MULTILINE).groups()
    assert (about.minutes.min, about.minutes.max) == (int(least), int(most or least))
    assert about.weight == weight
    assert about.sentence.count(".") == 1
    assert len(about.sentence) <= 120


def test_a_version_without_words_has_none():
    """A kept version is as it was."""
    kept = versions("colonial")[-1]
    assert kept.version == 1
    assert load_title_guide(kept).about is None
    assert not load_title_guide(kept).options


@pytest.mark.parametrize("title_id", TITLES)
def test_the_page_has_each_drawing_that_a_title_names(title_id):
    drawings = (ROOT / "service" / "static" / "js" / "lively" / "art.js").read_text(encoding="utf-8")
    drawn = set(re.findall(r"(?m)^  (\w+): \"M", drawings))
    assert len(drawn) > 10
    assert set(load_art(find_title(title_id)).values()) <= drawn
