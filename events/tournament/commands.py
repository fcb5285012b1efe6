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
    """Change settings, each to a whole new value."""

    changes: Json
    """The settings that change, each with its whole new value."""


class NameDirector(Command, frozen=True):
    """Appoint a new director, or give a director another role."""

    role: Role
    """The role that the director gets."""
    director: DirectorName | None = None
    """The director who gets the role; null: a new one."""


class DropDirector(Command, frozen=True):
    """Remove a director, who then no longer runs the tournament."""

    director: DirectorName
    """The director, such as `d1`."""


class OpenEntry(Command, frozen=True):
    """Open entry."""


class CloseEntry(Command, frozen=True):
    """Close entry. From then on it is fixed who plays."""


class Enter(Command, frozen=True):
    """Enter the tournament."""

    commitment: Hex32 | None = None
    """The commitment to a contribution to the randomness; it depends on the number that the entrant gets."""
    entrant: EntrantName | None = None
    """The name (such as ``e7``) for which the commitment was made."""


class Admit(Command, frozen=True):
    """Admit or reject an entrant."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    yes: bool
    """True to admit the entrant."""


class CheckIn(Command, frozen=True):
    """Check in for the next round."""

    contribution: Hex32 | None = None
    """The contribution to the randomness, before the first round."""


class Reveal(Command, frozen=True):
    """Reveal a contribution to the randomness, in a tournament without check-in."""

    contribution: Hex32
    """The contribution (hex)."""


class Withdraw(Command, frozen=True):
    """Withdraw from the tournament."""


class WithdrawEntrant(Command, frozen=True):
    """Withdraw an entrant, who then plays no further rounds."""

    entrant: EntrantName
    """The entrant, such as `e7`."""
    cause: RulingCause
    """The cause, one of a fixed list."""
    text: Digest | None = None
    """A text about the command. The log keeps only its digest."""


class ReturnEntrant(Command, frozen=True):
    """Let an entrant who withdrew play again."""

    entrant: EntrantName
    """The entrant, such as `e7`."""


class ForbidPair(Command, frozen=True):
    """Forbid that two entrants meet."""

    entrants: tuple[EntrantName, EntrantName]
    """The two entrants."""
    cause: RulingCause
    """The cause, one of a fixed list."""
    text: Digest | None = None
    """A text about the command. The log keeps only its digest."""


class AskBye(Command, frozen=True):
    """Ask for a bye: do not play a round."""

    round: Number
    """The number of the round, from 1."""


class FixRandomness(Command, frozen=True):
    """Fix the randomness: mix the contributions."""


class PairRound(Command, frozen=True):
    """Draw the pairing of the next round. Each round is drawn once."""


class PairByRatings(Command, frozen=True):
    """Draw the pairing of a period of a ladder, by the ratings of those who are ready."""

    position: Annotated[int, Meta(ge=0)] = 0
    """The position of the rating export up to which games count for these ratings."""
    ratings: dict[EntrantName, Annotated[int, Meta(ge=0, le=10_000)]] = msgspec.field(default_factory=dict)
    """The ratings of those who are ready and have one."""


class SetPairing(Command, frozen=True):
    """Set the pairing of the next round by hand."""

    pods: tuple[_Pod, ...]
    """By table, the entrants in seat order."""
    byes: tuple[EntrantName, ...]
    """The entrants who have a bye."""
    cause: RulingCause
    """The cause, one of a fixed list."""
    text: Digest | None = None
    """A text about the command. The log keeps only its digest."""


class StartRound(Command, frozen=True):
    """Start the round that is paired."""


class LinkTable(Command, frozen=True):
    """Say that the game of a table is there."""

    table: Number
    """The number of the table, from 1."""
    game: Uuid
    """The id of the game."""
    head: Hex32
    """The hash of the first event of the game (hex)."""
    round: Number | None = None
    """The round; null, here and in all commands: the newest that has started."""


class NameSubstitute(Command, frozen=True):
    """Name a substitute who plays on for an entrant."""

    table: Number
    """The number of the table, from 1."""
    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    entrant: EntrantName
    """The entrant of the reserve who plays on, such as `e9`."""
    round: Number | None = None
    """The number of the round, from 1."""


class RecordResult(Command, frozen=True):
    """Record the end of the game of a table."""

    table: Number
    """The number of the table, from 1."""
    game: Uuid
    """The id of the game."""
    seq: Annotated[int, Meta(ge=1)]
    """The number of the last event of the game."""
    head: Hex32
    """The hash of the last event of the game (hex)."""
    places: tuple[Annotated[int, Meta(ge=1, le=MAX_SEATS)], ...] | None
    """The places by seat; null where the rules did not end it."""
    scores: tuple[int, ...] | None
    """By seat, the scores of the game, or null without a result."""
    left: tuple[int | None, ...]
    """By seat, the event with which its entrant left the game before the end, or null."""
    round: Number | None = None
    """The number of the round, from 1."""


class ConfirmResult(Command, frozen=True):
    """Confirm a result. The server confirms it if nobody disputes it in time."""

    table: Number
    """The number of the table, from 1."""
    round: Number | None = None
    """The number of the round, from 1."""


class RaiseDispute(Command, frozen=True):
    """Raise a dispute about a result or an entrant."""

    table: Number | None = None
    """The number of the table, from 1."""
    against: EntrantName | None = None
    """The entrant it is about, or null."""
    text: Digest | None = None
    """A text about the command. The log keeps only its digest."""
    round: Number | None = None
    """The number of the round, from 1."""


class Rule(Command, frozen=True):
    """Give a ruling, for instance on a dispute or an appeal."""

    kind: Annotated[str, Meta(pattern="^[a-z_]{1,32}$")]
    """The kind of ruling, a word that you choose."""
    effects: Annotated[tuple[Effect, ...], Meta(max_length=64)] = ()
    """The changes that the ruling makes."""
    dispute: Number | None = None
    """The number of the dispute that it decides, or null."""
    ruling: Number | None = None
    """The ruling whose appeal it decides."""
    text: Digest | None = None
    """A text about the command. The log keeps only its digest."""


class Appeal(Command, frozen=True):
    """Appeal against a ruling."""

    ruling: Number
    """The number of the ruling."""
    text: Digest | None = None
    """A text about the command. The log keeps only its digest."""


class CloseRound(Command, frozen=True):
    """Close a round: all its results stand."""

    round: Number | None = None
    """The number of the round, from 1."""


class CloseStage(Command, frozen=True):
    """Close the stage, if all its rounds are played."""


class PauseTournament(Command, frozen=True):
    """Pause the tournament: no round is paired, started or closed until that time."""

    until: str
    """The time until which it lasts."""
    cause: RulingCause
    """The cause, one of a fixed list."""
    text: Digest | None = None
    """A text about the command. The log keeps only its digest."""


class ResumeTournament(Command, frozen=True):
    """Resume the tournament."""


class CancelTournament(Command, frozen=True):
    """Cancel the tournament: it ends without a final ranking."""

    cause: RulingCause
    """The cause, one of a fixed list."""
    text: Digest | None = None
    """A text about the command. The log keeps only its digest."""


class ChooseSeat(Command, frozen=True):
    """Choose a seat in the final."""

    table: Number
    """The number of the table, from 1."""
    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""


class Ready(Command, frozen=True):
    """Be ready for a game of the ladder."""


class NotReady(Command, frozen=True):
    """Stop waiting for a game of the ladder."""


class FinishTournament(Command, frozen=True):
    """Finish the tournament: it is over, and its secrets are disclosed."""
