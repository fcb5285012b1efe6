"""Results for ratings, from events alone: the games that count, their pools, the players' places.

Nothing of a title's rules is asked, so that also a game whose rules are gone is told the same again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec

from events.base.timestamps import add_milliseconds
from events.rules.fact import Seat
from events.table.commands.command_rules import PREFIX
from events.table.folding import fold
from events.table.game import Game, initial_game
from events.table.record import Record, seat_of
from events.tournament.ladder_ratings import name_pool

LEAST_COMMANDS = 2
"""The number of commands that every seat has given at least in a game that counts."""
UnratedReason = Literal["analysis", "unrated", "untimed", "too_short", "too_few_people", "one_player"]
"""The reasons that a game which the rules have ended does not count."""


class RankedPlayer(msgspec.Struct, frozen=True):
    """A person who sat at the table when the game began."""

    seat: Seat
    place: int
    """Among the people: 1 is the best; who gave up the seat before the end is last."""
    claim: str
    """The claim by which the seat was held."""


class RatingResult(msgspec.Struct, frozen=True):
    """A game that the rules have ended."""

    head: bytes
    """The hash of its last event."""
    at: str
    shown_at: str
    """The time from which everybody may know how it ended."""
    pool: str
    why: UnratedReason | None
    """The reason that it does not count; None where it does."""
    players: tuple[RankedPlayer, ...]


class _Closed(msgspec.Struct):
    places: tuple[int, ...]


class _Vacated(msgspec.Struct):
    seat: Seat


def read_result(game_id: str, records: Sequence[Record]) -> RatingResult:
    """Return the result for ratings of *records*, all events of a game up to its TableClosed."""
    begun = next(n for n, record in enumerate(records) if record.type == "TableBegun")
    table, last = fold(initial_game(game_id), records[:begun]), records[-1]
    at = last.envelope().at
    players = _rank_players(table, records[begun:])
    delay = table.terms.delay
    return RatingResult(
        last.hash,
        at,
        at if delay is None else add_milliseconds(at, delay.ms),
        name_pool(table.title_id, len(table.seats), table.clock),
        _find_unrated_reason(table, records[begun:], players),
        players,
    )


def _find_unrated_reason(
    table: Game, records: Sequence[Record], players: tuple[RankedPlayer, ...]
) -> UnratedReason | None:
    if table.analysis:
        return "analysis"
    if not table.terms.rated:
        return "unrated"
    if table.clock is None:
        return "untimed"
    if len(players) < 2:
        return "too_few_people"
    given = _count_commands(records)
    if any(given[seat] < LEAST_COMMANDS for seat in range(len(table.seats))):
        return "too_short"
    return None


def _count_commands(records: Sequence[Record]) -> Counter[Seat]:
    """Return the number of commands of the title that each seat has given."""
    given = {
        (seat, record.command_id)
        for record in records
        if (seat := seat_of((envelope := record.envelope()).by)) is not None
        and not str((envelope.command or {}).get("type", "")).startswith(PREFIX)
    }
    return Counter(seat for seat, _ in given)


def _rank_players(table: Game, records: Sequence[Record]) -> tuple[RankedPlayer, ...]:
    """Return the people, ranked among themselves; those who gave up their seats share the last place."""
    places = msgspec.json.decode(records[-1].envelope().data, type=_Closed).places
    left = {
        msgspec.json.decode(record.envelope().data, type=_Vacated).seat
        for record in records
        if record.type == "SeatVacated"
    }
    people = table.persons
    last = len(places) + 1
    reached = {seat: last if seat in left else places[seat] for seat in people}
    return tuple(
        RankedPlayer(seat, 1 + sum(other < reached[seat] for other in reached.values()), table.claims[seat])
        for seat in people
    )
