"""The Conqueror (COL-14) and Extremadura (COL-25-21)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Literal

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.overseas.piles import find_highest, remove_counters
from events.rules.kit.words import format_count, format_list
from events.rules.steps import Rejected
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import PlayConqueror
from events.titles.colonial.data import RULES, SPACE, SPACES, TERRITORIES, TERRITORY, WORLD
from events.titles.colonial.derived import (
    colonies,
    controls_all,
    counters,
    gives_prestige_when_founded,
    native_power,
    open_land,
)
from events.titles.colonial.parts import Company
from events.titles.colonial.state import State, nation
from events.titles.colonial.steps.endeavour.rounds import character, finish, use
from events.titles.colonial.steps.losses import check_control, settle_losses
from events.titles.colonial.words import seat_said, space_names

Method = Literal["normal", "extremadura"]


def play(draft: Draft, seat: Seat, command: PlayConqueror) -> None:
    """Found one Colony (COL-14-01), then take the options in their order (COL-14-06)."""
    state = draft.state
    for victim in command.plantation:
        checks.require_seat(state, victim)
    number = checks.territory_number(command.territory)
    if command.company:
        checks.space_number(command.company.space)
    checks.may_play(state, seat, "conqueror")
    checks.check_not_excluded(state, number)
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
        draft.move_left(seat, command.repression, "repression")
    for victim, fleets in Counter(command.plantation).items():
        draft.emit(f.FleetStolen(seat, victim, fleets))
    finish(draft, seat)


# --- requirements ------------------------------------------------------------------------------


def _may_found(state: State, seat: Seat, number: int, method: str) -> None:
    """Check that the seat may found a Colony there (COL-14-02, COL-25-21)."""
    checks.is_explored(state, number)
    land = TERRITORIES[number]
    if state.lands[number].colony is not None:
        raise Rejected("already_a_colony", f"{land.name} is a Colony; choose another Territory.")
    if not land.native_power:
        raise Rejected("no_native_power", f"{land.name} has no Native Power; choose another Territory.")
    if not controls_all(state, number, seat):
        raise Rejected("not_all_resources_controlled", f"Control every Resource of {land.name} first.")
    needed = native_power(state, number)
    if method == "normal" and counters(state, seat, number) < needed:
        raise Rejected(
            "not_enough_counters", f"{land.name} takes {needed} counters of yours; place more there first."
        )
    if colonies(state, seat) >= RULES.colony_markers:
        raise Rejected(
            "no_colony_marker_left", "All your Colony markers are on the map; choose another action."
        )
    if method == "extremadura":
        _extremadura(state, seat, number)


def _extremadura(state: State, seat: Seat, number: int) -> None:
    """Check that Extremadura is allowed: Spain, an American Territory, a Mission (COL-25-21)."""
    card = nation(state.players[seat])
    if card is None or not card.extremadura or not TERRITORIES[number].american:
        raise Rejected(
            "extremadura_not_allowed",
            "Only Spain may use Extremadura, and only in America; use another method.",
        )
    if not state.lands[number].missions:
        raise Rejected("no_mission_there", "Extremadura takes a Mission in the Territory.")


def _company_position(state: State, seat: Seat, number: int, company: Company | None) -> int | None:
    """Return the position of the Company's counter, checked; None without a Company (COL-14-07)."""
    if company is None:
        return None
    if counters(state, seat, number) <= 1:
        raise Rejected("company_would_empty_colony", "A counter of yours must stay; leave out the Company.")
    space = checks.space_number(company.space)
    pile = state.piles[space]
    at = find_highest(pile, seat) if company.position is None else company.position
    if SPACES[space].territory != number or at is None or at >= len(pile) or pile[at] != seat:
        raise Rejected("counter_not_yours", f"Name a counter of yours in {TERRITORIES[number].name}.")
    return at


def _unrest_after(state: State, number: int, method: Method, pillage: bool) -> int:
    """The Unrest there when repression comes."""
    return state.lands[number].unrest + pillage + (method == "extremadura")


def _may_repress(state: State, number: int, command: PlayConqueror) -> None:
    """Check that there is enough Unrest to repress, this very play's included (COL-14-09)."""
    unrest = _unrest_after(state, number, command.method, command.pillage)
    if command.repression > unrest:
        raise Rejected("not_enough_unrest", f"There will be {unrest} Unrest; repress at most as many.")


