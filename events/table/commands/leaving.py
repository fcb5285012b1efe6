"""Commands that change the holder of a seat: leave, remove, return, take over, change places.

A seat of a game that has begun never stays without anybody who acts for it. The consequences of a departure
were settled at the creation (:mod:`events.table.vacancies`).
"""

from __future__ import annotations

from events.proof.randomness import Keys
from events.rules.bot_names import is_bot
from events.rules.fact import Fact, Seat
from events.rules.steps import INVALID_PARAMETERS, Command, Rejected
from events.table import creation
from events.table.clock_updates import absence_settings
from events.table.commands.checks import check_seat, require_not_ended, require_person, require_running
from events.table.conduct_facts import RulingCause, SeatFreed, SeatsSwapped
from events.table.engine import Batch
from events.table.game import Game, Tenure
from events.table.record import Actor
from events.table.terms import SeatOccupant, check_occupant
from events.table.vacancies import assign_seat, may_be_taken, may_return, vacate_seat


class TableLeave(Command, frozen=True):
    """Leave your seat. Before the game begins it is open again; later a substitute plays on."""

    resign: bool = False
    """True if leaving counts as giving up."""


class TableReturn(Command, frozen=True):
    """Return to the seat that you have left, while no other person holds it."""

    who: str | None = None
    """The salted digest of the account, as the log had it when the account held the seat."""
    key: str | None = None
    """The public key (hex) that is to sign the seat's commands from now on."""


class TableRemove(Command, frozen=True):
    """Remove the holder of a seat."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    cause: RulingCause
    """The cause, one of a fixed list."""
    text: str | None = None
    """The digest of a sentence, which is kept elsewhere and can be erased."""


class TableSeat(Command, frozen=True):
    """Put a bot on a seat, or take over one that is vacant."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    bot: str | None = None
    """The name of the bot that is to play, or null for a person."""
    who: str | None = None
    """A salted digest of the account that takes the seat."""
    key: str | None = None
    """The public key (hex) that is to sign its commands."""


SITTING_DOWN = (TableReturn, TableSeat)
"""The commands by which a player takes a seat: like joining, nobody signs them."""


class TableSwap(Command, frozen=True):
    """Swap the holders of two seats before the game begins."""

    seats: tuple[Seat, Seat]
    """The two seats that change holders."""


def leave(game: Game, actor: Actor, command: TableLeave, at: str, keys: Keys) -> Batch:
    """Decide that a player leaves. Raises :class:`Rejected`."""
    require_not_ended(game)
    seat = require_person(game, actor)
    if game.status == "open":
        return Batch([_free_seat(game, seat)])
    return Batch(vacate_seat(game, seat, "resigned" if command.resign else "left", at, keys))


def remove(game: Game, _actor: Actor, command: TableRemove, at: str, keys: Keys) -> Batch:
    """Decide that a director removes a player. Raises :class:`Rejected`."""
    require_not_ended(game)
    check_seat(game, command.seat)
    if game.status == "open":
        if not game.seats[command.seat].taken:
            raise _seat_vacant(command.seat)
        return Batch([_free_seat(game, command.seat)])
    if not game.seats[command.seat].person:
        raise _seat_vacant(command.seat)
    return Batch(vacate_seat(game, command.seat, "removed", at, keys))


def _seat_vacant(seat: Seat) -> Rejected:
    return Rejected("seat_vacant", f"No player holds seat {seat}. Name a seat that a player holds.")


def _free_seat(game: Game, seat: Seat) -> Fact:
    """Return the fact that frees *seat*. Raises :class:`Rejected` once all seats are taken.

    The same holds once commitments are closed. While a holder might still leave and come back with another
    commitment, nobody reveals.
    """
    if game.closing or all(sits.taken for sits in game.seats):
        detail = "All seats are taken and the game is about to begin. Wait until it begins."
        raise Rejected("reveals_open", detail)
    return SeatFreed(seat)


