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
from events.table.engine import fold
from events.table.game import Game, initial_game
from events.table.record import Record, seat_of
from events.tournament.ladder_ratings import name_bot_pool, name_pool

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


class RankedBot(msgspec.Struct, frozen=True):
    """A bot that sat at the table from its beginning to its end."""

    seat: Seat
    name: str
    version: int
    """The version in which it played at the end."""


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
    bot_pool: str | None
    """The pool in which it counts for bots; None where it does not."""
    bots: tuple[RankedBot, ...]
    places: tuple[tuple[Seat, int], ...]
    """The seats of people and of these bots with their places among both: 1 is the best."""


class _Closed(msgspec.Struct):
    places: tuple[int, ...]


class _Vacated(msgspec.Struct):
    seat: Seat


class _Raised(msgspec.Struct):
    seat: Seat
    version: int


def read_result(game_id: str, records: Sequence[Record]) -> RatingResult:
    """Return the result for ratings of *records*, all events of a game up to its TableClosed."""
    begun = next(n for n, record in enumerate(records) if record.type == "TableBegun")
    table, last = fold(initial_game(game_id), records[:begun]), records[-1]
    at = last.envelope().at
    reached = _read_places(table, records[begun:])
    players = _rank_players(table, reached)
    bots = _find_bots(table, records[begun:])
    why = _find_unrated_reason(table, records[begun:], players)
    # One person is enough for bots; all else is the same.
    counts = bool(players and bots) and why in (None, "too_few_people")
    counts = counts and not _is_too_short(table, records[begun:])
    delay = table.terms.delay
    return RatingResult(
        last.hash,
        at,
        at if delay is None else add_milliseconds(at, delay.ms),
        name_pool(table.title_id, len(table.seats), table.clock),
        why,
        players,
        name_bot_pool(table.title_id, len(table.seats)) if counts else None,
        bots,
        _rank_seats(reached, sorted({*table.persons, *(bot.seat for bot in bots)})),
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
    return "too_short" if _is_too_short(table, records) else None


def _is_too_short(table: Game, records: Sequence[Record]) -> bool:
    given = _count_commands(records)
    return any(given[seat] < LEAST_COMMANDS for seat in range(len(table.seats)))


def _count_commands(records: Sequence[Record]) -> Counter[Seat]:
    """Return the number of commands of the title that each seat has given."""
    given = {
        (seat, record.command_id)
        for record in records
        if (seat := seat_of((envelope := record.envelope()).by)) is not None
        and not str((envelope.command or {}).get("type", "")).startswith(PREFIX)
    }
    return Counter(seat for seat, _ in given)


def _read_places(table: Game, records: Sequence[Record]) -> dict[Seat, int]:
    """Return the places of all seats; people who gave up theirs share the last place."""
    places = msgspec.json.decode(records[-1].envelope().data, type=_Closed).places
    left = {
        msgspec.json.decode(record.envelope().data, type=_Vacated).seat
        for record in records
        if record.type == "SeatVacated"
    }
    gone = left & set(table.persons)
    return {seat: len(places) + 1 if seat in gone else place for seat, place in enumerate(places)}


def _rank_seats(reached: dict[Seat, int], seats: Sequence[Seat]) -> tuple[tuple[Seat, int], ...]:
    """Return *seats* with their places among themselves."""
    return tuple((seat, 1 + sum(reached[other] < reached[seat] for other in seats)) for seat in seats)


def _rank_players(table: Game, reached: dict[Seat, int]) -> tuple[RankedPlayer, ...]:
    """Return the people, ranked among themselves."""
    return tuple(
        RankedPlayer(seat, place, table.claims[seat]) for seat, place in _rank_seats(reached, table.persons)
    )


def _find_bots(table: Game, records: Sequence[Record]) -> tuple[RankedBot, ...]:
    """Return the bots that kept their seats from the beginning to the end."""
    moved, versions = set(), {seat: sits.bot_version for seat, sits in enumerate(table.seats)}
    for record in records:
        if record.type in ("SeatVacated", "SeatGiven"):
            moved.add(msgspec.json.decode(record.envelope().data, type=_Vacated).seat)
        elif record.type == "BotRaised":
            raised = msgspec.json.decode(record.envelope().data, type=_Raised)
            versions[raised.seat] = raised.version
    return tuple(
        RankedBot(seat, sits.bot, version)
        for seat, sits in enumerate(table.seats)
        if sits.bot is not None and seat not in moved and (version := versions[seat]) is not None
    )
