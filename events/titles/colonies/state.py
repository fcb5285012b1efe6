"""The state of a game, and what is derived from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from events.fact import Seat
from events.titles.colonies.commands import MOST, SealedAnswer, Side
from events.titles.colonies.data import (
    BOARD,
    CARD_SETS,
    CLOCKWISE,
    COLOURS,
    TECHNOLOGIES,
    TOP_LEVEL,
    CardId,
    EventCard,
    points,
)
from events.titles.colonies.options import Options
from events.titles.colonies.primitives import AnyPrimitive, Colour, Technology

Phase = Literal[
    "setup_lots",
    "setup_fingers",
    "setup_deck_choice",
    "production",
    "income_colonists",
    "event_vote",
    "event_tie",
    "event_effects",
    "event_resupply",
    "actions",
    "upkeep_police",
    "upkeep_fulfil",
    "upkeep_pirates",
    "ended",
]
EffectName = Literal["official", "all", "fewest"]
AFTER_EVENT: tuple[Phase, ...] = ("actions", "upkeep_police", "upkeep_fulfil", "upkeep_pirates")
"""The phases in which the next turn's card lies open already."""

Amount = Annotated[int, msgspec.Meta(ge=0, le=MOST)]
Level = Annotated[int, msgspec.Meta(ge=1, le=TOP_LEVEL)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=4)]
Resources = dict[Colour, Amount]
"""All five colours; treated as immutable, like every other dict of a state."""
Levels = dict[Technology, Level]
Cards = tuple[CardId, ...]


class Vote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One player's revealed vote."""

    seat: SeatNumber
    side: Side
    resources: dict[Colour, Amount]
    influence: Amount
    votes: Amount


class Votes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The revealed votes of this turn; *carried* is None while a tie waits for the first player."""

    cast: tuple[Vote, ...]
    yes_sum: Amount
    no_sum: Amount
    carried: Side | None = None


class Place(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One player's effect in the order in which effects are carried out."""

    seat: SeatNumber
    effect: EffectName


