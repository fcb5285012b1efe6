"""A state that a seat cannot tell from the real one: sealed answers of others drawn again."""

from __future__ import annotations

from msgspec.structs import replace

from events.rules.chance import Chance
from events.titles.colonial_revised.state import Shipment, State, Trade, War, require
from events.titles.colonial_revised.steps.alliances import may_help_attacker
from events.titles.colonial_revised.steps.endeavour.war import casualty_ways
from events.titles.colonial_revised.steps.later_phases.choosing_cards import list_played
from events.titles.colonial_revised.steps.merchant import list_asked_spaces as goods_asked
from events.titles.colonial_revised.steps.trader import count_asked_goods as trade_asked


def imagine(state: State, seat: int, chance: Chance) -> State:
    """Only answers that others have sealed are hidden; all else is public (REV-028)."""
    if state.phase == "choosing_cards":
        return _cards(state, seat, chance)
    if state.shipment and state.shipment.step == "answer":
        return replace(state, shipment=_goods(state.shipment, seat, chance))
    if state.trade and state.trade.step == "answer":
        return replace(state, trade=_trade(state.trade, seat, chance))
    if state.war and state.war.step == "choice":
        return replace(state, war=_choices(state, state.war, seat, chance))
    if state.war and state.war.battle:
        return replace(state, war=_casualties(state, state.war, seat, chance))
    return state


def _cards(state: State, seat: int, chance: Chance) -> State:
    players = tuple(
        player
        if other == seat or player.set_aside_choice is None
        else replace(player, set_aside_choice=chance.pick(list_played(state, other), hidden=True))
        for other, player in enumerate(state.players)
    )
    return replace(state, players=players)


def _goods(deal: Shipment, seat: int, chance: Chance) -> Shipment:
    answers = tuple(
        answer
        if other == seat or answer is None
        else tuple(name for name in goods_asked(deal, other) if chance.pick((True, False), hidden=True))
        for other, answer in enumerate(deal.answers)
    )
    return replace(deal, answers=answers)


def _trade(deal: Trade, seat: int, chance: Chance) -> Trade:
    answers = tuple(
        answer
        if other == seat or answer is None
        else chance.pick(range(trade_asked(deal, other) + 1), hidden=True)
        for other, answer in enumerate(deal.answers)
    )
    return replace(deal, answers=answers)


def _choices(state: State, war: War, seat: int, chance: Chance) -> War:
    choices = []
    for other, choice in enumerate(war.choices):
        if other == seat or choice is None:
            choices.append(choice)
            continue
        sides = ("attacker", "defender", "none") if may_help_attacker(state, other) else ("defender", "none")
        choices.append(chance.pick(sides, hidden=True))
    return replace(war, choices=tuple(choices))


def _casualties(state: State, war: War, seat: int, chance: Chance) -> War:
    battle = require(war.battle)
    attacker, defender = (
        chosen
        if principal == seat or chosen is None
        else chance.pick(tuple(casualty_ways(state, war, battle, side)), hidden=True)
        for side, (principal, chosen) in enumerate(
            zip((war.attacker, war.defender), battle.chosen, strict=True)
        )
    )
    return replace(war, battle=replace(battle, chosen=(attacker, defender)))
