"""The talk of one game as its events tell it."""

from __future__ import annotations

import uuid

import msgspec

from events.proof import canonical
from events.proof.randomness import sha, tag

VERSION = 1
"""The version of the rules of talk."""
CLOSE_MS = 7 * 24 * 3_600_000
"""Milliseconds after the end of a game until which its players can write."""
_TALK = tag("bg/talk/1")


class Talk(msgspec.Struct, frozen=True):
    """Everything that folding a talk's events gives. What was said is read from the log, page by page."""

    id: str
    game: str = ""
    """The id of the game at whose table it is."""
    first: str = ""
    """The hash (hex) of the game's first event."""
    seq: int = 0
    head: bytes = b""
    at: str = ""
    cmd: str = ""
    """The id of the command that led to the newest event."""
    at_event: int = 0
    """The newest event of the game that a message names."""
    game_head: str = ""
    """The hash (hex) of that event."""


def talk_id(game: str) -> str:
    """Return the id of the talk of a *game*: a UUIDv8 that follows from the game's id.

    >>> talk_id("019a9f00-0000-7000-8000-000000000001")
    'ccc1ec82-ab72-864e-af15-2b9d78659359'
    """
    raw = int.from_bytes(sha(_TALK, game.encode("ascii"))[:16], "big")
    value = raw & ~(0xF << 76) & ~(0x3 << 62)
    return str(uuid.UUID(int=value | 8 << 76 | 0x2 << 62))


def initial_talk(stream: str) -> Talk:
    """Return a talk before its first event."""
    return Talk(id=stream, head=canonical.genesis(stream))
