"""Facts of a table beside its opening and its end: changes of seats, offers, pauses, vacations.

Seats change hands here before the game begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.values import put
from events.rules.kit.words import capital, sentences
from events.table.game import Game, Offer, Pause, SeatState

OfferKind = Literal["pause", "resume", "end", "more_time"]
"""The kinds of offers to the others at the table."""
UNDO = "undo"
"""The kind of an offer to take commands back; it has a fact of its own."""
RulingCause = Literal["absence", "conduct", "technical", "agreement", "schedule", "error", "other"]
"""The causes of a ruling at a table."""


def clock_time(at: str) -> str:
    """Return a recorded time in words.

    >>> clock_time("2026-03-02T12:00:00.000000Z")
    '2026-03-02 12:00 UTC'
    """
    return f"{at[:10]} {at[11:16]} UTC"


says = sentences(time=clock_time)


class SeatFreed(Fact, frozen=True):
    """A seat of a game that has not begun is open again. Its commitment no longer counts."""

    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""

    def fold(self, state: Game) -> Game:
        claims = {seat: claim for seat, claim in state.claims.items() if seat != self.seat}
        fresh = SeatState(excuses=state.seats[self.seat].excuses)
        return replace(state, seats=state.seats_with(self.seat, fresh), claims=claims)

    tell = says("Seat {seat} is open again.")


class SeatsSwapped(Fact, frozen=True):
    """The holders of two seats of a game that has not begun change places, with their claims."""

    seats: tuple[Seat, Seat]
    """The two seats that change holders."""

    def fold(self, state: Game) -> Game:
        one, other = self.seats
        swapped = put(put(state.seats, one, state.seats[other]), other, state.seats[one])
        places = {one: other, other: one}
        claims = {places.get(seat, seat): claim for seat, claim in state.claims.items()}
        return replace(state, seats=swapped, claims=claims)

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event. Before the game begins seats have no other names."""
        one, other = data["seats"]
        return f"Seat {one} and seat {other} change places."


class TableOffered(Fact, frozen=True):
    """A seat proposes something to all other people in the game."""

    offer: int
    """The number of the offer: 1, 2, ... in this game."""
    what: OfferKind
    """The kind of proposal."""
    by: str
    """The seat that makes the proposal, as events name it."""
    until: str | None
    """The time until which a proposed pause lasts; otherwise null."""

    def fold(self, state: Game) -> Game:
        made = Offer(self.offer, self.what, int(self.by[1:]), self.until)
        return close_if_agreed(replace(state, offered=self.offer, offers=(*state.offers, made)), made)

    @staticmethod
    def tell(data: Mapping[str, Any], who: Who) -> str:
        """Return the sentence that tells the proposal."""
        name = capital(who(int(data["by"][1:])))
        until = f" until {clock_time(data['until'])}" if data["until"] else ""
        return f"{name} proposes {_WHAT[data['what']]}{until}."


class UndoOffered(Fact, frozen=True):
    """A seat proposes to all other people in the game to take commands back."""

    offer: int
    """The number of the offer: 1, 2, ... in this game, counted with all others."""
    by: str
    """The seat that makes the proposal, as events name it."""
    to: int
    """The last event that is to stay."""

    def fold(self, state: Game) -> Game:
        made = Offer(self.offer, UNDO, int(self.by[1:]), None, to=self.to)
        return close_if_agreed(replace(state, offered=self.offer, offers=(*state.offers, made)), made)

    @staticmethod
    def tell(data: Mapping[str, Any], who: Who) -> str:
        """Return the sentence that tells the proposal."""
        name = capital(who(int(data["by"][1:])))
        return f"{name} proposes to take back what came after event {data['to']}."


