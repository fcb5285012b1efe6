"""Upgrade technology: research & development (§3.6), also at an event's discount."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.values import subtract_counts
from events.rules.steps import Command, Rejected
from events.titles.colonies import words
from events.titles.colonies.actions.kind import ActionKind
from events.titles.colonies.commands import UpgradeTechnology
from events.titles.colonies.data import BOARD, COLOURS, TECHNOLOGIES, TECHNOLOGY, TOP_LEVEL, price
from events.titles.colonies.facts import Purchase, TechnologyUpgraded
from events.titles.colonies.primitives import Colour, Technology
from events.titles.colonies.state import State, sort_in_ring_order


def cost_of(level: int, discount: int = 0) -> int:
    """Return the cost of *level*: of each resource, and in colonists (CLN-120, CLN-086)."""
    return max(0, BOARD.levels[level - 1].cost - discount)


def shortfalls(state: State, seat: Seat, technology: Technology, discount: int = 0) -> dict[Colour, int]:
    """Return by needed colour what the stock lacks for the next level (CLN-124)."""
    cost = cost_of(min(state.levels[seat][technology] + 1, TOP_LEVEL), discount)
    stock = state.stocks[seat]
    needed = TECHNOLOGY[technology].cost
    return {c: cost - stock[c] for c in COLOURS if c in needed and stock[c] < cost}


def prices(market: int, count: int) -> tuple[int, ...]:
    """Return the prices of *count* resources bought from a market, one by one (CLN-127)."""
    return tuple(price(market - i) for i in range(count))


def plan(state: State, seat: Seat, command: UpgradeTechnology, discount: int) -> TechnologyUpgraded:
    """Return the fact of an upgrade: one technology, one level (CLN-119 to CLN-129)."""
    technology, level = command.technology, state.levels[seat][command.technology] + 1
    _check_level(level)
    cost = cost_of(level, discount)
    _check_colonists(state, seat, cost)
    buy = sort_in_ring_order(command.buy)
    bought = _purchase(state, seat, buy, shortfalls(state, seat, technology, discount))
    credits = sum(sum(purchase.prices) for purchase in bought)
    _check_credits(state, seat, credits)
    paid = sort_in_ring_order(dict.fromkeys(TECHNOLOGY[technology].cost, cost))
    markets = subtract_counts(state.markets, buy)
    return TechnologyUpgraded(
        seat, state.action_round, technology, level, paid, cost, bought, credits, markets
    )


def _purchase(
    state: State, seat: Seat, buy: dict[Colour, int], needed: dict[Colour, int]
) -> tuple[Purchase, ...]:
    """Return the purchase: exactly the shortfall, from the markets only (CLN-123 to CLN-126)."""
    _check_exact(buy, needed)
    _check_markets(state, buy)
    return tuple(Purchase(colour, prices(state.markets[colour], count)) for colour, count in buy.items())


def _check_level(level: int) -> None:
    """Raise Rejected beyond level 6, the highest (CLN-122)."""
    if level > TOP_LEVEL:
        raise Rejected(
            "technology_at_maximum", "This technology is at its highest level; choose another one."
        )


def _check_colonists(state: State, seat: Seat, cost: int) -> None:
    """Raise Rejected if the colonists for the upgrade are lacking (CLN-120)."""
    if state.colonists[seat] < cost:
        raise Rejected("insufficient_colonists", f"This upgrade takes {cost} colonists; gather them first.")


def _check_credits(state: State, seat: Seat, credits: int) -> None:
    """Raise Rejected unless the bank can be paid in full (CLN-128)."""
    if credits > state.credits[seat]:
        raise Rejected(
            "insufficient_credits", "You do not have enough Credits for this purchase: choose a cheaper one."
        )


def _check_exact(buy: dict[Colour, int], needed: dict[Colour, int]) -> None:
    """Raise Rejected unless of each needed colour exactly the shortfall is bought (CLN-124)."""
    if any(count > needed.get(colour, 0) for colour, count in buy.items()):
        raise Rejected(
            "buy_not_exact_shortfall", "Buy exactly what your stock lacks for this upgrade, no more."
        )
    if any(buy.get(colour, 0) < count for colour, count in needed.items()):
        raise Rejected(
            "insufficient_resources", "Buy what your stock lacks for this upgrade, or gather it first."
        )


def _check_markets(state: State, buy: dict[Colour, int]) -> None:
    """Raise Rejected if a colour's market holds less than is to be bought from it (CLN-126)."""
    if any(state.markets[colour] < count for colour, count in buy.items()):
        raise Rejected("market_insufficient", "The market holds fewer resources than that: buy fewer.")


def every(state: State, seat: Seat, discount: int) -> Iterator[Command]:
    """Yield all upgrades that the player can pay for; the purchase is forced."""
    for technology in TECHNOLOGIES:
        level = state.levels[seat][technology] + 1
        if level > TOP_LEVEL or state.colonists[seat] < cost_of(level, discount):
            continue  # most often it is for these, and asking costs more
        command = UpgradeTechnology(technology, shortfalls(state, seat, technology, discount))
        try:
            plan(state, seat, command, discount)
        except Rejected:
            continue
        yield command


def sample(state: State, seat: Seat, discount: int, chance: Chance) -> Command | None:
    """Return a random upgrade."""
    possible = tuple(every(state, seat, discount))
    return chance.pick(possible) if possible else None


def label(state: State, seat: Seat, command: UpgradeTechnology) -> str:
    """Return the button text: the new level, and what must be bought for it."""
    return find_discounted(state, seat, command, 0)


def find_discounted(state: State, seat: Seat, command: UpgradeTechnology, discount: int) -> str:
    """Return the same kind of action where every part of the price is lowered."""
    technology, level = command.technology, min(state.levels[seat][command.technology] + 1, TOP_LEVEL)
    credits = sum(sum(prices(state.markets[colour], n)) for colour, n in command.buy.items())
    bought = f", buying {words.resources(command.buy)} for {credits} €" if command.buy else ""
    cost = cost_of(level, discount)
    price = words.price(dict.fromkeys(TECHNOLOGY[technology].cost, cost), cost)
    return f"Upgrade {words.upgrade(technology, level)} for {price}{bought}"


UPGRADE = ActionKind(UpgradeTechnology, plan, every, sample, label, every)
