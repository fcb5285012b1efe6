"""Cells of spreadsheets: decimals for people, with the exact numbers beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from events.rules.fact import Json
from events.tournament.scoring import SHARE, UNIT
from events.tournament.state import Tournament
from service.openapi import tournament_structs

EXACT = {
    "points": ("points_2520", UNIT),
    "awarded": ("awarded_2520", UNIT),
    "opponents_average": ("opponents_average_2520", UNIT),
    "head_to_head": ("head_to_head_2520", UNIT),
    "middle_rounds": ("middle_rounds_2520", UNIT),
    "share": ("share_millionths", SHARE),
}
"""Columns that people read as decimals: the column with the exact number beside each, and its unit."""


def list_standing_columns(state: Tournament) -> list[str]:
    """Return the first columns of standings: among them one for each tie-break."""
    columns = ["rank", "entrant", "name", "account"]
    for name in ("points", *(state.settings.tie_breaks or ())):
        columns += [name, EXACT[name][0]] if name in EXACT else [name]
    return columns


def list_columns(state: Tournament, page: tournament_structs.StandingsPage) -> list[str]:
    """Return the columns of standings: among them one for each tie-break and each round."""
    rounds = [f"round_{number}" for number in range(1, page.round + 1)]
    return [*list_standing_columns(state), "played", "byes", "forfeits", *rounds]


def list_table_columns() -> list[str]:
    """Return the columns of the tables that have ended."""
    columns = list(tournament_structs.TableExport.__struct_fields__)
    columns.remove("points_decimal")  # it stands under `points`
    columns.insert(columns.index("points") + 1, EXACT["points"][0])
    return columns


def make_row(line: Json, names: Sequence[str]) -> list[str]:
    """Return a line for a spreadsheet, with decimals beside the exact numbers.

    A round is ``table:place:points``.
    """
    cells = dict(line)
    for one in line.get("rounds", ()):
        points = make_cell(divide(one["points"], UNIT))
        cells[f"round_{one['round']}"] = f"{one['table']}:{one['place']}:{points}"
    for name, (exact, unit) in EXACT.items():
        if name in line:
            cells |= {exact: line[name], name: divide(line[name], unit)}
    return [make_cell(cells.get(name, "")) for name in names]


def divide(value: Any, unit: int) -> Any:
    """Return a number of *unit*-ths, or each number of a list, as a decimal; None stays None."""
    if isinstance(value, list):
        return [divide(one, unit) for one in value]
    return None if value is None else value / unit


def make_decimal(points: int) -> str:
    """Return points, which count in units of 1/2520, as a decimal of three places at most.

    >>> make_decimal(8400), make_decimal(5040)
    ('3.333', '2')
    """
    return make_cell(points / UNIT)


def make_cell(value: Any) -> str:
    """Return a cell that no spreadsheet takes for a formula; of a decimal, three places at most."""
    if isinstance(value, float):
        return f"{value:.3f}".rstrip("0").rstrip(".")
    if isinstance(value, list):
        value = " ".join(make_cell(one) for one in value)
    text = "" if value is None else str(value)
    return (
        f"'{text}" if isinstance(value, str) and text.startswith(("=", "+", "-", "@", "\t", "\r")) else text
    )
