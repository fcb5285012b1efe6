"""One game as its events tell it: the platform's own state around the title's."""

from __future__ import annotations

import uuid
from typing import Any

import msgspec
from msgspec.structs import replace

from events.base.timestamps import parse_timestamp
from events.clocks.absence_policy import Absence
from events.clocks.clock import Clocks, ClockSettings
from events.proof import canonical
from events.rules.bot_names import BotVersion
from events.rules.catalogue import find_title
from events.rules.fact import Seat
from events.rules.title import Outcome, Title
from events.table.record import BotRun
from events.table.terms import Terms


class SeatState(msgspec.Struct, frozen=True):
    """The state of one seat: its holder, as far as the log tells, and its contribution."""

    taken: bool = False
    bot: str | None = None
    commitment: str | None = None
    contribution: str | None = None
    bot_version: int | None = None
    """The version in which that bot plays; None without one."""
    bot_weights: str | None = None
    """SHA-256 (hex) of the weights that it thinks with; None where it has none."""
    commands: int = 0
    """Commands that the seat has given so far."""
    bot_commands: int = 0
    """Those of them that a bot gave: the seed of its next one follows from it."""
    key: str | None = None
    """The public key (hex) of the seat, or null without one."""
    last: int = 0
    """The last event that the seat caused: what it signs must not be older."""
    tenure: int = 1
    """The number of the seat's tenure, from 1: its holders one after the other.

    Misses and ratings belong to a tenure, not a seat.
    """
    vacant: bool = False
    """True if the last holder of the seat is gone and nobody was given it yet."""
    claim: str | None = None
    """The command by which the last person to leave the seat had held it."""
    misses: int = 0
    """The number of times in its tenure that its time was up without excuse, as far as they still count."""
    excuses: int = 0
    """The number of times that its time may still be up without anything being done for it."""
    who: str | None = None
    """A salted digest of the account that holds the seat, as the log has it."""
    vacation: str | None = None
    """The time until which its holder is on vacation; None if they are not."""
    away: str | None = None
    """The time since which its holder is on vacation."""
    rested: str | None = None
    """The time at which its holder's newest vacation began."""
    vacation_ms: int = 0
    """Milliseconds of vacation that its holder has had before that."""

    @property
    def person(self) -> bool:
        """True if a person holds the seat."""
        return self.taken and self.bot is None and not self.vacant

    def is_played_by(self, run: BotRun) -> bool:
        """Return True if the bot that thought sits there, in just this version."""
        seated = (self.bot, self.bot_version, self.bot_weights)
        return seated == (run.name, run.version, run.weights)

    def vacation_until(self, at: str) -> int:
        """Return the milliseconds of vacation that its holder has had until *at*."""
        if self.vacation is None or self.away is None:
            return self.vacation_ms
        return (
            self.vacation_ms + (parse_timestamp(min(at, self.vacation)) - parse_timestamp(self.away)) // 1000
        )

    def end_vacation(self, at: str) -> SeatState:
        """Return the seat when its holder's vacation has ended at *at*."""
        return replace(self, vacation=None, away=None, vacation_ms=self.vacation_until(at))


class Tenure(msgspec.Struct, frozen=True):
    """A person's holding of a seat that has come to its end."""

    seat: Seat
    claim: str | None
    """The command by which the person held it."""
    who: str | None
    reason: str
    """The reason for its end."""
    until: int
    """The event that ended it: what the seat may know up to there, its former holder may know for ever."""


class Offer(msgspec.Struct, frozen=True):
    """Something that a seat has proposed to the others and that stands open."""

    offer: int
    what: str
    by: Seat
    until: str | None
    yes: tuple[Seat, ...] = ()
    """The others who have agreed so far."""
    to: int | None = None
    """The last event that is to stay, where it proposes to take commands back."""


class KeptState(msgspec.Struct, frozen=True):
    """The game before a batch that can be taken back."""

    seq: int
    """The newest event at that time: the last one that stays."""
    seat: Seat
    """The seat whose command led to the batch."""
    state: Any
    """The title's state before it."""
    clocks: Clocks
    """The clocks before it."""


class UndoStack(msgspec.Struct, frozen=True):
    """The batches since the last barrier, which can be taken back, oldest first."""

    kept: tuple[KeptState, ...] = ()
    undos: int = 0
    """The number of times that something was taken back since the barrier."""
    seat: Seat | None = None
    """The seat that alone has acted since, where each takes back its own commands only."""


class Pause(msgspec.Struct, frozen=True):
    """A pause that the game is in."""

    until: str
    by: str
    """The actor whose command led to it, as events name actors."""
    cause: str
    since: str = ""


class ClosedReveals(msgspec.Struct, frozen=True):
    """The close of the reveals, where a director or a beacon contributes after them."""

    at: str
    missing: tuple[Seat, ...]
    round: int | None
    """The round of the beacon; None without one."""
    n: int = 0
    """The event that closed them."""
    director: str | None = None
    """The director's contribution (hex), once revealed."""
    beacon: str | None = None
    """The randomness (hex) of the round, once drawn."""


