"""The view of a seat, or of a spectator."""

from __future__ import annotations

from typing import Annotated

import msgspec

from events.rules.bounds import BySeat, Seats, limit_items, limit_number
from events.rules.fact import Seat
from events.titles.colonies import words
from events.titles.colonies.commands import SealedAnswer
from events.titles.colonies.data import BOARD, COLOURS, SET_SIZE, TECHNOLOGIES, TOP_LEVEL
from events.titles.colonies.derived import arrivals, primitive_under_way, technology_points
from events.titles.colonies.options import Options
from events.titles.colonies.parts import MOST, EffectName, Levels, Resolution, Score, Votes
from events.titles.colonies.primitives import AnyPrimitive, Colour
from events.titles.colonies.state import Cards, Phase, Resources, State, neutral_planets, player_order

Count = Annotated[int, limit_number(0, MOST)]
Planets = Annotated[tuple[Colour, ...], limit_items(len(COLOURS), each=1)]
CardCount = Annotated[int, limit_number(0, SET_SIZE)]
TechnologyPoints = Annotated[int, limit_number(0, len(TECHNOLOGIES) * TOP_LEVEL * TOP_LEVEL)]


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

    turn: Annotated[int, limit_number(1, BOARD.turns)]
    phase: Phase
    finger_round: Annotated[int, limit_number(1, 101)]
    options: Options
    planets: Planets
    """Empty before the lots are drawn."""
    neutral_planets: Planets
    """In ring order."""
    first_player: Seat | None
    player_order: Seats
    """All seats, clockwise from the first player."""
    action_round: Annotated[int, limit_number(0, BOARD.actions)]
    """1 to 3 during the action phase, else 0."""
    active: Seat | None
    """The seat whose action it is."""
    stocks: BySeat[Resources]
    credits: BySeat[Count | None]
    """None where the total is its owner's business (CLN-171)."""
    colonists: BySeat[Count]
    levels: BySeat[Levels]
    technology_points: BySeat[TechnologyPoints]
    promise: dict[Colour, dict[Colour, Count]]
    """``promise[x][y]``: what planet x owes planet y each turn."""
    pirates: dict[Colour, dict[Colour, Count]]
    """``pirates[p][s]``: pirates on the route of player planet p from planet s."""
    markets: Resources
    hand_sizes: BySeat[CardCount]
    hand: Cards
    """The seat's own event cards."""
    deck_cards: Cards
    """The cards that the seat itself has put into the event decks, first deck first."""
    deck_count: CardCount
    undealt_count: CardCount
    current_card: str | None
    arrivals: Count | None
    """The number of colonists that come to every player in the turn of the current card."""
    resolved_cards: Cards
    """In the order in which they were resolved."""
    answered: BySeat[bool]
    """True for each seat that has given a sealed answer in the step under way."""
    sealed: SealedAnswer | None
    """The seat's own sealed answer."""
    votes: Votes | None
    """The revealed votes of this turn."""
    resolution: Resolution | None
    asked: Asked | None
    scores: BySeat[Score]
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
