"""The worth of a seat's position in Colonies, and of those that follow from plain actions.

A plain action changes few parts of the worth. The others are computed once, and no position is made for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypeVar

from events.rules.fact import Seat
from events.rules.kit.values import add_counts, subtract_counts
from events.rules.steps import Command
from events.titles.colonies.actions.commerce import best_units, proceeds
from events.titles.colonies.actions.upgrade import cost_of, prices
from events.titles.colonies.commands import (
    BusinessTrip,
    HuntPirates,
    PassAction,
    ProductionPeak,
    ProvideRefuge,
    TradeNegotiations,
    UpgradeTechnology,
)
from events.titles.colonies.data import BOARD, CLOCKWISE, COLOURS, TECHNOLOGIES, TECHNOLOGY, TOP_LEVEL
from events.titles.colonies.derived import export_total, technology_points
from events.titles.colonies.parts import AgreementStep, Removal, Route
from events.titles.colonies.picks import pick_units, rate_by_number
from events.titles.colonies.primitives import Colour, Technology
from events.titles.colonies.state import State, sort_in_ring_order

K = TypeVar("K")
_Lot = dict[tuple[Colour, Colour], int]
"""Pirates by route: its owner and its source."""

RESOURCE = 0.8
"""A resource in stock while there is time to use it."""
SPARE = 0.35
"""A resource beyond what the coming years can use of its colour."""
USEFUL = 4
"""So many resources of a colour are useful."""
FEW_ACTIONS = 16
"""With fewer actions left, resources lose their worth."""
YEARLY = {"community": 1.0, "military": 0.5, "commerce": 1.2, "influence": 0.5, "industry": 0.9}
"""The yearly income from a level of each technology, besides its points."""
IMPORT = 0.85
MANY_IMPORTS = 10
EXTRA_IMPORT = 0.3
PIRATE = 1.0
WORK = 0.75
"""A colonist for whom an upgrade waits."""
IDLE = -1.0
"""A colonist who will turn pirate."""
SHORT = 2.0
"""An own resource that will be missing at the fulfilment."""


class _Levels(NamedTuple):
    """The worth of the levels of all technologies."""

    points: int
    yearly: float
    wanted: int
    """Colonists for the two cheapest upgrades."""


def actions_left(state: State, seat: Seat) -> int:
    """Return the number of actions that the seat has from now on until the end."""
    later = BOARD.actions * (BOARD.turns - state.turn)
    if state.phase != "actions":
        return later + (0 if state.phase.startswith("upkeep") else BOARD.actions)
    started = BOARD.actions - state.action_round + (1 if _has_still_to_act(state, seat) else 0)
    return later + started


def _has_still_to_act(state: State, seat: Seat) -> bool:
    if state.active is None or state.first_player is None:
        return False
    ring = [state.planets.index(c) for c in state.pirates]
    first = ring.index(state.first_player)
    order = ring[first:] + ring[:first]
    return order.index(seat) > order.index(state.active)


@lru_cache(4096)
def _rate_levels(levels: tuple[tuple[Technology, int], ...]) -> _Levels:
    """Return the points of levels, their yearly income, and the colonists for the two cheapest upgrades."""
    costs = sorted(cost_of(level + 1) for _, level in levels if level < TOP_LEVEL)
    yearly = sum(YEARLY[technology] * level for technology, level in levels)
    return _Levels(technology_points(dict(levels)), yearly, sum(costs[:2]))


def count_wanted_colonists(state: State, seat: Seat) -> int:
    """Return the number of colonists for the two cheapest upgrades."""
    return _rate_levels(tuple(state.levels[seat].items())).wanted


def worth(state: State, seat: Seat) -> float:
    """Return the worth of the seat's position in Credits."""
    return Outlook(state, seat).rate()


def milli(state: State, seat: Seat) -> int:
    """Return :func:`worth` in thousandths of a Credit, in whole numbers."""
    return int(1000 * worth(state, seat))


