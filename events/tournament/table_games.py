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

from events.clocks.absence_policy import Absence
from events.clocks.clock import ClockSettings as Clock
from events.proof.randomness import Secrets, mac, mix, sha, tag, u32
from events.rules.fact import Json
from events.table.record import pseudonym
from events.table.tournament_link import Reference, TournamentSeed
from events.tournament.state import Round, Table, Tournament

SECRET_NAMES = ("anchor", "deal", "hide", "bot")
"""Of a game's secrets."""


class GameSlot(msgspec.Struct, frozen=True):
    """Which game of a tournament: all that its secrets depend on."""

    stage: int
    round: int
    table: int
    attempt: int

    @property
    def number(self) -> bytes:
        """N."""
        return b"".join(map(u32, (self.stage, self.round, self.table, self.attempt)))


def slot_of(played: Round, table: Table) -> GameSlot:
    """Of the game that a table plays now."""
    return GameSlot(played.stage, played.number, table.number, table.attempt)


def derive_secrets(tables: bytes, at: GameSlot) -> Secrets:
    """The secrets of a game; *tables* is k_t."""
    anchor, deal, hide, bot = (
        mac(tables, tag("rutter/table/1"), name.encode(), b"\0", at.number) for name in SECRET_NAMES
    )
    return Secrets(anchor, deal, hide, bot)


def derive_key(tournament: bytes, at: GameSlot) -> bytes:
    """The 16 bytes that stand for a game in its randomness; *tournament* stands for its tournament."""
    return sha(tag("rutter/table-key/1"), tournament, at.number)[:16]


def derive_contribution(given: bytes, at: GameSlot) -> bytes:
    """What an entrant contributes to a game, who contributed *given* to the tournament; empty for nothing."""
    return mac(given, tag("rutter/table-u/1"), at.number) if given else b""


def mix_contributions(state: Tournament, entrants: Sequence[int], at: GameSlot) -> bytes:
    """U of a game: its closing event is that of the tournament's entry, before anybody revealed anything."""
    given = [bytes.fromhex(state.entrants[number - 1].contribution or "") for number in entrants]
    named = [(pseudonym(seat), derive_contribution(own, at)) for seat, own in enumerate(given)]
    return mix(derive_key(state.key, at), state.closing, named)


def make_reference(state: Tournament, played: Round, table: Table) -> Reference:
    """How the game of a table names its tournament."""
    at = slot_of(played, table)
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
    tied: TournamentSeed


def make_table_game(state: Tournament, tables: bytes, played: Round, table: Table) -> TableGame:
    """The game of a *table* of a round that has started; *tables* is k_t."""
    settings, at = state.settings, slot_of(played, table)
    tied = TournamentSeed(
        make_reference(state, played, table),
        derive_key(state.key, at),
        derive_secrets(tables, at),
        mix_contributions(state, table.entrants, at),
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
