"""The effect of a command on the clocks of its table: the seats asked after it, the answering seat."""

from __future__ import annotations

from msgspec.structs import replace

from events.base.timestamps import format_timestamp, parse_timestamp
from events.clocks import clock
from events.clocks.absence_policy import Absence
from events.clocks.clock import SECOND, ClockChange, ClockNote, ClockSettings, LiveClock
from events.rules.fact import Seat, type_name
from events.rules.steps import Command
from events.table import lifecycle_facts
from events.table.conduct_facts import SeatOnVacation
from events.table.engine import Batch
from events.table.game import Game
from events.table.record import Actor

GRACE_MS = 30 * SECOND
"""The time, beside its increment, that a seat on a live clock begins again with."""


def make_clock_note(
    game: Game, actor: Actor, command: Command | None, batch: Batch, at: str
) -> ClockNote | None:
    """Return what *batch*, caused by *command* of *actor* at the time *at*, changes on the clocks.

    None if nothing changes, if no time is counted, or if the game has not begun.
    """
    if game.clock is None:
        return None
    after = _apply_facts(game, batch)
    if not after.clocks:
        return None  # the game has not begun
    change = ClockChange(
        at=parse_timestamp(at),
        asked=seats_on_clock(after),
        still=_find_paused_after(after, actor, batch, at, given=command is not None),
        answered=_find_answering_seat(game, actor, command),
        added=_sum_added_ms(batch),
        armed=_find_rearmed_ms(after, batch, game.clock),
    )
    _, note = clock.advance(game.clock, after.clocks, change)
    if not game.clocks:
        note["left"] = {f"p{n}": c.left_ms for n, c in enumerate(after.clocks) if after.seats[n].person}
    return note or None


def find_impossible_seat(
    game: Game, actor: Actor, batch: Batch, at: str, note: ClockNote, *, given: bool, plays: bool
) -> Seat | None:
    """Return a seat for which *note* cannot be what *batch* changed on the clocks; None if there is none.

    For a reader who does not know the title's state, so that a seat may be asked or not, and its answer may
    have been awaited or not. *given* says if *actor* gave a command, *plays* if the title's state changed.
    """
    after = _apply_facts(game, batch)
    for seat in range(len(after.seats)):
        name = f"p{seat}"
        mine = {kind: {name: note[kind][name]} for kind in note if name in note[kind]}
        if mine not in _possible_notes(game, after, seat, (actor, batch, at), given=given, plays=plays):
            return seat
    return None


def _possible_notes(
    game: Game, after: Game, seat: Seat, cause: tuple[Actor, Batch, str], *, given: bool, plays: bool
) -> list[ClockNote]:
    """Return all that a note can say of *seat*; the game is *after* once the facts of the batch hold."""
    actor, batch, at = cause
    settings = after.clock
    if settings is None or not after.clocks:
        return [{}]
    change = ClockChange(
        at=parse_timestamp(at),
        asked=frozenset(),
        still=_find_paused_after(after, actor, batch, at, given=given),
        added=_sum_added_ms(batch),
        armed=_find_rearmed_ms(after, batch, settings),
    )
    answers = {None, seat} if given and plays and actor == seat and game.status == "running" else {None}
    changes = [
        replace(change, asked=frozenset({seat} if asked else ()), answered=answer)
        for asked in _may_be_asked(game, after, seat, batch, plays=plays)
        for answer in answers
    ]
    found = [clock.note_seat(settings, seat, after.clocks[seat], one) for one in changes]
    if not game.clocks and after.seats[seat].person:
        left = {"left": {f"p{seat}": after.clocks[seat].left_ms}}
        return [{**one, **left} for one in found]
    return found


def _may_be_asked(game: Game, after: Game, seat: Seat, batch: Batch, *, plays: bool) -> list[bool]:
    """Return the answers that there can be to the question if *seat* is asked after *batch*."""
    if after.status != "running" or not after.seats[seat].person:
        return [False]
    changed = any(isinstance(fact, lifecycle_facts.SeatGiven) and fact.seat == seat for fact in batch.facts)
    if plays or changed or not game.clocks:
        return [False, True]
    return [game.clocks[seat].spell is not None]


def seats_on_clock(game: Game) -> frozenset[Seat]:
    """Return the seats on the clock: those held by people of which the game awaits a decision."""
    if game.status != "running":
        return frozenset()
    awaited = game.title.list_awaited_seats(game.state)
    return frozenset(seat for seat in awaited if seat is not None and game.seats[seat].person)


def find_paused_seats(game: Game, at: str) -> frozenset[Seat]:
    """Return the seats whose time does not run at *at*, whether they are asked or not."""
    if game.paused is not None:
        return frozenset(range(len(game.seats)))
    away = (n for n, sits in enumerate(game.seats) if sits.vacation is not None and at < sits.vacation)
    return frozenset(away)


def seat_deadline(game: Game, seat: Seat) -> str | None:
    """Return the time until which *seat* must answer; None if its time does not run."""
    if game.clock is None or not game.clocks:
        return None
    due = clock.deadline(game.clock, game.clocks[seat])
    return None if due is None else format_timestamp(due)


def absence_settings(game: Game) -> Absence:
    """Return the absence settings of *game*; the defaults if it settled none."""
    return Absence() if game.absence is None else game.absence


def _apply_facts(game: Game, batch: Batch) -> Game:
    """Return the game after *batch*, but for its place in the log and its clocks."""
    after = game
    for fact in batch.facts:
        if type_name(type(fact)) in lifecycle_facts.FACTS:
            after = fact.fold(after)
    return after if batch.state is None else replace(after, state=batch.state)


def _find_paused_after(after: Game, actor: Actor, batch: Batch, at: str, *, given: bool) -> frozenset[Seat]:
    """Return the seats whose time stands still after *batch*.

    A seat that has *given* a command is back from vacation.
    """
    if after.paused is not None:
        return find_paused_seats(after, at)
    vacations = {fact.seat: fact.until > at for fact in batch.facts if isinstance(fact, SeatOnVacation)}
    gone = {seat for seat in find_paused_seats(after, at) if not given or seat != actor}
    return frozenset(
        {seat for seat in gone if vacations.get(seat, True)} | {seat for seat in vacations if vacations[seat]}
    )


def _find_answering_seat(game: Game, actor: Actor, command: Command | None) -> Seat | None:
    """Return the seat whose awaited decision *command* answers; None if it answers none."""
    if not isinstance(actor, int) or command is None or game.status != "running":
        return None
    name = type_name(type(command))
    awaited = game.title.awaited(game.state)
    return actor if any(d.seat == actor and name in d.commands for d in awaited) else None


def _sum_added_ms(batch: Batch) -> dict[Seat, int]:
    added: dict[Seat, int] = {}
    for fact in batch.facts:
        if isinstance(fact, lifecycle_facts.ClockAdjusted):
            added[fact.seat] = added.get(fact.seat, 0) + fact.add_ms
    return added


def _find_rearmed_ms(after: Game, batch: Batch, settings: ClockSettings) -> dict[Seat, int]:
    """Return the milliseconds that each seat begins again with, by seat."""
    fresh = settings.increment_ms + GRACE_MS if isinstance(settings, LiveClock) else settings.per_decision_ms
    armed: dict[Seat, int] = {}
    for fact in batch.facts:
        if isinstance(fact, lifecycle_facts.SeatTimedOut):
            armed[fact.seat] = fresh if fact.excused else absence_settings(after).after_miss_ms or GRACE_MS
        elif isinstance(fact, lifecycle_facts.SeatGiven) and fact.bot is None:
            armed[fact.seat] = fresh
    return armed