class Outlook:
    """The parts of a position's worth to a seat, each of which can be replaced by another."""

    def __init__(self, state: State, seat: Seat) -> None:
        self.state, self.seat, self.planet = state, seat, state.planets[seat]
        self._years = BOARD.turns - state.turn
        self._fade = min(1.0, actions_left(state, seat) / FEW_ACTIONS)
        self._coming = {source: state.promise[source][self.planet] for source in state.pirates[self.planet]}
        self.owed = export_total(state, seat)
        self.credits, self.colonists = state.credits[seat], state.colonists[seat]
        self.levels = _rate_levels(tuple(state.levels[seat].items()))
        self._stock = self.rate_stock(state.stocks[seat], self.owed)
        self._imports = self.rate_imports(state.pirates[self.planet], ())

    def rate_stock(self, stock: Mapping[Colour, int], owed: int) -> float:
        """Return the worth of resources, less what must be delivered this year."""
        value = 0.0
        for colour, count in stock.items():
            free = count - owed if colour == self.planet else count
            if free < 0:
                value += SHORT * free
            else:
                value += self._fade * (RESOURCE * min(free, USEFUL) + SPARE * max(0, free - USEFUL))
        return value

    def rate_imports(self, pirates: Mapping[Colour, int], advanced: Sequence[Colour]) -> float:
        """Return the yearly worth of imports, one more from *advanced* planets, less what pirates take."""
        total = lost = 0
        for source, count in pirates.items():
            coming = self._coming[source] + (source in advanced)
            total += coming
            lost += min(count, 2 * coming)
        useful = IMPORT * min(total, MANY_IMPORTS) + EXTRA_IMPORT * max(0, total - MANY_IMPORTS)
        return useful - PIRATE * lost / max(1, self._years)

    def rate(
        self,
        *,
        earned: int = 0,
        joined: int = 0,
        levels: _Levels | None = None,
        stock: float | None = None,
        imports: float | None = None,
    ) -> float:
        """Return the worth with so many more Credits and colonists, and with other parts replaced."""
        points, yearly, wanted = levels or self.levels
        have = self.colonists + joined
        value: float = self.credits + earned + points
        value += yearly * self._years
        value += self._stock if stock is None else stock
        value += (self._imports if imports is None else imports) * self._years
        idle = max(0, have - wanted)
        return value + (WORK * min(have, wanted) + (IDLE * idle if self._years else 0.0))


# --- plain actions -----------------------------------------------------------------------------------

_Weighed = tuple[float, Callable[[], Command]]
"""The worth after an action, and what makes its command."""