def slaves_controlled(state: State, seat: Seat) -> int:
    """Return the number of black spaces that the seat controls."""
    return sum(1 for at in WORLD.spaces_of_resource[RULES.slaves_resource] if state.piles[at][:1] == (seat,))


def count_takable_fleets(state: State, seat: Seat) -> int:
    """Return the number of Fleets that Plantation takes (COL-14-10, R-23).

    It is one for each black space that the seat controls, as far as others have Fleets.
    """
    others = sum(player.merchant_fleets for other, player in enumerate(state.players) if other != seat)
    return min(slaves_controlled(state, seat), others)


def has_plantation(number: int) -> bool:
    """Return True if the Territory has a beige space."""
    return any(SPACES[at].resource == RULES.plantation_resource for at in TERRITORIES[number].spaces)


def _may_steal(state: State, seat: Seat, number: int, victims: tuple[int, ...]) -> None:
    """Check that Plantation may take Fleets of these victims (COL-14-10)."""
    if not victims:
        return
    if not has_plantation(number):
        raise Rejected(
            "no_plantation_resource",
            "Plantation takes a beige Resource in the Territory; choose one that has it.",
        )
    if not slaves_controlled(state, seat):
        raise Rejected(
            "no_slaves_controlled", "Plantation takes control of a Slaves space; use another method."
        )
    due = count_takable_fleets(state, seat)
    stolen = Counter(victims)
    possible = all(
        victim != seat and fleets <= state.players[victim].merchant_fleets
        for victim, fleets in stolen.items()
    )
    if len(victims) != due or not possible:
        raise Rejected("invalid_victims", f"Name {due} victims, other players with that many Fleets.")


# --- effects -----------------------------------------------------------------------------------


def _found(draft: Draft, seat: Seat, number: int, method: Method) -> None:
    """Found the Colony, with Prestige and Unrest.

    See COL-14-03, COL-14-04, COL-08-08, COL-25-12, COL-25-16, COL-25-22.
    """
    state, land = draft.state, TERRITORIES[number]
    if state.lands[number].independent:  # first: the Colony may win the game
        draft.emit(f.IndependenceEnded(land.id))
    draft.emit(f.ColonyFounded(seat, land.id, method, *founding_prestige(state, seat, number)))
    if method == "extremadura":
        draft.emit(f.UnrestPlaced(land.id, 1, seat, "extremadura"))


def founding_prestige(state: State, seat: Seat, number: int) -> tuple[int, int]:
    """For the Colony (COL-14-03, COL-25-12), and for a Booming City there (COL-14-04, COL-25-16)."""
    land, card = TERRITORIES[number], nation(state.players[seat])
    city = state.booming_city is not None and state.booming_city.territory == land.id
    colony = int(card is None or card.goal(land.id) is not None)
    return colony, int(city and gives_prestige_when_founded(state, seat, number))


def _company(draft: Draft, seat: Seat, space: str, position: int) -> None:
    """Turn a counter into a Merchant Fleet (COL-14-07)."""
    number = checks.space_number(space)
    before = draft.state.piles[number]
    draft.emit(f.CompanyCreated(seat, space, position))
    check_control(draft, number, before, {position})


def _pillage(draft: Draft, seat: Seat, number: int) -> None:
    """Take plain Native Power in Treasury, twice where there is gold; place 1 Unrest (COL-14-08)."""
    land = TERRITORIES[number]
    draft.emit(f.TerritoryPillaged(seat, land.id, booty(number)))
    draft.emit(f.UnrestPlaced(land.id, 1, seat, "pillage"))


def booty(number: int) -> int:
    """Return the Treasury that Pillage brings (COL-14-08)."""
    land = TERRITORIES[number]
    gold = any(SPACES[at].resource == RULES.gold_resource for at in land.spaces)
    return land.native_power * (2 if gold else 1)


# --- lists, samples, labels ------------------------------------------------------------------------


def list_foundable(state: State, seat: Seat) -> Iterator[tuple[int, PlayConqueror]]:
    """Every way to found a Colony, without options (COL-14-02, COL-25-21)."""
    if colonies(state, seat) >= RULES.colony_markers:
        return
    card = nation(state.players[seat])
    for land in TERRITORIES:
        at = land.number
        ready = open_land(state, at) and state.lands[at].colony is None and land.native_power
        if not ready or not controls_all(state, at, seat):
            continue
        if counters(state, seat, at) >= native_power(state, at):
            yield at, PlayConqueror(land.id)
        if card and card.extremadura and land.american and state.lands[at].missions:
            yield at, PlayConqueror(land.id, "extremadura")


