"""The seven action cards (CSM-090 to CSM-104)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from events.rules.kit.words import format_count, format_list
from events.rules.steps import Command, Draft, Move, Rejected
from events.titles.colonialism.checks import check_in_hand, require_faction, require_region, usable_ship
from events.titles.colonialism.commands import (
    PlayDiplomacy,
    PlayLandGrab,
    PlayMercenaries,
    PlayMilitaryCampaign,
    PlayMissionaries,
    PlayPlague,
    PlayTrade,
)
from events.titles.colonialism.data import CARD, COLOR_INDEX, COLORS, NAMES, REGION_IDS, ZONE_REGIONS
from events.titles.colonialism.derived import (
    factions,
    influence,
    influence_of,
    influences_at,
    policy_count,
    region,
)
from events.titles.colonialism.facts import MercenariesRecruited, ResourcesExchanged
from events.titles.colonialism.parts import Region
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.carrying_out import (
    add_influence,
    begin_action_card,
    check_card,
    count_available,
    finish_action_card,
    roll,
)
from events.titles.colonialism.steps.losses import lose
from events.titles.colonialism.steps.offers import find_fresh_ships, list_reachable, presence
from events.titles.colonialism.words import (
    dice_bounds,
    dice_range,
    faction_on_button,
    format_name,
    format_with_ship,
)

BIG = 99
"""More than any die and its bonus come to."""
Offers = Callable[[State, int], Iterable[Command]]
"""``(state, seat)``: every way to play a card."""


def _offer_if_held(card: str, offers: Offers) -> Offers:
    return lambda state, seat: offers(state, seat) if card in state.hands[seat] else ()


def _offer_with_ship(kind: Callable[..., Command]) -> Offers:
    """At each region with presence that a fresh ship reaches."""

    def offers(state: State, seat: int) -> Iterator[Command]:
        here = presence(state, seat)
        return (kind(region=key, ship=ship) for key, ship in list_reachable(state, seat) if key in here)

    return offers


def _make_label(card: str, brings: Callable[[State, int, str], str]) -> Callable[[State, int, Any], str]:
    """Return a button with the region, what it *brings* there, and the ship that is used."""
    return lambda state, seat, command: (
        f"{NAMES[card]} in {format_name(command.region)} {format_with_ship(command.ship)}: "
        f"{brings(state, seat, command.region)}"
    )


def _format_grab(state: State, seat: int, key: str) -> str:
    count = min(policy_count(region(state, key)), state.reserve[seat]) if key in REGION_IDS else 0
    return f"add {format_count(count, 'disc') if count else 'no discs'}"


def _format_hiring(state: State, _seat: int, _key: str) -> str:
    there = state.mercenary_supply
    return f"recruit {dice_range('mercenaries', there)}{_format_end(there, 'mercenaries')}"


def _format_halving(state: State, _seat: int, key: str) -> str:
    there = influences_at(state, key).items() if key in REGION_IDS else ()
    lost = [f"{faction_on_button(state, f)} {n // CARD['plague'].number}" for f, n in there if n > 1]
    return f"{format_list(lost)} less" if lost else "nobody loses anything"


# --- Diplomacy ---------------------------------------------------------------------------------


def play_diplomacy(draft: Draft[State], seat: int, command: PlayDiplomacy) -> None:
    """Add the die + 1 discs of any faction, present or not (CSM-090, CSM-091)."""
    check_card(draft.state, seat, "diplomacy", command.region)
    target = require_faction(draft.state, command.faction)
    begin_action_card(draft, seat, "diplomacy", command.region, target=target)
    wanted = roll(draft, seat, "diplomacy")
    add_influence(draft, target, command.region, wanted, "diplomacy")
    finish_action_card(draft)


def _diplomacies(state: State, seat: int) -> Iterator[PlayDiplomacy]:
    """The own faction first."""
    wanted = [seat, *(faction for faction in factions(state) if faction != seat)]
    return (PlayDiplomacy(region=key, faction=f) for key in presence(state, seat) for f in wanted)


def _label_diplomacy(state: State, _seat: int, command: PlayDiplomacy) -> str:
    here, faction = format_name(command.region), faction_on_button(state, command.faction)
    there = count_available(state, command.faction)
    added = dice_range("diplomacy", there)
    whose = "native" if faction == "natives" and there == 1 else faction
    return f"Diplomacy in {here}: add {added} {whose}{_format_end(there, 'diplomacy')}"


def _format_end(there: int, card: str) -> str:
    """Return a note where the die can come to more than there are left."""
    return ", no more are left" if there < dice_bounds(card, BIG)[1] else ""


DIPLOMACY: Move[State] = Move(
    command=PlayDiplomacy,
    take=play_diplomacy,
    legal=_offer_if_held("diplomacy", _diplomacies),
    label=_label_diplomacy,
)


# --- Land Grab ---------------------------------------------------------------------------------


def play_land_grab(draft: Draft[State], seat: int, command: PlayLandGrab) -> None:
    """Add as many own discs as there are policy cards at the region, everybody's (CSM-092)."""
    check_card(draft.state, seat, "land_grab", command.region, command.ship)
    begin_action_card(draft, seat, "land_grab", command.region, ship=command.ship)
    wanted = policy_count(region(draft.state, command.region))
    add_influence(draft, seat, command.region, wanted, "land_grab")
    finish_action_card(draft)


