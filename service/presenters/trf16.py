"""The report of a tournament in FIDE's format TRF16, which programs for chess tournaments read.

Every line begins with three characters that say its kind; a player (`001`) has fixed columns. Two lines are
from extensions of the format that pairing programs know: `XXR`, the number of rounds, and `BBW` and the
like, the points for a win, a draw, a loss and a bye where these are not 1, 1/2, 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from events.clocks.clock import SECOND, LiveClock
from events.tournament.scoring import UNIT, place_values
from events.tournament.state import Tournament
from service.presenters.cross_table import Cell, CrossRow, CrossTable

NAME = 33
"""The characters of a player's name."""
LEAST, MOST = Fraction(-99, 10), Fraction(999, 10)
"""The points that the four characters of a total hold."""
STANDARD = (Fraction(1), Fraction(1, 2), Fraction(0), Fraction(1))
"""The points of a win, a draw, a loss and a bye that a reader takes for granted."""
_COLOURS = "wb"
_BYES = {"bye": "U", "asked_bye": "H", "freed_bye": "F", "substitute": "Z", "absent": "Z"}


class UnfitTournament(Exception):
    """A tournament that the format cannot hold. The message says why, and what to ask for."""


class Heading(Struct, frozen=True):
    """The names at the head of a report."""

    name: str
    arbiter: str
    deputies: tuple[str, ...] = ()


def write_trf16(state: Tournament, table: CrossTable, heading: Heading) -> bytes:
    """Return the report, in UTF-8. Raises :class:`UnfitTournament`."""
    if state.settings.table.size != 2:
        raise UnfitTournament("TRF16 holds tables of two only. Ask for `format=cross_table`.")
    if not all(LEAST <= _count_points(row) <= MOST for row in table.rows):
        raise UnfitTournament("TRF16 holds totals from -9.9 to 99.9 points. Ask for `format=cross_table`.")
    lines = [*_write_heading(state, table, heading), *_write_points(state)]
    lines += [_write_player(row) for row in sorted(table.rows, key=lambda row: row.entrant)]
    return "".join(f"{line.rstrip()}\r\n" for line in lines).encode()


def _write_heading(state: Tournament, table: CrossTable, heading: Heading) -> Iterator[str]:
    started = [one.started_at for one in table.rounds]
    closed = [one.closed_at for one in table.rounds if one.closed_at]
    formats = dict.fromkeys(stage.format for stage in state.settings.stages)
    yield f"012 {_clean(heading.name)}"
    yield f"042 {started[0][:10].replace('-', '/') if started else ''}"
    yield f"052 {closed[-1][:10].replace('-', '/') if state.over and closed else ''}"
    yield f"062 {len(table.rows)}"
    yield "072 0"
    yield "082 0"
    yield f"092 {', '.join(one.replace('_', ' ') for one in formats)} ({state.settings.title})"
    yield f"102 {_clean(heading.arbiter)}"
    yield from (f"112 {_clean(name)}" for name in heading.deputies)
    yield f"122 {_describe_clock(state)}"
    dates = "".join(f"  {at[2:10].replace('-', '/')}" for at in started)
    yield f"132{' ' * 86}{dates}"
    rounds = [stage.rounds for stage in state.settings.stages]
    if None not in rounds:
        yield f"XXR {sum(filter(None, rounds))}"


def _describe_clock(state: Tournament) -> str:
    clock = state.settings.clock
    if not isinstance(clock, LiveClock):
        return "none" if clock is None else "correspondence"
    return f"{clock.base_ms // SECOND} s, {clock.increment_ms // SECOND} s a move"


def _write_points(state: Tournament) -> Iterator[str]:
    win, loss = (Fraction(value, UNIT) for value in place_values(2, state.settings.points))
    given = (win, (win + loss) / 2, loss, Fraction(state.settings.bye_points))
    if given != STANDARD:
        for kind, points in zip(("BBW", "BBD", "BBL", "BBU"), given, strict=True):
            yield f"{kind} {float(points):4.1f}"


def _write_player(row: CrossRow) -> str:
    # 1-3 kind, 5-8 number, 10 sex, 12-13 title, 15-47 name, 49-52 rating, 54-56 federation, 58-68 FIDE's id,
    # 70-79 date of birth, 81-84 points, 86-89 rank; then 10 columns for each round.
    name, points = _clean(row.line["name"])[:NAME], f"{float(_count_points(row)):4.1f}"
    fixed = f"001 {row.entrant:4}{'':6}{name:<{NAME}} {'':4} {'':3} {'':11} {'':10} {points} "
    return f"{fixed}{row.line['rank']:4}{''.join(map(_write_cell, row.cells))}"


def _count_points(row: CrossRow) -> Fraction:
    """Return the points of the standings to one decimal, which halves always have."""
    return Fraction(round(Fraction(row.line["points"], UNIT) * 10), 10)


def _write_cell(cell: Cell) -> str:
    if not cell.opponents:
        return f"  0000 - {_BYES[cell.part]}"
    assert cell.seat is not None  # noqa: S101 - who has opponents sits at a table
    return f"  {cell.opponents[0]:4} {_COLOURS[cell.seat]} {_get_result(cell)}"


def _get_result(cell: Cell) -> str:
    if cell.part == "awaited":
        return " "
    if cell.part == "left":
        return "-"
    if cell.best_shared:
        return "="
    if cell.place == 1:
        return "+" if cell.opponent_left else "1"
    return "0"


def _clean(text: str) -> str:
    """Return *text* on one line."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())
