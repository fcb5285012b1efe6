"""What can be asked for in a tournament. Who asks comes beside the command: ``e7``, ``d1``, or the house."""

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
    """Name somebody to run it too, or give a director another role."""

    role: Role
    director: DirectorName | None = None
    """null: a new one."""


class DropDirector(Command, frozen=True):
    """A director runs it no more."""

    director: DirectorName


class OpenEntry(Command, frozen=True):
    """Let people enter."""


class CloseEntry(Command, frozen=True):
    """Settle who plays."""


class Enter(Command, frozen=True):
    """Enter."""

    commitment: Hex32 | None = None
    """To a contribution to the randomness; it depends on the number that one gets."""
    entrant: EntrantName | None = None
    """The number for which the commitment was made."""


class Admit(Command, frozen=True):
    """Admit somebody, or do not."""

    entrant: EntrantName
    yes: bool


class CheckIn(Command, frozen=True):
    """Say that one is there for the coming round."""

    contribution: Hex32 | None = None
    """To the randomness, before the first round."""


class Reveal(Command, frozen=True):
    """Show what one contributes to the randomness, where nobody has to check in."""

    contribution: Hex32


class Withdraw(Command, frozen=True):
    """Play no more."""


class WithdrawEntrant(Command, frozen=True):
    """Somebody plays no more."""

    entrant: EntrantName
    cause: RulingCause
    text: Digest | None = None


class ReturnEntrant(Command, frozen=True):
    """Somebody who withdrew plays again."""

    entrant: EntrantName


class ForbidPair(Command, frozen=True):
    """Two are not to meet."""

    entrants: tuple[EntrantName, EntrantName]
    cause: RulingCause
    text: Digest | None = None


class AskBye(Command, frozen=True):
    """Do not play a round."""

    round: Number


class FixRandomness(Command, frozen=True):
    """Mix what was contributed."""


class PairRound(Command, frozen=True):
    """Draw who meets whom."""

    ratings: dict[EntrantName, Annotated[int, Meta(ge=0, le=10_000)]] = msgspec.field(default_factory=dict)
    """Of those who are ready for a game of a ladder."""


class SetPairing(Command, frozen=True):
    """Say who meets whom."""

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
    """null, here and in all commands: the newest that has started."""


class NameSubstitute(Command, frozen=True):
    """Let somebody play on for an entrant."""

    table: Number
    seat: Seat
    entrant: EntrantName
    round: Number | None = None


class RecordResult(Command, frozen=True):
    """Say how the game of a table ended."""

    table: Number
    game: Uuid
    seq: Annotated[int, Meta(ge=1)]
    head: Hex32
    places: tuple[Annotated[int, Meta(ge=1, le=MAX_SEATS)], ...] | None
    """null where the rules did not end it."""
    scores: tuple[int, ...] | None
    left: tuple[int | None, ...]
    """By seat the event of the game by which its entrant left before the end."""
    round: Number | None = None


class ConfirmResult(Command, frozen=True):
    """Say that a result is right; for the house: that nobody said otherwise in time."""

    table: Number
    round: Number | None = None


class RaiseDispute(Command, frozen=True):
    """Complain, of a result or of somebody."""

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
    """Against which there is an appeal."""
    text: Digest | None = None


class Appeal(Command, frozen=True):
    """Do not accept a ruling."""

    ruling: Number
    text: Digest | None = None


class CloseRound(Command, frozen=True):
    """All results of a round stand."""

    round: Number | None = None


class CloseStage(Command, frozen=True):
    """A stage is over."""


class PauseTournament(Command, frozen=True):
    """Pair, start and close no round until then."""

    until: str
    cause: RulingCause
    text: Digest | None = None


class ResumeTournament(Command, frozen=True):
    """Go on."""


class CancelTournament(Command, frozen=True):
    """End it without a final ranking."""

    cause: RulingCause
    text: Digest | None = None


class ChooseSeat(Command, frozen=True):
    """Choose one's seat in the final."""

    table: Number
    seat: Seat


class Ready(Command, frozen=True):
    """Wait for a game of the ladder."""


class NotReady(Command, frozen=True):
    """Wait no more."""


class FinishTournament(Command, frozen=True):
    """It is over."""
