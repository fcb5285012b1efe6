"""The board of Colonialism after an action, with the usual choices of losses.

Only what a player's prospects depend on: regions, reserves, cubes. Hands, ships and whose turn it is stay as
they were, so that trying an action takes little time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.kit.values import put
from events.rules.steps import Command, Draft
from events.titles.colonialism import commands as c
from events.titles.colonialism.data import CARD, D3, REGION_INDEX
from events.titles.colonialism.derived import collector, factions, influence_of, policy_count, region
from events.titles.colonialism.facts import (
    ActionCardDiscarded,
    ActionCardPlayed,
    DiscardPileReshuffled,
    InfluenceAdded,
    InfluenceRemoved,
    MercenariesRecruited,
    PolicyCardPlayed,
    RegionExplored,
    ResourcesExchanged,
)
from events.titles.colonialism.parts import Faction, PolicyCard
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.action_cards import ACTION_CARDS
from events.titles.colonialism.steps.collection import collect_resources, go_on_collecting, take_color
from events.titles.colonialism.steps.interrupts import RESOURCE_COLOR

WITH_DIE = (c.PlayDiplomacy, c.PlayMercenaries, c.PlayMilitaryCampaign)
"""Commands after which a die is thrown."""


def state_after(state: State, seat: Seat, command: Command, chance: FastChance) -> State:
    """Return the state after an action of *seat* that is neither drawing, moving nor withdrawing."""
    kind = type(command)
    state = _EFFECTS[kind](state, seat, command, chance)
    return _show_card(state, seat, _CARDS[kind]) if kind in _CARDS else state


def _show_card(state: State, seat: Seat, card: str) -> State:
    """With an action card played and discarded, where that tells what a seat's hidden cards can be."""
    if state.known_held[seat]:
        state = ActionCardPlayed(seat, card, ("",), None, None).fold(state)
    if not state.decks[seat]:
        state = ActionCardDiscarded(seat, card).fold(state)
        state = DiscardPileReshuffled(seat, len(state.discards[seat])).fold(state)
    return state


def _throw_die(card: str, chance: FastChance) -> int:
    face: int = chance.roll(1, D3)[0]
    return face + CARD[card].number


def _add_influence(state: State, key: str, faction: Faction, wanted: int) -> State:
    """Add discs of the faction, as far as there are any."""
    left = state.native_supply if faction == "natives" else state.reserve[faction]
    return InfluenceAdded(faction, key, wanted, min(wanted, left), "").fold(state)


def _remove_influence(state: State, key: str, faction: Faction, count: int) -> State:
    """With less influence of the faction, mercenaries first."""
    hired = 0 if faction == "natives" else min(count, region(state, key).mercenaries[faction])
    return InfluenceRemoved(faction, key, count - hired, hired, "").fold(state) if count else state


def _explore(state: State, seat: Seat, command: Any, _chance: FastChance) -> State:
    return RegionExplored(seat, command.region).fold(state)


def _play_policy(state: State, seat: Seat, command: Any, _chance: FastChance) -> State:
    index = REGION_INDEX[command.region]
    at = state.regions[index]
    if at.policy[seat] and state.known_held[seat]:
        shown = PolicyCardPlayed(seat, command.region, "", 0, True, command.card, command.card, ())
        return shown.fold(state)
    stack = (*at.policy[seat], PolicyCard(command.card, face_up=True))
    at = replace(at, policy=put(at.policy, seat, stack))
    return replace(state, regions=put(state.regions, index, at))


def _grab_land(state: State, seat: Seat, command: Any, _chance: FastChance) -> State:
    return _add_influence(state, command.region, seat, policy_count(region(state, command.region)))


def _befriend(state: State, _seat: Seat, command: Any, chance: FastChance) -> State:
    return _add_influence(state, command.region, command.faction, _throw_die("diplomacy", chance))


def _recruit(state: State, seat: Seat, command: Any, chance: FastChance) -> State:
    wanted = _throw_die("mercenaries", chance)
    placed = min(wanted, state.mercenary_supply)
    return MercenariesRecruited(seat, command.region, wanted, placed).fold(state)


def _attack(state: State, _seat: Seat, command: Any, chance: FastChance) -> State:
    key, target = command.region, command.faction
    there = influence_of(region(state, key), target)
    state = _remove_influence(state, key, target, min(there, _throw_die("military_campaign", chance)))
    if target != "natives" or region(state, key).natives:
        return state
    draft = Draft(state, chance)
    collect_resources(draft, key, "military_campaign")
    while draft.state.collection is not None:
        choice = RESOURCE_COLOR.default(draft.state, collector(draft.state.collection))
        take_color(draft, choice.color)  # type: ignore[attr-defined]
        go_on_collecting(draft)
    return draft.state


def _convert(state: State, seat: Seat, command: Any, _chance: FastChance) -> State:
    at, converts = region(state, command.region), 0
    for faction in factions(state):
        if faction != seat and influence_of(at, faction) >= 2:
            state = _remove_influence(state, command.region, faction, 1)
            converts += 1
    return _add_influence(state, command.region, seat, converts) if converts else state


def _halve(state: State, _seat: Seat, command: Any, _chance: FastChance) -> State:
    at = region(state, command.region)
    for faction in factions(state):
        state = _remove_influence(
            state, command.region, faction, influence_of(at, faction) // CARD["plague"].number
        )
    return state


def _trade(state: State, seat: Seat, command: Any, _chance: FastChance) -> State:
    exchange = ResourcesExchanged(seat, command.region_a, command.color_a, command.region_b, command.color_b)
    return exchange.fold(state)


_EFFECTS: Mapping[type[Command], Callable[[State, Seat, Any, FastChance], State]] = {
    c.ExploreRegion: _explore,
    c.PlayPolicyCard: _play_policy,
    c.PlayLandGrab: _grab_land,
    c.PlayDiplomacy: _befriend,
    c.PlayMercenaries: _recruit,
    c.PlayMilitaryCampaign: _attack,
    c.PlayMissionaries: _convert,
    c.PlayPlague: _halve,
    c.PlayTrade: _trade,
}
"""The functions that apply each command to the board."""
_CARDS: Mapping[type[Command], str] = {move.command: card for card, move in ACTION_CARDS.items()}


def command_key(command: Command) -> object:
    """Return a key that is equal for commands with the same result.

    The ship that is used counts only where a die is thrown.
    """
    match command:
        case c.PlayPolicyCard():
            return (c.PlayPolicyCard, command.card, command.region)
        case c.ExploreRegion() | c.PlayLandGrab() | c.PlayPlague():
            return (type(command), command.region)
        case c.PlayTrade():
            return (command.region_a, command.color_a, command.region_b, command.color_b)
        case _:
            return command
