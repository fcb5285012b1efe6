"""The action phase: what each action changes, be it one of the three actions or a bonus."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.values import negate_counts
from events.rules.kit.words import format_list
from events.titles.colonies import words
from events.titles.colonies.changes import (
    ActionTaken,
    Changes,
    ColonistChange,
    LevelChange,
    Payment,
    StockChange,
    make_pirate_changes,
)
from events.titles.colonies.data import Some
from events.titles.colonies.parts import Marker, Removal, StepKind
from events.titles.colonies.primitives import Colour, Technology
from events.titles.colonies.state import State
from events.titles.colonies.words import Data, says


class ActionPhaseStarted(Fact, frozen=True):
    """Three rounds of actions begin."""

    turn: int
    order: tuple[Seat, ...]

    def fold(self, state: State) -> State:
        """The first player begins the first round."""
        return replace(state, phase="actions", action_round=1, active=self.order[0])

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell the order of the players, and why it is so."""
        first, *others = (who(seat) for seat in data["order"])
        then = f", then clockwise {format_list(others)}" if others else ""
        return f"The actions of turn {data['turn']} begin: {first} as the first player{then}."


class RefugeProvided(ActionTaken, frozen=True):
    """A Community action (CLN-093)."""

    removals: tuple[Removal, ...]
    resources_gained: Some
    to_stock: int
    to_supply: int

    def make_changes(self) -> Changes:
        return Changes(
            stocks=(StockChange(self.seat, self.resources_gained),) if self.resources_gained else (),
            colonists=(ColonistChange(self.seat, self.to_stock),) if self.to_stock else (),
            pirates=make_pirate_changes(self.removals),
        )

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Whence the pirates come, and what they bring and become."""
        gained = f", gaining {words.resources(data['resources_gained'])}" if data["resources_gained"] else ""
        return (
            f"{who(data['seat'])} provides refuge to pirates: {words.removals(data['removals'])}{gained}; "
            f"{words.format_becoming(data['to_stock'])}."
        )


class PiratesHunted(ActionTaken, frozen=True):
    """A Military action (CLN-098)."""

    removals: tuple[Removal, ...]
    credits_received: tuple[int, ...]
    """By seat, from each opponent."""

    def make_changes(self) -> Changes:
        paid = (Payment(other, self.seat, n) for other, n in enumerate(self.credits_received) if n)
        return Changes(credits=tuple(paid), pirates=make_pirate_changes(self.removals))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell which pirates are gone, and who pays for it."""
        hunter = who(data["seat"])
        paid = "".join(
            f"; {who(seat)} pays {n} € to {hunter}" for seat, n in enumerate(data["credits_received"]) if n
        )
        return f"{hunter} hunts pirates: {words.removals(data['removals'])}{paid}."


class Sale(msgspec.Struct, frozen=True):
    """One resource sold, and the shelf it went to."""

    colour: Colour
    shelf: str
    price: int


class ResourcesSold(ActionTaken, frozen=True):
    """A Commerce action (CLN-102)."""

    sales: tuple[Sale, ...]
    total: int
    markets_after: Some

    def make_changes(self) -> Changes:
        sold: Some = {}
        for sale in self.sales:
            sold[sale.colour] = sold.get(sale.colour, 0) + 1
        return Changes(
            stocks=(StockChange(self.seat, negate_counts(sold)),),
            credits=(Payment(None, self.seat, self.total),),
            markets=sold,
        )

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell what is sold, and what it brings."""
        sold: dict[str, int] = {}
        for sale in data["sales"]:
            sold[sale["colour"]] = sold.get(sale["colour"], 0) + 1
        return f"{who(data['seat'])} sells {words.resources(sold)} for {data['total']} €."


class StepTaken(msgspec.Struct, frozen=True):
    """One step on an agreement, its price, and both markers after it, seen from the active player."""

    partner: Colour
    kind: StepKind
    marker: Marker | None
    cost: int
    fee: int
    export_after: int
    import_after: int


class TradeAgreementsAdjusted(ActionTaken, frozen=True):
    """An Influence action (CLN-106)."""

    steps: tuple[StepTaken, ...]
    changes: Changes
    points_used: int

    def make_changes(self) -> Changes:
        return self.changes

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Every step with both markers after it, and the fees by partner."""
        parts = (
            f"{words.step(s)} (now {s['export_after']} out, {s['import_after']} in)" for s in data["steps"]
        )
        fees: dict[str, int] = {}
        for taken in data["steps"]:
            fees[taken["partner"]] = fees.get(taken["partner"], 0) + taken["fee"]
        paid = format_list([f"{words.planet(partner)} {fee} €" for partner, fee in fees.items() if fee], "")
        paid = f"; pays fees: {paid}" if paid else ""
        return f"{who(data['seat'])} negotiates: {'; '.join(parts)}{paid}."


class ProductionPeaked(ActionTaken, frozen=True):
    """An Industry action (CLN-117)."""

    colour: Colour
    resources: int
    colonists: int

    def make_changes(self) -> Changes:
        return Changes(
            stocks=(StockChange(self.seat, {self.colour: self.resources}),) if self.resources else (),
            colonists=(ColonistChange(self.seat, self.colonists),) if self.colonists else (),
        )

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """Tell what is made."""
        made = words.format_produced(data["resources"], data["colour"], data["colonists"])
        return f"{who(data['seat'])} has a production peak: {made}."


class Purchase(msgspec.Struct, frozen=True):
    """Resources of one colour bought for an upgrade, and the price of each."""

    colour: Colour
    prices: tuple[int, ...]


class TechnologyUpgraded(ActionTaken, frozen=True):
    """A technology reaches its next level (CLN-119)."""

    technology: Technology
    new_level: int
    paid_resources: Some
    """To the supply, bought ones included."""
    paid_colonists: int
    bought: tuple[Purchase, ...]
    credits_paid: int
    markets_after: Some

    def make_changes(self) -> Changes:
        """Return the changes of an upgrade; bought resources never touch the stock."""
        bought = {purchase.colour: len(purchase.prices) for purchase in self.bought}
        paid = {c: bought.get(c, 0) - n for c, n in self.paid_resources.items() if n != bought.get(c, 0)}
        return Changes(
            stocks=(StockChange(self.seat, paid),) if paid else (),
            credits=(Payment(self.seat, None, self.credits_paid),) if self.credits_paid else (),
            colonists=(ColonistChange(self.seat, -self.paid_colonists),) if self.paid_colonists else (),
            levels=(LevelChange(self.seat, self.technology, self.new_level),),
            markets=bought and negate_counts(bought),
        )

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        """The new level, and what was bought for it."""
        bought = {p["colour"]: len(p["prices"]) for p in data["bought"]}
        purchase = f", buying {words.resources(bought)} for {data['credits_paid']} €" if bought else ""
        upgrade = words.upgrade(data["technology"], data["new_level"])
        price = words.price(data["paid_resources"], data["paid_colonists"])
        return f"{who(data['seat'])} upgrades {upgrade} for {price}{purchase}."


class ActionPassed(ActionTaken, frozen=True):
    """An action forfeited (CLN-091)."""

    tell = says("{seat:who} passes action {round} of 3.")