LAND_GRAB: Move[State] = Move(
    command=PlayLandGrab,
    take=play_land_grab,
    legal=_offer_if_held("land_grab", _offer_with_ship(PlayLandGrab)),
    label=_make_label("land_grab", _format_grab),
)


# --- Mercenaries -------------------------------------------------------------------------------


def play_mercenaries(draft: Draft[State], seat: int, command: PlayMercenaries) -> None:
    """Add the die + 1 mercenaries until the Influence Check (CSM-093, CSM-094)."""
    check_card(draft.state, seat, "mercenaries", command.region, command.ship)
    begin_action_card(draft, seat, "mercenaries", command.region, ship=command.ship)
    wanted = roll(draft, seat, "mercenaries")
    placed = min(wanted, draft.state.mercenary_supply)
    draft.emit(MercenariesRecruited(seat=seat, region=command.region, wanted=wanted, placed=placed))
    finish_action_card(draft)


MERCENARIES: Move[State] = Move(
    command=PlayMercenaries,
    take=play_mercenaries,
    legal=_offer_if_held("mercenaries", _offer_with_ship(PlayMercenaries)),
    label=_make_label("mercenaries", _format_hiring),
)


# --- Military Campaign -------------------------------------------------------------------------


def play_military_campaign(draft: Draft[State], seat: int, command: PlayMilitaryCampaign) -> None:
    """Remove the die + 1 influence of a faction, or all it has (CSM-095, CSM-096)."""
    check_card(draft.state, seat, "military_campaign", command.region)
    target = require_faction(draft.state, command.faction)
    there = influence_of(region(draft.state, command.region), target)
    if not there:
        raise Rejected("target_has_no_influence", "That faction has no influence there; choose one that has.")
    begin_action_card(draft, seat, "military_campaign", command.region, target=target)
    count = min(there, roll(draft, seat, "military_campaign"))
    lose(draft, command.region, {target: count}, "military_campaign")
    finish_action_card(draft)


def _campaigns(state: State, seat: int) -> Iterator[PlayMilitaryCampaign]:
    for key in presence(state, seat):
        at = region(state, key)
        for faction in factions(state):
            if influence_of(at, faction):
                yield PlayMilitaryCampaign(region=key, faction=faction)


def _label_campaign(state: State, _seat: int, command: PlayMilitaryCampaign) -> str:
    target = faction_on_button(state, command.faction)
    at = region(state, command.region) if command.region in REGION_IDS else None
    there = influence_of(at, command.faction) if at and command.faction in factions(state) else BIG
    removed = f"remove {dice_range('military_campaign', there)}"
    follows = _format_collection(at, there) if at and command.faction == "natives" else ""
    return f"Military Campaign in {format_name(command.region)} against {target}: {removed}{follows}"


def _format_collection(at: Region, natives: int) -> str:
    """Return a note that the region is collected at once, where the last natives may leave (CSM-097)."""
    least, most = dice_bounds("military_campaign", natives)
    if most < natives or not any(at.cubes):
        return ""
    collected = "its resources are collected at once"
    return f"; they are the last, and {collected}" if least == natives else f"; if none is left, {collected}"


MILITARY_CAMPAIGN: Move[State] = Move(
    command=PlayMilitaryCampaign,
    take=play_military_campaign,
    legal=_offer_if_held("military_campaign", _campaigns),
    label=_label_campaign,
)


# --- Missionaries ------------------------------------------------------------------------------


def play_missionaries(draft: Draft[State], seat: int, command: PlayMissionaries) -> None:
    """Take 1 from every other faction with 2 or more (CSM-100).

    The own discs follow when all losses are chosen.
    """
    check_card(draft.state, seat, "missionaries", command.region)
    begin_action_card(draft, seat, "missionaries", command.region)
    at = region(draft.state, command.region)
    losses = {f: 1 for f in factions(draft.state) if f != seat and influence_of(at, f) >= 2}
    lose(draft, command.region, losses, "missionaries")
    finish_action_card(draft)


def _conversions(state: State, seat: int) -> Iterator[PlayMissionaries]:
    return (PlayMissionaries(region=key) for key in presence(state, seat))