def _companies(state: State, seat: Seat, territory: int) -> Iterator[Company | None]:
    """No Company, then every counter whose removal makes another pile."""
    yield None
    if counters(state, seat, territory) <= 1:
        return
    for space in TERRITORIES[territory].spaces:
        pile, seen = state.piles[space], set()
        for at in range(len(pile) - 1, -1, -1):
            key = (remove_counters(pile, {at}), at == 0)
            if pile[at] == seat and key not in seen:
                seen.add(key)
                yield Company(SPACES[space].id, at)


def _victims(state: State, seat: Seat, territory: int) -> Iterator[tuple[Seat, ...]]:
    """No Plantation, then every way to choose victims (COL-14-10)."""
    yield ()
    due = count_takable_fleets(state, seat) if has_plantation(territory) else 0
    if due:
        others = [other for other in range(state.seats) if other != seat]
        for chosen in combinations_with_replacement(others, due):
            if all(chosen.count(other) <= state.players[other].merchant_fleets for other in chosen):
                yield chosen


def _colonies(state: State, seat: Seat) -> Iterator[PlayConqueror]:
    for at, plain in list_foundable(state, seat):
        ways = product(_companies(state, seat, at), (False, True), (0, 1, 2), _victims(state, seat, at))
        for company, pillage, repression, stolen in ways:
            if repression <= _unrest_after(state, at, plain.method, pillage):
                yield PlayConqueror(plain.territory, plain.method, company, pillage, repression, stolen)


def _sample(state: State, seat: Seat, chance: Chance) -> PlayConqueror | None:
    ways = tuple(list_foundable(state, seat))
    if not ways:
        return None
    at, plain = chance.pick(ways)
    pillage = chance.pick((True, False))
    most = min(2, _unrest_after(state, at, plain.method, pillage))
    return PlayConqueror(
        plain.territory,
        plain.method,
        chance.pick(tuple(_companies(state, seat, at))),
        pillage,
        chance.pick(range(most + 1)),
        chance.pick(tuple(_victims(state, seat, at))),
    )


def _company_said(state: State, company: Company) -> str:
    """Name the counter, from the bottom, that becomes the Merchant Fleet, and who takes control then."""
    number = SPACE.get(company.space)
    pile = () if number is None else state.piles[number]
    at = company.position
    which = "" if at is None else f"counter {at + 1} "
    controls = settle_losses(pile, {at})[:1] if at is not None and at < len(pile) else pile[:1]
    then = f", {seat_said(state, controls[0])} takes control" if controls not in (pile[:1], ()) else ""
    return f"Company of {which}on {space_names([company.space])} (1 Merchant Fleet{then})"


def _repression_said(state: State, seat: Seat, spaces: int) -> str:
    left = min(spaces, state.players[seat].diplomacy - 1)
    return f"Repression of {spaces} Unrest" + (f" ({left} left on Diplomacy)" if left else "")


def _options_said(state: State, seat: Seat, command: PlayConqueror, number: int) -> list[str]:
    taken = Counter(command.plantation)
    fleets = format_list(
        f"{format_count(taken[victim], 'Merchant Fleet')} of {seat_said(state, victim)}"
        for victim in sorted(taken)
    )
    return [
        *(["Extremadura"] if command.method == "extremadura" else []),
        *([_company_said(state, command.company)] if command.company else []),
        *([f"Pillage ({booty(number)} Treasury, 1 Unrest)"] if command.pillage else []),
        *([_repression_said(state, seat, command.repression)] if command.repression else []),
        *([f"Plantation ({fleets})"] if taken else []),
    ]


def _label(state: State, seat: Seat, command: PlayConqueror) -> str:
    number = TERRITORY.get(command.territory)
    if number is None:
        return f"Conqueror: {command.territory}"
    prestige = sum(founding_prestige(state, seat, number)) or "no"
    options = format_list(_options_said(state, seat, command, number), "")
    colony = f"Colony in {TERRITORIES[number].name} for {prestige} Prestige"
    return f"Conqueror: {colony}" + (f", {options}" if options else "")


CONQUEROR = character(
    PlayConqueror,
    play,
    legal=_colonies,
    target=lambda command: (command.territory, command.company, command.plantation),
    label=_label,
    sample=_sample,
)
