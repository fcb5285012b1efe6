"""The consequences when nobody acts for a seat of a running game any more: a substitute, or the end.

It was settled at the creation (:mod:`events.clocks.absence_policy`).
"""

from __future__ import annotations

from events.base.timestamps import add_milliseconds
from events.clocks.absence_policy import SUBSTITUTE
from events.proof.randomness import Keys
from events.rules.fact import Fact, Seat
from events.table.clock_updates import absence_settings
from events.table.conduct_facts import RulingCause, TablePaused, TableResumed
from events.table.engine import disclose_secrets
from events.table.game import Game, Tenure
from events.table.lifecycle_facts import AbandonReason, SeatGiven, SeatVacated, TableAbandoned, VacatedFor
from events.table.record import SYSTEM

FAULT_CAUSE: RulingCause = "error"
"""The cause of a pause by the server of a game whose rules fail."""


def least_people(game: Game) -> int:
    """Return the least number of people with which the game goes on."""
    settled = absence_settings(game).least_people
    return min(2, game.people) if settled is None else settled


def vacate_seat(game: Game, seat: Seat, reason: VacatedFor, at: str, keys: Keys) -> list[Fact]:
    """Return the facts of a seat whose holder is gone, for *reason*, and of what follows at once."""
    facts: list[Fact] = [SeatVacated(seat, reason)]
    settled = absence_settings(game)
    if len(game.persons) - 1 < least_people(game):
        return [*facts, abandon_game("deserted", SYSTEM, keys)]
    if settled.then == "end":
        return [*facts, abandon_game("time" if reason == "time" else "deserted", SYSTEM, keys)]
    if settled.then == "open":
        offered = TablePaused(add_milliseconds(at, settled.fill_ms), SYSTEM, "absence")
        return facts if game.paused else [*facts, offered]
    return [*facts, SeatGiven(seat, settled.substitute, game.seats[seat].tenure + 1)]


def halt_table(game: Game, seat: Seat, at: str) -> list[Fact]:
    """Return the facts that stop the table because the rules refuse the server's own answer for *seat*.

    Nobody plays until a director has looked into it, or another has taken the seat, at the latest for as long
    as vacant seats are offered. Then a bot plays on, which answers otherwise than by default.
    """
    until = add_milliseconds(at, absence_settings(game).fill_ms)
    return [SeatVacated(seat, "fault"), TablePaused(until, SYSTEM, FAULT_CAUSE)]


def is_halted(game: Game) -> bool:
    """Return True if *game* is stopped because the rules refused the server's own answer."""
    return game.paused is not None and (game.paused.by, game.paused.cause) == (SYSTEM, FAULT_CAUSE)


def abandon_game(reason: AbandonReason, by: str, keys: Keys) -> TableAbandoned:
    """Return the end of a game that the rules do not end."""
    return TableAbandoned(reason, by, disclose_secrets(keys[0]))


def assign_seat(
    game: Game, seat: Seat, bot: str | None, who: str | None = None, key: str | None = None
) -> list[Fact]:
    """Return the facts that give a seat to its next holder.

    With the last vacant seat a game that the server had paused goes on.
    """
    facts: list[Fact] = [SeatGiven(seat, bot, game.seats[seat].tenure + 1, who, key)]
    waited = game.paused is not None and game.paused.by == SYSTEM
    vacant = {number for number, sits in enumerate(game.seats) if sits.vacant}
    return [*facts, TableResumed()] if waited and vacant <= {seat} else facts


def fill_with_bots(game: Game) -> list[Fact]:
    """Return the facts that give every vacant seat to a bot."""
    return [
        SeatGiven(seat, SUBSTITUTE, sits.tenure + 1) for seat, sits in enumerate(game.seats) if sits.vacant
    ]


def may_return(game: Game, held: Tenure) -> bool:
    """Return True if the person who had *held* a seat may take it again.

    Nobody but a bot came after them, they were not removed, and the table allows it.
    """
    newest = next((other for other in reversed(game.past) if other.seat == held.seat), None)
    if newest != held or game.status != "running" or game.seats[held.seat].person:
        return False
    return absence_settings(game).may_return and held.reason != "removed"


def may_be_taken(game: Game, seat: Seat) -> bool:
    """Return True if a new player may take this seat of a running game.

    Nobody sits there, or a bot that plays on for a person who cannot return.
    """
    sits = game.seats[seat]
    if sits.person or game.status != "running":
        return False
    left = next((held for held in reversed(game.past) if held.seat == seat), None)
    return sits.vacant or (left is not None and not may_return(game, left))
