"""What those who play agree on among themselves: to pause, to go on, to end the game, to have more time.

One proposes, all others who hold a seat answer; the last yes brings the effect in the same batch, a no closes
the offer. Nobody can pause or end a game alone, unless he plays against bots only.
"""

from __future__ import annotations

from events import table
from events.absences import abandoned, filled
from events.clock import Live
from events.engine import Batch
from events.fact import Fact, Seat
from events.game import Game, Offer
from events.moments import DAY_MS
from events.proof import Keys
from events.record import Actor, pseudonym
from events.steps import ALREADY_ANSWERED, INVALID_PARAMETERS, Command, Rejected
from events.table_facts import OfferAnswered, TableOffered, TablePaused, TableResumed, What
from events.table_roles import NO_CLOCK, ahead, held_by_person, running
from events.timing import absence_of

LIVE_PAUSE_MS = 30 * 60_000
PAUSE_MS = 14 * DAY_MS
"""The longest pause that those who play may agree on, in a live game and in any other."""


class TableOffer(Command, frozen=True):
    """Propose something to all others at the table."""

    what: What
    until: str | None = None
    """Of a pause: until when it is to last."""


class TableAnswer(Command, frozen=True):
    """Agree to what was proposed, or do not; of one's own proposal a no takes it back."""

    offer: int
    yes: bool


def offer(game: Game, actor: Actor, command: TableOffer, at: str, keys: Keys) -> Batch:
    """Somebody proposes something. Raises :class:`Rejected`."""
    running(game)
    seat = held_by_person(game, actor)
    _check_offer(game, command, at)
    if any((made.what, made.by) == (command.what, seat) for made in game.offers):
        raise Rejected(
            "already_offered", "You have proposed this already. Wait for the answers of the others."
        )
    made = Offer(game.offered + 1, command.what, seat, command.until)
    facts: list[Fact] = [TableOffered(made.offer, command.what, pseudonym(seat), made.until)]
    return Batch([*facts, *(_effect(game, made, seat, keys) if game.agreed(made) else ())])


def _check_offer(game: Game, command: TableOffer, at: str) -> None:
    pauses = absence_of(game).pauses
    if command.what == "pause":
        if game.paused is not None:
            raise Rejected("game_paused", f"The game is paused until {game.paused.until} already.")
        if not pauses.by_agreement or game.pauses >= pauses.most:
            raise Rejected("not_allowed", "At this table nobody can propose a pause, or not once more.")
        if command.until is None:
            raise Rejected(INVALID_PARAMETERS, "Say `until` when the pause is to last.")
        ahead(command.until, at, longest(game))
    elif command.until is not None:
        raise Rejected(INVALID_PARAMETERS, "Only a pause has an `until`.")
    if command.what == "resume" and game.paused is None:
        raise Rejected("not_paused", "The game is not paused.")
    if command.what == "more_time" and game.clock is None:
        raise Rejected(NO_CLOCK, "No time is counted at this table.")


def longest(game: Game) -> int:
    """Milliseconds of the longest pause that those who play may agree on."""
    return LIVE_PAUSE_MS if isinstance(game.clock, Live) else PAUSE_MS


def answer(game: Game, actor: Actor, command: TableAnswer, at: str, keys: Keys) -> Batch:
    """Somebody answers an offer. Raises :class:`Rejected`."""
    running(game)
    seat = held_by_person(game, actor)
    made = next((made for made in game.offers if made.offer == command.offer), None)
    if made is None:
        raise Rejected("unknown_offer", "This is not proposed (any more). The game lists `offers`.")
    if command.yes and seat in (made.by, *made.yes):
        raise Rejected(ALREADY_ANSWERED, "You have agreed to this already. Wait for the others.")
    facts: list[Fact] = [OfferAnswered(made.offer, seat, command.yes)]
    if not command.yes:
        return Batch(facts)
    if made.until is not None:
        ahead(made.until, at, longest(game))
    agreed = Offer(made.offer, made.what, made.by, made.until, (*made.yes, seat))
    return Batch([*facts, *(_effect(game, agreed, seat, keys) if game.agreed(agreed) else ())])


def _effect(game: Game, agreed: Offer, seat: Seat, keys: Keys) -> list[Fact]:
    """What everybody has agreed to; *seat* was the last."""
    by = pseudonym(seat)
    if agreed.what == "pause":
        return [] if game.paused or agreed.until is None else [TablePaused(agreed.until, by, "agreement")]
    if agreed.what == "resume":
        return [*filled(game), TableResumed()] if game.paused else []
    if agreed.what == "end":
        return [abandoned("agreed", by, keys)]
    return [table.ClockAdjusted(person, one_allowance(game), "agreement") for person in game.persons]


def one_allowance(game: Game) -> int:
    """Milliseconds that one seat may give another in a day, and that all get who agree on more time."""
    assert game.clock is not None  # noqa: S101 - checked when it was asked for
    return game.clock.base_ms if isinstance(game.clock, Live) else game.clock.per_decision_ms
