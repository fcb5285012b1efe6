"""Offers among those who play: to pause, to go on, to end the game, to have more time.

One proposes, all others who hold a seat answer. The last yes brings the effect in the same batch; a no closes
the offer. Nobody can pause or end a game alone, unless they play against bots only.
"""

from __future__ import annotations

from msgspec.structs import replace

from events.base.timestamps import DAY_MS
from events.clocks.clock import LiveClock
from events.proof.randomness import Keys
from events.rules.fact import Fact, Seat
from events.rules.steps import ALREADY_ANSWERED, INVALID_PARAMETERS, Command, Rejected
from events.table import lifecycle_facts
from events.table.clock_updates import absence_settings
from events.table.commands.checks import NO_CLOCK, check_until, require_person, require_running
from events.table.commands.undo import check_undo
from events.table.conduct_facts import (
    CommandUndone,
    OfferAnswered,
    OfferKind,
    TableOffered,
    TablePaused,
    TableResumed,
)
from events.table.engine import Batch
from events.table.game import Game, Offer
from events.table.record import Actor, pseudonym
from events.table.vacancies import abandon_game, fill_with_bots

MAX_LIVE_PAUSE_MS = 30 * 60_000
MAX_AGREED_PAUSE_MS = 14 * DAY_MS
"""The longest pause that those who play may agree on, in a live game and in any other."""


class TableOffer(Command, frozen=True):
    """Propose something to all other players."""

    what: OfferKind
    """The kind of proposal."""
    until: str | None = None
    """The time until which a proposed pause lasts; otherwise null."""


class TableAnswer(Command, frozen=True):
    """Agree to a proposal or reject it. With a no to your own proposal you withdraw it."""

    offer: int
    """The number of the proposal."""
    yes: bool
    """True to agree."""


def offer(game: Game, actor: Actor, command: TableOffer, at: str, keys: Keys) -> Batch:
    """Decide that a player proposes something. Raises :class:`Rejected`."""
    require_running(game)
    seat = require_person(game, actor)
    _check_offer(game, command, at)
    if any((made.what, made.by) == (command.what, seat) for made in game.offers):
        raise Rejected(
            "already_offered", "You have already proposed this. Wait for the answers of the other players."
        )
    made = Offer(game.offered + 1, command.what, seat, command.until)
    facts: list[Fact] = [TableOffered(made.offer, command.what, pseudonym(seat), made.until)]
    return Batch([*facts, *(_apply_offer(game, made, seat, keys) if game.is_agreed(made) else ())])


def _check_offer(game: Game, command: TableOffer, at: str) -> None:
    pauses = absence_settings(game).pauses
    if command.what == "pause":
        if game.paused is not None:
            raise Rejected(
                "game_paused",
                f"The game is already paused until {game.paused.until}. Nothing needs to be done.",
            )
        if not pauses.by_agreement or game.pauses >= pauses.most:
            raise Rejected(
                "not_allowed", "This game allows no further pause by agreement. Ask a director to pause it."
            )
        if command.until is None:
            raise Rejected(INVALID_PARAMETERS, "A pause needs an end. Send it as `until`.")
        check_until(command.until, at, longest_pause_ms(game))
    elif command.until is not None:
        raise Rejected(INVALID_PARAMETERS, "Only a proposed pause has an end. Leave `until` out.")
    if command.what == "resume" and game.paused is None:
        raise Rejected("not_paused", "The game is not paused. Nothing needs to be done.")
    if command.what == "more_time" and game.clock is None:
        raise Rejected(NO_CLOCK, "This game has no clock. Propose something else.")


def longest_pause_ms(game: Game) -> int:
    """Return the milliseconds of the longest pause that those who play may agree on."""
    return MAX_LIVE_PAUSE_MS if isinstance(game.clock, LiveClock) else MAX_AGREED_PAUSE_MS


def answer(game: Game, actor: Actor, command: TableAnswer, at: str, keys: Keys) -> Batch:
    """Decide that a player answers an offer. Raises :class:`Rejected`."""
    require_running(game)
    seat = require_person(game, actor)
    made = next((made for made in game.offers if made.offer == command.offer), None)
    if made is None:
        raise Rejected("unknown_offer", "There is no such open proposal. Read `offers` of the game.")
    if command.yes and seat in (made.by, *made.yes):
        raise Rejected(ALREADY_ANSWERED, "You have already agreed to this. Wait for the other players.")
    facts: list[Fact] = [OfferAnswered(made.offer, seat, command.yes)]
    if not command.yes:
        return Batch(facts)
    if made.until is not None:
        check_until(made.until, at, longest_pause_ms(game))
    agreed = replace(made, yes=(*made.yes, seat))
    if agreed.to is not None:
        check_undo(game, agreed.to, at)
    return Batch([*facts, *(_apply_offer(game, agreed, seat, keys) if game.is_agreed(agreed) else ())])


def _apply_offer(game: Game, agreed: Offer, seat: Seat, keys: Keys) -> list[Fact]:
    """Return the facts that carry out an offer to which everybody has agreed; *seat* was the last."""
    by = pseudonym(seat)
    if agreed.to is not None:
        return [CommandUndone(agreed.to)]
    if agreed.what == "pause":
        return [] if game.paused or agreed.until is None else [TablePaused(agreed.until, by, "agreement")]
    if agreed.what == "resume":
        return [*fill_with_bots(game), TableResumed()] if game.paused else []
    if agreed.what == "end":
        return [abandon_game("agreed", by, keys)]
    return [
        lifecycle_facts.ClockAdjusted(person, time_allowance_ms(game), "agreement") for person in game.persons
    ]


def time_allowance_ms(game: Game) -> int:
    """Return the milliseconds that a seat may give in a day, and that all get who agree on more time."""
    assert game.clock is not None  # noqa: S101 - checked when it was asked for
    return game.clock.base_ms if isinstance(game.clock, LiveClock) else game.clock.per_decision_ms
