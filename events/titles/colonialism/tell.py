"""One plain sentence for each fact of the history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from events.fact import Who
from events.kit.words import counted, listed
from events.titles.colonialism.data import COLORS, INTEREST, NAMES, TRACK

Data = Mapping[str, Any]

CAUSES: Mapping[str, str] = {
    "colonization": "its colonization",
    "conflict": "conflict",
    "unrest_at_home": "Unrest at Home",
    **{key: NAMES[key] for key in ("diplomacy", "land_grab", "military_campaign", "missionaries", "plague")},
}
STEPS: Mapping[str, str] = {
    "dominion": "Dominion",
    "simultaneous": "The policy cards",
    "consolidate_holdings": "Consolidate Holdings",
    "unrest_at_home": "Unrest at Home",
}
ENDINGS: Mapping[str, str] = {
    "limit": "the limit is kept",
    "one_faction": "only one faction is left",
    "no_loss_possible": "nobody can lose more",
}


def mercenaries_counted(count: int) -> str:
    """``1 mercenary``, ``2 mercenaries``."""
    return counted(count, "mercenary", "mercenaries")


def cards_named(cards: Iterable[str]) -> str:
    """The names of cards in a list."""
    return listed(NAMES[card] for card in cards)


def cubes_named(cubes: Data) -> str:
    """``2 black and 1 yellow``."""
    return listed(f"{cubes[color]} {color}" for color in COLORS if cubes[color])


def interest_named(card: str) -> str:
    """``India (yellow)``."""
    return f"{NAMES[INTEREST[card].region]} ({INTEREST[card].pays})"


def phase_named(phase: str) -> str:
    """``action round 1``."""
    return phase.replace("_", " ")


def faction_named(faction: int | str, who: Who) -> str:
    """The natives, or what the seat is called."""
    return "the natives" if isinstance(faction, str) else who(faction)


def ship_named(ship: str) -> str:
    """``blue ship 1``."""
    return ship.replace("_", " ")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _dice(dice: Iterable[int]) -> str:
    return " + ".join(map(str, dice))


def _by_seat(parts: Iterable[Data], who: Who) -> str:
    return "; ".join(f"{who(part['seat'])} {cards_named(part['cards'])}" for part in parts)


def _started(data: Data, who: Who) -> str:
    players = listed(who(seat) for seat in range(len(data["colors"])))
    variant = " with quick starting hands" if data["options"]["quick_start_hands"] else ""
    return f"The game begins{variant}: {players}."


def _region_order(data: Data, who: Who) -> str:
    order = listed(NAMES[key] for key in data["order"])
    return f"Region order for turn {data['turn']}, segment {data['segment']}: {order}."


def _tiles(data: Data, who: Who) -> str:
    tiles = listed(f"{NAMES[t['region']]} {t['limit']} (value {t['value']})" for t in data["tiles"])
    return f"Region limits are placed: {tiles}."


def _resources_drawn(data: Data, who: Who) -> str:
    return f"{NAMES[data['region']]} receives {cubes_named(data)} from the bag."


def _natives_rolled(data: Data, who: Who) -> str:
    return (
        f"{NAMES[data['region']]} receives {counted(data['placed'], 'native')} (dice {_dice(data['dice'])})."
    )


def _native_added(data: Data, who: Who) -> str:
    return f"{NAMES[data['region']]}, without natives, receives {counted(data['placed'], 'native')}."


def _turn_order_rolled(data: Data, who: Who) -> str:
    rounds = [
        listed(f"{who(int(seat))} {sum(dice)}" for seat, dice in rolls.items()) for rolls in data["rounds"]
    ]
    order = listed(map(who, data["order"]))
    return f"Dice for the turn order: {'; re-roll: '.join(rounds)}. {order} choose in this order."


def _choice_opened(data: Data, who: Who) -> str:
    order = listed(f"{who(seat)} ({data['collected'][seat]})" for seat in data["order"])
    return f"Rows of the turn order are chosen by {order}; in brackets the cubes collected this turn."


def _position_chosen(data: Data, who: Who) -> str:
    if data["automatic"]:
        return f"{who(data['seat'])} receives row {data['row']}, the last one left."
    return f"{who(data['seat'])} chooses row {data['row']} of the turn order."


def _interests_dealt(data: Data, who: Who) -> str:
    if "cards" not in data:
        return f"{who(data['seat'])} receives three economic interest cards."
    return (
        f"{who(data['seat'])} receives the economic interests {listed(map(interest_named, data['cards']))}."
    )


def _undealt(data: Data, who: Who) -> str:
    return f"Economic interest cards put aside unseen: {data['count']}."


def _deck_shuffled(data: Data, who: Who) -> str:
    return f"{who(data['seat'])} shuffles a deck of {data['count']} influence cards."


def _drawn_into_hand(data: Data, who: Who) -> str:
    cards = f": {cards_named(data['cards'])}" if "cards" in data else ""
    return f"{who(data['seat'])} draws {counted(data['count'], 'card')}{cards}."


def _hand_kept(data: Data, who: Who) -> str:
    kept = f": {cards_named(data['kept'])}" if "kept" in data else ""
    return f"{who(data['seat'])} has chosen a starting hand{kept}."


def _discards(data: Data, who: Who) -> str:
    return f"Discards are shown: {_by_seat(data['discards'], who)}."


def _ship_placed(data: Data, who: Who) -> str:
    return f"{who(data['seat'])} places {ship_named(data['ship'])} in {NAMES[data['sea_zone']]}."


def _round_started(data: Data, who: Who) -> str:
    return f"Turn {data['turn']}: action round {data['round']} begins."


def _round_ended(data: Data, who: Who) -> str:
    return f"Turn {data['turn']}: action round {data['round']} ends, all ships are fresh again."


def _action_completed(data: Data, who: Who) -> str:
    after = f"; {who(data['next'])} is next" if data["next"] is not None else ""
    return f"{who(data['seat'])} has taken action {data['action_number']} of {TRACK.actions}{after}."


def _card_drawn(data: Data, who: Who) -> str:
    return f"{who(data['seat'])} draws {NAMES[data['card']] if 'card' in data else 'a card'}."


def _reshuffled(data: Data, who: Who) -> str:
    return (
        f"{who(data['seat'])} shuffles the discard pile of {counted(data['count'], 'card')} into a new deck."
    )


def _ship_moved(data: Data, who: Who) -> str:
    route = f"from {NAMES[data['from']]} to {NAMES[data['to']]}"
    return f"{who(data['seat'])} moves {ship_named(data['ship'])} {route}."


def _ship_used(data: Data, who: Who) -> str:
    return f"{who(data['seat'])} uses {ship_named(data['ship'])} in {NAMES[data['sea_zone']]}."


def _explored(data: Data, who: Who) -> str:
    return f"{who(data['seat'])} explores {NAMES[data['region']]} with one disc."


def _withdrawn(data: Data, who: Who) -> str:
    return f"{who(data['seat'])} withdraws {counted(data['count'], 'disc')} from {NAMES[data['region']]}."


def _policy_played(data: Data, who: Who) -> str:
    known = data.get("card", data["shown"])
    card = NAMES[known] if known is not None else "a policy card"
    way = "face-up" if data["face_up"] else "face-down"
    return f"{who(data['seat'])} plays {card} {way} at {NAMES[data['region']]}."


def _action_card_played(data: Data, who: Who) -> str:
    aim = f" at {faction_named(data['target'], who)}" if data["target"] is not None else ""
    places = listed(NAMES[key] for key in data["regions"])
    return f"{who(data['seat'])} plays {NAMES[data['card']]}{aim} in {places}."


def _die_rolled(data: Data, who: Who) -> str:
    return f"{who(data['seat'])} rolls {data['face']} for {NAMES[data['purpose']]}."


def _influence_added(data: Data, who: Who) -> str:
    short = f" (of {data['wanted']})" if data["placed"] < data["wanted"] else ""
    noun = "native" if data["faction"] == "natives" else "disc"
    whose = "" if data["faction"] == "natives" else f" of {who(data['faction'])}"
    added = f"{counted(data['placed'], noun)}{short}{whose}"
    return f"{CAUSES[data['cause']]}: {added} in {NAMES[data['region']]}."


def _recruited(data: Data, who: Who) -> str:
    short = f" (of {data['wanted']})" if data["placed"] < data["wanted"] else ""
    hired = mercenaries_counted(data["placed"])
    return f"{who(data['seat'])} recruits {hired}{short} in {NAMES[data['region']]}."


def _loss_choice(data: Data, who: Who) -> str:
    return (
        f"{who(data['seat'])} must choose {data['loss']} of {counted(data['own_discs'], 'disc')} "
        f"and {mercenaries_counted(data['mercenaries'])} to lose in {NAMES[data['region']]}."
    )


def _loss_chosen(data: Data, who: Who) -> str:
    return (
        f"{who(data['seat'])} gives up {mercenaries_counted(data['mercenaries'])} "
        f"and {counted(data['own_discs'], 'disc')} in {NAMES[data['region']]}."
    )


def _removed(data: Data, who: Who) -> str:
    if data["faction"] == "natives":
        lost = counted(data["own_discs"], "native")
    else:
        parts = [counted(data["own_discs"], "disc")] if data["own_discs"] or not data["mercenaries"] else []
        parts += [mercenaries_counted(data["mercenaries"])] if data["mercenaries"] else []
        lost = listed(parts)
    loser = _capital(faction_named(data["faction"], who))
    verb = "lose" if data["faction"] == "natives" else "loses"
    return f"{loser} {verb} {lost} in {NAMES[data['region']]} ({CAUSES[data['cause']]})."


def _exchanged(data: Data, who: Who) -> str:
    return (
        f"{who(data['seat'])} exchanges a {data['color_a']} cube of {NAMES[data['region_a']]} "
        f"with a {data['color_b']} cube of {NAMES[data['region_b']]}."
    )


def _action_card_discarded(data: Data, who: Who) -> str:
    return f"{NAMES[data['card']]} goes to the discard pile of {who(data['seat'])}."


def _colonization_started(data: Data, who: Who) -> str:
    order = listed(NAMES[key] for key in data["region_order"])
    return f"Turn {data['turn']}: colonization phase {data['segment']} begins; order: {order}."


def _checked(data: Data, who: Who) -> str:
    if not data["colonization_required"]:
        return f"{NAMES[data['region']]} is checked: nothing happens."
    reasons = [counted(data["policy_cards_in_play"], "policy card")] if data["policy_cards_in_play"] else []
    reasons += ["the limit is exceeded"] if data["limit_check_failed"] else []
    return f"{NAMES[data['region']]} is colonized: {listed(reasons)}."


def _revealed(data: Data, who: Who) -> str:
    return f"Policy cards at {NAMES[data['region']]} are revealed: {_by_seat(data['cards'], who)}."


def _resolved(data: Data, who: Who) -> str:
    place, step = NAMES[data["region"]], STEPS[data["step"]]
    if data["step"] == "unrest_at_home":
        hit = "; ".join(f"{who(r['seat'])} removes {r['removed']}" for r in data["results"])
        return f"Unrest at Home in {place}: {hit or 'no colonial power is present'}."
    return f"{step} in {place}: {'; '.join(_result(r, who) for r in data['results'])}."


def _result(result: Data, who: Who) -> str:
    cards = listed(f"{NAMES[v['card']]}: {v['value']}" for v in result["cards"])
    short = f" of {result['wanted']}" if result["placed"] < result["wanted"] else ""
    return f"{who(result['seat'])} places {result['placed']}{short} ({cards})"


def _conflict(data: Data, who: Who) -> str:
    before, after = data["before"], data["after"]
    parts = [
        f"{'natives' if faction == 'natives' else who(int(faction))} {count} to {after[faction]}"
        for faction, count in before.items()
        if count
    ]
    place = f"{NAMES[data['region']]} (limit {data['limit']})"
    return f"Conflict in {place}: {listed(parts)}; {ENDINGS[data['ended_by']]}."


def _collection_started(data: Data, who: Who) -> str:
    order = listed(who(seat) for seat in data["order"]) + (
        ", in this order" if len(data["order"]) > 1 else ""
    )
    lying = cubes_named(data["cubes"])
    return f"Resources of {NAMES[data['region']]} ({lying}) are collected by {order}."


def _collected(data: Data, who: Who) -> str:
    return f"{who(data['seat'])} collects {data['count']} {data['color']} from {NAMES[data['region']]}."


def _collection_ended(data: Data, who: Who) -> str:
    return f"{NAMES[data['region']]} has no resources left."


def _policy_discarded(data: Data, who: Who) -> str:
    return f"The policy cards of {NAMES[data['region']]} go to their owners' discard piles."


def _region_ended(data: Data, who: Who) -> str:
    return f"The colonization of {NAMES[data['region']]} is over."


def _card_kept(data: Data, who: Who) -> str:
    return f"{who(data['seat'])} keeps {NAMES[data['kept']] if 'kept' in data else 'one card'}."


def _mercenaries_removed(data: Data, who: Who) -> str:
    gone = listed(f"{r['count']} of {who(r['seat'])} from {NAMES[r['region']]}" for r in data["removed"])
    return f"All mercenaries leave: {gone}."


def _excess(data: Data, who: Who) -> str:
    discs = counted(data["count"], "disc")
    return f"{who(data['seat'])}, alone in {NAMES[data['region']]}, returns {discs} above the limit."


def _phase_advanced(data: Data, who: Who) -> str:
    return f"The phase token moves to {phase_named(data['phase'])}."


def _turn_ended(data: Data, who: Who) -> str:
    return f"Turn {data['turn']} begins; the cubes collected this turn are counted anew."


def _interest_revealed(data: Data, who: Who) -> str:
    shown = listed(
        f"{interest_named(card)}{' pays' if paid else ' pays nothing'}"
        for card, paid in zip(data["cards"], data["paid"], strict=True)
    )
    return f"{who(data['seat'])} shows the economic interests {shown}."


def _converted(data: Data, who: Who) -> str:
    if not data["conversions"]:
        return f"{who(data['seat'])} has {cubes_named(data['after'])} and converts nothing."
    made = listed(f"3 {x['from']} for 1 {x['to']}" for x in data["conversions"])
    return f"{who(data['seat'])} converts {made} and has {cubes_named(data['after'])}."


def _ended(data: Data, who: Who) -> str:
    ranked = sorted(data["standings"], key=lambda s: s["place"])
    places = listed(f"{who(s['seat'])} {s['score']} ({s['total']} cubes)" for s in ranked)
    winners = data["winners"]
    verb = "wins" if len(winners) == 1 else "share the victory"
    return f"{listed(map(who, winners))} {verb}. Scores: {places}."


TELL: Mapping[str, Callable[[Data, Who], str]] = {
    "GameBegan": _started,
    "RegionOrderDetermined": _region_order,
    "RegionLimitTilesPlaced": _tiles,
    "ResourcesDrawn": _resources_drawn,
    "NativesRolled": _natives_rolled,
    "NativeAdded": _native_added,
    "TurnOrderRolled": _turn_order_rolled,
    "TurnOrderChoiceOpened": _choice_opened,
    "TurnOrderPositionChosen": _position_chosen,
    "EconomicInterestCardsDealt": _interests_dealt,
    "UndealtEconomicInterestSetAside": _undealt,
    "InfluenceDeckShuffled": _deck_shuffled,
    "StartingCardsDrawn": _drawn_into_hand,
    "StartingHandKept": _hand_kept,
    "StartingDiscardsRevealed": _discards,
    "ShipPlaced": _ship_placed,
    "ActionRoundStarted": _round_started,
    "ActionRoundEnded": _round_ended,
    "ActionCompleted": _action_completed,
    "InfluenceCardDrawn": _card_drawn,
    "DiscardPileReshuffled": _reshuffled,
    "ShipMoved": _ship_moved,
    "ShipUsed": _ship_used,
    "RegionExplored": _explored,
    "InfluenceDiscsWithdrawn": _withdrawn,
    "PolicyCardPlayed": _policy_played,
    "ActionCardPlayed": _action_card_played,
    "DieRolled": _die_rolled,
    "InfluenceAdded": _influence_added,
    "MercenariesRecruited": _recruited,
    "LossChoiceOpened": _loss_choice,
    "MercenaryLossesChosen": _loss_chosen,
    "InfluenceRemoved": _removed,
    "ResourcesExchanged": _exchanged,
    "ActionCardDiscarded": _action_card_discarded,
    "ColonizationPhaseStarted": _colonization_started,
    "RegionColonizationChecked": _checked,
    "PolicyCardsRevealed": _revealed,
    "PolicyCardsResolved": _resolved,
    "ConflictResolved": _conflict,
    "CollectionStarted": _collection_started,
    "ResourceColorCollected": _collected,
    "CollectionEnded": _collection_ended,
    "PolicyCardsDiscarded": _policy_discarded,
    "RegionColonizationEnded": _region_ended,
    "InfluenceCardKept": _card_kept,
    "InfluenceCardsDiscarded": _discards,
    "HandRefilled": _drawn_into_hand,
    "MercenariesRemoved": _mercenaries_removed,
    "ExcessInfluenceRemoved": _excess,
    "GamePhaseAdvanced": _phase_advanced,
    "GameTurnEnded": _turn_ended,
    "EconomicInterestRevealed": _interest_revealed,
    "ResourcesConverted": _converted,
    "GameEnded": _ended,
}
"""By fact type."""
