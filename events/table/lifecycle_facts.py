"""The platform's own facts about a game: its creation, its seats, its randomness, its end.

A title knows nothing of these facts; they wrap the title's own. They speak of the table, not of the game, so
that no rulebook's word for an event meets one of theirs. They fold the :class:`events.table.game.Game`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from events.clocks import clock
from events.clocks.absence_policy import Absence
from events.rules.bot_names import BotVersion
from events.rules.catalogue import find_title
from events.rules.fact import NOBODY, Fact, Seat, Who
from events.rules.kit.words import capital, format_count, format_list, sentences
from events.rules.title import Outcome
from events.table.conduct_facts import (
    CommandUndone,
    OfferAnswered,
    SeatFreed,
    SeatOnVacation,
    SeatsSwapped,
    TableOffered,
    TablePaused,
    TableResumed,
    TableWarned,
    UndoOffered,
)
from events.table.game import ClosedReveals, Game, SeatState, Tenure
from events.table.terms import Beacon, Delay, Seating, Talk, Terms, Undo

PROTOCOL = 2
"""The one protocol: of envelopes, formulas and these facts. It is the ``v`` of a game's first batch."""

AbandonReason = Literal[
    "required_missing",
    "director_silent",
    "beacon_silent",
    "not_filled",
    "time",
    "deserted",
    "agreed",
    "director",
]
"""The reasons for which a game may be abandoned: the first four before it has begun."""

says = sentences()


class TableOpened(Fact, frozen=True):
    """The first event of every game: rules pinned, randomness committed, the table's terms fixed.

    Every member is written in every game; one that does not apply is null.
    """

    title: str
    """The id of the title."""
    version: int
    """The version of the title's rules."""
    data_hash: str
    """The hash of the title's static data (hex)."""
    options: dict[str, Any]
    """The options of the title."""
    seats: int
    """The number of seats."""
    chance: dict[str, str]
    """Commitments: ``s_0``, ``deal``, ``hide``, ``bot`` (hex), see :class:`Secrets`."""
    draws: int
    """L, the number of public draws that the reverse chain provides for."""
    analysis: bool
    """True exactly where there is a `key`, a position or an `origin`: it proves nothing to others.

    A game of a tournament is none, for its tournament proves key and position.
    """
    origin: dict[str, Any] | None
    """``{"game", "seq"}`` where the game was forked from another."""
    key: str | None
    """The value that replaces the game's id in its randomness (32 hex digits); null where the id counts.

    It is set where a seed is to repeat the game, or in a tournament, where it derives from the table.
    """
    proto: int
    """The version of the protocol of events."""
    service: str
    """The origin of the server: the name under which it signs."""
    contributions: Literal["open", "required"]
    """``open``: contributions that are not revealed count as empty. ``required``: the game needs all of
    them."""
    director: str | None
    """The commitment (hex) of a director who contributes to the randomness."""
    beacon: Beacon | None
    """A public source of randomness that contributes."""
    tournament: dict[str, Any] | None
    """The table of a tournament whose game it is, see :class:`events.table.tournament_link.Reference`."""
    invited: tuple[str | None, ...] | None
    """By seat the ``who`` that alone may take it, or null; null where nobody is invited."""
    directors: int | None
    """The number of directors of the table; null: the maker of the game directs it."""
    clock: dict[str, Any] | None
    """The settings of the clock; null where no time is counted."""
    absence: dict[str, Any] | None
    """The settings for a seat whose time is up."""
    delay: dict[str, Any] | None
    """The delay with which spectators see the game, ``{"ms", "until_end"}``; null where they see at once."""
    expires_at: str | None
    """The time until which the seats must be taken."""
    reveal_by_ms: int | None
    """Milliseconds for reveals after the last seat is taken; null where none is awaited."""
    seating: dict[str, Any] | None
    """The requirement for taking an open seat: ``{"reliability": 0..100}``; null for none."""
    rated: bool
    """True if the result is to count for ratings."""
    undo: Undo
    """The way to take commands back.

    ``own``: a seat its own ones. ``ask``: any, if all who play agree. ``none``: nothing.
    """
    talk: Talk
    """The way for players to talk: ``all``, ``public`` (no whispers), ``phrases`` or ``none``."""

    def fold(self, state: Game) -> Game:
        return replace(
            state,
            title_id=self.title,
            version=self.version,
            data_hash=self.data_hash,
            options=self.options,
            terms=self.terms(),
            seats=(SeatState(excuses=_initial_excuses(self.terms().absence)),) * self.seats,
            directors=self.directors,
            expires_at=self.expires_at,
            commitments=self.chance,
            draws=self.draws,
            analysis=self.analysis,
            origin=self.origin,
            seeded=self.key,
            tournament=self.tournament,
            service=self.service,
        )

    def terms(self) -> Terms:
        """Return the terms on which the game comes to begin."""
        return Terms(
            contributions=self.contributions,
            director=self.director,
            beacon=self.beacon,
            invited=self.invited,
            reveal_by_ms=self.reveal_by_ms,
            directors=self.directors,
            expires_at=self.expires_at,
            clock=clock.parse_settings(self.clock),
            absence=None if self.absence is None else msgspec.convert(self.absence, Absence),
            seating=None if self.seating is None else msgspec.convert(self.seating, Seating),
            delay=None if self.delay is None else msgspec.convert(self.delay, Delay),
            rated=self.rated,
            undo=self.undo,
            talk=self.talk,
        )

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event; it names the title."""
        title = find_title(data["title"], data["version"], data["data_hash"])
        return f"A game of {title.name} for {data['seats']} is set up."


class PositionSet(Fact, frozen=True):
    """An analysis game begins from this position instead of the title's set-up."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"position": NOBODY}
    position: dict[str, Any]
    """The position from which play begins, as the title reads it."""
    tell = says("Play is to begin from a given position.")

    def fold(self, state: Game) -> Game:
        return replace(state, position=self.position)


