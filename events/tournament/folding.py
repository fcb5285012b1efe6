"""The fold from events to the tournament that they tell."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from events.rules.fact import Fact, facts_in
from events.table.engine import BrokenChain
from events.table.record import Record, decode_fact
from events.tournament import facts
from events.tournament.state import Tournament

FACTS: dict[str, type[Fact]] = {kind.__name__: kind for kind in facts_in(facts)}
"""The facts by name."""


def fold(state: Tournament, records: Iterable[Record]) -> Tournament:
    """Return *state* after *records*. Raises :class:`BrokenChain` on a gap or an unknown event."""
    for record in records:
        if record.seq != state.seq + 1:
            raise BrokenChain(record.seq, f"event {record.seq} does not follow on {state.seq}")
        state = fold_one(state, record)
    return state


def fold_one(state: Tournament, record: Record) -> Tournament:
    """Return *state* after one event."""
    kind = FACTS.get(record.type)
    if kind is None:
        raise BrokenChain(record.seq, f"a tournament has no event of type {record.type}")
    envelope = record.envelope()
    placed = replace(state, seq=record.seq, head=record.hash, at=envelope.at, cmd=envelope.cmd)
    after: Tournament = decode_fact(record, envelope, kind).fold(placed)
    return after
