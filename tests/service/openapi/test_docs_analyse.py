"""The data dictionary: its columns are those of the exports and of simulated games."""

from __future__ import annotations

import re

import msgspec
import pytest

from events.research.row_structs import SimulatedEvent, SimulatedGame
from ops.cli.bots.simulate import GAME_COLUMNS, SimulatedTable, play
from service.openapi.response_structs import Event, ExportedGame
from service.presenters import documentation


def read_columns(heading: str) -> dict[str, str]:
    """Return the columns in the table below a heading, each with its description."""
    text = documentation.read_source("analyse/data-dictionary").text
    part = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z_]+)` \| [^|]+ \| (.*) \|$", part, re.MULTILINE)
    assert len({name for name, _ in rows}) == len(rows)
    return dict(rows)


@pytest.mark.parametrize(
    ("heading", "struct", "more"),
    [
        ("Events", Event, {"game", "cursor"}),
        ("Games", ExportedGame, set()),
        ("Simulated games", SimulatedGame, set()),
    ],
)
def test_every_column_is_explained(heading: str, struct: type[msgspec.Struct], more: set[str]) -> None:
    """Each member of a line has one row, with a sentence."""
    columns = read_columns(heading)
    assert set(columns) == {field.encode_name for field in msgspec.structs.fields(struct)} | more
    assert all(text.endswith(".") for text in columns.values())


def test_every_object_inside_is_explained() -> None:
    """Each link of a type leads to a table of the same page."""
    page = documentation.render_page("analyse/data-dictionary")
    linked = set(re.findall(r'href="#(object-[a-z]+)"', page.body))
    assert {"object-seat", "object-outcome", "object-draws"} <= linked
    assert linked <= {heading.anchor for heading in page.headings}


def test_simulated_games_have_these_columns() -> None:
    """Lines of a game have no other members than the struct that the page is made from."""
    lines = play(SimulatedTable("example", 2, ("random", "random"), "columns", {}), 0)
    members = set(SimulatedEvent.__struct_encode_fields__)
    assert all(set(line) | {"command"} == members for line in lines)
    assert len(msgspec.convert(lines, list[SimulatedEvent])) == len(lines) > 2
    assert {"winners": "integers", "bots": "texts", "options": "json"}.items() <= GAME_COLUMNS.items()