def _initial_excuses(absence: Absence | None) -> int:
    """Return the number of excuses that a seat has at first."""
    return (absence and absence.excuses) or 0


def _change_seat(game: Game, seat: Seat, **changes: Any) -> Game:
    return replace(game, seats=game.seats_with(seat, replace(game.seats[seat], **changes)))


def _seat_bot(game: Game, bot: str | None, version: int | None, weights: str | None) -> Game:
    """Return *game*, which remembers the version in which *bot* sits there; a person leaves it as it is."""
    if bot is None or version is None:
        return game
    return replace(game, bots={**game.bots, bot: BotVersion(version, weights)})


class SeatTaken(Fact, frozen=True):
    """A seat is taken, by a bot or by an account that the log does not name."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    bot: str | None
    """The name of the bot that takes the seat, or null for a person."""
    who: str | None
    """A salted digest of the account (base64). With it the player can prove that the seat was theirs."""
    key: str | None
    """The public key (hex) of the seat, or null without one."""
    bot_version: int | None = None
    """The version in which the bot plays; null for a person."""
    bot_weights: str | None = None
    """SHA-256 (hex) of the bot's weights, or of an engine's files. Null if it has none."""

    def fold(self, state: Game) -> Game:
        seated = _seat_bot(state, self.bot, self.bot_version, self.bot_weights)
        return _change_seat(
            seated,
            self.seat,
            taken=True,
            bot=self.bot,
            bot_version=self.bot_version,
            bot_weights=self.bot_weights,
            key=self.key,
            who=self.who,
        )

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event. Accounts have no name here."""
        someone = f"The bot {data['bot']}" if data["bot"] else "A player"
        return f"{someone} joins as seat {data['seat']}."


class SeatCommitted(Fact, frozen=True):
    """A seat commits to its contribution to the randomness."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    commitment: str
    """The commitment (hex)."""
    tell = says("Seat {seat} commits to a contribution to the randomness.")

    def fold(self, state: Game) -> Game:
        return _change_seat(state, self.seat, commitment=self.commitment)


class SeatRevealed(Fact, frozen=True):
    """A seat reveals its contribution (hex). After the first reveal, nobody can commit."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    contribution: str
    """The contribution (hex)."""
    tell = says("Seat {seat} reveals its contribution to the randomness.")

    def fold(self, state: Game) -> Game:
        closed = replace(state, closing=state.closing or state.head)
        return _change_seat(closed, self.seat, contribution=self.contribution)


class RevealsClosed(Fact, frozen=True):
    """The reveals of the seats are closed; contributions from outside are still unknown.

    It occurs only if a director or a beacon contributes. Otherwise the beginning closes the reveals.
    """

    missing: tuple[Seat, ...]
    """The seats that committed and did not reveal. Their contributions count as empty."""
    round: int | None
    """The first round of the beacon that is due after the agreed time, or null without a beacon."""

    def fold(self, state: Game) -> Game:
        # The time of this event is not the fact's: folding adds it.
        closed = ClosedReveals("", self.missing, self.round, state.seq + 1)
        return replace(state, closing=state.closing or state.head, closed=closed)

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event; it names the seats that kept their contribution back."""
        return f"The contributions to the randomness are closed.{_describe_missing(data)}"


def _describe_missing(data: Mapping[str, Any]) -> str:
    return "".join(f" Seat {seat} did not reveal its contribution." for seat in data["missing"])


def _require_closed(game: Game) -> ClosedReveals:
    if game.closed is None:
        raise ValueError("the reveals are not closed yet")
    return game.closed


class DirectorRevealed(Fact, frozen=True):
    """The director reveals the contribution (hex) that was committed to when the game was created."""

    contribution: str
    """The contribution (hex)."""
    tell = says("The director reveals a contribution to the randomness.")

    def fold(self, state: Game) -> Game:
        return replace(state, closed=replace(_require_closed(state), director=self.contribution))


class BeaconDrawn(Fact, frozen=True):
    """The round of the beacon that was named when the reveals were closed."""

    round: int
    """The number of the round of the beacon."""
    signature: str
    """The signature of the chain for this round (hex)."""
    randomness: str
    """The signature's SHA-256 (hex)."""
    tell = says("Round {round} of the beacon contributes to the randomness.")

    def fold(self, state: Game) -> Game:
        return replace(state, closed=replace(_require_closed(state), beacon=self.randomness))


