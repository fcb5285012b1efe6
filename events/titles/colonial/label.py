"""What stands on the button of a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from events.fact import Seat, type_name
from events.kit.words import listed
from events.titles.colonial.data import CARDS, NATIONS, TERRITORY, space_name, territory_name
from events.titles.colonial.derived import required_successes, seat_name
from events.titles.colonial.state import State

Label = Callable[[State, int, Any], str]


def label(state: State, seat: Seat, command: Any) -> str:
    """Short, in the rulebook's words."""
    return _LABELS[type_name(type(command))](state, seat, command)


def _said(text: str) -> Label:
    return lambda _state, _seat, _command: text


def _nation(state: State, seat: int, command: Any) -> str:
    name = NATIONS[command.nation].name if command.nation in NATIONS else command.nation
    return f"Play {name}"


def _row(state: State, seat: int, command: Any) -> str:
    return ", ".join(CARDS[card].name if card in CARDS else card for card in command.row)


def _repay(state: State, seat: int, command: Any) -> str:
    return f"Repay {command.amount} of Loan {command.loan_id}"


def _gift(state: State, seat: int, command: Any) -> str:
    return f"Give {command.amount} Treasury to {_seat(state, command.to)}"


def _seat(state: State, seat: int) -> str:
    return seat_name(state, seat) if 0 <= seat < state.seats else f"seat {seat}"


def _land(name: str) -> str:
    return territory_name(name) if name in TERRITORY else name


def _explore(state: State, seat: int, command: Any) -> str:
    if command.territory is None:
        return "Explorer: sail around the world"
    if command.territory not in TERRITORY:
        return f"Explorer: {command.territory}"
    needed = max(0, required_successes(state, seat, TERRITORY[command.territory]))
    return f"Explorer: {_land(command.territory)} ({needed} Successes)"


def _found(state: State, seat: int, command: Any) -> str:
    options = [
        *(["Extremadura"] if command.method == "extremadura" else []),
        *(["Company"] if command.company else []),
        *(["Pillage"] if command.pillage else []),
        *([f"Repression {command.repression}"] if command.repression else []),
        *(
            [f"Plantation from {listed([_seat(state, s) for s in command.plantation])}"]
            if command.plantation
            else []
        ),
    ]
    return f"Conqueror: {_land(command.territory)}" + (f" with {listed(options)}" if options else "")


def _place(state: State, seat: int, command: Any) -> str:
    return f"Viceroy: {listed(_counted([space_name(space) for space in command.placements]))}"


def _counted(names: Sequence[str]) -> list[str]:
    return [f"{names.count(name)} on {name}" for name in dict.fromkeys(names)]


def _embassy(state: State, seat: int, command: Any) -> str:
    parts = [
        *([f"{_seat(state, command.move)} 1 right"] if command.move is not None else []),
        *([f"1 Unrest from {_land(command.remove_unrest_from)}"] if command.remove_unrest_from else []),
    ]
    return f"Ambassador: {listed(parts)}"


def _sovereign(state: State, seat: int, command: Any) -> str:
    if command.mode == "diplomacy" or command.target is None:
        return "Sovereign: 1 right on Diplomacy"
    return f"Sovereign: war on {_seat(state, command.target)}"


_REBEL = {"rebellion": "rebellion in", "unrest": "Unrest in", "discard_mission": "discard a Mission in"}


def _rebel(state: State, seat: int, command: Any) -> str:
    return f"Rebel: {_REBEL[command.mode]} {_land(command.territory)}"


def _missionary(state: State, seat: int, command: Any) -> str:
    what = "turn Unrest into a Mission in" if command.mode == "flip" else "Mission in"
    return f"Missionary: {what} {_land(command.territory)}"


def _merchant(state: State, seat: int, command: Any) -> str:
    if not command.booming_city_order:
        return "Merchant"
    return f"Merchant: first {_spaces(command.booming_city_order)}"


def _spaces(names: Sequence[str]) -> str:
    return listed([space_name(name) for name in names])


