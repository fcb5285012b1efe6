"""Loans and tracks; what the plays of the Explorer, the Merchant and the Trader lead to."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from events.rules.fact import Fact, Who
from events.rules.kit.values import change_player, gain, put
from events.rules.kit.words import capital, format_count, plural
from events.titles.colonial.data import SUCCESS_DICE, space_name, territory_name
from events.titles.colonial.parts import Dice, Request
from events.titles.colonial.state import Exploring, Loan, Selling, Shipping, State, resize_loan
from events.titles.colonial.words import Data, format_result, says, space_names


def _change_exploring(state: State, **changes: Any) -> State:
    action = state.action
    return replace(state, action=replace(action, **changes)) if isinstance(action, Exploring) else state


def _change_shipping(state: State, **changes: Any) -> State:
    action = state.action
    return replace(state, action=replace(action, **changes)) if isinstance(action, Shipping) else state


def _add_sale(state: State, amount: int) -> State:
    action = state.action
    if not isinstance(action, Selling):
        return state
    return replace(state, action=replace(action, moved=action.moved + amount))


class ChoiceOffered(Fact, frozen=True):
    """A play or a war waits for a choice of this seat."""

    seat: int
    choice: Literal["second_roll", "settle", "circumnavigation", "reroll", "surrender"]
    tell = says("{seat:who} {choice:choice}.")

    def fold(self, state: State) -> State:
        war = state.war
        if war and self.choice == "reroll":
            return replace(state, war=replace(war, step="reroll"))
        if war and self.choice == "surrender":
            return replace(state, war=replace(war, step="surrender", deciding=self.seat, year_open=False))
        return _change_exploring(state, step=self.choice)


# --- Loans, tracks -------------------------------------------------------------------------------


class LoanTaken(Fact, frozen=True):
    """A seat takes a Loan (COL-16-01)."""

    seat: int
    loan_id: int
    amount: int
    tell = says("{seat:who} takes a Loan of {amount}.")

    def fold(self, state: State) -> State:
        player = state.players[self.seat]
        loans = (*player.loans, Loan(self.loan_id, self.amount))
        state = change_player(state, self.seat, loans=loans, treasury=player.treasury + self.amount)
        return replace(state, next_loan=self.loan_id + 1)


class LoanRepaid(Fact, frozen=True):
    """A seat repays a Loan (COL-16-03); *remaining* repeats what is left of the pile."""

    seat: int
    loan_id: int
    amount: int
    remaining: int

    def fold(self, state: State) -> State:
        state = resize_loan(state, self.seat, self.loan_id, self.remaining)
        return gain(state, self.seat, treasury=-self.amount)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        remaining = data["remaining"]
        left = f"{remaining} of that Loan {plural(remaining, 'remains', 'remain')}"
        left = left if remaining else "that Loan is paid off"
        return capital(f"{who(data['seat'])} repays {data['amount']}: {left}.")


class TrackAdvanced(Fact, frozen=True):
    """A seat advances on a track (COL-21-01); *cost* repeats what `TreasuryDiscarded` took."""

    seat: int
    track: str
    from_: int = msgspec.field(name="from")
    to: int
    cost: int
    tell = says("{seat:who} advances to {to} on {track:track}.")

    def fold(self, state: State) -> State:
        return change_player(state, self.seat, **{self.track: self.to})


class SlaveryAbolished(Fact, frozen=True):
    """Slavery is abolished, since a seat has reached Economy 10 (COL-06-07)."""

    by: int
    tell = says("{by:who} has reached Economy 10: slavery is abolished.")


# --- the Explorer --------------------------------------------------------------------------------


class ExplorationRolled(Fact, frozen=True):
    """An Explorer rolls for a Territory (COL-15-01, COL-15-02)."""

    drawn: ClassVar = {"dice": SUCCESS_DICE}
    seat: int
    territory: str
    required: int
    dice: Dice
    successes: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        place = territory_name(data["territory"])
        return capital(f"{who(data['seat'])} sails for {place}: {format_result(data)}.")

    def fold(self, state: State) -> State:
        return _change_exploring(state, territory=self.territory)


class AustraliaSecondRollTaken(Fact, frozen=True):
    """A seat rolls again for Australia (COL-11-09)."""

    drawn: ClassVar = {"dice": SUCCESS_DICE}
    seat: int
    required: int
    dice: Dice
    successes: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        return capital(f"{who(data['seat'])} rolls again for Australia: {format_result(data)}.")


class AustraliaSecondRollDeclined(Fact, frozen=True):
    """A seat does not roll again for Australia (COL-11-10)."""

    seat: int
    tell = says("{seat:who} does not roll again.")


class AmericaDiscovered(Fact, frozen=True):
    """A seat discovers America and gains *bonus* more Prestige (COL-11-02)."""

    seat: int
    bonus: int
    to_circumnavigation: int
    tell = says("{seat:who} discovers America and gains {bonus} more Prestige!")

    def fold(self, state: State) -> State:
        return replace(
            gain(state, self.seat, prestige=self.bonus),
            america_discovered=True,
            discovered_this_round=True,
            discovery_box=state.discovery_box - self.bonus - self.to_circumnavigation,
            circumnavigation_box=state.circumnavigation_box + self.to_circumnavigation,
        )


class SettleDeclined(Fact, frozen=True):
    """A seat settles nothing in the Territory just explored (COL-15-07)."""

    seat: int
    tell = says("{seat:who} does not settle.")


class CircumnavigationDeclined(Fact, frozen=True):
    """A seat makes no attempt to sail around the world (COL-11-05)."""

    seat: int
    tell = says("{seat:who} does not sail around the world.")


class CircumnavigationRolled(Fact, frozen=True):
    """A seat rolls for the circumnavigation (COL-11-06)."""

    drawn: ClassVar = {"dice": SUCCESS_DICE}
    seat: int
    required: int
    continents: tuple[str, ...]
    dice: Dice
    successes: int

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        reached = format_count(len(data["continents"]), "continent")
        return capital(f"{who(data['seat'])} sails around the world with {reached}: {format_result(data)}.")


class WorldCircumnavigated(Fact, frozen=True):
    """A seat has sailed around the world and gains the Prestige of the box (COL-11-07)."""

    seat: int
    tell = says("{seat:who} has sailed around the world and gains 1 Prestige!")

    def fold(self, state: State) -> State:
        state = gain(state, self.seat, prestige=state.circumnavigation_box)
        return replace(state, circumnavigation_box=0)


# --- the Merchant --------------------------------------------------------------------------------


class SellersPaid(Fact, frozen=True):
    """The sellers of the Booming City's Goods are paid; *amounts* are by seat (COL-18-09)."""

    territory: str
    amounts: tuple[int, ...]

    def fold(self, state: State) -> State:
        for seat, amount in enumerate(self.amounts):
            if amount:
                state = gain(state, seat, treasury=amount)
        return state

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        paid = [f"{who(seat)} {amount} Treasury" for seat, amount in enumerate(data["amounts"]) if amount]
        return f"The sellers of the Booming City are paid from the Pool: {', '.join(paid)}."


