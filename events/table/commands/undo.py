"""Taking commands back: a seat its own ones, or any of them if all who play agree."""

from __future__ import annotations

from events.base.timestamps import parse_timestamp
from events.clocks import clock
from events.proof.randomness import Keys
from events.rules.steps import Command, Rejected
from events.table.commands.checks import require_person, require_running
from events.table.conduct_facts import UNDO, CommandUndone, UndoOffered
from events.table.engine import Batch
from events.table.game import Game, KeptState, Offer
from events.table.record import Actor, pseudonym

MAX_UNDOS = 10
"""The most times that something can be taken back between two barriers."""


class TableUndo(Command, frozen=True):
    """Take back commands, your own or by agreement, as the game's `undo` says."""

    to: int
    """The last event that stays, one of `undo` of the decisions."""


def undo(game: Game, actor: Actor, command: TableUndo, at: str, _keys: Keys) -> Batch:
    """Decide that a player takes commands back, or proposes it. Raises :class:`Rejected`."""
    require_running(game)
    seat = require_person(game, actor)
    if game.terms.undo == "none":
        raise Rejected(
            "undo_not_allowed", "In this game nothing can be taken back. Continue the game as it is."
        )
    before = check_undo(game, command.to, at)
    if game.terms.undo == "own":
        if before.seat != seat:
            raise Rejected(
                "cannot_undo", "Only your own commands can be taken back here. Ask the other player to do it."
            )
        return Batch([CommandUndone(command.to)])
    if any((made.what, made.by) == (UNDO, seat) for made in game.offers):
        raise Rejected(
            "already_offered", "You have already proposed this. Wait for the answers of the other players."
        )
    made = Offer(game.offered + 1, UNDO, seat, None, to=command.to)
    undone = [CommandUndone(command.to)] if game.is_agreed(made) else []
    return Batch([UndoOffered(made.offer, pseudonym(seat), command.to), *undone])


def check_undo(game: Game, to: int, at: str) -> KeptState:
    """Return the game as it stood after event *to*, if all that followed can be taken back at *at*.

    Raises :class:`Rejected`.
    """
    before = next((kept for kept in game.undoable.kept if kept.seq == to), None)
    if before is None:
        raise Rejected(
            "cannot_undo",
            f"What came after event {to} cannot be taken back: something was drawn, disclosed or done by"
            " another since, or it is too long ago. Continue the game as it is.",
        )
    if game.undoable.undos >= MAX_UNDOS:
        raise Rejected(
            "too_many_undos", f"Commands were taken back {MAX_UNDOS} times here. Continue the game as it is."
        )
    if game.clock is not None:
        due = [clock.deadline(game.clock, seat) for seat in before.clocks]
        if any(until is not None and until <= parse_timestamp(at) for until in due):
            raise Rejected("too_late", "The time for that decision is up. Continue the game as it is.")
    return before
