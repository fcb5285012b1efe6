"""What a command means for the clocks of its table: which seats are asked after it, and who answered."""

from __future__ import annotations

from msgspec.structs import replace

from events import clock, table
from events.absence import Absence
from events.clock import SECOND, Change, Live, Note, Settings
from events.engine import Batch
from events.fact import Seat, type_name
from events.game import Game
from events.kit.values import put
from events.moments import micros, moment
from events.record import Actor
from events.steps import Command

GRACE_MS = 30 * SECOND
"""Of a live clock: what a seat has anew beside its increment."""


def note(game: Game, actor: Actor, command: Command | None, batch: Batch, at: str) -> Note | None:
    """What the batch that *command* of *actor* leads to at the time *at* changes on the clocks."""
    if game.clock is None:
        return None
    after = _after(game, actor, command, batch)
    if not after.clocks:
        return None  # the game has not begun
    change = Change(
        at=micros(at),
        asked=asked(after),
        still=still(after, at),
        answered=_answered(game, actor, command),
        added=_added(batch),
        armed=_armed(after, batch, game.clock),
    )
    _, told = clock.step(game.clock, after.clocks, change)
    if not game.clocks:
        told["left"] = {f"p{n}": c.left_ms for n, c in enumerate(after.clocks) if after.seats[n].person}
    return told or None


def asked(game: Game) -> frozenset[Seat]:
    """The seats that a person holds of which the game awaits a decision: those on the clock."""
    if game.status != "running":
        return frozenset()
    awaited = game.title.awaited(game.state)
    return frozenset(d.seat for d in awaited if d.seat is not None and game.seats[d.seat].person)


def still(game: Game, at: str) -> frozenset[Seat]:
    """The seats whose time does not run at *at*, whether they are asked or not."""
    if game.paused is not None:
        return frozenset(range(len(game.seats)))
    away = (n for n, sits in enumerate(game.seats) if sits.vacation is not None and at < sits.vacation)
    return frozenset(away)


def deadline(game: Game, seat: Seat) -> str | None:
    """Until when *seat* must answer; None where its time does not run."""
    if game.clock is None or not game.clocks:
        return None
    due = clock.deadline(game.clock, game.clocks[seat])
    return None if due is None else moment(due)


def absence_of(game: Game) -> Absence:
    """What *game* has settled about absence."""
    return Absence() if game.absence is None else game.absence


def _after(game: Game, actor: Actor, command: Command | None, batch: Batch) -> Game:
    """The game after *batch*, but for its place in the log and its clocks."""
    after = game if command is None or not isinstance(actor, int) else back(game, actor)
    for fact in batch.facts:
        if type_name(type(fact)) in table.FACTS:
            after = fact.fold(after)
    return after if batch.state is None else replace(after, state=batch.state)


def back(game: Game, seat: Seat) -> Game:
    """*game* after *seat* has given a command: that ends its vacation."""
    sits = game.seats[seat]
    if sits.vacation is None:
        return game
    return replace(game, seats=put(game.seats, seat, replace(sits, vacation=None)))


def _answered(game: Game, actor: Actor, command: Command | None) -> Seat | None:
    """The seat whose awaited decision *command* answers."""
    if not isinstance(actor, int) or command is None or game.status != "running":
        return None
    name = type_name(type(command))
    awaited = game.title.awaited(game.state)
    return actor if any(d.seat == actor and name in d.commands for d in awaited) else None


def _added(batch: Batch) -> dict[Seat, int]:
    added: dict[Seat, int] = {}
    for fact in batch.facts:
        if isinstance(fact, table.ClockAdjusted):
            added[fact.seat] = added.get(fact.seat, 0) + fact.add_ms
    return added


def _armed(after: Game, batch: Batch, settings: Settings) -> dict[Seat, int]:
    """The seats that begin anew, with what they have."""
    anew = settings.increment_ms + GRACE_MS if isinstance(settings, Live) else settings.per_decision_ms
    armed: dict[Seat, int] = {}
    for fact in batch.facts:
        if isinstance(fact, table.SeatTimedOut):
            armed[fact.seat] = anew if fact.excused else absence_of(after).after_miss_ms or GRACE_MS
        elif isinstance(fact, table.SeatGiven) and fact.bot is None:
            armed[fact.seat] = anew
    return armed