class CommandUndone(Fact, frozen=True):
    """Commands are taken back: the play goes on as it stood after an earlier event.

    Clocks are again those that ran then. Everything else that the platform keeps stays as it is.
    """

    to: int
    """The last event that stays."""

    def fold(self, state: Game) -> Game:
        stays = [before for before in state.undoable.kept if before.seq < self.to]
        found = state.undoable.kept[len(stays)]
        return replace(
            state,
            state=found.state,
            clocks=found.clocks,
            undoable=replace(state.undoable, kept=tuple(stays), undos=state.undoable.undos + 1),
            taken_back=(*(part for part in state.taken_back if part[0] <= self.to), (self.to + 1, state.seq)),
            offers=_other_offers(state, UNDO),
        )

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event."""
        return f"What came after event {data['to']} is taken back."


_WHAT = {
    "pause": "to pause the game",
    "resume": "to go on with the game",
    "end": "to end the game without a result",
    "more_time": "more time for everybody",
}


class OfferAnswered(Fact, frozen=True):
    """A seat agrees to a proposal or rejects it. A rejected proposal is closed."""

    offer: int
    """The number of the proposal."""
    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    yes: bool
    """True if the seat agrees."""

    def fold(self, state: Game) -> Game:
        if not self.yes:
            return replace(state, offers=tuple(o for o in state.offers if o.offer != self.offer))
        agreed = {o.offer: replace(o, yes=(*o.yes, self.seat)) for o in state.offers if o.offer == self.offer}
        offers = tuple(agreed.get(o.offer, o) for o in state.offers)
        return close_if_agreed(replace(state, offers=offers), agreed[self.offer])

    @staticmethod
    def tell(data: Mapping[str, Any], who: Who) -> str:
        """Return the sentence that tells a yes or a no."""
        answer = "agrees to" if data["yes"] else "declines"
        return f"{capital(who(data['seat']))} {answer} proposal {data['offer']}."


def close_if_agreed(game: Game, offer: Offer) -> Game:
    """Return *game* without *offer*, if everybody who is asked has agreed to it; else *game* as it is."""
    if not game.is_agreed(offer):
        return game
    return replace(game, offers=tuple(o for o in game.offers if o.offer != offer.offer))


class TablePaused(Fact, frozen=True):
    """The game is paused: nobody plays and no clock runs until it is resumed, at the latest at this time."""

    until: str
    """The time until which it lasts."""
    by: str
    """The actor whose command led to it, as events name actors."""
    cause: RulingCause
    """The cause, one of a fixed list."""

    def fold(self, state: Game) -> Game:
        return replace(
            state,
            paused=Pause(self.until, self.by, self.cause),
            pauses=state.pauses + (self.cause == "agreement"),
            offers=_other_offers(state, "pause"),
        )

    tell = says("The game is paused until {until:time} ({cause}).")


class TableResumed(Fact, frozen=True):
    """The game continues."""

    def fold(self, state: Game) -> Game:
        return replace(state, paused=None, offers=_other_offers(state, "resume"))

    tell = says("The game goes on.")


class TableWarned(Fact, frozen=True):
    """A warning that nothing has happened in the game for a long time.

    The game is abandoned if nothing happens until the time in `until`, unless it is null.
    """

    until: str | None
    """The time at which the game is abandoned if nothing happens, or null if it is not."""

    def fold(self, state: Game) -> Game:
        return replace(state, warned=self.until)

    @staticmethod
    def tell(data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event, with the time at which the game is given up, if any."""
        if data["until"] is None:
            return "Nothing has happened in this game for long."
        return f"Nothing has happened here for long: the game is given up on {clock_time(data['until'])}."


def _other_offers(game: Game, what: str) -> tuple[Offer, ...]:
    return tuple(offer for offer in game.offers if offer.what != what)


class SeatOnVacation(Fact, frozen=True):
    """The clock of the seat stops until this time. A time that is not in the future ends the vacation."""

    # How long it lasts depends on the time of its event, which is not the fact's: folding adds it.
    seat: Seat
    """The number of the seat: 0, 1, 2 and so on."""
    until: str
    """The time until which it lasts."""
    tell = says("{seat:who} is on vacation until {until:time}.")