class PirateCheckRolled(Fact, frozen=True):
    """Dice are rolled for pirates off the Booming City's Territory, one an Unrest (COL-18-10)."""

    drawn: ClassVar = {"dice": SUCCESS_DICE}
    seat: int
    territory: str
    unrest: int
    dice: Dice
    successes: int
    tell = says("Pirates off {territory:territory}, with {unrest} Unrest: {successes:successes}.")


class FleetLostToPirates(Fact, frozen=True):
    """Pirates take a Merchant Fleet; that Territory ships nothing in this play (COL-18-11)."""

    seat: int
    territory: str
    tell = says("{seat:who} loses 1 Merchant Fleet to pirates; {territory:territory} ships nothing.")

    def fold(self, state: State) -> State:
        return _change_shipping(gain(state, self.seat, merchant_fleets=-1), blocked=self.territory)


class ShipmentRequested(Fact, frozen=True):
    """Owners are asked for Goods of their spaces."""

    by: int
    requests: tuple[Request, ...]

    def fold(self, state: State) -> State:
        return _change_shipping(state, requests=self.requests)

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        asked = [
            f"{who(request['owner'])} for {space_names(request['spaces'])}" for request in data["requests"]
        ]
        return capital(f"{who(data['by'])} asks {'; '.join(asked)}.")


