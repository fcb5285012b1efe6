"""Facts of the Merchant, the Trader and the Privateers that attack a shipment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec.structs import replace

from events.rules.draw_binding import Drawing
from events.rules.fact import Fact, Who
from events.rules.kit.overseas.words import format_number
from events.rules.kit.values import change_player, gain, put, remove_each, remove_present
from events.rules.kit.words import format_list
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import SUCCESS_DICE
from events.titles.colonial_revised.parts import Faces, SeatCount, SeatSpaces
from events.titles.colonial_revised.state import (
    Shipment,
    State,
    Trade,
    change_shipment,
    change_trade,
    gain_each,
    require,
)
from events.titles.colonial_revised.words import Data, says

# --- Merchant ------------------------------------------------------------------------------------


class GoodsRequested(Fact, frozen=True):
    """A Merchant has named own Goods to ship and asked others for theirs, Booming City included (REV-210)."""

    seat: int
    own_spaces: tuple[str, ...]
    requests_by_owner: tuple[SeatSpaces, ...]
    booming_spaces: tuple[str, ...]
    ship_slaves: bool

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        own = [f"loads {w.space_names(data['own_spaces'])}"] if data["own_spaces"] else []
        asked = [f"asks {who(e['seat'])} for {w.space_names(e['spaces'])}" for e in data["requests_by_owner"]]
        return f"{who(data['seat'])} {'; '.join([*own, *asked]) or 'ships nothing'}."

    def fold(self, state: State) -> State:
        deal = Shipment(
            own_spaces=self.own_spaces,
            requests=self.requests_by_owner,
            booming_spaces=self.booming_spaces,
            ship_slaves=self.ship_slaves,
            step="answer" if self.requests_by_owner else "confirm",
            awaiting=tuple(entry.seat for entry in self.requests_by_owner),
            answers=(None,) * state.seats,
        )
        return replace(state, shipment=deal)


class GoodsRequestAnswered(Fact, frozen=True):
    """An owner gives a sealed answer to the Merchant (REV-209)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"accepted": ("seller",)}
    seller: int
    accepted: tuple[str, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        if "accepted" not in data:
            return f"{who(data['seller'])} has answered the Merchant."
        return f"{who(data['seller'])} grants {w.space_names(data['accepted'])}."

    def fold(self, state: State) -> State:
        deal = require(state.shipment)
        answers = put(deal.answers, self.seller, self.accepted)
        return change_shipment(state, answers=answers, awaiting=remove_present(deal.awaiting, [self.seller]))


class GoodsAnswersRevealed(Fact, frozen=True):
    """All answers to the Merchant are revealed together (ruling 15)."""

    discloses = True
    accepted_by_seller: tuple[SeatSpaces, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        answers = (f"by {who(e['seat'])} {w.space_names(e['spaces'])}" for e in data["accepted_by_seller"])
        return f"Goods granted: {'; '.join(answers)}."

    def fold(self, state: State) -> State:
        return change_shipment(state, step="confirm")


class GoodsShipped(Fact, frozen=True):
    """The shipment is fixed (REV-206, REV-207); owners of Privateers attack in player order (REV-220)."""

    seat: int
    own: tuple[str, ...]
    foreign_by_seller: tuple[SeatSpaces, ...]
    market_counters: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        own = [w.space_names(data["own"])] if data["own"] else []
        bought = [f"from {who(e['seat'])} {w.space_names(e['spaces'])}" for e in data["foreign_by_seller"]]
        counters = format_number(data["market_counters"], "counter")
        return (
            f"{who(data['seat'])} ships {'; '.join([*own, *bought]) or 'nothing'}: {counters} for the Market."
        )

    def fold(self, state: State) -> State:
        owners = tuple(seat for seat in state.order if state.players[seat].privateers[self.seat])
        return change_shipment(state, step="attack", awaiting=owners, market_counters=self.market_counters)


class SellerPaid(Fact, frozen=True):
    """A seller gets 1 T a Good from the Pool (REV-208)."""

    seller: int
    amount: int
    tell = says("{seller:who} takes {amount} T from the Pool for the Goods sold.")

    def fold(self, state: State) -> State:
        return gain(state, self.seller, treasury=self.amount)


class PrivateersAttacked(Fact, frozen=True):
    """An owner of Privateers attacks the shipment (REV-220, REV-221)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"faces": SUCCESS_DICE}
    owner: int
    merchant: int
    dice: int
    faces: Faces
    successes: int
    taken: int
    reply_dice: int
    """Dice with which the Merchant may strike back (REV-224)."""

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        owner, merchant = who(data["owner"]), who(data["merchant"])
        if not data["dice"]:
            return f"{owner}'s Privateers let {merchant} pass."
        ships, hits = w.privateers(data["dice"]), format_number(data["successes"], "Success", "Successes")
        loot = (
            f"{w.counters(data['taken'])} taken for {data['taken']} T" if data["taken"] else "nothing taken"
        )
        return f"{owner} attacks {merchant} with {ships}: {hits}, {loot}."

    def fold(self, state: State) -> State:
        deal = require(state.shipment)
        left = remove_each(deal.awaiting, [self.owner])
        attack = SeatCount(self.owner, self.dice) if self.reply_dice else None
        state = change_shipment(
            state,
            market_counters=deal.market_counters - self.taken,
            awaiting=left,
            attack=attack,
            step="reply" if attack else "attack",
        )
        return gain(state, self.owner, treasury=self.taken)


class CounterattackRolled(Fact, frozen=True):
    """The Merchant's Squadrons reply (REV-224)."""

    drawn: ClassVar[Mapping[str, Drawing]] = {"faces": SUCCESS_DICE}
    merchant: int
    owner: int
    dice: int
    faces: Faces
    successes: int
    sunk: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        sunk = f"{format_number(data['sunk'], 'Privateer')} of {who(data['owner'])}"
        return f"{who(data['merchant'])} strikes back with {w.dice(data['dice'])} and sinks {sunk}."

    def fold(self, state: State) -> State:
        fleet = state.players[self.owner].privateers
        left = put(fleet, self.merchant, fleet[self.merchant] - self.sunk)
        state = change_shipment(state, attack=None, step="attack")
        return change_player(state, self.owner, privateers=left)


class CounterattackDeclined(Fact, frozen=True):
    """The Merchant does not strike back (REV-224)."""

    merchant: int
    owner: int
    tell = says("{merchant:who} does not strike back at the Privateers of {owner:who}.")

    def fold(self, state: State) -> State:
        return change_shipment(state, attack=None, step="attack")


class GoodsReachedMarket(Fact, frozen=True):
    """The Goods that the Privateers left have reached the Market (REV-206)."""

    seat: int
    count: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return f"{who(data['seat'])} puts {format_number(data['count'], 'counter')} on the Market."

    def fold(self, state: State) -> State:
        return replace(gain(state, self.seat, market=self.count), shipment=None)


# --- Trader --------------------------------------------------------------------------------------


class TradeRequested(Fact, frozen=True):
    """A Trader has named own Goods to move and asked others for theirs (REV-235)."""

    seat: int
    own: int
    requests: tuple[SeatCount, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        own = [f"moves {w.own_goods(data['own'])}"] if data["own"] else []
        asked = [f"asks {who(e['seat'])} for {w.goods(e['count'])}" for e in data["requests"]]
        return f"{who(data['seat'])} {'; '.join([*own, *asked]) or 'moves nothing'}."

    def fold(self, state: State) -> State:
        deal = Trade(
            own=self.own,
            requests=self.requests,
            step="answer" if self.requests else "confirm",
            awaiting=tuple(entry.seat for entry in self.requests),
            answers=(None,) * state.seats,
        )
        return replace(state, trade=deal)


class TradeRequestAnswered(Fact, frozen=True):
    """An owner gives a sealed answer to the Trader (REV-238)."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {"accepted": ("owner",)}
    owner: int
    accepted: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        if "accepted" not in data:
            return f"{who(data['owner'])} has answered the Trader."
        return f"{who(data['owner'])} lets {format_number(data['accepted'], 'Good')} be moved."

    def fold(self, state: State) -> State:
        deal = require(state.trade)
        answers = put(deal.answers, self.owner, self.accepted)
        return change_trade(state, answers=answers, awaiting=remove_present(deal.awaiting, [self.owner]))


class TradeAnswersRevealed(Fact, frozen=True):
    """All answers to the Trader are revealed together, refusals left out (ruling 15)."""

    discloses = True
    accepted_by_owner: tuple[SeatCount, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        released = data["accepted_by_owner"]
        return f"Goods released: {w.format_by_seat(released, who)}." if released else "No Goods are released."

    def fold(self, state: State) -> State:
        return change_trade(state, step="confirm")


class GoodsMoved(Fact, frozen=True):
    """Goods become Treasury (REV-236, REV-237)."""

    trader: int
    own: int
    by_owner: tuple[SeatCount, ...]
    commission: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        own = [f"turns {w.own_goods(data['own'])} into {data['own']} T"] if data["own"] else []
        foreign = [
            f"{w.goods(e['count'])} of {owner} into {e['count']} T for {owner}"
            for e in data["by_owner"]
            for owner in (who(e["seat"]),)
        ]
        gained = f"for a commission of {data['commission']} T from the Pool"
        others = [f"turns {'; '.join(foreign)}, {gained}"] if foreign else []
        return f"{who(data['trader'])} {format_list([*own, *others], 'moves nothing')}."

    def fold(self, state: State) -> State:
        moved = {entry.seat: entry.count for entry in self.by_owner}
        state = gain_each(state, "treasury", moved)
        state = gain_each(state, "market", {seat: -count for seat, count in moved.items()})
        state = gain(state, self.trader, treasury=self.own + self.commission, market=-self.own)
        return replace(state, trade=None)