class TableBegun(Fact, frozen=True):
    """All seats are taken and all contributions in: the randomness of the game is fixed."""

    mix: str
    """U (hex), the mixed contributions: see :func:`events.proof.randomness.mix`."""
    missing: tuple[Seat, ...]
    """The seats that committed and did not reveal. Their contributions count as empty."""

    def fold(self, state: Game) -> Game:
        title = state.title
        if state.position is None:
            begun = title.blank(len(state.seats), state.get_typed_options())
        else:
            begun = title.from_position(state.position)
        return replace(
            state,
            status="running",
            clocks=clock.start_clocks(state.clock, len(state.seats)) if state.clock else (),
            closing=state.closing or state.head,
            mixed=bytes.fromhex(self.mix),
            state=begun,
            position=None,
            people=len(state.persons),
        )

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event; it names the seats that kept their contribution back."""
        return f"The randomness is fixed and the game begins.{_describe_missing(data)}"


class TableAbandoned(Fact, frozen=True):
    """The game ends without a result. Its secrets are disclosed."""

    reason: AbandonReason
    """The reason why the game has no result."""
    by: str
    """The actor that abandoned it, as events name it; ``sys`` if a time limit passed."""
    disclosed: dict[str, str]
    """``anchor``, ``deal``, ``hide``, ``bot`` (hex)."""

    def fold(self, state: Game) -> Game:
        return replace(state, status="abandoned")

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event and its reason."""
        return f"The game is abandoned: {_REASONS[data['reason']]}. The secrets behind it are disclosed."


_REASONS = {
    "required_missing": "a contribution to the randomness was not revealed, and none may be missing",
    "director_silent": "the director's contribution to the randomness was not revealed",
    "beacon_silent": "the round of the beacon did not arrive",
    "not_filled": "its seats were not taken in time",
    "time": "a player's time was up",
    "deserted": "too few of those who play it are left",
    "agreed": "all who play it agreed to end it",
    "director": "a director ended it",
}


VacatedFor = Literal["time", "left", "resigned", "removed", "fault"]
"""The reasons for which a seat becomes vacant.

Its time was up, its holder left, gave up or was removed, or the rules failed the holder.
"""
AdjustedFor = Literal[
    "outage", "gift", "absence", "conduct", "technical", "agreement", "schedule", "error", "other"
]
"""The causes of added time: the service was away, another seat gives it, or a director ruled so."""


class SeatTimedOut(Fact, frozen=True):
    """The time of a seat was up and it had not answered."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    kinds: tuple[str, ...]
    """The kinds of the decisions that the seat had to make, sorted."""
    deadline: str
    """The time at which the seat had to answer."""
    excused: bool
    """True if an excuse was used, so that nothing else happens."""
    misses: int
    """The misses of the seat, this one included."""

    def fold(self, state: Game) -> Game:
        left = state.seats[self.seat].excuses - self.excused
        return _change_seat(state, self.seat, misses=self.misses, excuses=left)

    @staticmethod
    def tell(data: Mapping[str, Any], who: Who) -> str:
        """Return the sentence that tells the event, and that it was excused, if so."""
        name = who(data["seat"])
        excused = " That is excused." if data["excused"] else ""
        return f"The time of {name} is up.{excused}"


class SeatVacated(Fact, frozen=True):
    """The seat of a running game becomes vacant."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    reason: VacatedFor
    """The reason why the seat becomes vacant."""

    def fold(self, state: Game) -> Game:
        held, sits = state.claims.get(self.seat), state.seats[self.seat]
        claims = {seat: claim for seat, claim in state.claims.items() if seat != self.seat}
        # Nothing that stands open was proposed to the next holder.
        vacant = _change_seat(
            replace(state, claims=claims, offers=()),
            self.seat,
            vacant=True,
            bot=None,
            bot_version=None,
            bot_weights=None,
            key=None,
            claim=held,
            who=None,
            vacation=None,
            away=None,
            rested=None,
            vacation_ms=0,
        )
        if not sits.person:
            return vacant
        ended = Tenure(self.seat, held, sits.who, self.reason, state.seq + 1)
        return replace(vacant, past=(*state.past, ended))

    @staticmethod
    def tell(data: Mapping[str, Any], who: Who) -> str:
        """Return the sentence that tells the event and its reason."""
        return f"{capital(who(data['seat']))} {_VACATED[data['reason']]}"


