"""The worth of positions in Colonies: points, Credits, future points, and the trade that brings them."""

from __future__ import annotations

from events.rules.fact import Seat
from events.titles.colonies.data import BOARD, TECHNOLOGIES, TECHNOLOGY, TOP_LEVEL
from events.titles.colonies.derived import export_total, own_pirates, own_stock, technology_points
from events.titles.colonies.state import AFTER_EVENT, State
from workers.bots.kept.colonies.bots3.worth import Worth

NAMES = (
    "technology_points",
    "credits",
    "colonists",
    "own_resources",
    "owed",
    "short",
    "foreign_resources",
    "affordable",
    "imports",
    "intercepted",
    "exports",
    "pirates",
    *TECHNOLOGIES,
)
MANY = 15
"""Resources and colonists beyond these are worth nothing more."""


def features(state: State) -> list[tuple[int, ...]]:
    """Return the features by seat, in the order of :data:`NAMES`."""
    return [_features(state, seat) for seat in range(state.seats)]


def _features(state: State, seat: Seat) -> tuple[int, ...]:
    levels, stock = state.levels[seat], state.stocks[seat]
    own, owed = own_stock(state, seat), export_total(state, seat)
    imports, lost = _imports(state, seat)
    return (
        technology_points(levels),
        state.credits[seat],
        min(state.colonists[seat], MANY),
        min(max(0, own - owed), MANY),
        min(own, owed),
        max(0, owed - own),
        min(sum(stock.values()) - own, MANY),
        _affordable(state, seat),
        imports,
        lost,
        owed,
        own_pirates(state, seat),
        *(levels[technology] for technology in TECHNOLOGIES),
    )


def _imports(state: State, seat: Seat) -> tuple[int, int]:
    """Return the imports of a year, and the losses to pirates: at most two for each import."""
    planet = state.planets[seat]
    total = lost = 0
    for source, pirates in state.pirates[planet].items():
        coming = state.promise[source][planet]
        total += coming
        lost += min(pirates, 2 * coming)
    return total, lost


def _affordable(state: State, seat: Seat) -> int:
    """Return the number of technologies that could be upgraded from the stock alone."""
    levels, stock, colonists = state.levels[seat], state.stocks[seat], state.colonists[seat]
    ready = 0
    for technology in TECHNOLOGIES:
        level = levels[technology]
        if level < TOP_LEVEL:
            cost = BOARD.levels[level].cost
            first, second = TECHNOLOGY[technology].cost
            ready += stock[first] >= cost and stock[second] >= cost and colonists >= cost
    return ready


def progress(state: State) -> int:
    """Return the progress by the turns, and the rounds of actions."""
    first, last = BOARD.actions + 2, (BOARD.turns + 1) * (BOARD.actions + 2)
    return 1000 * (clock(state) - first) // (last - first)


def clock(state: State) -> int:
    """Return the rounds of actions of all turns, and the upkeep after them."""
    done = state.phase in AFTER_EVENT or state.phase == "ended"
    return state.turn * (BOARD.actions + 2) + (state.action_round or (BOARD.actions + 1) * done)


SEARCHED = frozenset({"take_action", "choose_event_reward", "resolve_event_effect"})
WORTH = Worth(NAMES, features, progress, clock, horizon=3, searched=SEARCHED)
