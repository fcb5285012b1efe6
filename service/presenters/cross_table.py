"""The cross table of a tournament: one row for each entrant, with every round beside the standings.

The spreadsheet and the report in FIDE's format are both made from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from events.rules.fact import Json
from events.tournament.scoring import UNIT
from events.tournament.standings import bye_points, score_table
from events.tournament.state import Entrant, Round, Table, Tournament, entrant_names
from service.presenters.spreadsheet import divide, list_standing_columns, make_row

Part = Literal["played", "left", "awaited", "bye", "asked_bye", "freed_bye", "substitute", "absent"]
"""An entrant's part in a round.

`left`: left the game, or a ruling took it from them. `freed_bye`: a bye because their table was dissolved.
`substitute`: played on for another entrant.
"""
PARTS = ("part", "table", "seat", "place", "points", "points_2520", "opponents")
"""The columns of one round: ``round_1_part`` and so on."""


class Cell(Struct, frozen=True):
    """An entrant in one round."""

    part: Part
    points: int = 0
    """The points of the round, in units of 1/2520."""
    table: int | None = None
    """The number of the table; None without one."""
    seat: int | None = None
    place: int | None = None
    """The place as it counts; None without one."""
    opponents: tuple[int, ...] = ()
    """The other entrants of the table, in seat order."""
    best_shared: bool = False
    """True if another entrant has the same place."""
    opponent_left: bool = False
    """True if another entrant of the table left the game."""


class CrossRow(Struct, frozen=True):
    """One entrant."""

    entrant: int
    line: Json
    """The line of the standings, with exact numbers and the name."""
    cells: tuple[Cell, ...]
    """The cells, by round."""

    @property
    def awarded(self) -> int:
        """The points beside those of the rounds: of late entry and of rulings, in units of 1/2520."""
        return int(self.line["points"]) - sum(cell.points for cell in self.cells)


class CrossTable(Struct, frozen=True):
    """The standings after a round, and every round up to it."""

    rounds: tuple[Round, ...]
    rows: tuple[CrossRow, ...]
    """Best first."""


def make_cross_table(state: Tournament, upto: int, lines: Sequence[Json]) -> CrossTable:
    """Return the cross table after round *upto*, from the *lines* of the standings after it, with names."""
    rounds = tuple(one for one in state.rounds[:upto] if one.started_at)
    rows = []
    for line in lines:
        entrant = state.entrant(line["entrant"])
        cells = tuple(_make_cell(state, one, entrant) for one in rounds)
        rows.append(CrossRow(entrant.number, line, cells))
    return CrossTable(rounds, tuple(rows))


def _make_cell(state: Tournament, one: Round, entrant: Entrant) -> Cell:
    """Return the part of an entrant in a round. A substitute has the points of that as well."""
    found = _find_own_part(state, one, entrant)
    points = 0
    for table in one.tables:
        scored = score_table(state.settings, table)
        points += 0 if scored is None else scored.substitutes.get(entrant.number, 0)
    return replace(found, points=found.points + points)


def _find_own_part(state: Tournament, one: Round, entrant: Entrant) -> Cell:
    if entrant.number in one.byes:
        return Cell(_get_bye_part(one, entrant), bye_points(state, one, entrant.number))
    for table in one.tables:
        if entrant.number in table.entrants:
            return _make_played_cell(state, table, entrant.number)
        if entrant.number in table.holders:
            return Cell("substitute", 0, table.number, table.holders.index(entrant.number))
    return Cell("absent")


def _get_bye_part(one: Round, entrant: Entrant) -> Part:
    if one.number in entrant.asked:
        return "asked_bye"
    seated = {number for pod in one.drawn.pods for number in pod}
    return "freed_bye" if entrant.number in seated else "bye"


def _make_played_cell(state: Tournament, table: Table, number: int) -> Cell:
    seat = table.entrants.index(number)
    opponents = tuple(other for other in table.entrants if other != number)
    scored = score_table(state.settings, table)
    if scored is None:
        return Cell("awaited", 0, table.number, seat, None, opponents)
    place = scored.places[seat]
    return Cell(
        "played" if scored.left[seat] is None else "left",
        scored.points[seat],
        table.number,
        seat,
        place,
        opponents,
        scored.places.count(place) > 1,
        any(gone is not None for other, gone in enumerate(scored.left) if other != seat),
    )


# --- the spreadsheet ---------------------------------------------------------------------------------------


def list_columns(state: Tournament, table: CrossTable) -> list[str]:
    """Return the columns: those of the standings, then seven for each round."""
    rounds = [f"round_{one.number}_{part}" for one in table.rounds for part in PARTS]
    return [*list_standing_columns(state), "awarded", "awarded_2520", "played", "byes", "forfeits", *rounds]


def make_rows(table: CrossTable, columns: list[str]) -> list[list[str]]:
    """Return a row for each entrant, with decimals beside the exact numbers."""
    return [make_row(_list_values(table, row), columns) for row in table.rows]


def _list_values(table: CrossTable, row: CrossRow) -> Json:
    line = {name: value for name, value in row.line.items() if name != "rounds"}
    values = {**line, "awarded": row.awarded}
    for one, cell in zip(table.rounds, row.cells, strict=True):
        told = {
            "part": cell.part,
            "table": cell.table,
            "seat": cell.seat,
            "place": cell.place,
            "points": divide(cell.points, UNIT),
            "points_2520": cell.points,
            "opponents": list(entrant_names(cell.opponents)),
        }
        values |= {f"round_{one.number}_{part}": told[part] for part in PARTS}
    return values
