"""From committed positions to leaves: the pure part of what the tree says about the log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

import msgspec

from events import chain
from events.tlog import leaves


class Event(msgspec.Struct, frozen=True):
    """A numbered event."""

    position: int
    game: str
    n: int
    body: bytes
    hash: bytes


class Before(msgspec.Struct, frozen=True):
    """What a game's events of a run follow on."""

    hash: bytes
    """Of the event before; of a game's first, what its id gives."""
    entry: bytes | None
    """The game's newest entry of the tree."""


class NewLeaf(msgspec.Struct, frozen=True):
    """A leaf that is to be added."""

    position: int
    name: bytes
    n: int
    entry: bytes


class Damaged(msgspec.Struct, frozen=True):
    """A game of which event *n* does not say what its hash was made of."""

    game: str
    n: int
    reason: str


class _Head(msgspec.Struct):
    cmd: str


_HEAD = msgspec.json.Decoder(_Head)


def stretches(events: Iterable[Event]) -> Iterator[list[Event]]:
    """Neighbouring events of one game, in order of position. A batch lies in one of them as a whole."""
    for _, stretch in groupby(events, key=lambda event: event.game):
        yield list(stretch)


def leaves_of(stretch: list[Event], before: Before) -> tuple[list[NewLeaf], Damaged | None]:
    """The leaves of the batches of one *stretch*; those before the damage, where there is any."""
    game = stretch[0].game
    name = leaves.log_name(game)
    raw = bytes.fromhex(name)
    head, entry = before.hash, before.entry
    made: list[NewLeaf] = []
    last: tuple[Event, str] | None = None
    for event in stretch:
        head = chain.link(head, event.body)
        if head != event.hash:
            return made, Damaged(game, event.n, "its hash does not follow from the event before and its body")
        command = command_of(event.body)
        if command is None:
            return made, Damaged(game, event.n, "its body is no event")
        if last is not None and command != last[1]:
            entry = leaves.entry(name, last[0].n, last[0].hash, entry)
            made.append(NewLeaf(last[0].position, raw, last[0].n, entry))
        last = event, command
    if last is not None:
        entry = leaves.entry(name, last[0].n, last[0].hash, entry)
        made.append(NewLeaf(last[0].position, raw, last[0].n, entry))
    return made, None


def whole_batches(events: list[Event]) -> list[Event]:
    """*events* without a last batch that may go on after them; nothing where all of them are one batch."""
    if not events:
        return events
    last = events[-1]
    command = command_of(last.body)
    end = len(events)
    while end and events[end - 1].game == last.game and command_of(events[end - 1].body) == command:
        end -= 1
    return events[:end]


def command_of(body: bytes) -> str | None:
    """The id of the command that caused the event with this body; None where it is no event."""
    try:
        return _HEAD.decode(body).cmd
    except msgspec.DecodeError:
        return None
