"""A game after its events: the platform's facts change the game, the title's facts the title's state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from events import table
from events.fact import Fact, type_name
from events.game import Game
from events.kit.values import put
from events.record import COMMAND_PART, Envelope, Record, decode_fact, seat_of


class BrokenChain(ValueError):
    """Events that are not one unbroken chain; *seq* is the first bad one."""

    def __init__(self, seq: int, reason: str) -> None:
        super().__init__(reason)
        self.seq = seq
        self.reason = reason


def fold(game: Game, records: Iterable[Record]) -> Game:
    """*game* after *records*, which hold all their hidden parts. Raises :class:`BrokenChain` on a gap."""
    for record in records:
        if record.seq != game.seq + 1:
            raise BrokenChain(record.seq, f"event {record.seq} does not follow on {game.seq}")
        game = fold_one(game, record)
    return game


def fold_one(game: Game, record: Record) -> Game:
    """*game* after one event."""
    envelope = record.envelope()
    kind = table.FACTS.get(record.type)
    if kind is None:
        game = _of_title(game, record, envelope)
    else:
        fact = decode_fact(record, envelope, kind)
        game = fact.fold(game)
        if isinstance(fact, table.SeatTaken):
            game = replace(game, claims={**game.claims, fact.seat: envelope.cmd}, full_at=envelope.at)
        elif isinstance(fact, table.RevealsClosed) and game.closed is not None:
            game = replace(game, closed=replace(game.closed, at=envelope.at))
    return under(game, record, envelope)


def after(game: Game, batch: Sequence[Record], first: Envelope, facts: Iterable[Fact], state: Any) -> Game:
    """*game* after a *batch* that a command of a running game led to.

    The title's *state* after its *facts* is known, so only what the platform itself says is folded. *first*:
    the envelope of its first event.
    """
    game = replace(game, state=state)
    for fact in facts:
        if type_name(type(fact)) in table.FACTS:
            game = fact.fold(game)
    return under(game, batch[0], first, batch[-1])


def under(game: Game, record: Record, envelope: Envelope, last: Record | None = None) -> Game:
    """What any event changes, whatever its fact: place in the chain, time, draws, who gave a command.

    With *last* what a whole batch changes, from *record*, its first event, on.
    """
    last = last or record
    changes: dict[str, Any] = {"seq": last.seq, "head": last.hash, "at": envelope.at, "cmd": envelope.cmd}
    if record.seq == 1:
        changes |= {"created_at": envelope.at, "opened": envelope.cmd}
    drawn = envelope.draws
    if drawn is not None:
        changes["hidden_draws"] = game.hidden_draws + drawn.hidden
        changes["public_draws"] = game.public_draws + len(drawn.public)
    seat = seat_of(envelope.by)
    if seat is not None:
        sits = game.seats[seat]
        given = sits.commands + _has_command(envelope)
        changes["seats"] = put(game.seats, seat, replace(sits, commands=given, last=last.seq))
    return replace(game, **changes)


def _has_command(envelope: Envelope) -> bool:
    return envelope.command is not None or envelope.by + COMMAND_PART in (envelope.hid or {})


def _of_title(game: Game, record: Record, envelope: Envelope) -> Game:
    kind = game.title.fact_type(record.type)
    if kind is None:
        raise BrokenChain(record.seq, f"{game.title_id} knows no event of type {record.type}")
    state = decode_fact(record, envelope, kind).fold(game.state)
    return replace(game, state=state)