class Resolution(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the resolution of the event card stands."""

    queue: tuple[Place, ...]
    """The effects still to be carried out; the first one is under way."""
    primitive: Amount = 0
    """Which primitive of that effect is next, from 0."""
    chosen: bool = False
    """Whether the winner under way has chosen the effect over the Credits."""


class Score(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A player's final score."""

    seat: SeatNumber
    levels: Levels
    technology_points: Amount
    credits: Amount
    total: Amount
    resources_in_stock: Amount
    rank: Annotated[int, msgspec.Meta(ge=1, le=5)]


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything that a game of Colonies consists of. Tuples are by seat unless they say otherwise."""

    options: Options
    phase: Phase
    turn: Annotated[int, msgspec.Meta(ge=1, le=BOARD.turns)]
    finger_round: Annotated[int, msgspec.Meta(ge=1, le=MOST)]
    planets: tuple[Colour, ...]
    """The planet of each seat; the other planets are neutral. Empty before the lots are drawn."""
    first_player: SeatNumber | None
    action_round: Annotated[int, msgspec.Meta(ge=0, le=BOARD.actions)]
    """1 to 3 during the action phase, else 0."""
    active: SeatNumber | None
    stocks: tuple[Resources, ...]
    credits: tuple[Amount, ...]
    colonists: tuple[Amount, ...]
    levels: tuple[Levels, ...]
    promise: dict[Colour, dict[Colour, Annotated[int, msgspec.Meta(ge=1, le=20)]]]
    """``promise[x][y]``: what planet x owes planet y each turn."""
    pirates: dict[Colour, dict[Colour, Amount]]
    """``pirates[p][s]``: pirates on the route of player planet p from planet s."""
    markets: Resources
    hands: tuple[Cards, ...]
    deck: Cards
    """The event deck, in no order: the card revealed is drawn when it is revealed."""
    undealt: Cards
    deck_cards: tuple[Cards, ...]
    """Which cards each seat has put into the event decks, first deck first."""
    current_card: CardId | None
    resolved_cards: Cards
    """In the order in which they were resolved."""
    sealed: tuple[SealedAnswer | None, ...]
    """What each seat has sealed in the step under way."""
    votes: Votes | None
    resolution: Resolution | None
    scores: tuple[Score, ...]
    """Empty until the end."""

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.stocks)


def no_resources() -> Resources:
    """Nothing of any colour."""
    return dict.fromkeys(COLOURS, 0)


def blank(seats: int, options: Options) -> State:
    """The empty table before the lots are drawn."""
    return State(
        options=options,
        phase="setup_lots",
        turn=1,
        finger_round=1,
        planets=(),
        first_player=None,
        action_round=0,
        active=None,
        stocks=(no_resources(),) * seats,
        credits=(0,) * seats,
        colonists=(0,) * seats,
        levels=(dict.fromkeys(TECHNOLOGIES, BOARD.start_level),) * seats,
        promise={},
        pirates={},
        markets=no_resources(),
        hands=((),) * seats,
        deck=(),
        undealt=tuple(sorted(CARD_SETS[options.event_card_set])),
        deck_cards=((),) * seats,
        current_card=None,
        resolved_cards=(),
        sealed=(None,) * seats,
        votes=None,
        resolution=None,
        scores=(),
    )


# --- seats and planets -----------------------------------------------------------------------------


def is_neutral(state: State, planet: Colour) -> bool:
    """Whether no player controls that planet (CLN-154)."""
    return planet not in state.planets


def seat_of(state: State, planet: Colour) -> Seat | None:
    """The seat of that planet; None for a neutral one."""
    planets = state.planets
    return planets.index(planet) if planet in planets else None


def neutral_planets(state: State) -> tuple[Colour, ...]:
    """The planets without a player, in ring order."""
    return tuple(c for c in COLOURS if c not in state.planets) if state.planets else ()


def others_clockwise(state: State, seat: Seat) -> tuple[Seat, ...]:
    """The other players, beginning with the left neighbour; neutral planets are skipped (CLN-006)."""
    planets = state.planets
    return tuple(planets.index(c) for c in CLOCKWISE[planets[seat]] if c in planets)


def player_order(state: State) -> tuple[Seat, ...]:
    """All players clockwise from the first player (CLN-006); from seat 0 while there is none."""
    first = state.first_player or 0
    return (first, *others_clockwise(state, first)) if state.planets else tuple(range(state.seats))


def new_promises(planets: tuple[Colour, ...]) -> dict[Colour, dict[Colour, int]]:
    """Every trade marker at its start; none between two neutral planets (CLN-017, CLN-161)."""
    start = BOARD.start_marker
    return {x: {y: start for y in COLOURS if y != x and (x in planets or y in planets)} for x in COLOURS}


def no_pirates(planets: tuple[Colour, ...]) -> dict[Colour, dict[Colour, int]]:
    """The routes of all players, empty (CLN-026, CLN-158)."""
    return {p: {s: 0 for s in COLOURS if s != p} for p in COLOURS if p in planets}


# --- derived values ----------------------------------------------------------------------------------


def current_card(state: State) -> EventCard | None:
    """The current event card."""
    return CARD_SETS[state.options.event_card_set][state.current_card] if state.current_card else None


def card_turn(phase: Phase, turn: int) -> int:
    """The turn that the current card is for: from the actions on the next one (CLN-028, CLN-029)."""
    return turn + (phase in AFTER_EVENT)


def arrivals(state: State) -> int:
    """How many colonists come to every player in the turn of the current card (CLN-028, CLN-035)."""
    card = current_card(state)
    return card_turn(state.phase, state.turn) + (card.colonists if card else 0)


def own_stock(state: State, seat: Seat) -> int:
    """A player's resources of his own colour."""
    return state.stocks[seat][state.planets[seat]]


def own_pirates(state: State, seat: Seat) -> int:
    """The number of pirates on all of a player's own routes."""
    return sum(state.pirates[state.planets[seat]].values())


def export_total(state: State, seat: Seat) -> int:
    """The sum of a player's four promises (CLN-032)."""
    return sum(state.promise[state.planets[seat]].values())


def technology_points(levels: Mapping[Technology, int]) -> int:
    """The victory points of all five technologies (CLN-165)."""
    return sum(points(level) for level in levels.values())


def effect_of(state: State, effect: EffectName) -> tuple[AnyPrimitive, ...]:
    """The primitives of one effect of the current card."""
    card = current_card(state)
    if card is None:
        return ()
    return {"official": card.official, "all": card.all, "fewest": card.fewest}[effect]


def primitive_under_way(state: State) -> AnyPrimitive | None:
    """The next primitive of the effect under way; None while a winner still chooses his reward."""
    resolution = state.resolution
    if resolution is None or not resolution.queue:
        return None
    place = resolution.queue[0]
    if place.effect == "official" and not resolution.chosen:
        return None
    primitives = effect_of(state, place.effect)
    return primitives[resolution.primitive] if resolution.primitive < len(primitives) else None