class Game(msgspec.Struct, frozen=True):
    """Everything that folding a game's events gives. Immutable; one value for each event."""

    id: str
    title_id: str = ""
    version: int = 0
    data_hash: str = ""
    service: str = ""
    """The origin of the service that keeps the game."""
    options: dict[str, Any] = {}
    status: str = "open"
    """``open`` until the game begins, then ``running``, then ``finished``; ``abandoned`` where it ended
    without a result of the rules."""
    terms: Terms = Terms()
    clocks: Clocks = ()
    """The seats' clocks; none before the game begins, or where no time is counted."""
    calm: tuple[tuple[str, str], ...] = ()
    """The newest times, of five seconds and more, in which nothing happened here, if time is counted."""
    directors: int | None = None
    """The number of directors of the table; None: the maker of the game directs it."""
    expires_at: str | None = None
    """The time until which the seats must be taken."""
    warned: str | None = None
    """The time at which it is given up if nothing happens any more, if those at the table were told so."""
    people: int = 0
    """The number of people at the table when the game began."""
    past: tuple[Tenure, ...] = ()
    """The holdings by people that have ended, in order."""
    paused: Pause | None = None
    pauses: int = 0
    """The number of pauses to which those who play have agreed."""
    offered: int = 0
    """The number of the newest offer."""
    offers: tuple[Offer, ...] = ()
    """The offers that stand open."""
    undoable: UndoStack = UndoStack()
    """The batches that can be taken back now."""
    taken_back: tuple[tuple[int, int], ...] = ()
    """The first and the last event of each part of the log that was taken back; none lies inside another."""
    gifts: dict[Seat, tuple[str, int]] = {}
    """By seat the start of its day of gifts, and the milliseconds given to others since.

    A day of gifts lasts one day at the most; then the next gift begins a new one.
    """
    seats: tuple[SeatState, ...] = ()
    bots: dict[str, BotVersion] = {}
    """By name the newest version of each bot that has sat here: later none comes in an older one."""
    seq: int = 0
    head: bytes = b""
    commitments: dict[str, str] = {}
    draws: int = 0
    public_draws: int = 0
    hidden_draws: int = 0
    full_at: str = ""
    """The time at which the newest seat was taken."""
    closing: bytes = b""
    """Hash of the event after which nobody could commit any more (empty while one still can)."""
    closed: ClosedReveals | None = None
    mixed: bytes = b""
    analysis: bool = False
    origin: dict[str, Any] | None = None
    at: str = ""
    """The time at which the newest event was recorded; time never runs backwards in a game."""
    created_at: str = ""
    cmd: str = ""
    """Id of the command that led to the newest event."""
    opened: str = ""
    """The id of the command that opened the game: the claim of its maker."""
    claims: dict[Seat, str] = {}
    """By seat the id of the command that took it: the claim that holds the seat."""
    result: Outcome | None = None
    state: Any = None
    """The title's state; None as long as the game has not begun."""
    replaced: dict[Seat, int] = {}
    """By seat the number of times that it has replaced the answer that lies covered now."""
    position: dict[str, Any] | None = None
    """The position from which an open analysis game will begin."""
    seeded: str | None = None
    """The hex that replaces the id in the randomness of a game with a seed, or of a tournament."""
    tournament: dict[str, Any] | None = None
    """The table and the tournament that it is played at, see :class:`Reference`."""

    @property
    def title(self) -> Title[Any]:
        """The rules of this game, in the version and with the data pinned at its creation.

        Raises :class:`events.rules.catalogue.RulesMissing` where they are not installed.
        """
        return find_title(self.title_id, self.version, self.data_hash)

    @property
    def key(self) -> bytes:
        """The 16 bytes that stand for this game in its randomness: its id, unless a seed is to repeat it."""
        return bytes.fromhex(self.seeded) if self.seeded else uuid.UUID(self.id).bytes

    @property
    def clock(self) -> ClockSettings | None:
        """The settings of the clock, complete; None if no time is counted."""
        return self.terms.clock

    @property
    def absence(self) -> Absence | None:
        """The settings for a seat whose time is up, complete; None if that was not settled."""
        return self.terms.absence

    @property
    def has_ended(self) -> bool:
        """True if nothing can follow any more, so that all secrets are disclosed."""
        return self.status in ("finished", "abandoned")

    @property
    def ended_by(self) -> str | None:
        """``rules`` or ``abandoned``; None while it can go on."""
        return {"finished": "rules", "abandoned": "abandoned"}.get(self.status)

    def is_taken_back(self, seq: int) -> bool:
        """Return True if event *seq* was taken back."""
        return any(first <= seq <= last for first, last in self.taken_back)

    @property
    def persons(self) -> tuple[Seat, ...]:
        """The seats that people hold."""
        return tuple(seat for seat, sits in enumerate(self.seats) if sits.person)

    def seats_with(self, seat: Seat, sits: SeatState) -> tuple[SeatState, ...]:
        """Return the seats with another state of one of them."""
        seats = self.seats
        return (*seats[:seat], sits, *seats[seat + 1 :])

    @property
    def held_claims(self) -> dict[Seat, str]:
        """The claims by which people hold their seats."""
        return {
            seat: self.claims[seat]
            for seat, sits in enumerate(self.seats)
            if sits.person and seat in self.claims
        }

    def is_agreed(self, offer: Offer) -> bool:
        """Return True if everybody who is asked has agreed to *offer*."""
        return set(self.persons) <= {offer.by, *offer.yes}

    def get_typed_options(self) -> Any:
        """Return the options as the title's own type."""
        return msgspec.convert(self.options, self.title.Options)

    def list_colours(self) -> tuple[str, ...]:
        """Return by seat the colour of its pieces; nothing without, and before the lot that deals them."""
        return self.title.list_colours(len(self.seats), self.get_typed_options(), self.state)

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game by its rules; None while there is none."""
        return self.result


def initial_game(game_id: str) -> Game:
    """Return a game before its first event."""
    return Game(id=game_id, head=canonical.genesis(game_id))
