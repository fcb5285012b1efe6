"""The fold from events to the talk that they tell."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from events.rules.fact import Fact, facts_in
from events.table.engine import BrokenChain
from events.table.record import Record, decode_fact
from events.talk import facts
from events.talk.state import Talk

FACTS: dict[str, type[Fact]] = {kind.__name__: kind for kind in facts_in(facts)}
"""The facts by name."""


def fold(state: Talk, records: Iterable[Record]) -> Talk:
    """Return *state* after *records*. Raises :class:`BrokenChain` on a gap or an unknown event."""
    for record in records:
        if record.seq != state.seq + 1:
            raise BrokenChain(record.seq, f"event {record.seq} does not follow on {state.seq}")
        kind = FACTS.get(record.type)
        if kind is None:
            raise BrokenChain(record.seq, f"talk has no event of type {record.type}")
        envelope = record.envelope()
        placed = replace(state, seq=record.seq, head=record.hash, at=envelope.at, cmd=envelope.cmd)
        state = decode_fact(record, envelope, kind).fold(placed)
    return state


def read_said(record: Record) -> facts.Said | None:
    """Return what an event of talk says was said; None of the one that opened it."""
    if record.type != facts.Said.__name__:
        return None
    fact = decode_fact(record, record.envelope(), facts.Said)
    assert isinstance(fact, facts.Said)  # noqa: S101 - decoded as such
    return fact
