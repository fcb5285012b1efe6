"""The data dictionary: its columns are those of the exports."""

from __future__ import annotations

import re

import msgspec
import pytest

from service.openapi.response_structs import Event, ExportedGame
from tests.installation import ROOT

PAGE = ROOT / "service" / "docs" / "pages" / "analyse" / "data-dictionary.md"


def read_columns(heading: str) -> list[str]:
    """Return the columns in the table below a heading."""
    part = PAGE.read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    cells = re.findall(r"^\| ([^|]*) \|", part, re.MULTILINE)
    return [name for cell in cells for name in re.findall(r"`([a-z_]+)`", cell)]


@pytest.mark.parametrize(
    ("heading", "struct", "more"),
    [("Events", Event, {"game", "cursor"}), ("Games", ExportedGame, set())],
)
def test_every_column_is_explained(heading: str, struct: type[msgspec.Struct], more: set[str]) -> None:
    """Each member of a line has one row."""
    columns = read_columns(heading)
    assert set(columns) == {field.encode_name for field in msgspec.structs.fields(struct)} | more
    assert len(columns) == len(set(columns))