_VACATED = {
    "time": "is absent: the seat is vacant.",
    "left": "leaves the table.",
    "resigned": "resigns and leaves the table.",
    "removed": "is removed from the table.",
    "fault": "is set aside: the rules refuse the server's own answer for this seat.",
}


class SeatGiven(Fact, frozen=True):
    """A vacant seat is taken over, by a bot or by an account that the log does not name.

    The command id of its event is the claim of its new holder.
    """

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    bot: str | None
    """The name of the bot that takes the seat, or null for a person."""
    tenure: int
    """The number of this tenure of the seat; the first holder has 1."""
    who: str | None = None
    """A salted digest of the account (base64). With it the player can prove that the seat was theirs."""
    key: str | None = None
    """The public key (hex) of the seat, or null without one."""
    bot_version: int | None = None
    """The version in which the bot plays; null for a person."""
    bot_weights: str | None = None
    """SHA-256 (hex) of the bot's weights, or of an engine's files. Null if it has none."""

    def fold(self, state: Game) -> Game:
        seated = _seat_bot(state, self.bot, self.bot_version, self.bot_weights)
        return _change_seat(
            replace(seated, offers=()),
            self.seat,
            vacant=False,
            bot=self.bot,
            bot_version=self.bot_version,
            bot_weights=self.bot_weights,
            who=self.who,
            key=self.key,
            tenure=self.tenure,
            misses=0,
            excuses=_initial_excuses(state.absence),
        )

    @staticmethod
    def tell(data: Mapping[str, Any], who: Who) -> str:
        """Return the sentence that tells the event. Accounts have no name here."""
        someone = f"The bot {data['bot']}" if data["bot"] else "A player"
        return f"{someone} plays on for {who(data['seat'])}."


class BotRaised(Fact, frozen=True):
    """The bot of a seat plays in a newer version from now on."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    version: int
    """The new version, higher than the one before."""
    weights: str | None
    """SHA-256 (hex) of the weights that it thinks with, of an engine: of its files; null without any."""
    tell = says("The bot of {seat:who} plays in version {version} from now on.")

    def fold(self, state: Game) -> Game:
        seated = _seat_bot(state, state.seats[self.seat].bot, self.version, self.weights)
        return _change_seat(seated, self.seat, bot_version=self.version, bot_weights=self.weights)


class ClockAdjusted(Fact, frozen=True):
    """Time is added to the clock of a seat. The member `clock` of the event has the new time."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    add_ms: int
    """Milliseconds that are added."""
    cause: AdjustedFor
    """The cause, one of a fixed list."""

    @staticmethod
    def tell(data: Mapping[str, Any], who: Who) -> str:
        """Return the sentence that tells the added time and its cause."""
        seconds = format_count(data["add_ms"] // 1000, "second")
        return f"{capital(who(data['seat']))} gets {seconds} more ({data['cause']})."


class TableClosed(Fact, frozen=True):
    """The game has ended: its result, and the secrets behind its randomness."""

    winners: tuple[Seat, ...]
    """The seats that win."""
    places: tuple[int, ...]
    """By seat, the places. Equal results share a place."""
    scores: tuple[int, ...]
    """By seat, the scores of the game."""
    reason: str
    """The reason for the end, a word of the title such as `turn_limit`."""
    disclosed: dict[str, str]
    """``anchor``, ``deal``, ``hide``, ``bot`` (hex)."""

    def fold(self, state: Game) -> Game:
        result = Outcome(self.winners, self.places, self.scores, self.reason)
        return replace(state, status="finished", result=result)

    @staticmethod
    def tell(data: Mapping[str, Any], who: Who) -> str:
        """Return the sentence that tells the result."""
        names = format_list([who(seat) for seat in data["winners"]], "Nobody")
        return f"The game has ended. {names[:1].upper()}{names[1:]} won; the secrets behind it are disclosed."


FACTS: dict[str, type[Fact]] = {
    kind.__name__: kind
    for kind in (
        *(TableOpened, PositionSet, SeatTaken, SeatCommitted, SeatRevealed),
        *(RevealsClosed, DirectorRevealed, BeaconDrawn, TableBegun, TableAbandoned, TableClosed),
        *(SeatTimedOut, SeatVacated, SeatGiven, BotRaised, ClockAdjusted),
        *(SeatFreed, SeatsSwapped, SeatOnVacation, TableOffered, OfferAnswered, TablePaused, TableResumed),
        *(TableWarned, UndoOffered, CommandUndone),
    )
}

RESERVED = frozenset(FACTS)
"""Names of facts that no title may use."""
