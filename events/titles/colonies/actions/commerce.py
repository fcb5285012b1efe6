"""Commerce action: business trip (§3.3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.values import add_counts
from events.rules.steps import Command
from events.titles.colonies import words
from events.titles.colonies.actions.kind import LISTED, ActionKind
from events.titles.colonies.checks import check_stock, empty_action, limit_exceeded
from events.titles.colonies.commands import BusinessTrip
from events.titles.colonies.data import COLOURS, price, shelf_of
from events.titles.colonies.facts import ResourcesSold, Sale
from events.titles.colonies.picks import pick_units, picks_up_to, random_pick, select
from events.titles.colonies.primitives import Colour
from events.titles.colonies.state import State, sort_in_ring_order


def plan(state: State, seat: Seat, command: BusinessTrip, level: int) -> ResourcesSold:
    """Return the fact of a sale: each resource goes on the highest shelf with space (CLN-102 to CLN-105)."""
    sold = sort_in_ring_order(command.sales)
    count = sum(sold.values())
    if not count:
        raise empty_action()
    if count > level:
        raise limit_exceeded("commerce", level, "resources")
    check_stock(state.stocks[seat], sold)
    sales = [
        Sale(colour, shelf.name, shelf.price)
        for colour, number in sold.items()
        for shelf in (shelf_of(state.markets[colour] + i) for i in range(1, number + 1))
    ]
    earned = sum(sale.price for sale in sales)
    return ResourcesSold(seat, state.action_round, tuple(sales), earned, add_counts(state.markets, sold))


def proceeds(markets: Mapping[Colour, int], sales: Mapping[Colour, int]) -> int:
    """Return the Credits that the sales bring (CLN-104)."""
    return sum(price(markets[c] + i) for c, n in sales.items() for i in range(1, n + 1))


def best_units(state: State, limits: Mapping[Colour, int], most: int) -> Iterator[Colour]:
    """Yield at most *most* of the *limits*, unit by unit for the best price; ties: the most numerous."""

    def worth(colour: Colour, left: int) -> int:
        return price(state.markets[colour] + limits[colour] - left + 1) * 1_000_000 + left

    return pick_units(limits, most, worth)


def best_sale(state: State, limits: Mapping[Colour, int], most: int) -> dict[Colour, int]:
    """Return the sale of these units."""
    return sort_in_ring_order(Counter(best_units(state, limits, most)))


def _main(state: State, stock: Mapping[Colour, int], level: int) -> Iterator[dict[Colour, int]]:
    for number in range(level, 0, -1):
        yield best_sale(state, stock, number)
    for colour in COLOURS:
        for number in range(min(stock[colour], level), 0, -1):
            yield {colour: number}


def every(state: State, seat: Seat, level: int) -> Iterator[Command]:
    """Yield all sales, where they can be listed the best paid first."""
    yield from _best_paid_first(state, islice(picks_up_to(state.stocks[seat], level), LISTED + 1))


def plainest(state: State, seat: Seat, level: int) -> Iterator[Command]:
    """Yield all sales, or the main ones; the best paid first."""
    stock = state.stocks[seat]
    listed = select(picks_up_to(stock, level), LISTED, lambda: _main(state, stock, level), frozenset)
    distinct = {tuple(sorted(sales.items())): sales for sales in listed}.values()
    yield from _best_paid_first(state, distinct)


def _best_paid_first(state: State, ways: Iterable[dict[Colour, int]]) -> Iterator[Command]:
    return map(BusinessTrip, sorted(ways, key=lambda sales: -proceeds(state.markets, sales)))


def sample(state: State, seat: Seat, level: int, chance: Chance) -> Command | None:
    """Return a random sale."""
    sales = random_pick(state.stocks[seat], chance.pick(range(1, level + 1)), chance)
    return BusinessTrip(sales) if sales else None


def label(state: State, _seat: Seat, command: BusinessTrip) -> str:
    """Return the button text: the goods, and what they bring now."""
    return f"Sell {words.resources(command.sales)} for {proceeds(state.markets, command.sales)} €"


COMMERCE = ActionKind(BusinessTrip, plan, every, sample, label, plainest)
