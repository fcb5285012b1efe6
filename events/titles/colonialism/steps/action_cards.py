"""The seven action cards (CSM-075, CSM-090 to CSM-104)."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonialism.commands import (
    PlayDiplomacy,
    PlayLandGrab,
    PlayMercenaries,
    PlayMilitaryCampaign,
    PlayMissionaries,
    PlayPlague,
    PlayTrade,
)
from events.titles.colonialism.data import CARD, COLOR_INDEX, NAMES
from events.titles.colonialism.facts import (
    ActionCardDiscarded,
    ActionCardPlayed,
    DieRolled,
    InfluenceAdded,
    MercenariesRecruited,
    ResourcesExchanged,
)
from events.titles.colonialism.state import (
    Faction,
    State,
    factions,
    influence,
    influence_of,
    policy_count,
    region,
)
from events.titles.colonialism.steps.actions import complete_action
from events.titles.colonialism.steps.collection import collect_resources
from events.titles.colonialism.steps.decks import roll_die, settle_deck
from events.titles.colonialism.steps.losses import lose
from events.titles.colonialism.steps.policy_cards import require_card
from events.titles.colonialism.steps.ships import known_region, usable_ship, use_ship


def play_diplomacy(draft: Draft[State], seat: int, command: PlayDiplomacy, chance: Chance) -> None:
    """Any faction, present or not: the die + 1 of its discs are added (CSM-090, CSM-091)."""
    _require(draft.state, seat, "diplomacy", command.region)
    target = _known_faction(draft.state, command.faction)
    _begin(draft, seat, "diplomacy", command.region, target=target)
    wanted = _roll(draft, seat, "diplomacy", chance)
    _add(draft, target, command.region, wanted, "diplomacy")
    finish_action_card(draft, chance)


def play_land_grab(draft: Draft[State], seat: int, command: PlayLandGrab, chance: Chance) -> None:
    """As many own discs as policy cards in play at the region, everybody's (CSM-092)."""
    _require(draft.state, seat, "land_grab", command.region, command.ship)
    _begin(draft, seat, "land_grab", command.region, ship=command.ship)
    wanted = policy_count(region(draft.state, command.region))
    _add(draft, seat, command.region, wanted, "land_grab")
    finish_action_card(draft, chance)


def play_mercenaries(draft: Draft[State], seat: int, command: PlayMercenaries, chance: Chance) -> None:
    """The die + 1 mercenaries join until the Influence Check (CSM-093, CSM-094)."""
    _require(draft.state, seat, "mercenaries", command.region, command.ship)
    _begin(draft, seat, "mercenaries", command.region, ship=command.ship)
    wanted = _roll(draft, seat, "mercenaries", chance)
    placed = min(wanted, draft.state.mercenary_supply)
    draft.emit(MercenariesRecruited(seat=seat, region=command.region, wanted=wanted, placed=placed))
    finish_action_card(draft, chance)


def play_military_campaign(
    draft: Draft[State], seat: int, command: PlayMilitaryCampaign, chance: Chance
) -> None:
    """The die + 1 influence of a faction is removed, or all it has (CSM-095, CSM-096)."""
    _require(draft.state, seat, "military_campaign", command.region)
    target = _known_faction(draft.state, command.faction)
    there = influence_of(region(draft.state, command.region), target)
    if not there:
        raise Rejected("target_has_no_influence", "That faction has no influence there; choose one that has.")
    _begin(draft, seat, "military_campaign", command.region, target=target)
    count = min(there, _roll(draft, seat, "military_campaign", chance))
    lose(draft, command.region, {target: count}, "military_campaign")
    finish_action_card(draft, chance)


def play_missionaries(draft: Draft[State], seat: int, command: PlayMissionaries, chance: Chance) -> None:
    """Every other faction with 2 or more loses 1 (CSM-100); the own discs follow when all losses are
    chosen.
    """
    _require(draft.state, seat, "missionaries", command.region)
    _begin(draft, seat, "missionaries", command.region)
    at = region(draft.state, command.region)
    losses = {f: 1 for f in factions(draft.state) if f != seat and influence_of(at, f) >= 2}
    lose(draft, command.region, losses, "missionaries")
    finish_action_card(draft, chance)