class PlainActions(Outlook):
    """One or two actions of each kind: what it does most often."""

    def choose(self) -> tuple[int, Command]:
        """Return the worth after the best of them, or to pass, in thousandths, and its command."""
        top = int(1000 * self.rate())
        best: Callable[[], Command] = PassAction
        for value, make in self.weigh():
            if int(1000 * value) > top:
                top, best = int(1000 * value), make
        return top, best()

    def weigh(self) -> Iterator[_Weighed]:
        """Yield the plain actions, each with the worth of the position after it."""
        levels = self.state.levels[self.seat]
        workers = max(0, min(levels["industry"], self.levels.wanted - self.colonists))
        yield from self._weigh_upgrades()
        yield from self._weigh_production(levels["industry"], workers)
        yield from self._weigh_sales(levels["commerce"])
        yield from self._weigh_agreements(levels["influence"])
        for lot in self._find_pirates():
            yield from self._weigh_removals(lot, levels["community"], levels["military"], workers)

    def _weigh_upgrades(self) -> Iterator[_Weighed]:
        """Weigh those that can be paid for: what lacks in stock is bought."""
        markets, stock = self.state.markets, self.state.stocks[self.seat]
        levels = self.state.levels[self.seat]
        for technology in TECHNOLOGIES:
            level = levels[technology] + 1
            if level > TOP_LEVEL or self.colonists < cost_of(level):
                continue
            cost, buy, paid = cost_of(level), dict[Colour, int](), 0
            left = dict(stock)
            for colour in TECHNOLOGY[technology].cost:
                left[colour] = max(0, stock[colour] - cost)
                if lacking := max(0, cost - stock[colour]):
                    buy[colour] = lacking
                    paid += sum(prices(markets[colour], lacking))
            if paid <= self.credits and all(markets[colour] >= count for colour, count in buy.items()):
                after = _rate_levels(tuple({**levels, technology: level}.items()))
                value = self.rate(
                    earned=-paid, joined=-cost, levels=after, stock=self.rate_stock(left, self.owed)
                )
                yield value, partial(_upgrade, technology, buy)

    def _weigh_production(self, most: int, workers: int) -> Iterator[_Weighed]:
        if most:
            stock = add_counts(self.state.stocks[self.seat], {self.planet: most})
            value = self.rate(joined=workers, stock=self.rate_stock(stock, self.owed))
            yield value, partial(ProductionPeak, most, workers)

    def _weigh_sales(self, level: int) -> Iterator[_Weighed]:
        """Weigh the best sales of as many resources as the level allows, and of half of them."""
        stock = self.state.stocks[self.seat]
        spare = {**stock, self.planet: max(0, stock[self.planet] - self.owed)}
        sold = list(best_units(self.state, spare, level))
        for number in (level, level // 2):
            if units := sold[:number]:
                sales = _count(units)
                left = subtract_counts(stock, sales)
                earned = proceeds(self.state.markets, sales)
                value = self.rate(earned=earned, stock=self.rate_stock(left, self.owed))
                yield value, partial(_sell, sales)

    def _weigh_agreements(self, level: int) -> Iterator[_Weighed]:
        """Weigh a step on as many agreements as the level allows."""
        state = self.state
        partners = tuple(_find_growing_partners(state, self.planet))[:level]
        if partners:
            stock = self.rate_stock(state.stocks[self.seat], self.owed + len(partners))
            imports = self.rate_imports(state.pirates[self.planet], partners)
            yield self.rate(stock=stock, imports=imports), partial(_advance, partners)

    def _find_pirates(self) -> tuple[_Lot, _Lot]:
        """Return the routes with pirates: the seat's own, and those of others."""
        own: _Lot = {}
        others: _Lot = {}
        for owner in COLOURS:
            routes = self.state.pirates.get(owner)
            if routes:
                lot = own if owner == self.planet else others
                for source in COLOURS:
                    if routes.get(source):
                        lot[owner, source] = routes[source]
        return own, others

    def _weigh_removals(self, lot: _Lot, refuges: int, hunts: int, workers: int) -> Iterator[_Weighed]:
        """Weigh a refuge and a hunt for pirates of a lot."""
        removed = list(pick_units(lot, max(refuges, hunts), rate_by_number))
        for most, weigh in ((refuges, self._weigh_refuge), (hunts, self._weigh_hunt)):
            if units := removed[:most]:
                yield weigh(_count(units), min(len(units), workers))

    def _weigh_refuge(self, removed: _Lot, settled: int) -> _Weighed:
        stock: float | None = None
        gained: dict[Colour, int] = {}
        for (owner, source), count in removed.items():
            if owner != self.planet:
                gained[source] = gained.get(source, 0) + count
        if gained:
            stock = self.rate_stock(add_counts(self.state.stocks[self.seat], gained), self.owed)
        value = self.rate(joined=settled, stock=stock, imports=self._imports_without(removed))
        return value, partial(_provide_refuge, removed, settled)

    def _weigh_hunt(self, removed: _Lot, _settled: int) -> _Weighed:
        state = self.state
        owed = dict[Seat, int]()
        for (owner, _), count in removed.items():
            if owner != self.planet:
                other = state.planets.index(owner)
                owed[other] = owed.get(other, 0) + count * BOARD.hunting_credits
        earned = sum(min(count, state.credits[other]) for other, count in owed.items())
        return self.rate(earned=earned, imports=self._imports_without(removed)), partial(_hunt, removed)

    def _imports_without(self, removed: _Lot) -> float | None:
        """Return the worth of imports after a removal; None where it is the same."""
        gone = {source: count for (owner, source), count in removed.items() if owner == self.planet}
        if not gone:
            return None
        return self.rate_imports(subtract_counts(self.state.pirates[self.planet], gone), ())


def _count(units: Iterable[K]) -> dict[K, int]:
    """Return how many there are of each, in the order of the first."""
    found: dict[K, int] = {}
    for unit in units:
        found[unit] = found.get(unit, 0) + 1
    return found


def _find_growing_partners(state: State, planet: Colour) -> Iterator[Colour]:
    """Yield the partners with whom both markers can still rise, the least trade first."""
    highest = state.options.trade_agreement_max
    exports = state.promise[planet]
    for partner in sorted(CLOCKWISE[planet], key=exports.__getitem__):
        if exports[partner] < highest and state.promise[partner][planet] < highest:
            yield partner


def _upgrade(technology: Technology, buy: dict[Colour, int]) -> Command:
    return UpgradeTechnology(technology, sort_in_ring_order(buy))


def _sell(sales: dict[Colour, int]) -> Command:
    return BusinessTrip(sort_in_ring_order(sales))


def _advance(partners: Iterable[Colour]) -> Command:
    return TradeNegotiations(tuple(AgreementStep(p, "bilateral_advancement") for p in partners))


def _provide_refuge(removed: _Lot, settled: int) -> Command:
    return ProvideRefuge(_make_removals(removed), settled)


def _hunt(removed: _Lot) -> Command:
    return HuntPirates(_make_removals(removed))


def _make_removals(removed: _Lot) -> tuple[Removal, ...]:
    return tuple(Removal(Route(owner, source), count) for (owner, source), count in removed.items())
