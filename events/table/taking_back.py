"""Barriers to taking back: the title's states since the last one, kept as the log is folded.

A barrier is a draw, a fact that discloses something, a sealed command, a batch of the server or of a
director, and a command of the table that has nothing to do with taking back. Where each seat takes back its
own commands only, another seat's batch is one too.
"""

from __future__ import annotations

from msgspec.structs import replace

from events.rules.fact import Fact, Seat, type_name
from events.rules.steps import Command
from events.table.conduct_facts import UNDO
from events.table.game import Game, KeptState, Offer, UndoStack
from events.table.record import Envelope

MAX_BATCHES_BACK = 16
"""The most batches that can be taken back."""
MAX_UNDOS = 10
"""The most times that something can be taken back between two barriers."""

_NOTHING = UndoStack()


class TableUndo(Command, frozen=True):
    """Take back commands, your own or by agreement, as the game's `undo` says."""

    to: int
    """The last event that stays, one of `undo` of the decisions."""


def begin_batch(game: Game, first: Envelope, by: Seat | None) -> Game:
    """Return *game* before a batch of the seat *by*, whose *first* event this is.

    Its state is kept, or a barrier is met.
    """
    if game.terms.undo == "none" or game.status != "running":
        return game
    if first.cmd == game.cmd or _is_undo(game, first):
        return game
    seat = _find_mover(game, first, by)
    if seat is None:
        return meet_barrier(game)
    since = game.undoable
    if game.terms.undo == "own" and since.seat != seat:
        since = UndoStack(seat=seat)
    kept = (*since.kept, KeptState(game.seq, seat, game.state, game.clocks))[-MAX_BATCHES_BACK:]
    return replace(game, undoable=replace(since, kept=kept), offers=_without_undo(game))


def meet_barrier(game: Game) -> Game:
    """Return *game*, in which nothing before this can be taken back any more."""
    return replace(game, undoable=_NOTHING, offers=_without_undo(game))


def meet_fact(game: Game, kind: type[Fact]) -> Game:
    """Return *game* at a fact of the title: it is a barrier if it discloses something."""
    return meet_barrier(game) if kind.discloses and game.terms.undo != "none" else game


def _without_undo(game: Game) -> tuple[Offer, ...]:
    return tuple(offer for offer in game.offers if offer.what != UNDO)


def _is_undo(game: Game, first: Envelope) -> bool:
    """Return True if this batch takes commands back, offers to, or answers that."""
    given = first.command or {}
    if given.get("type") == type_name(TableUndo):
        return True
    return given.get("type") == "table_answer" and any(
        offer.what == UNDO and offer.offer == given.get("offer") for offer in game.offers
    )


def _find_mover(game: Game, first: Envelope, seat: Seat | None) -> Seat | None:
    """Return the seat that plays in this batch, openly and without a draw; None for a barrier.

    One that comes back from a vacation is a barrier too: its time had stood still before.
    """
    given = first.command
    if seat is None or given is None or first.draws is not None or game.seats[seat].vacation is not None:
        return None
    return None if str(given.get("type")).startswith("table_") else seat
