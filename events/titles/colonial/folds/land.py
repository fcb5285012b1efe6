"""Folds of what changes on the map."""

from __future__ import annotations

from msgspec.structs import replace

from events.kit.overseas.piles import removed
from events.kit.values import put
from events.steps import Fold
from events.titles.colonial import facts as f
from events.titles.colonial.data import SPACE, TERRITORY
from events.titles.colonial.folds.common import gain, same
from events.titles.colonial.state import (
    BoomingCity,
    Rebelling,
    State,
)


def _explored(state: State, fact: f.TerritoryExplored) -> State:
    prestige = put(state.prestige, TERRITORY[fact.territory], fact.prestige_left)
    return replace(gain(state, fact.seat, prestige=fact.prestige_taken), prestige=prestige)


def _placed(state: State, fact: f.CounterPlaced) -> State:
    state = replace(state, piles=put(state.piles, SPACE[fact.space], fact.stack))
    return gain(state, fact.seat, **{fact.from_: -1})


def _control(state: State, fact: f.ControlChanged) -> State:
    return replace(state, piles=put(state.piles, SPACE[fact.space], fact.stack))


def _lost(state: State, fact: f.CountersLost) -> State:
    piles = state.piles
    for name in {loss.space for loss in fact.losses}:
        gone = {loss.position for loss in fact.losses if loss.space == name}
        piles = put(piles, SPACE[name], removed(piles[SPACE[name]], gone))
    state = replace(state, piles=piles)
    if fact.cause == "rebellion":
        return replace(state, action=None)
    return state if state.war is None else replace(state, war=replace(state.war, battle=None, step="fight"))


def _company(state: State, fact: f.CompanyCreated) -> State:
    space = SPACE[fact.space]
    state = replace(state, piles=put(state.piles, space, removed(state.piles[space], {fact.position})))
    return gain(state, fact.seat, fleets=1)


def _unrest(state: State, territory: str, amount: int) -> State:
    number = TERRITORY[territory]
    return replace(state, unrest=put(state.unrest, number, state.unrest[number] + amount))


def _missions(state: State, territory: str, amount: int) -> State:
    number = TERRITORY[territory]
    return replace(state, missions=put(state.missions, number, state.missions[number] + amount))


def _unrest_placed(state: State, fact: f.UnrestPlaced) -> State:
    return _unrest(state, fact.territory, fact.amount)


def _unrest_removed(state: State, fact: f.UnrestRemoved) -> State:
    return _unrest(state, fact.territory, -fact.amount)


def _unrest_flipped(state: State, fact: f.UnrestFlipped) -> State:
    return _missions(_unrest(state, fact.territory, -1), fact.territory, 1)


def _mission_placed(state: State, fact: f.MissionPlaced) -> State:
    return _missions(state, fact.territory, 1)


def _mission_discarded(state: State, fact: f.MissionDiscarded) -> State:
    return _missions(state, fact.territory, -1)


def _founded(state: State, fact: f.ColonyFounded) -> State:
    state = replace(state, colony=put(state.colony, TERRITORY[fact.territory], fact.seat))
    return gain(state, fact.seat, prestige=fact.prestige + fact.city_prestige)


def _colony_lost(state: State, fact: f.ColonyLost) -> State:
    state = _unrest(state, fact.territory, -fact.unrest_removed)
    state = replace(state, colony=put(state.colony, TERRITORY[fact.territory], None))
    return gain(state, fact.seat, prestige=-fact.prestige_lost - fact.city_prestige_lost)


def _independence_ended(state: State, fact: f.IndependenceEnded) -> State:
    return replace(state, independent=put(state.independent, TERRITORY[fact.territory], False))


def _independence_began(state: State, fact: f.IndependenceBegan) -> State:
    return replace(state, independent=put(state.independent, TERRITORY[fact.territory], True))


def _pillaged(state: State, fact: f.TerritoryPillaged) -> State:
    return gain(state, fact.seat, treasury=fact.amount)


def _stolen(state: State, fact: f.FleetStolen) -> State:
    return gain(gain(state, fact.victim, fleets=-fact.amount), fact.thief, fleets=fact.amount)


def _city_placed(state: State, fact: f.BoomingCityPlaced) -> State:
    return replace(state, booming_city=BoomingCity(fact.territory, fact.value, fact.by))


def _city_removed(state: State, fact: f.BoomingCityRemoved) -> State:
    return replace(state, booming_city=None)


def _city_pillaged(state: State, fact: f.BoomingCityPillaged) -> State:
    city = state.booming_city
    return state if city is None else replace(state, booming_city=replace(city, value=fact.new_value))


def _prestige_gained(state: State, fact: f.PrestigeGained) -> State:
    return gain(state, fact.seat, prestige=fact.amount)


def _rebellion(state: State, fact: f.RebellionRolled) -> State:
    return replace(state, action=Rebelling(fact.territory, fact.from_others, fact.from_self))


FOLD: Fold = {
    f.TerritoryExplored: _explored,
    f.CounterPlaced: _placed,
    f.ControlChanged: _control,
    f.MonopolyBroken: same,
    f.UnrestPlaced: _unrest_placed,
    f.UnrestRemoved: _unrest_removed,
    f.UnrestFlipped: _unrest_flipped,
    f.MissionPlaced: _mission_placed,
    f.MissionDiscarded: _mission_discarded,
    f.ColonyFounded: _founded,
    f.IndependenceEnded: _independence_ended,
    f.IndependenceBegan: _independence_began,
    f.CompanyCreated: _company,
    f.TerritoryPillaged: _pillaged,
    f.FleetStolen: _stolen,
    f.ColonyLost: _colony_lost,
    f.BoomingCityPlaced: _city_placed,
    f.BoomingCityRemoved: _city_removed,
    f.BoomingCityPillaged: _city_pillaged,
    f.PrestigeGained: _prestige_gained,
    f.RebellionRolled: _rebellion,
    f.CountersLost: _lost,
}
