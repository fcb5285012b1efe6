"""Two bundles of one game or tournament: one history, one earlier than the other, or two histories."""

from __future__ import annotations

import msgspec

from events.table.bundle import BadBundle
from events.table.record import Record
from events.verify import CheckedStream, evidence
from events.verify.errors import Equivocation
from events.verify.trust import Trust


class Comparison(msgspec.Struct):
    """The extent to which two bundles tell the same history."""

    game: str
    events_a: int
    events_b: int
    common: int
    """Events that both tell alike, from the first."""

    @property
    def text(self) -> str:
        """One line."""
        if self.events_a == self.events_b:
            return f"A and B have the same history ({self.common} events)"
        less, more = ("A", "B") if self.events_a < self.events_b else ("B", "A")
        many = max(self.events_a, self.events_b)
        return f"{less} is an earlier copy of {more} ({self.common} of {many} events)"


def compare(a: CheckedStream, b: CheckedStream, trust: Trust) -> Comparison:
    """Return the extent to which *a* and *b* tell the same history.

    Raises :class:`Equivocation` where they tell two, :class:`BadBundle` where they are of two games, or of
    two logs neither of which succeeded the other, or open one digest in two ways.
    """
    if a.sheet.header.game != b.sheet.header.game:
        raise BadBundle(None, f"these are bundles of two {a.sheet.header.stream}s")
    origin = _find_later_origin(a.sheet.header.origin, b.sheet.header.origin, trust)
    least = min(len(a.hashes), len(b.hashes))
    common = next((n for n in range(least) if a.hashes[n] != b.hashes[n]), least)
    for one, two in zip(a.records[:common], b.records[:common], strict=True):
        _check_parts(one, two)
    if common < least:
        raise _two_histories(a, b, common, origin)
    for less, more in ((a, b), (b, a)):
        if less.sheet.header.scope == "whole" and len(more.hashes) > len(less.hashes):
            stream = less.sheet.header.stream
            raise BadBundle(len(less.hashes) + 1, f"an event follows on the end of the {stream}")
    return Comparison(a.sheet.header.game, len(a.hashes), len(b.hashes), common)


def _find_later_origin(one: str, two: str, trust: Trust) -> str:
    """Return the name of the log that stands by both bundles. Raises :class:`BadBundle` if none does."""
    for origin, other in ((one, two), (two, one)):
        if other in trust.list_names(origin):
            return origin
    reason = "these are bundles of two logs. If one succeeded the other, name both: --successor OLD=NEW"
    raise BadBundle(None, reason)


def _check_parts(one: Record, two: Record) -> None:
    for name in set(one.parts) & set(two.parts):
        if one.parts[name] != two.parts[name]:
            raise BadBundle(one.seq, f"the hidden part {name} is opened in two ways")


def _two_histories(a: CheckedStream, b: CheckedStream, common: int, origin: str) -> Equivocation:
    """Event *common* + 1 is the first that differs; *origin* stands by both."""
    one, two = a.records[common], b.records[common]
    difference = f"A has {one.type} ({one.hash.hex()}), B has {two.type} ({two.hash.hex()})"
    before = a.hashes[common - 1] if common else evidence.genesis(a.sheet.header.game)
    lines = evidence.make_evidence(
        origin,
        a.sheet.header.game,
        common + 1,
        before,
        (a.sheet.events[common:], a.sheet.note),
        (b.sheet.events[common:], b.sheet.note),
    )
    return Equivocation(common + 1, difference, lines)
