"""The secrets of a tournament's tables: all of them derive from what was committed before anybody entered.

With N = u32(stage) || u32(round) || u32(table) || u32(attempt), k_t the tournament's secret for its tables:

* its secrets ``anchor``, ``deal``, ``hide``, ``bot``: ``HMAC(k_t, T("rutter/table/1") || name || 0x00 || N)``
* its key: the first 16 bytes of ``H(T("rutter/table-key/1") || key of the tournament || N)``
* what seat s contributes: ``HMAC(u_e, T("rutter/table-u/1") || N)`` of the entrant there; nothing where he
  contributed nothing

So the house can choose nothing after entry closes; the attempt rises only by a recorded ruling.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from events.absence import Absence
from events.clock import Settings as Clock
from events.fact import Json
from events.proof import Secrets, mac, mix, sha, tag, u32
from events.record import pseudonym
from events.tied import Reference, Tied
from events.tournament.state import Round, Table, Tournament

NAMES = ("anchor", "deal", "hide", "bot")
"""Of a game's secrets."""


class Place(msgspec.Struct, frozen=True):
    """Which game of a tournament: all that its secrets depend on."""

    stage: int
    round: int
    table: int
    attempt: int

    @property
    def number(self) -> bytes:
        """N."""
        return b"".join(map(u32, (self.stage, self.round, self.table, self.attempt)))


def place(played: Round, table: Table) -> Place:
    """Of the game that a table plays now."""
    return Place(played.stage, played.number, table.number, table.attempt)


def secrets(tables: bytes, at: Place) -> Secrets:
    """The secrets of a game; *tables* is k_t."""
    anchor, deal, hide, bot = (
        mac(tables, tag("rutter/table/1"), name.encode(), b"\0", at.number) for name in NAMES
    )
    return Secrets(anchor, deal, hide, bot)


def key(tournament: bytes, at: Place) -> bytes:
    """The 16 bytes that stand for a game in its randomness; *tournament* stands for its tournament."""
    return sha(tag("rutter/table-key/1"), tournament, at.number)[:16]


def contribution(given: bytes, at: Place) -> bytes:
    """What an entrant contributes to a game, who contributed *given* to the tournament; empty for nothing."""
    return mac(given, tag("rutter/table-u/1"), at.number) if given else b""


def mixed(state: Tournament, entrants: Sequence[int], at: Place) -> bytes:
    """U of a game: its closing event is that of the tournament's entry, before anybody revealed anything."""
    given = [bytes.fromhex(state.entrants[number - 1].contribution or "") for number in entrants]
    named = [(pseudonym(seat), contribution(own, at)) for seat, own in enumerate(given)]
    return mix(key(state.key, at), state.closing, named)


def reference(state: Tournament, played: Round, table: Table) -> Reference:
    """How the game of a table names its tournament."""
    at = place(played, table)
    return Reference(state.id, at.stage, at.round, at.table, at.attempt, played.hash.hex())


class TableGame(msgspec.Struct, frozen=True):
    """All that is needed to create the game of a table."""

    game: str
    """Its id."""
    title: str
    version: int
    data_hash: str
    options: Json
    position: dict[str, Any] | None
    entrants: tuple[int, ...]
    """Who sits where."""
    clock: Clock | None
    absence: Absence | None
    tied: Tied


def game_of(state: Tournament, tables: bytes, played: Round, table: Table) -> TableGame:
    """The game of a *table* of a round that has started; *tables* is k_t."""
    settings, at = state.settings, place(played, table)
    tied = Tied(
        reference(state, played, table),
        key(state.key, at),
        secrets(tables, at),
        mixed(state, table.entrants, at),
        settings.rated,
    )
    return TableGame(
        table.game,
        settings.title,
        state.title_version,
        state.data_hash,
        settings.options,
        settings.position,
        table.entrants,
        settings.clock,
        settings.absence,
        tied,
    )