def _label_missionaries(state: State, seat: int, command: PlayMissionaries) -> str:
    there = influences_at(state, command.region).items() if command.region in REGION_IDS else ()
    losers = [faction_on_button(state, faction) for faction, n in there if faction != seat and n >= 2]
    discs = format_count(min(len(losers), state.reserve[seat]), "disc")
    effect = f"1 less of {format_list(losers)}, add {discs}" if losers else "convert nobody"
    return f"Missionaries in {format_name(command.region)}: {effect}"


MISSIONARIES: Move[State] = Move(
    command=PlayMissionaries,
    take=play_missionaries,
    legal=_offer_if_held("missionaries", _conversions),
    label=_label_missionaries,
)


# --- Plague ------------------------------------------------------------------------------------


def play_plague(draft: Draft[State], seat: int, command: PlayPlague) -> None:
    """Let every faction lose half its influence, rounded down (CSM-101)."""
    check_card(draft.state, seat, "plague", command.region, command.ship)
    begin_action_card(draft, seat, "plague", command.region, ship=command.ship)
    at = region(draft.state, command.region)
    losses = {f: influence_of(at, f) // CARD["plague"].number for f in factions(draft.state)}
    lose(draft, command.region, losses, "plague")
    finish_action_card(draft)


PLAGUE: Move[State] = Move(
    command=PlayPlague,
    take=play_plague,
    legal=_offer_if_held("plague", _offer_with_ship(PlayPlague)),
    label=_make_label("plague", _format_halving),
)


# --- Trade -------------------------------------------------------------------------------------


def play_trade(draft: Draft[State], seat: int, command: PlayTrade) -> None:
    """Exchange one cube of a region for one of another, of any colours (CSM-102, CSM-103)."""
    first, second = require_region(command.region_a), require_region(command.region_b)
    check_in_hand(draft.state, seat, "trade")
    usable_ship(draft.state, seat, command.ship, first, second)
    if not any(influence(region(draft.state, key), seat) for key in (first, second)):
        raise Rejected("no_presence_in_region", "You need influence in at least one of the two regions.")
    if first == second:
        raise Rejected("same_region", "Name two different regions.")
    for key, color in ((first, command.color_a), (second, command.color_b)):
        if not region(draft.state, key).cubes[COLOR_INDEX[color]]:
            raise Rejected("no_such_resource", f"No {color} cube lies in {NAMES[key]}; name one that does.")
    begin_action_card(draft, seat, "trade", first, second, ship=command.ship)
    draft.emit(
        ResourcesExchanged(
            seat=seat, region_a=first, color_a=command.color_a, region_b=second, color_b=command.color_b
        )
    )
    finish_action_card(draft)


def _trades(state: State, seat: int) -> Iterator[PlayTrade]:
    """Yield each exchange once, with the regions in table order.

    Equal cubes change nothing but the ship that is used: of these there is one exchange for each ship.
    """
    for zone, ship in find_fresh_ships(state, seat).items():
        unchanged = True
        for a, b in combinations(ZONE_REGIONS[zone], 2):
            if influence(state.regions[a], seat) or influence(state.regions[b], seat):
                for trade in _exchanges(state, ship, a, b):
                    if trade.color_a != trade.color_b or unchanged:
                        yield trade
                    unchanged = unchanged and trade.color_a != trade.color_b


def _exchanges(state: State, ship: str, a: int, b: int) -> Iterator[PlayTrade]:
    """Yield the exchanges of every cube of one region for every cube of the other."""
    first, second = REGION_IDS[a], REGION_IDS[b]
    for color_a, n in zip(COLORS, state.regions[a].cubes, strict=True):
        for color_b, m in zip(COLORS, state.regions[b].cubes, strict=True):
            if n and m:
                yield PlayTrade(ship=ship, region_a=first, color_a=color_a, region_b=second, color_b=color_b)


def _label_trade(_state: State, _seat: int, command: PlayTrade) -> str:
    return (
        f"Trade: {command.color_a} of {format_name(command.region_a)} for {command.color_b} of "
        f"{format_name(command.region_b)} {format_with_ship(command.ship)}"
    )


TRADE: Move[State] = Move(
    command=PlayTrade,
    take=play_trade,
    legal=_offer_if_held("trade", _trades),
    label=_label_trade,
)


ACTION_CARDS: Mapping[str, Move[State]] = {
    "diplomacy": DIPLOMACY,
    "land_grab": LAND_GRAB,
    "mercenaries": MERCENARIES,
    "military_campaign": MILITARY_CAMPAIGN,
    "missionaries": MISSIONARIES,
    "plague": PLAGUE,
    "trade": TRADE,
}
"""By card, in the order in which a decision names their commands."""
