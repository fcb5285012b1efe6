"""From committed positions to leaves: the pure part of what the tree says about the log."""

from __future__ import annotations

from itertools import count

import msgspec

from events.proof import canonical
from events.tlog import leaves


class Stretch(msgspec.Struct, frozen=True):
    """Neighbouring events of one game that have neighbouring positions."""

    position: int
    """The position of the first of them."""
    game: str
    first: int
    """The number of the first of them."""
    hashes: list[bytes | None]
    """Those that are stored: of each command's last event at least."""
    bodies: list[bytes]
    """The bodies, as many; more or others where a body is no event of ours, which shows in its hash."""

    @property
    def last(self) -> int:
        """The number of the last of them."""
        return self.first + len(self.hashes) - 1

    def truncate(self, keep: int) -> Stretch:
        """Return the first *keep* of them."""
        return Stretch(self.position, self.game, self.first, self.hashes[:keep], self.bodies[:keep])


class Predecessor(msgspec.Struct, frozen=True):
    """The hash and the entry that a game's events of a run follow on."""

    hash: bytes
    """The hash of the event before; of a game's first, the one that its id gives."""
    entry: bytes | None
    """The game's newest entry of the tree."""


class NewLeaf(msgspec.Struct, frozen=True):
    """A leaf that is to be added."""

    position: int
    name: bytes
    n: int
    entry: bytes


class DamagedGame(msgspec.Struct, frozen=True):
    """A game of which event *n* does not say what its hash was made of."""

    game: str
    n: int
    reason: str


class _Head(msgspec.Struct):
    cmd: str


_HEAD = msgspec.json.Decoder(_Head)


def make_leaves(stretch: Stretch, before: Predecessor) -> tuple[list[NewLeaf], DamagedGame | None]:
    """Return the leaves of the batches of one *stretch*; those before the damage, where there is any."""
    game, first, position = stretch.game, stretch.first, stretch.position
    name = leaves.log_name(game)
    raw = bytes.fromhex(name)
    head, entry, last, stored = before.hash, before.entry, "", True
    made: list[NewLeaf] = []
    behind = position - first
    for n, event_hash, body in zip(count(first), stretch.hashes, stretch.bodies, strict=False):
        linked = canonical.link(head, body)
        if event_hash is not None and linked != event_hash:
            return made, DamagedGame(game, n, "its hash does not follow from the event before and its body")
        command = read_command_id(body)
        if command is None:
            return made, DamagedGame(game, n, "its body is no event")
        if command != last and last:
            if not stored:
                return made, DamagedGame(game, n - 1, "it ends a command and has no hash")
            entry = leaves.make_entry(name, n - 1, head, entry)
            made.append(NewLeaf(behind + n - 1, raw, n - 1, entry))
        last, head, stored = command, linked, event_hash is not None
    final = stretch.last
    if not stored:
        return made, DamagedGame(game, final, "it ends a command and has no hash")
    made.append(NewLeaf(behind + final, raw, final, leaves.make_entry(name, final, head, entry)))
    return made, None


def drop_open_batch(stretches: list[Stretch]) -> list[Stretch]:
    """Return *stretches* without a last batch that may go on after them.

    Nothing where all of them are one batch.
    """
    if not stretches:
        return stretches
    *uncut, final = stretches
    commands = [read_command_id(body) for body in final.bodies]
    keep = len(commands)
    while keep and commands[keep - 1] == commands[-1]:
        keep -= 1
    return [*uncut, final.truncate(keep)] if keep else uncut


def read_command_id(body: bytes) -> str | None:
    """Return the id of the command that caused the event with this body; None where it is no event."""
    try:
        return _HEAD.decode(body).cmd
    except msgspec.DecodeError:
        return None
