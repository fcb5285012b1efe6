"""What a player reads on the button of a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from events.fact import Seat
from events.kit.words import counted, listed
from events.steps import Command
from events.titles.colonies import commands as c
from events.titles.colonies import words
from events.titles.colonies.actions.commerce import proceeds
from events.titles.colonies.actions.upgrade import prices
from events.titles.colonies.data import BOARD
from events.titles.colonies.effects.actions import as_command
from events.titles.colonies.primitives import BonusAction, Upgrade
from events.titles.colonies.state import State, arrivals, primitive_under_way


def _fingers(_state: State, _seat: Seat, command: c.ShowFingers) -> str:
    return f"Show {counted(command.count, 'finger')}"


def _deck_card(_state: State, _seat: Seat, command: c.ChooseDeckCard) -> str:
    return f"Put {words.card(command.card_id)} into the deck"


def _colonists(state: State, _seat: Seat, command: c.AcceptColonists) -> str:
    taken = counted(arrivals(state) - command.reject, "colonist")
    rejected = f", reject {command.reject}" if command.reject else ""
    citizens = command.citizens
    paid = f", {counted(citizens, 'citizen')}: +{citizens * BOARD.citizen_credits} €" if citizens else ""
    return f"Take {taken}{rejected}{paid}"


def _vote(state: State, seat: Seat, command: c.CastVote) -> str:
    votes = state.levels[seat]["influence"] + sum(command.resources.values())
    spent = f", spend {words.resources(command.resources)}" if command.resources else ""
    return f"Vote {command.side} ({counted(votes, 'vote')}){spent}"


def _tie(_state: State, _seat: Seat, command: c.DecideTiedVote) -> str:
    proposal = "official" if command.side == "yes" else "alternative"
    return f"Decide {command.side}: the {proposal} proposal is carried"


def _reward(_state: State, _seat: Seat, command: c.ChooseEventReward) -> str:
    return "Take the effect" if command.choice == "effect" else f"Take {BOARD.reward_credits} € instead"


def _removals(items: tuple[c.Removal, ...]) -> str:
    return words.removals(msgspec.to_builtins(items))


def _refuge(_state: State, _seat: Seat, command: c.ProvideRefuge) -> str:
    return f"Refuge: pirates {_removals(command.removals)}; {command.to_stock} to your colonists"


def _hunt(_state: State, _seat: Seat, command: c.HuntPirates) -> str:
    return f"Hunt pirates: {_removals(command.removals)}"


def _sell(state: State, _seat: Seat, command: c.BusinessTrip) -> str:
    return f"Sell {words.resources(command.sales)} for {proceeds(state.markets, command.sales)} €"


def _negotiate(_state: State, _seat: Seat, command: c.TradeNegotiations) -> str:
    fees = sum(BOARD.unilateral_fee for step in command.steps if step.marker)
    steps = "; ".join(words.step(step) for step in msgspec.to_builtins(command.steps))
    return f"Negotiate {steps}" + (f" (fee {fees} €)" if fees else "")


def _produce(state: State, seat: Seat, command: c.ProductionPeak) -> str:
    return f"Produce {words.produced(command.resources, state.planets[seat], command.colonists)}"


def _upgrade(state: State, seat: Seat, command: c.UpgradeTechnology) -> str:
    level = state.levels[seat][command.technology] + 1
    credits = sum(sum(prices(state.markets[colour], n)) for colour, n in command.buy.items())
    bought = f", buying {words.resources(command.buy)} for {credits} €" if command.buy else ""
    return f"Upgrade {command.technology.capitalize()} to level {level}{bought}"


def _police(_state: State, _seat: Seat, command: c.PoliceSector) -> str:
    return f"Police: remove {_removals(command.removals)}" if command.removals else "Police nothing"


def _fulfil(_state: State, _seat: Seat, command: c.FulfilTradeAgreements) -> str:
    parts = [f"{words.resources(given)} to {words.planet(p)}" for p, given in command.substitutes.items()]
    return f"Substitute {listed(parts)}"


def _effect(state: State, seat: Seat, command: c.ResolveEventEffect) -> str:
    if command.decline:
        return "Decline"
    action = _as_action(state, command)
    if action is not None:
        return label(state, seat, action)
    if isinstance(command.resources, dict):
        return f"Choose {words.resources(command.resources)}"
    if command.removals is not None:
        return f"Remove pirates: {_removals(command.removals)}"
    if command.technology is not None:
        return f"Lower {command.technology.capitalize()}"
    if command.partners is not None:
        return f"Agreements with {listed([words.planet(p) for p in command.partners])}"
    return f"Return {counted(command.count or 0, 'colonist')}"


def _as_action(state: State, command: c.ResolveEventEffect) -> Command | None:
    """The action that the answer stands for, if the effect is one."""
    primitive = primitive_under_way(state)
    return as_command(primitive, command) if isinstance(primitive, BonusAction | Upgrade) else None


_LABEL: Mapping[type[Command], Callable[[State, Seat, Any], str]] = {
    c.ShowFingers: _fingers,
    c.ChooseDeckCard: _deck_card,
    c.AcceptColonists: _colonists,
    c.CastVote: _vote,
    c.DecideTiedVote: _tie,
    c.ChooseEventReward: _reward,
    c.ResolveEventEffect: _effect,
    c.ProvideRefuge: _refuge,
    c.HuntPirates: _hunt,
    c.BusinessTrip: _sell,
    c.TradeNegotiations: _negotiate,
    c.ProductionPeak: _produce,
    c.UpgradeTechnology: _upgrade,
    c.PassAction: lambda _state, _seat, _command: "Pass this action",
    c.PoliceSector: _police,
    c.FulfilTradeAgreements: _fulfil,
}


def label(state: State, seat: Seat, command: Command) -> str:
    """Short, in the rulebook's words."""
    return _LABEL[type(command)](state, seat, command)
