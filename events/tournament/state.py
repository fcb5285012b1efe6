"""One tournament as its events tell it.

Entrants and directors are numbers here and ``e7``, ``d1`` in the log; who they are stands in ordinary tables.
Rounds are counted through the whole tournament, tables in their round, both from 1.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from events.proof import canonical
from events.rules.catalogue import find_title
from events.rules.kit.values import put
from events.rules.steps import Rejected
from events.rules.title import Title
from events.tournament.pairing import Pair, RoundDraw
from events.tournament.settings import PLACEHOLDER, Settings, Stage

VERSION = 2
"""The version of these rules: a change that alters the effect of recorded events gets another one."""
DRAWS = 4096
"""L, the number of draws that a tournament's reverse chain provides for."""

Role = Literal["owner", "director", "assistant"]


def entrant_name(number: int) -> str:
    """Return the name of an entrant in the log.

    >>> entrant_name(7)
    'e7'
    """
    return f"e{number}"


def number_of(name: str) -> int:
    """Return the number in the name of an entrant or a director.

    >>> number_of("e7")
    7
    """
    return int(name[1:])


def entrant_names(numbers: Iterable[int]) -> tuple[str, ...]:
    """Return the names of several entrants."""
    return tuple(map(entrant_name, numbers))


class Draw(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A draw of the tournament's own randomness: enough to check it at once."""

    k: int
    """The number of the draw: 1, 2, ... over the whole tournament."""
    s: str
    """s_k of the reverse chain, in hex."""


class Entrant(msgspec.Struct, frozen=True):
    """A player who takes part, or wants to."""

    number: int
    accepted: bool | None
    """True if admitted, false if refused; None while a director has to decide."""
    claim: str = ""
    """The id of the command by which they entered: it ties them to an account."""
    late: int = 0
    """The first round of one who entered late; 0 for all others."""
    since: int = 0
    """The first round whose standings list them; 0: all do."""
    left_early: bool = False
    """True if they withdrew before their first round started: no standings list them."""
    reserve: bool = False
    """True if they wait for an entrant to drop out."""
    commitment: str | None = None
    contribution: str | None = None
    withdrawn: bool = False
    disqualified: bool = False
    checked: int = 0
    """The newest round for which the entrant has checked in."""
    asked: tuple[int, ...] = ()
    """The rounds for which they asked a bye."""
    ready: bool = False
    """Of a ladder: true if they wait for a game."""
    warnings: int = 0

    @property
    def is_playing(self) -> bool:
        """True if they take part now."""
        return self.accepted is True and not (self.withdrawn or self.disqualified)


class Result(msgspec.Struct, frozen=True):
    """The end of a game of a table."""

    game: str
    places: tuple[int, ...] | None
    """The places by seat; None where the rules did not end it."""
    scores: tuple[int, ...] | None
    left: tuple[int | None, ...]
    """By seat the event of the game by which its entrant left; None where they stayed."""
    at: str


class Substitute(msgspec.Struct, frozen=True):
    """A substitute who plays on for an entrant."""

    seat: int
    out: int
    into: int


class Table(msgspec.Struct, frozen=True):
    """One pod of a round and its game."""

    number: int
    entrants: tuple[int, ...]
    """The entrants in seat order, as they were paired."""
    game: str = ""
    """The id of its game; empty before the round starts."""
    attempt: int = 0
    games: tuple[str, ...] = ()
    """The games that were played before and do not count."""
    head: str | None = None
    """The hash (hex) of the game's first event, once it is there."""
    result: Result | None = None
    confirms: tuple[int, ...] = ()
    """Entrants who say that the result is right."""
    confirmed: bool = False
    substitutes: tuple[Substitute, ...] = ()
    ruled: tuple[int, ...] | None = None
    """Places by seat that a ruling gave."""
    forfeits: tuple[int, ...] = ()
    """Entrants to whom a ruling gave nothing here."""

    @property
    def holders(self) -> tuple[int, ...]:
        """The entrants who hold the seats now."""
        now = list(self.entrants)
        for change in self.substitutes:
            now[change.seat] = change.into
        return tuple(now)

    @property
    def has_places(self) -> bool:
        """True if it has places that can count."""
        played = self.result is not None and self.result.places is not None
        return self.ruled is not None or bool(self.forfeits) or played


class Round(msgspec.Struct, frozen=True):
    """A round from its pairing on."""

    number: int
    stage: int
    drawn: RoundDraw
    """The newest pairing, in seat order."""
    draw: Draw | None
    """The draw behind it; None where a director set it, or where nothing had to be drawn."""
    paired_at: str
    tables: tuple[Table, ...]
    """As they were paired, and from the start on as they play."""
    byes: tuple[int, ...]
    """The entrants who have a bye; from the start on also those whose table was dissolved."""
    struck: tuple[int, ...] = ()
    """The entrants who left after the pairing and before the start: they wait for the next round."""
    started_at: str = ""
    hash: bytes = b""
    """The hash of the event by which it started: its games name it."""
    closed_at: str = ""
    """The time at which it was first closed."""
    standings: str = ""
    """The newest digest of the standings after this round."""
    lot: Draw | None = None
    """The draw behind the lots of its standings."""
    chosen: tuple[tuple[int, int], ...] = ()
    """Entrants and the seats that they chose."""

    @property
    def players(self) -> frozenset[int]:
        """Everybody at its tables, as paired."""
        return frozenset(entrant for pod in self.drawn.pods for entrant in pod)

    @property
    def is_running(self) -> bool:
        """True if it is being played."""
        return bool(self.started_at) and not self.closed_at


class Dispute(msgspec.Struct, frozen=True):
    """A dispute that an entrant raised."""

    number: int
    by: int
    round: int | None
    table: int | None
    open: bool = True


class Ruling(msgspec.Struct, frozen=True):
    """A decision of a director."""

    number: int
    by: int
    at: str
    appealed: bool = False
    decided: bool = False
    """True if the appeal has been decided."""


class Order(msgspec.Struct, frozen=True):
    """The order of a ruling about a game: time for a seat, or the end."""

    ruling: int
    place: int
    """The place among the effects of that ruling, from 0."""
    game: str
    by: int
    seat: int | None = None
    add_ms: int = 0


class Award(msgspec.Struct, frozen=True):
    """Points that a ruling gave or took."""

    entrant: int
    add: int
    round: int
    """The round from whose standings on they count."""


class Tournament(msgspec.Struct, frozen=True):
    """Everything that folding a tournament's events gives. Immutable."""

    id: str
    seq: int = 0
    head: bytes = b""
    at: str = ""
    cmd: str = ""
    opened: str = ""
    """Id of the command that made it."""
    created_at: str = ""
    status: Literal["draft", "open", "running", "finished", "cancelled"] = "draft"
    settings: Settings = PLACEHOLDER
    service: str = ""
    title_version: int = 0
    data_hash: str = ""
    commitments: dict[str, str] = {}
    draws: int = 0
    """L, the number of draws that the reverse chain provides for."""
    drawn: int = 0
    """The number of draws so far."""
    directors: dict[int, Role] = {}
    named: int = 0
    """The number of directors there have ever been."""
    appointed: dict[int, str] = {}
    """By the number of a director the id of the command by which they were named first."""
    entrants: tuple[Entrant, ...] = ()
    forbidden: tuple[Pair, ...] = ()
    closing: bytes = b""
    """The hash of the event that closed entry: fixed before anybody reveals a contribution."""
    entry_closed_at: str = ""
    mixed: bytes = b""
    """U; empty until the randomness is fixed."""
    fixed_at: str = ""
    rounds: tuple[Round, ...] = ()
    stage: int = 1
    stage_opened_at: str = ""
    seeds: tuple[int, ...] = ()
    """The entrants who play in this stage, best first; empty in the first: all do."""
    disputes: tuple[Dispute, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    awards: tuple[Award, ...] = ()
    orders: tuple[Order, ...] = ()
    paused: str | None = None
    """The time until which it is paused."""
    pauses: tuple[str, ...] = ()
    """The times until which it was ever to be paused: its games were, too."""
    over: bool = False
    """True if nothing can follow any more: its secrets are disclosed."""

    @property
    def key(self) -> bytes:
        """The 16 bytes that stand for it in its randomness."""
        return uuid.UUID(self.id).bytes

    @property
    def title(self) -> Title[Any]:
        """The rules of its games. Raises :class:`events.rules.catalogue.RulesMissing` without them."""
        return find_title(self.settings.title, self.title_version, self.data_hash)

    @property
    def is_running(self) -> bool:
        """True if its rounds are played."""
        return self.status == "running"

    @property
    def format(self) -> Stage:
        """The stage that is being played."""
        return self.settings.stages[self.stage - 1]

    @property
    def stage_rounds(self) -> tuple[Round, ...]:
        """The rounds of this stage so far."""
        return tuple(one for one in self.rounds if one.stage == self.stage)

    @property
    def next_round(self) -> int:
        """The number of the next round that has not started."""
        return 1 + sum(1 for one in self.rounds if one.started_at)

    @property
    def closed_rounds(self) -> int:
        """The number of closed rounds, counted from the first without a gap."""
        for one in self.rounds:
            if not one.closed_at:
                return one.number - 1
        return len(self.rounds)

    def entrant(self, name: str) -> Entrant:
        """Return the entrant of that name. Raises :class:`Rejected`."""
        number = number_of(name)
        if not 1 <= number <= len(self.entrants):
            raise Rejected("unknown_entrant", f"There is no entrant {name}. Read the list of entrants.")
        return self.entrants[number - 1]

    def round(self, number: int) -> Round:
        """Return a round that has been paired. Raises :class:`Rejected`."""
        if not 1 <= number <= len(self.rounds):
            raise Rejected(
                "unknown_table", f"Round {number} has not been paired. Name a round that is paired."
            )
        return self.rounds[number - 1]

    def table(self, round_number: int | None, number: int) -> tuple[Round, Table]:
        """Return a table and its round, by default the newest that has started. Raises :class:`Rejected`."""
        if round_number is None:
            round_number = max(1, self.next_round - 1)
        found = self.round(round_number)
        if not 1 <= number <= len(found.tables):
            raise Rejected(
                "unknown_table",
                f"Round {round_number} has no such table. Name a table from 1 to {len(found.tables)}.",
            )
        return found, found.tables[number - 1]

    def of_game(self, game: str) -> tuple[Round, Table] | None:
        """Return the round and table whose game that is or was; None if there is none."""
        for one in self.rounds:
            for table in one.tables:
                if game and game in (table.game, *table.games):
                    return one, table
        return None

    # --- as facts change it ----------------------------------------------------------------------------

    def strike_entrant(self, number: int, **changes: Any) -> Tournament:
        """Return the tournament after an entrant left, struck from the coming round if it is paired."""
        one, coming = self.entrants[number - 1], self.next_round
        early = one.left_early or coming <= max(1, one.since)
        state = self.with_entrant(number, ready=False, left_early=early, **changes)
        if coming > len(self.rounds):
            return state
        found = self.rounds[coming - 1]
        return state.with_round(replace(found, struck=tuple(sorted({*found.struck, number}))))

    def with_entrant(self, number: int, **changes: Any) -> Tournament:
        """Return the tournament with one entrant changed."""
        changed = replace(self.entrants[number - 1], **changes)
        return replace(self, entrants=put(self.entrants, number - 1, changed))

    def with_round(self, changed: Round) -> Tournament:
        """Return the tournament with one round changed, or added."""
        before = self.rounds[: changed.number - 1]
        return replace(self, rounds=(*before, changed, *self.rounds[changed.number :]))

    def with_table(self, round_number: int, number: int, **changes: Any) -> Tournament:
        """Return the tournament with one table changed."""
        found = self.rounds[round_number - 1]
        tables = put(found.tables, number - 1, replace(found.tables[number - 1], **changes))
        return self.with_round(replace(found, tables=tables))


def initial_tournament(tournament_id: str) -> Tournament:
    """Return a tournament before its first event."""
    return Tournament(id=tournament_id, head=canonical.genesis(tournament_id))
