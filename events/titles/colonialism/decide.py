"""Which rule answers which command, and the checks that come first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.chance import Chance
from events.fact import type_name
from events.steps import (
    ALREADY_ANSWERED,
    GAME_NOT_RUNNING,
    NOT_YOUR_DECISION,
    UNKNOWN_COMMAND,
    Command,
    Draft,
    Rejected,
)
from events.titles.colonialism import commands as c
from events.titles.colonialism.decisions import KINDS, due
from events.titles.colonialism.evolve import FOLD
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.action_cards import (
    play_diplomacy,
    play_land_grab,
    play_mercenaries,
    play_military_campaign,
    play_missionaries,
    play_plague,
    play_trade,
)
from events.titles.colonialism.steps.actions import (
    draw_influence_card,
    explore_region,
    move_ship,
    withdraw_influence_discs,
)
from events.titles.colonialism.steps.hands import keep_influence_card
from events.titles.colonialism.steps.interrupts import choose_mercenary_losses, collect_resource_color
from events.titles.colonialism.steps.policy_cards import play_policy_card
from events.titles.colonialism.steps.ships import place_ship
from events.titles.colonialism.steps.starting_hands import keep_starting_hand
from events.titles.colonialism.steps.turn_order import choose_turn_order_position

Rule = Callable[[Draft[State], int, Any, Chance], None]

RULES: Mapping[type[Command], Rule] = {
    c.ChooseTurnOrderPosition: choose_turn_order_position,
    c.KeepStartingHand: keep_starting_hand,
    c.PlaceShip: place_ship,
    c.DrawInfluenceCard: draw_influence_card,
    c.MoveShip: move_ship,
    c.ExploreRegion: explore_region,
    c.WithdrawInfluenceDiscs: withdraw_influence_discs,
    c.PlayPolicyCard: play_policy_card,
    c.PlayDiplomacy: play_diplomacy,
    c.PlayLandGrab: play_land_grab,
    c.PlayMercenaries: play_mercenaries,
    c.PlayMilitaryCampaign: play_military_campaign,
    c.PlayMissionaries: play_missionaries,
    c.PlayPlague: play_plague,
    c.PlayTrade: play_trade,
    c.ChooseMercenaryLosses: choose_mercenary_losses,
    c.CollectResourceColor: collect_resource_color,
    c.KeepInfluenceCard: keep_influence_card,
}

_KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}

_INSTEAD = {
    "turn_order_position": "Now a row of the turn order track is being chosen; wait for your choice.",
    "starting_hand": "Now starting hands are being chosen; keep six of your twelve cards.",
    "ship_placement": "Now ships are being placed one by one; place yours when it is your turn.",
    "action": "Now actions are taken one by one; take one when you are the active player.",
    "mercenary_losses": "First the owner of discs and mercenaries has to choose his losses; wait for that.",
    "resource_color": "First a collector has to choose a colour of cubes; wait for that.",
    "card_to_keep": "Now players with two or more cards keep one of them; answer only that.",
}


def decide(state: State, seat: int | None, command: Command, chance: Chance) -> Draft[State]:
    """Carry out the command of a seat, or raise Rejected."""
    if state.step == "ended":
        raise Rejected(GAME_NOT_RUNNING, "The game has ended; look at the result.")
    rule = RULES.get(type(command))
    if rule is None:
        raise Rejected(UNKNOWN_COMMAND, "This game has no such command; see its list of commands.")
    kind, seats = due(state)
    asked = _KIND_OF[type_name(type(command))]
    if seat is None or kind != asked or seat not in seats:
        raise _refusal(state, seat, kind, asked)
    draft: Draft[State] = Draft(state, FOLD)
    rule(draft, seat, command, chance)
    return draft


def _refusal(state: State, seat: int | None, kind: str, asked: str) -> Rejected:
    """Why nothing of this kind is awaited from this seat now."""
    answered = seat is not None and seat < len(state.kept) and state.kept[seat] is not None
    if kind == asked and answered:
        return Rejected(ALREADY_ANSWERED, "You have chosen already; wait for the other players.")
    return Rejected(NOT_YOUR_DECISION, _INSTEAD[kind])
