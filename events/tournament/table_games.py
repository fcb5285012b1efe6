"""The secrets of a tournament's tables: all derive from what was committed before anybody entered.

With N = u32(stage) || u32(round) || u32(table) || u32(attempt), k_t the tournament's secret for its tables:

* its secrets ``anchor``, ``deal``, ``hide``, ``bot``: ``HMAC(k_t, T("rutter/table/1") || name || 0x00 || N)``
* its key: the first 16 bytes of ``H(T("rutter/table-key/1") || key of the tournament || N)``
* the contribution of seat s: ``HMAC(u_e, T("rutter/table-u/1") || N)`` of the entrant there; empty where they
  contributed nothing

So the server can choose nothing after entry closes; the attempt rises only by a recorded ruling.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from events.proof.randomness import Secrets, mac, mix, sha, tag, u32
from events.rules.catalogue import find_title
from events.rules.fact import Json
from events.table import creation
from events.table.engine import Batch
from events.table.record import pseudonym
from events.table.terms import MAX_DIRECTORS, Delay, SeatOccupant, Terms
from events.table.tournament_link import Reference, TournamentSeed
from events.tournament.settings import Settings
from events.tournament.state import Round, Table, Tournament

SECRET_NAMES = ("anchor", "deal", "hide", "bot")
"""The names of a game's secrets."""


class GameSlot(msgspec.Struct, frozen=True):
    """The place of a game in its tournament: all that its secrets depend on."""

    stage: int
    round: int
    table: int
    attempt: int

    @property
    def number(self) -> bytes:
        """The bytes N of the slot."""
        return b"".join(map(u32, (self.stage, self.round, self.table, self.attempt)))


def slot_of(played: Round, table: Table) -> GameSlot:
    """Return the slot of the game that a table plays now."""
    return GameSlot(played.stage, played.number, table.number, table.attempt)


def derive_secrets(tables: bytes, at: GameSlot) -> Secrets:
    """Return the secrets of a game; *tables* is k_t."""
    anchor, deal, hide, bot = (
        mac(tables, tag("rutter/table/1"), name.encode(), b"\0", at.number) for name in SECRET_NAMES
    )
    return Secrets(anchor, deal, hide, bot)


def derive_key(tournament: bytes, at: GameSlot) -> bytes:
    """Return the 16 bytes that stand for a game in its randomness.

    *tournament* are the bytes that stand for its tournament.
    """
    return sha(tag("rutter/table-key/1"), tournament, at.number)[:16]


def derive_contribution(given: bytes, at: GameSlot) -> bytes:
    """Return an entrant's contribution to a game, from *given* to the tournament; empty if that is."""
    return mac(given, tag("rutter/table-u/1"), at.number) if given else b""


def mix_contributions(state: Tournament, entrants: Sequence[int], at: GameSlot) -> bytes:
    """Return U of a game. Its closing event is that of the tournament's entry, before anybody revealed."""
    given = [bytes.fromhex(state.entrants[number - 1].contribution or "") for number in entrants]
    named = [(pseudonym(seat), derive_contribution(own, at)) for seat, own in enumerate(given)]
    return mix(derive_key(state.key, at), state.closing, named)


def make_reference(state: Tournament, played: Round, table: Table) -> Reference:
    """Return the reference by which the game of a table names its tournament."""
    at = slot_of(played, table)
    return Reference(state.id, at.stage, at.round, at.table, at.attempt, played.hash.hex())


class TableGame(msgspec.Struct, frozen=True):
    """All that is needed to create the game of a table."""

    game: str
    """The id of the game."""
    title: str
    version: int
    data_hash: str
    options: Json
    """The options of the title, complete."""
    position: dict[str, Any] | None
    entrants: tuple[int, ...]
    """The entrants in seat order."""
    terms: Terms
    tied: TournamentSeed


def make_table_game(state: Tournament, tables: bytes, played: Round, table: Table) -> TableGame:
    """Return the game of a *table* of a round that has started; *tables* is k_t."""
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
        complete_options(state, settings.options),
        settings.position,
        table.entrants,
        make_terms(settings),
        tied,
    )


def complete_options(state: Tournament, options: Json) -> Json:
    """Return *options* of the title with its own defaults for what they leave out."""
    typed = msgspec.convert(options, state.title.Options, str_keys=True)
    complete: Json = msgspec.to_builtins(typed, str_keys=True)
    return complete


def make_terms(settings: Settings) -> Terms:
    """Return the terms on which the games of a tournament open. A director may be named at any time."""
    delay = settings.delay
    return Terms(
        directors=MAX_DIRECTORS,
        clock=settings.clock,
        absence=settings.absence,
        delay=None if delay is None else Delay(delay.ms, delay.until_end),
        undo=settings.undo,
        talk=settings.talk,
    )


def open_table_game(
    wanted: TableGame, commitments: Mapping[str, str], who: Sequence[str | None], service: str
) -> Batch:
    """Return the batch that creates a game of a tournament, all of whose seats are taken by people.

    *commitments* are those of its secrets. *who*: by seat the salted digest of the account, None where the
    account was erased. *service* is the origin under which the service signs.
    """
    return creation.create_game(
        find_title(wanted.title, wanted.version, wanted.data_hash),
        wanted.tied.key,
        wanted.options,
        [SeatOccupant(who=one) for one in who],
        commitments,
        service=service,
        wanted=wanted.terms,
        position=wanted.position,
        tied=(wanted.tied.at, wanted.tied.rated),
    )