class ShipmentAnswered(Fact, frozen=True):
    """An owner grants or refuses the spaces asked for (COL-18-05)."""

    owner: int
    accepted: tuple[str, ...]
    refused: tuple[str, ...]

    def fold(self, state: State) -> State:
        action = state.action
        if not isinstance(action, Shipping):
            return state
        left = tuple(request for request in action.requests if request.owner != self.owner)
        return _change_shipping(state, requests=left, refused=(*action.refused, *self.refused))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        answers = [("grants", data["accepted"]), ("refuses", data["refused"])]
        parts = [f"{verb} {space_names(spaces)}" for verb, spaces in answers if spaces]
        return capital(f"{who(data['owner'])} {'; '.join(parts)}.")


class GoodsShipped(Fact, frozen=True):
    """One of the Goods is shipped from a space to the shipper's Market (COL-18-03, COL-18-04)."""

    shipper: int
    space: str
    controller: int
    paid_to_controller: int
    forced: bool

    def fold(self, state: State) -> State:
        state = gain(state, self.shipper, market=1)
        if self.paid_to_controller:
            state = gain(state, self.controller, treasury=self.paid_to_controller)
        done = state.action.shipped if isinstance(state.action, Shipping) else ()
        return _change_shipping(state, shipped=(*done, self.space))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        pay, shipper, space = data["paid_to_controller"], who(data["shipper"]), space_name(data["space"])
        paid = f"; {who(data['controller'])} earns {pay} Treasury from the Pool" if pay else ""
        return capital(f"{shipper} ships {space}: 1 Goods on the Market{paid}.")


class RequestsWithdrawn(Fact, frozen=True):
    """Unanswered requests count as refused."""

    by: int
    tell = says("{by:who} withdraws the open requests.")

    def fold(self, state: State) -> State:
        action = state.action
        if isinstance(action, Selling):
            refused = tuple(a + b for a, b in zip(action.refused, action.asked, strict=True))
            return replace(state, action=replace(action, asked=(0,) * state.seats, refused=refused))
        if not isinstance(action, Shipping):
            return state
        spaces = [space for request in action.requests for space in request.spaces]
        return _change_shipping(state, requests=(), refused=(*action.refused, *spaces))


# --- the Trader ----------------------------------------------------------------------------------


class GoodsRequested(Fact, frozen=True):
    """The Trader asks owners for Goods; *amounts* are by seat (COL-23-04)."""

    by: int
    amounts: tuple[int, ...]

    def fold(self, state: State) -> State:
        action = state.action
        if not isinstance(action, Selling):
            return state
        return replace(state, action=replace(action, asked=self.amounts))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        asked = [f"{who(seat)} for {amount} Goods" for seat, amount in enumerate(data["amounts"]) if amount]
        return capital(f"{who(data['by'])} asks {', '.join(asked)}.")


class GoodsRequestAnswered(Fact, frozen=True):
    """An owner lets some of the Goods go and refuses the rest (COL-23-04)."""

    owner: int
    accepted: int
    refused: int

    def fold(self, state: State) -> State:
        action = state.action
        if not isinstance(action, Selling):
            return state
        asked = put(action.asked, self.owner, 0)
        refused = put(action.refused, self.owner, action.refused[self.owner] + self.refused)
        return replace(state, action=replace(action, asked=asked, refused=refused))

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        kept = f" and keeps {data['refused']}" if data["accepted"] and data["refused"] else ""
        return capital(f"{who(data['owner'])} lets {data['accepted'] or 'no'} Goods go{kept}.")


class OwnGoodsSold(Fact, frozen=True):
    """The Trader sells own Goods for Treasury (COL-23-02)."""

    seat: int
    amount: int
    tell = says("{seat:who} sells {amount} own Goods for {amount} Treasury.")

    def fold(self, state: State) -> State:
        return _add_sale(gain(state, self.seat, market=-self.amount, treasury=self.amount), self.amount)


class ForeignGoodsSold(Fact, frozen=True):
    """The Trader sells an owner's Goods; each of the two gets *amount* Treasury (COL-23-03)."""

    trader: int
    owner: int
    amount: int
    tell = says("{trader:who} sells {amount} Goods of {owner:who}: {amount} Treasury for each of the two.")

    def fold(self, state: State) -> State:
        state = gain(state, self.owner, market=-self.amount, treasury=self.amount)
        return _add_sale(gain(state, self.trader, treasury=self.amount), self.amount)
