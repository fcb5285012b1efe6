"""The state of a game, the empty table with which it begins, and the seats of its planets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec

from events.rules.bounds import limit_items
from events.rules.fact import Seat
from events.titles.colonies.commands import SealedAnswer
from events.titles.colonies.data import (
    BOARD,
    CARD_SETS,
    CLOCKWISE,
    COLOURS,
    COUNTER_CLOCKWISE,
    SET_SIZE,
    TECHNOLOGIES,
    CardId,
    Some,
)
from events.titles.colonies.options import Options
from events.titles.colonies.parts import MOST, Amount, Levels, Resolution, Score, SeatNumber, Votes
from events.titles.colonies.primitives import Colour

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
SETUP: tuple[Phase, ...] = ("setup_fingers", "setup_deck_choice")
AFTER_EVENT: tuple[Phase, ...] = ("actions", "upkeep_police", "upkeep_fulfil", "upkeep_pirates")
"""The phases in which the next turn's card lies open already."""

Resources = dict[Colour, Amount]
"""All five colours; treated as immutable, like every other dict of a state."""
Cards = Annotated[tuple[CardId, ...], limit_items(SET_SIZE, each=1)]


def no_resources() -> Some:
    """Return zero of every colour."""
    return dict.fromkeys(COLOURS, 0)


def sort_in_ring_order(resources: Mapping[Colour, int]) -> Some:
    """Return the same counts with colours in ring order and without zeros."""
    return {c: resources[c] for c in COLOURS if resources.get(c)}


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
    """The cards that each seat has put into the event decks, first deck first."""
    current_card: CardId | None
    resolved_cards: Cards
    """In the order in which they were resolved."""
    sealed: tuple[SealedAnswer | None, ...]
    """The answer that each seat has sealed in the step under way."""
    votes: Votes | None
    resolution: Resolution | None
    scores: tuple[Score, ...]
    """Empty until the end."""

    @property
    def seats(self) -> int:
        """The number of players."""
        return len(self.stocks)


def blank(seats: int, options: Options) -> State:
    """Return the empty table before the lots are drawn."""
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


def new_promises(planets: tuple[Colour, ...]) -> dict[Colour, dict[Colour, int]]:
    """Return every trade marker at its start; none between two neutral planets (CLN-017, CLN-161)."""
    start = BOARD.start_marker
    return {x: {y: start for y in COLOURS if y != x and (x in planets or y in planets)} for x in COLOURS}


def no_pirates(planets: tuple[Colour, ...]) -> dict[Colour, dict[Colour, int]]:
    """Return the routes of all players, empty (CLN-026, CLN-158)."""
    return {p: {s: 0 for s in COLOURS if s != p} for p in COLOURS if p in planets}


# --- seats and planets -----------------------------------------------------------------------------


def is_neutral(state: State, planet: Colour) -> bool:
    """Return True if no player controls that planet (CLN-154)."""
    return planet not in state.planets


def seat_of(state: State, planet: Colour) -> Seat | None:
    """Return the seat of that planet; None for a neutral one."""
    planets = state.planets
    return planets.index(planet) if planet in planets else None


def neutral_planets(state: State) -> tuple[Colour, ...]:
    """Return the planets without a player, in ring order."""
    return tuple(c for c in COLOURS if c not in state.planets) if state.planets else ()


def pirate_routes(state: State, planet: Colour) -> tuple[Colour, ...]:
    """Return the sources of the routes to which pirates come, in their order (CLN-150, CLN-159)."""
    sources = COUNTER_CLOCKWISE[planet]
    if state.options.pirates_on_neutral_routes is False:
        return tuple(source for source in sources if not is_neutral(state, source))
    return sources


def others_clockwise(state: State, seat: Seat) -> tuple[Seat, ...]:
    """Return the other players, beginning with the left neighbour; neutral planets are skipped (CLN-006)."""
    planets = state.planets
    return tuple(planets.index(c) for c in CLOCKWISE[planets[seat]] if c in planets)


def player_order(state: State) -> tuple[Seat, ...]:
    """Return all players clockwise from the first player (CLN-006); from seat 0 while there is none."""
    first = state.first_player or 0
    return (first, *others_clockwise(state, first)) if state.planets else tuple(range(state.seats))