def play_plague(draft: Draft[State], seat: int, command: PlayPlague, chance: Chance) -> None:
    """Every faction loses half its influence, rounded down (CSM-101)."""
    _require(draft.state, seat, "plague", command.region, command.ship)
    _begin(draft, seat, "plague", command.region, ship=command.ship)
    at = region(draft.state, command.region)
    losses = {f: influence_of(at, f) // CARD["plague"].number for f in factions(draft.state)}
    lose(draft, command.region, losses, "plague")
    finish_action_card(draft, chance)


def play_trade(draft: Draft[State], seat: int, command: PlayTrade, chance: Chance) -> None:
    """One cube of a region for one of another, of any colours (CSM-102, CSM-103)."""
    first, second = known_region(command.region_a), known_region(command.region_b)
    require_card(draft.state, seat, "trade")
    usable_ship(draft.state, seat, command.ship, first, second)
    if not any(influence(region(draft.state, key), seat) for key in (first, second)):
        raise Rejected("no_presence_in_region", "You need influence in at least one of the two regions.")
    if first == second:
        raise Rejected("same_region", "Name two different regions.")
    for key, color in ((first, command.color_a), (second, command.color_b)):
        if not region(draft.state, key).cubes[COLOR_INDEX[color]]:
            raise Rejected("no_such_resource", f"No {color} cube lies in {NAMES[key]}; name one that does.")
    _begin(draft, seat, "trade", first, second, ship=command.ship)
    draft.emit(
        ResourcesExchanged(
            seat=seat, region_a=first, color_a=command.color_a, region_b=second, color_b=command.color_b
        )
    )
    finish_action_card(draft, chance)


def finish_action_card(draft: Draft[State], chance: Chance) -> None:
    """What the card still does when its losses are settled; then it is discarded and the action is
    complete (CSM-075).
    """
    playing = draft.state.action_card
    if playing is None or draft.state.losses:
        return
    if playing.card == "missionaries":
        _add(draft, playing.seat, playing.region, playing.removed, "missionaries")
    elif playing.card == "military_campaign" and playing.target == "natives":
        # The last native is gone: the cubes are collected at once (CSM-097).
        collect_resources(draft, playing.region, "military_campaign")
        if draft.state.collection is not None:
            return
    discard_action_card(draft, chance)


def discard_action_card(draft: Draft[State], chance: Chance) -> None:
    """The card goes to its owner's discard pile; the next player is active."""
    playing = draft.state.action_card
    if playing is None:
        return
    draft.emit(ActionCardDiscarded(seat=playing.seat, card=playing.card))
    settle_deck(draft, playing.seat)
    complete_action(draft, playing.seat, chance)


def _require(state: State, seat: int, card: str, key: str, ship: str | None = None) -> None:
    """The region, the card in hand, a fresh adjacent ship if it needs one, presence (CSM-070 to CSM-073)."""
    known_region(key)
    require_card(state, seat, card)
    if ship is not None:
        usable_ship(state, seat, ship, key)
    if not influence(region(state, key), seat):
        raise Rejected(
            "no_presence_in_region", f"You have no influence in {NAMES[key]}; choose a region where you have."
        )


def _known_faction(state: State, name: int | str) -> Faction:
    """The faction of that name, a seat or ``natives``; otherwise rejected."""
    for faction in factions(state):
        if faction == name:
            return faction
    raise Rejected("unknown_faction", "No such player takes part; name the natives or a seat of this game.")


def _begin(
    draft: Draft[State],
    seat: int,
    card: str,
    *regions: str,
    ship: str | None = None,
    target: Faction | None = None,
) -> None:
    draft.emit(ActionCardPlayed(seat=seat, card=card, regions=regions, ship=ship, target=target))
    if ship is not None:
        use_ship(draft, seat, ship)


def _roll(draft: Draft[State], seat: int, card: str, chance: Chance) -> int:
    """The die and its bonus, after the faction was chosen."""
    face = roll_die(chance)
    draft.emit(DieRolled(seat=seat, purpose=card, face=face))
    return face + CARD[card].number


def _add(draft: Draft[State], faction: Faction, key: str, wanted: int, cause: str) -> None:
    """Discs from the faction's reserve or supply, as far as they go (CSM-008, CSM-011)."""
    state = draft.state
    available = state.native_supply if faction == "natives" else state.reserve[faction]
    placed = min(wanted, available)
    draft.emit(InfluenceAdded(faction=faction, region=key, wanted=wanted, placed=placed, cause=cause))
