"""The view of a seat, or of a spectator."""

from __future__ import annotations

import msgspec

from events.rules.fact import Seat
from events.titles.colonies.kept.v1 import words
from events.titles.colonies.kept.v1.commands import SealedAnswer
from events.titles.colonies.kept.v1.derived import (
    arrivals,
    neutral_planets,
    player_order,
    primitive_under_way,
    technology_points,
)
from events.titles.colonies.kept.v1.options import Options
from events.titles.colonies.kept.v1.parts import EffectName, Levels, Resolution, Score, Votes
from events.titles.colonies.kept.v1.primitives import AnyPrimitive, Colour
from events.titles.colonies.kept.v1.state import Cards, Phase, Resources, State


class Asked(msgspec.Struct, frozen=True):
    """The question of the effect under way, and the seat that has to answer it."""

    seat: Seat
    effect: EffectName
    primitive: AnyPrimitive
    text: str
    """The primitive in words."""


class View(msgspec.Struct, frozen=True):
    """Everything public, and the seat's own Credits, hand, deck cards and sealed answer.

    Tuples are by seat unless they say otherwise. Stocks stand as they are before the vote until it is
    revealed (CLN-053), since a sealed vote changes nothing else in the state.
    """

    turn: int
    phase: Phase
    finger_round: int
    options: Options
    planets: tuple[Colour, ...]
    """Empty before the lots are drawn."""
    neutral_planets: tuple[Colour, ...]
    """In ring order."""
    first_player: Seat | None
    player_order: tuple[Seat, ...]
    """All seats, clockwise from the first player."""
    action_round: int
    """1 to 3 during the action phase, else 0."""
    active: Seat | None
    """The seat whose action it is."""
    stocks: tuple[Resources, ...]
    credits: tuple[int | None, ...]
    """None where the total is its owner's business (CLN-171)."""
    colonists: tuple[int, ...]
    levels: tuple[Levels, ...]
    technology_points: tuple[int, ...]
    promise: dict[Colour, dict[Colour, int]]
    """``promise[x][y]``: what planet x owes planet y each turn."""
    pirates: dict[Colour, dict[Colour, int]]
    """``pirates[p][s]``: pirates on the route of player planet p from planet s."""
    markets: Resources
    hand_sizes: tuple[int, ...]
    hand: Cards
    """The seat's own event cards."""
    deck_cards: Cards
    """The cards that the seat itself has put into the event decks, first deck first."""
    deck_count: int
    undealt_count: int
    current_card: str | None
    arrivals: int | None
    """The number of colonists that come to every player in the turn of the current card."""
    resolved_cards: Cards
    """In the order in which they were resolved."""
    answered: tuple[bool, ...]
    """True for each seat that has given a sealed answer in the step under way."""
    sealed: SealedAnswer | None
    """The seat's own sealed answer."""
    votes: Votes | None
    """The revealed votes of this turn."""
    resolution: Resolution | None
    asked: Asked | None
    scores: tuple[Score, ...]
    """Empty until the end."""


def view(state: State, seat: Seat | None) -> View:
    """Return what that seat knows; a seat that is not at the table, like None, is a spectator."""
    own = seat if seat is not None and seat < state.seats else None
    return View(
        turn=state.turn,
        phase=state.phase,
        finger_round=state.finger_round,
        options=state.options,
        planets=state.planets,
        neutral_planets=neutral_planets(state),
        first_player=state.first_player,
        player_order=player_order(state),
        action_round=state.action_round,
        active=state.active,
        stocks=state.stocks,
        credits=_credits(state, own),
        colonists=state.colonists,
        levels=state.levels,
        technology_points=tuple(technology_points(levels) for levels in state.levels),
        promise=state.promise,
        pirates=state.pirates,
        markets=state.markets,
        hand_sizes=tuple(len(hand) for hand in state.hands),
        hand=() if own is None else state.hands[own],
        deck_cards=() if own is None else state.deck_cards[own],
        deck_count=len(state.deck),
        undealt_count=len(state.undealt),
        current_card=state.current_card,
        arrivals=arrivals(state) if state.current_card else None,
        resolved_cards=state.resolved_cards,
        answered=tuple(answer is not None for answer in state.sealed),
        sealed=None if own is None else state.sealed[own],
        votes=state.votes,
        resolution=state.resolution,
        asked=_show_asked(state),
        scores=state.scores,
    )


def _credits(state: State, own: Seat | None) -> tuple[int | None, ...]:
    """Return each player's total, None where it is not shown.

    It is the player's own business until the end, unless the option opens it (CLN-171).
    """
    public = state.options.credits_visibility == "open" or state.phase == "ended"
    return tuple(total if public or seat == own else None for seat, total in enumerate(state.credits))


def _show_asked(state: State) -> Asked | None:
    primitive, resolution = primitive_under_way(state), state.resolution
    if primitive is None or resolution is None:
        return None
    place = resolution.queue[0]
    return Asked(place.seat, place.effect, primitive, words.effect((primitive,), state.levels[place.seat]))
