"""What a table can choose is described: the clause that it concerns, and what each setting does."""

from __future__ import annotations

import re
from importlib.resources import files

import msgspec
import pytest

from events.rules.catalogue import find_title, packages
from service.openapi.json_schemas import make_title_schemas
from tests.titles.table import tried_titles

STATED = re.compile(r"^(?:- \*\*|\| )([A-Z]+-\d+(?:-\d+)?)(?:\*\* | \|)", re.MULTILINE)
"""A clause, or a ruling in the table of rulings."""


@pytest.mark.parametrize("title_id", tried_titles())
def test_every_option_is_described(title_id):
    """Each option has a note, its clauses are those of the title's rules, and the schema shows both."""
    title = find_title(title_id)
    options = [field.encode_name for field in msgspec.structs.fields(title.Options)]
    assert list(title.option_notes) == options
    rules = files(packages()[title_id]).joinpath("RULES.md").read_text(encoding="utf-8")
    shown = make_title_schemas(title)["options"]["properties"]
    for name, note in title.option_notes.items():
        assert set(note.clause.split(", ")) <= set(STATED.findall(rules))
        assert note.effect.endswith(".")
        assert (shown[name]["clause"], shown[name]["description"]) == (note.clause, note.effect)
