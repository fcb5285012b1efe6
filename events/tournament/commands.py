"""The commands of a tournament. The actor comes beside a command: ``e7``, ``d1``, or the server."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from events.rules.fact import Json
from events.rules.steps import Command
from events.table.conduct_facts import RulingCause
from events.tournament.facts import DirectorName, Effect, EntrantName, Hex32, Number, Uuid
from events.tournament.settings import MAX_SEATS, Digest
from events.tournament.state import Role

Seat = Annotated[int, Meta(ge=0, lt=MAX_SEATS)]
_Pod = Annotated[tuple[EntrantName, ...], Meta(max_length=MAX_SEATS)]


class ChangeSettings(Command, frozen=True):
    """Change whole members of the settings."""

    changes: Json


class NameDirector(Command, frozen=True):
    """Name a new director, or give a director another role."""

    role: Role
    director: DirectorName | None = None
    """The director who gets the role; null: a new one."""


class DropDirector(Command, frozen=True):
    """Drop a director: they run the tournament no more."""

    director: DirectorName


class OpenEntry(Command, frozen=True):
    """Let people enter."""


class CloseEntry(Command, frozen=True):
    """Close entry: settle the entrants who play."""


class Enter(Command, frozen=True):
    """Enter."""

    commitment: Hex32 | None = None
    """The commitment to a contribution to the randomness; it depends on the number that the entrant gets."""
    entrant: EntrantName | None = None
    """The name (such as ``e7``) for which the commitment was made."""


class Admit(Command, frozen=True):
    """Admit somebody, or do not."""

    entrant: EntrantName
    yes: bool


class CheckIn(Command, frozen=True):
    """Check in for the coming round."""

    contribution: Hex32 | None = None
    """The contribution to the randomness, before the first round."""


class Reveal(Command, frozen=True):
    """Reveal a contribution to the randomness, where nobody has to check in."""

    contribution: Hex32


class Withdraw(Command, frozen=True):
    """Play no more."""


class WithdrawEntrant(Command, frozen=True):
    """Withdraw an entrant: they play no more."""

    entrant: EntrantName
    cause: RulingCause
    text: Digest | None = None


class ReturnEntrant(Command, frozen=True):
    """Let an entrant who withdrew play again."""

    entrant: EntrantName


class ForbidPair(Command, frozen=True):
    """Forbid that two entrants meet."""

    entrants: tuple[EntrantName, EntrantName]
    cause: RulingCause
    text: Digest | None = None


class AskBye(Command, frozen=True):
    """Ask for a bye: do not play a round."""

    round: Number


class FixRandomness(Command, frozen=True):
    """Fix the randomness: mix the contributions."""


class PairRound(Command, frozen=True):
    """Draw the pairing of the coming round."""

    ratings: dict[EntrantName, Annotated[int, Meta(ge=0, le=10_000)]] = msgspec.field(default_factory=dict)
    """The ratings of those who are ready for a game of a ladder."""


class SetPairing(Command, frozen=True):
    """Set the pairing of the coming round by hand."""

    pods: tuple[_Pod, ...]
    byes: tuple[EntrantName, ...]
    cause: RulingCause
    text: Digest | None = None


class StartRound(Command, frozen=True):
    """Let the round that is paired begin."""


class LinkTable(Command, frozen=True):
    """Say that the game of a table is there."""

    table: Number
    game: Uuid
    head: Hex32
    round: Number | None = None
    """The round; null, here and in all commands: the newest that has started."""


class NameSubstitute(Command, frozen=True):
    """Let somebody play on for an entrant."""

    table: Number
    seat: Seat
    entrant: EntrantName
    round: Number | None = None


class RecordResult(Command, frozen=True):
    """Record the end of the game of a table."""

    table: Number
    game: Uuid
    seq: Annotated[int, Meta(ge=1)]
    head: Hex32
    places: tuple[Annotated[int, Meta(ge=1, le=MAX_SEATS)], ...] | None
    """The places by seat; null where the rules did not end it."""
    scores: tuple[int, ...] | None
    left: tuple[int | None, ...]
    """By seat the event of the game by which its entrant left before the end."""
    round: Number | None = None


class ConfirmResult(Command, frozen=True):
    """Confirm a result; for the server: nobody said otherwise in time."""

    table: Number
    round: Number | None = None


class RaiseDispute(Command, frozen=True):
    """Raise a dispute about a result or an entrant."""

    table: Number | None = None
    against: EntrantName | None = None
    text: Digest | None = None
    round: Number | None = None


class Rule(Command, frozen=True):
    """Decide something, be it a dispute or an appeal."""

    kind: Annotated[str, Meta(pattern="^[a-z_]{1,32}$")]
    effects: Annotated[tuple[Effect, ...], Meta(max_length=64)] = ()
    dispute: Number | None = None
    ruling: Number | None = None
    """The ruling against which there is an appeal."""
    text: Digest | None = None


class Appeal(Command, frozen=True):
    """Appeal against a ruling."""

    ruling: Number
    text: Digest | None = None


class CloseRound(Command, frozen=True):
    """Close a round: all its results stand."""

    round: Number | None = None


class CloseStage(Command, frozen=True):
    """Close the stage that is over."""


class PauseTournament(Command, frozen=True):
    """Pause the tournament: no round is paired, started or closed until that time."""

    until: str
    cause: RulingCause
    text: Digest | None = None


class ResumeTournament(Command, frozen=True):
    """Resume the tournament."""


class CancelTournament(Command, frozen=True):
    """Cancel the tournament: it ends without a final ranking."""

    cause: RulingCause
    text: Digest | None = None


class ChooseSeat(Command, frozen=True):
    """Choose a seat in the final."""

    table: Number
    seat: Seat


class Ready(Command, frozen=True):
    """Say that one waits for a game of the ladder."""


class NotReady(Command, frozen=True):
    """Say that one waits no more for a game of the ladder."""


class FinishTournament(Command, frozen=True):
    """Finish the tournament: it is over, and its secrets are disclosed."""
