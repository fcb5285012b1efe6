"""Folds of war."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from events.steps import Fold
from events.titles.colonial import facts as f
from events.titles.colonial.folds.common import gain, same
from events.titles.colonial.state import (
    Battle,
    State,
    War,
)


def _prestige_taken(state: State, fact: f.PrestigeTaken) -> State:
    return gain(gain(state, fact.from_, prestige=-fact.amount), fact.to, prestige=fact.amount)


def _war(state: State, **changes: Any) -> State:
    return state if state.war is None else replace(state, war=replace(state.war, **changes))


def _declared(state: State, fact: f.WarDeclared) -> State:
    return replace(state, war=War(fact.attacker, fact.defender))


def _year(state: State, fact: f.WarYearBegan) -> State:
    return _war(state, year=fact.year, year_open=True, battles=fact.territories)


def _battle(state: State, fact: f.LandBattleRolled) -> State:
    rest = tuple(t for t in state.war.battles if t != fact.territory) if state.war else ()
    battle = Battle(fact.territory, fact.due, fact.asked) if any(fact.due) else None
    return _war(state, battles=rest, battle=battle, step="casualties" if any(fact.asked) else "fight")


def _chosen(state: State, fact: f.WarCasualtiesChosen) -> State:
    war = state.war
    if war is None or war.battle is None:
        return state
    mine, other = war.battle.chosen
    chosen = (fact.casualties, other) if fact.seat == war.attacker else (mine, fact.casualties)
    return _war(state, battle=replace(war.battle, chosen=chosen))


def _sea(state: State, fact: f.SeaBattleRolled) -> State:
    return _war(state, sea=(fact.attacker_dice, fact.defender_dice))


def _rerolled(state: State, fact: f.SeaDiceRerolled) -> State:
    war = state.war
    if war is None or war.sea is None:
        return state
    sea = (fact.new_dice, war.sea[1]) if fact.seat == war.attacker else (war.sea[0], fact.new_dice)
    return _war(state, sea=sea, step="fight")


def _sea_losses(state: State, fact: f.SeaLossesTaken) -> State:
    for loss in fact.losses:
        state = gain(state, loss.seat, squadrons=-loss.squadrons, fleets=-loss.fleets)
    return _war(state, sea=None)


def _declined(state: State, fact: f.SurrenderDeclined) -> State:
    return _war(state, step="fight", deciding=None)


def _war_ended(state: State, fact: f.WarEnded) -> State:
    return replace(state, war=None)


def _reroll_declined(state: State, fact: f.SeaRerollDeclined) -> State:
    return _war(state, step="fight")


FOLD: Fold = {
    f.PrestigeTaken: _prestige_taken,
    f.WarDeclared: _declared,
    f.WarYearBegan: _year,
    f.LandBattleRolled: _battle,
    f.WarCasualtiesChosen: _chosen,
    f.SeaBattleRolled: _sea,
    f.SeaDiceRerolled: _rerolled,
    f.SeaRerollDeclined: _reroll_declined,
    f.SeaLossesTaken: _sea_losses,
    f.SurrenderDeclined: _declined,
    f.Surrendered: same,
    f.WarEnded: _war_ended,
}