def return_to_seat(game: Game, actor: Actor, command: TableReturn, _at: str, _keys: Keys) -> Batch:
    """Decide that a player who left the seat takes it again. Raises :class:`Rejected`."""
    require_running(game)
    assert isinstance(actor, int)  # noqa: S101 - the roles of the command
    left = last_person(game, actor)
    if game.seats[actor].person:
        raise Rejected(
            "seat_given", "Another player holds this seat now. GET /v1/games?seat_free=true lists free seats."
        )
    if left is None or command.who != left.who:
        raise Rejected(
            "not_a_player",
            "You have not held this seat, so you cannot return to it. To take a vacant seat, use"
            " `table_seat`.",
        )
    if not may_return(game, left):
        raise Rejected(
            "not_allowed",
            "In this game, players cannot return to a seat that was given away. Take a vacant seat with"
            " `table_seat`.",
        )
    return _give_to_person(game, actor, command)


def _give_to_person(game: Game, seat: Seat, command: TableReturn | TableSeat) -> Batch:
    """Return the facts that give *seat* to a person. Raises :class:`Rejected` for a key that is none."""
    check_occupant(SeatOccupant(who=command.who, key=command.key), "open")
    return Batch(assign_seat(game, seat, None, command.who, command.key))


def last_person(game: Game, seat: Seat) -> Tenure | None:
    """Return the newest tenure of *seat* that has ended; None if there is none."""
    return next((held for held in reversed(game.past) if held.seat == seat), None)


def fill_seat(game: Game, actor: Actor, command: TableSeat, _at: str, _keys: Keys) -> Batch:
    """Decide that a director seats a bot, or a player takes a vacant seat. Raises :class:`Rejected`."""
    require_not_ended(game)
    check_seat(game, command.seat)
    if isinstance(actor, int):
        return _take_over(game, actor, command)
    bots = game.title.bots
    if command.bot is None or not is_bot(command.bot, bots) or command.who or command.key:
        raise Rejected(INVALID_PARAMETERS, f"There is no such bot. Name one of: {', '.join(bots)}.")
    sits = game.seats[command.seat]
    if sits.person or (game.status == "open" and sits.taken):
        raise _seat_taken()
    if game.status == "open":
        return Batch(creation.seat_facts(command.seat, SeatOccupant(bot=command.bot)))
    return Batch(assign_seat(game, command.seat, command.bot))


def _take_over(game: Game, seat: Seat, command: TableSeat) -> Batch:
    require_running(game)
    if command.seat != seat or command.bot is not None:
        raise Rejected(
            "not_a_director",
            "Only directors put bots on seats. To take a vacant seat yourself, leave `bot` out.",
        )
    if game.tournament is not None:  # it names who plays on
        if game.seats[seat].person:
            raise _seat_taken()
    elif not may_be_taken(game, seat):
        raise _seat_taken()
    # Who is invited the service knows; for the log an invited seat is free, as it is before the game begins.
    elif absence_settings(game).substitutes == "directors":
        raise Rejected("not_invited", "In this game only directors fill a vacant seat. Ask one of them.")
    return _give_to_person(game, seat, command)


def _seat_taken() -> Rejected:
    return Rejected("seat_taken", "This seat is taken. GET /v1/games?seat_free=true lists free seats.")


def swap(game: Game, _actor: Actor, command: TableSwap, _at: str, _keys: Keys) -> Batch:
    """Decide that a director lets two seats change places. Raises :class:`Rejected`."""
    require_not_ended(game)
    one, other = command.seats
    for number in command.seats:
        check_seat(game, number)
    if one == other:
        raise Rejected(INVALID_PARAMETERS, "The two seats are the same. Name two different seats.")
    if game.status != "open":
        raise Rejected(
            "game_running",
            "The game has begun, so seats can no longer be swapped. Keep the seats as they are.",
        )
    if game.closing or any(sits.commitment for sits in game.seats):
        raise Rejected(
            "not_allowed",
            "One of these players has committed to a contribution for their seat. Swap seats without a "
            "commitment.",
        )
    if any(game.terms.find_reservation(number) for number in command.seats):
        raise Rejected(
            "not_allowed", "One of the seats is reserved for an account. Swap seats that are not reserved."
        )
    return Batch([SeatsSwapped(command.seats)])
