"""The Conqueror (COL-14) and Extremadura (COL-25-21)."""

from __future__ import annotations

from collections import Counter
from typing import Literal

from events.kit.overseas.piles import highest
from events.steps import Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.commands import Company, PlayConqueror
from events.titles.colonial.data import RULES, SPACES, TERRITORIES, WORLD
from events.titles.colonial.derived import (
    colonies,
    controls_all,
    counters_in,
    historical_city,
    nation,
    native_power,
)
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps import guards
from events.titles.colonial.steps.losses import check_control
from events.titles.colonial.steps.placing import move_left
from events.titles.colonial.steps.rounds import finish, use

Method = Literal["normal", "extremadura"]


def play(draft: Draft, seat: int, command: PlayConqueror) -> None:
    """COL-14-01: found one Colony, then the options in their order (COL-14-06)."""
    state = draft.state
    guards.active(state, seat)
    for victim in command.plantation:
        guards.player_known(state, victim)
    number = guards.territory(command.territory)
    if command.company:
        guards.space(command.company.space)
    guards.may_play(state, seat, "conqueror")
    guards.not_excluded(state, number)
    _may_found(state, seat, number, command.method)
    position = _company_position(state, seat, number, command.company)
    _may_repress(state, number, command)
    _may_steal(state, seat, number, command.plantation)

    use(draft, seat, "conqueror")
    _found(draft, seat, number, command.method)
    if command.company and position is not None:
        _company(draft, seat, command.company.space, position)
    if command.pillage:
        _pillage(draft, seat, number)
    if command.repression:
        draft.emit(f.UnrestRemoved(command.territory, command.repression, seat, "repression"))
        move_left(draft, seat, command.repression, "repression")
    for victim, fleets in Counter(command.plantation).items():
        draft.emit(f.FleetStolen(seat, victim, fleets))
    finish(draft, seat)


# --- requirements ------------------------------------------------------------------------------


def _may_found(state: State, seat: int, number: int, method: str) -> None:
    """COL-14-02, COL-25-21."""
    guards.is_explored(state, number)
    land = TERRITORIES[number]
    if state.colony[number] is not None:
        raise Rejected("already_a_colony", f"{land.name} is a Colony; choose another Territory.")
    if not land.native_power:
        raise Rejected("no_native_power", f"{land.name} has no Native Power; choose another Territory.")
    if not controls_all(state, number, seat):
        raise Rejected("not_all_resources_controlled", f"Control every Resource of {land.name} first.")
    needed = native_power(state, number)
    if method == "normal" and counters_in(state, number, seat) < needed:
        raise Rejected("not_enough_counters", f"{land.name} takes {needed} counters of yours.")
    if colonies(state, seat) >= RULES.colony_markers:
        raise Rejected("no_colony_marker_left", "All your Colony markers are on the map.")
    if method == "extremadura":
        _extremadura(state, seat, number)


def _extremadura(state: State, seat: int, number: int) -> None:
    """COL-25-21: Spain, an American Territory, a Mission."""
    card = nation(state.players[seat])
    if card is None or not card.extremadura or not TERRITORIES[number].american:
        raise Rejected("extremadura_not_allowed", "Only Spain may use Extremadura, and only in America.")
    if not state.missions[number]:
        raise Rejected("no_mission_there", "Extremadura takes a Mission in the Territory.")


def _company_position(state: State, seat: int, number: int, company: Company | None) -> int | None:
    """COL-14-07: the position of the counter, checked."""
    if company is None:
        return None
    if counters_in(state, number, seat) <= 1:
        raise Rejected("company_would_empty_colony", "A counter of yours must stay; leave out the Company.")
    space = guards.space(company.space)
    pile = state.piles[space]
    at = highest(pile, seat) if company.position is None else company.position
    if SPACES[space].territory != number or at is None or at >= len(pile) or pile[at] != seat:
        raise Rejected("counter_not_yours", f"Name a counter of yours in {TERRITORIES[number].name}.")
    return at


def _may_repress(state: State, number: int, command: PlayConqueror) -> None:
    """COL-14-09: also the Unrest that this very play places."""
    unrest = state.unrest[number] + command.pillage + (command.method == "extremadura")
    if command.repression > unrest:
        raise Rejected("not_enough_unrest", f"There will be {unrest} Unrest; repress at most as many.")


def slaves_controlled(state: State, seat: int) -> int:
    """How many black spaces he controls."""
    return sum(1 for at in WORLD.spaces_of_resource[RULES.slaves_resource] if state.piles[at][:1] == (seat,))


def takable_fleets(state: State, seat: int) -> int:
    """How many Fleets Plantation takes (COL-14-10, R-23): one a black space, as far as they exist."""
    others = sum(player.fleets for other, player in enumerate(state.players) if other != seat)
    return min(slaves_controlled(state, seat), others)


def has_plantation(number: int) -> bool:
    """Whether the Territory has a beige space."""
    return any(SPACES[at].resource == RULES.plantation_resource for at in TERRITORIES[number].spaces)


def _may_steal(state: State, seat: int, number: int, victims: tuple[int, ...]) -> None:
    """COL-14-10."""
    if not victims:
        return
    if not has_plantation(number):
        raise Rejected("no_plantation_resource", "Plantation takes a beige Resource in the Territory.")
    if not slaves_controlled(state, seat):
        raise Rejected("no_slaves_controlled", "Plantation takes control of a Slaves space.")
    due = takable_fleets(state, seat)
    stolen = Counter(victims)
    possible = all(
        victim != seat and fleets <= state.players[victim].fleets for victim, fleets in stolen.items()
    )
    if len(victims) != due or not possible:
        raise Rejected("invalid_victims", f"Name {due} victims, other players with that many Fleets.")


# --- effects -----------------------------------------------------------------------------------


def _found(draft: Draft, seat: int, number: int, method: Method) -> None:
    """COL-14-03, COL-14-04, COL-08-08, COL-25-12, COL-25-16, COL-25-22."""
    state, land = draft.state, TERRITORIES[number]
    player = state.players[seat]
    card = nation(player)
    prestige = 1 if card is None or card.goal(land.id) else 0
    city = state.booming_city is not None and state.booming_city.territory == land.id
    city_prestige = int(city and (card is None or historical_city(player, land.id)))
    independent = state.independent[number]
    draft.emit(f.ColonyFounded(seat, land.id, method, prestige, city_prestige))
    if independent:
        draft.emit(f.IndependenceEnded(land.id))
    if method == "extremadura":
        draft.emit(f.UnrestPlaced(land.id, 1, seat, "extremadura"))


def _company(draft: Draft, seat: int, space: str, position: int) -> None:
    """COL-14-07."""
    number = guards.space(space)
    before = draft.state.piles[number]
    draft.emit(f.CompanyCreated(seat, space, position))
    check_control(draft, number, before, {position})


def _pillage(draft: Draft, seat: int, number: int) -> None:
    """COL-14-08: plain Native Power, twice where there is gold; 1 Unrest."""
    land = TERRITORIES[number]
    gold = any(SPACES[at].resource == RULES.gold_resource for at in land.spaces)
    draft.emit(f.TerritoryPillaged(seat, land.id, land.native_power * (2 if gold else 1)))
    draft.emit(f.UnrestPlaced(land.id, 1, seat, "pillage"))
