"""What a player reads on the button of a command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.fact import Seat
from events.kit.words import counted
from events.steps import Command
from events.titles.colonialism import commands as c
from events.titles.colonialism.data import COLOR_NAMES, NAMES
from events.titles.colonialism.state import State
from events.titles.colonialism.tell import cards_named, mercenaries_counted, ship_named


def label(state: State, seat: Seat, command: Any) -> str:
    """Short, in the rulebook's words."""
    return LABELS[type(command)](state, command)


def faction_called(state: State, faction: int | str) -> str:
    """The natives, or the colour of the player."""
    if isinstance(faction, str):
        return faction
    return COLOR_NAMES[state.colors[faction]] if faction < len(state.colors) else f"seat {faction}"


def _place(key: str) -> str:
    return NAMES.get(key, key)


def _with(ship: str) -> str:
    return f"with {ship_named(ship)}"


def _trade(state: State, command: c.PlayTrade) -> str:
    return (
        f"Trade: {command.color_a} of {_place(command.region_a)} for {command.color_b} of "
        f"{_place(command.region_b)} {_with(command.ship)}"
    )


def _losses(state: State, command: c.ChooseMercenaryLosses) -> str:
    loss = state.losses[0].loss if state.losses else command.mercenaries
    discs = max(0, loss - command.mercenaries)
    return f"Lose {mercenaries_counted(command.mercenaries)} and {counted(discs, 'disc')}"


LABELS: Mapping[type[Command], Callable[[State, Any], str]] = {
    c.ChooseTurnOrderPosition: lambda _state, x: f"Take row {x.row}",
    c.KeepStartingHand: lambda _state, x: f"Keep {cards_named(x.cards)}",
    c.PlaceShip: lambda _state, x: f"Place a ship in {_place(x.sea_zone)}",
    c.DrawInfluenceCard: lambda _state, _x: "Draw a card",
    c.MoveShip: lambda _state, x: f"Move {ship_named(x.ship)} to {_place(x.sea_zone)}",
    c.ExploreRegion: lambda _state, x: f"Explore {_place(x.region)} {_with(x.ship)}",
    c.WithdrawInfluenceDiscs: lambda _state, x: (
        f"Withdraw {counted(x.count, 'disc')} from {_place(x.region)} {_with(x.ship)}"
    ),
    c.PlayPolicyCard: lambda _state, x: f"{_place(x.card)} at {_place(x.region)} {_with(x.ship)}",
    c.PlayDiplomacy: lambda state, x: (
        f"Diplomacy in {_place(x.region)}: add {faction_called(state, x.faction)}"
    ),
    c.PlayLandGrab: lambda _state, x: f"Land Grab in {_place(x.region)} {_with(x.ship)}",
    c.PlayMercenaries: lambda _state, x: f"Mercenaries in {_place(x.region)} {_with(x.ship)}",
    c.PlayMilitaryCampaign: lambda state, x: (
        f"Military Campaign in {_place(x.region)} against {faction_called(state, x.faction)}"
    ),
    c.PlayMissionaries: lambda _state, x: f"Missionaries in {_place(x.region)}",
    c.PlayPlague: lambda _state, x: f"Plague in {_place(x.region)} {_with(x.ship)}",
    c.PlayTrade: _trade,
    c.ChooseMercenaryLosses: _losses,
    c.CollectResourceColor: lambda _state, x: f"Collect all {x.color} cubes",
    c.KeepInfluenceCard: lambda _state, x: f"Keep {_place(x.card)}",
}
"""By command type."""