def _governor(state: State, seat: int, command: Any) -> str:
    plain = "" if command.city_bonus else ", without the historical bonus"
    return f"Governor: Booming City in {_land(command.territory)} for {command.payment}{plain}"


def _goods(state: State, command: Any) -> str:
    asked = [f"{wanted.amount} of {_seat(state, wanted.seat)}" for wanted in command.requests]
    return listed([*([f"{command.own} own Goods"] if command.own else []), *asked])


def _settle(state: State, seat: int, command: Any) -> str:
    if command.option == "none":
        return "Settle nothing"
    name = "Trading post" if command.option == "trading_post" else "Adventurers"
    return f"{name}: {space_name(command.space)}"


def _victims(state: State, seat: int, command: Any) -> str:
    taken = [f"{_seat(state, victim.owner)} on {space_name(victim.space)}" for victim in command.casualties]
    return f"Remove {listed(_times(taken))}{_bottoms(command.casualties)}"


def _targets(state: State, seat: int, command: Any) -> str:
    taken = [space_name(target.space) for target in command.casualties]
    return f"Remove {listed(_times(taken))}{_bottoms(command.casualties)}"


def _times(names: Sequence[str]) -> list[str]:
    return [f"{names.count(name)} × {name}" for name in dict.fromkeys(names)]


def _bottoms(casualties: Sequence[Any]) -> str:
    low = [space_name(loss.space) for loss in casualties if loss.position == 0]
    return f" (with the bottom of {listed(low)})" if low else ""


_LABELS: Mapping[str, Label] = {
    "choose_nation": _nation,
    "program_cards": _row,
    "forfeit_round": _said("Forfeit the round"),
    "end_round": _said("End the round"),
    "repay_loan": _repay,
    "transfer_treasury": _gift,
    "play_explorer": _explore,
    "play_conqueror": _found,
    "play_viceroy": _place,
    "play_ambassador": _embassy,
    "play_sovereign": _sovereign,
    "play_rebel": _rebel,
    "play_merchant": _merchant,
    "play_governor": _governor,
    "play_trader": lambda state, _seat, command: f"Trader: {_goods(state, command)}",
    "move_goods": lambda state, _seat, command: f"Move {_goods(state, command)}",
    "play_financier": lambda _state, _seat, command: f"Financier: Loan of {command.amount}",
    "play_scientist": lambda _state, _seat, command: f"Scientist: {command.track.capitalize()}",
    "play_missionary": _missionary,
    "roll_again_for_australia": lambda _state, _seat, command: (
        "Roll again" if command.roll else "Do not roll again"
    ),
    "settle_explored_territory": _settle,
    "attempt_circumnavigation": lambda _state, _seat, command: (
        "Sail around the world (1 Treasury)" if command.attempt else "Stay at home"
    ),
    "choose_rebellion_casualties": _victims,
    "choose_war_casualties": _targets,
    "ship_goods": lambda _state, _seat, command: f"Ship {_spaces(command.spaces)}",
    "answer_shipment": lambda _state, _seat, command: (
        f"Grant {_spaces(command.accept)}" if command.accept else "Refuse all"
    ),
    "answer_goods_request": lambda _state, _seat, command: (
        f"Let {command.amount} Goods go" if command.amount else "Refuse all"
    ),
    "withdraw_requests": _said("Withdraw the requests"),
    "finish_action": _said("Finish"),
    "reroll_sea_dice": lambda _state, _seat, command: "Re-roll" if command.reroll else "Keep the dice",
    "decide_surrender": lambda _state, _seat, command: "Surrender" if command.surrender else "Fight on",
    "fight_year": _said("Fight on"),
    "buy_merchant_fleets": lambda _state, _seat, command: f"Buy {command.amount} Merchant Fleets",
    "buy_squadrons": lambda _state, _seat, command: f"Buy {command.amount} Squadrons",
    "decide_flamboyance": lambda _state, _seat, command: (
        "Pay for Flamboyance" if command.choice == "pay" else "Lose 1 Prestige"
    ),
}
