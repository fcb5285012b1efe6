"""How each fact changes the state. Nothing here rejects or draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from events.fact import Fact
from events.kit.values import put, without
from events.titles.colonialism import facts as f
from events.titles.colonialism.data import (
    CARD_IDS,
    COLOR_INDEX,
    COLORS,
    INTEREST_IDS,
    PIECES,
    REGION_IDS,
    REGION_INDEX,
    in_table_order,
)
from events.titles.colonialism.knowledge import after_reshuffle, after_showing, drawn_since_reshuffle
from events.titles.colonialism.shapes import SeatCards
from events.titles.colonialism.state import (
    NO_CUBES,
    NO_LIMIT,
    ActionCard,
    Collection,
    Colonization,
    Cubes,
    Faction,
    Loss,
    PolicyCard,
    Region,
    Ship,
    State,
    last_phase,
    region,
)


def _plus(values: tuple[int, ...], index: int, more: int) -> tuple[int, ...]:
    return put(values, index, values[index] + more)


def _cubes_plus(cubes: Cubes, color: str, more: int) -> Cubes:
    black, brown, yellow = _plus(cubes, COLOR_INDEX[color], more)
    return black, brown, yellow


def _with_region(state: State, key: str, **changes: Any) -> tuple[Region, ...]:
    index = REGION_INDEX[key]
    return put(state.regions, index, replace(state.regions[index], **changes))


def _ship_number(ship: str) -> int:
    return int(ship.rpartition("_")[2]) - 1


# --- preparations ------------------------------------------------------------------------------


def _game_started(state: State, fact: f.GameBegan) -> State:
    """Pieces are handed out; every card is still in its owner's deck (CSM-032, CSM-035, CSM-036)."""
    seats = len(fact.colors)
    return replace(
        state,
        options=fact.options,
        colors=fact.colors,
        bag=(PIECES.cubes_per_color,) * len(COLORS),
        native_supply=PIECES.natives,
        mercenary_supply=PIECES.mercenaries,
        reserve=(PIECES.discs,) * seats,
        decks=(CARD_IDS,) * seats,
        undealt_interests=INTEREST_IDS,
    )


def _region_order_determined(state: State, fact: f.RegionOrderDetermined) -> State:
    return replace(state, region_order=fact.order)


def _region_limit_tiles_placed(state: State, fact: f.RegionLimitTilesPlaced) -> State:
    seats = len(state.colors)
    zeros, none = (0,) * seats, ((),) * seats
    tiles = {t.region: t for t in fact.tiles}
    regions = tuple(
        Region(tiles[key].value, tiles[key].limit, NO_CUBES, 0, zeros, zeros, none) for key in REGION_IDS
    )
    return replace(state, regions=regions)


def _resources_drawn(state: State, fact: f.ResourcesDrawn) -> State:
    drawn = (fact.black, fact.brown, fact.yellow)
    lying = tuple(map(int.__add__, region(state, fact.region).cubes, drawn))
    return replace(
        state,
        bag=tuple(map(int.__sub__, state.bag, drawn)),
        regions=_with_region(state, fact.region, cubes=lying),
    )


def _natives_placed(state: State, fact: f.NativesRolled | f.NativeAdded) -> State:
    natives = region(state, fact.region).natives + fact.placed
    return replace(
        state,
        native_supply=state.native_supply - fact.placed,
        regions=_with_region(state, fact.region, natives=natives),
    )


def _unchanged(state: State, fact: Fact) -> State:
    """For facts whose consequences are facts of their own."""
    return state


def _turn_order_choice_opened(state: State, fact: f.TurnOrderChoiceOpened) -> State:
    step = "turn_order_choice" if any(state.rows) else "setup_turn_order"
    return replace(state, step=step, choosers=fact.order)


def _turn_order_position_chosen(state: State, fact: f.TurnOrderPositionChosen) -> State:
    """The old order counts until the last row is chosen (CSM-206)."""
    chosen = put(state.chosen_rows, fact.seat, fact.row)
    if all(chosen):
        return replace(state, rows=chosen, chosen_rows=(0,) * len(chosen), choosers=())
    return replace(state, chosen_rows=chosen)


def _economic_interest_cards_dealt(state: State, fact: f.EconomicInterestCardsDealt) -> State:
    return replace(
        state,
        interests=put(state.interests, fact.seat, fact.cards),
        undealt_interests=without(state.undealt_interests, fact.cards),
    )


def _starting_cards_drawn(state: State, fact: f.StartingCardsDrawn) -> State:
    return replace(
        _cards_drawn(state, fact),
        step="setup_ships" if state.options.quick_start_hands else "setup_starting_hands",
    )


def _cards_drawn(state: State, fact: f.StartingCardsDrawn | f.HandRefilled) -> State:
    return replace(
        state,
        hands=put(state.hands, fact.seat, state.hands[fact.seat] + fact.cards),
        decks=put(state.decks, fact.seat, without(state.decks[fact.seat], fact.cards)),
    )


def _starting_hand_kept(state: State, fact: f.StartingHandKept) -> State:
    """The other cards stay with the hand until everybody has chosen (CSM-042)."""
    return replace(state, kept=put(state.kept, fact.seat, fact.kept))


def _starting_discards_revealed(state: State, fact: f.StartingDiscardsRevealed) -> State:
    state = _revealed(state, fact.discards, from_deck=state.options.quick_start_hands)
    return replace(state, step="setup_ships")


def _influence_cards_discarded(state: State, fact: f.InfluenceCardsDiscarded) -> State:
    return _revealed(state, fact.discards, from_deck=False)


def _revealed(state: State, discards: Iterable[SeatCards], *, from_deck: bool) -> State:
    for mine in discards:
        seat, cards = mine.seat, mine.cards
        pile = put(state.discards, seat, state.discards[seat] + cards)
        if from_deck:
            decks = put(state.decks, seat, without(state.decks[seat], cards))
            state = replace(state, decks=decks, discards=pile)
        else:
            hands = put(state.hands, seat, without(state.hands[seat], cards))
            state = after_showing(replace(state, hands=hands, discards=pile), seat, cards)
    return replace(state, kept=(None,) * len(state.kept))


def _ship_placed(state: State, fact: f.ShipPlaced) -> State:
    fleet = (*state.ships[fact.seat], Ship(fact.sea_zone))
    return replace(state, ships=put(state.ships, fact.seat, fleet))


# --- action rounds -----------------------------------------------------------------------------


def _action_round_started(state: State, fact: f.ActionRoundStarted) -> State:
    return replace(state, step="action_round")


def _action_round_ended(state: State, fact: f.ActionRoundEnded) -> State:
    """All ships become fresh, the markers return to the left (CSM-062)."""
    ships = tuple(tuple(Ship(ship.sea_zone) for ship in fleet) for fleet in state.ships)
    return replace(state, ships=ships, actions_taken=(0,) * len(state.rows))


def _action_completed(state: State, fact: f.ActionCompleted) -> State:
    return replace(state, actions_taken=put(state.actions_taken, fact.seat, fact.action_number))


def _influence_card_drawn(state: State, fact: f.InfluenceCardDrawn) -> State:
    return replace(
        state,
        hands=put(state.hands, fact.seat, (*state.hands[fact.seat], fact.card)),
        decks=put(state.decks, fact.seat, without(state.decks[fact.seat], (fact.card,))),
    )


def _discard_pile_reshuffled(state: State, fact: f.DiscardPileReshuffled) -> State:
    seat = fact.seat
    deck = in_table_order(state.decks[seat] + state.discards[seat])
    state = replace(state, decks=put(state.decks, seat, deck), discards=put(state.discards, seat, ()))
    return after_reshuffle(state, seat)


def _with_ship(state: State, seat: int, ship: str, changed: Ship) -> State:
    fleet = put(state.ships[seat], _ship_number(ship), changed)
    return replace(state, ships=put(state.ships, seat, fleet))


def _ship_moved(state: State, fact: f.ShipMoved) -> State:
    """The ship keeps its status (CSM-056)."""
    fresh = state.ships[fact.seat][_ship_number(fact.ship)].fresh
    return _with_ship(state, fact.seat, fact.ship, Ship(fact.to, fresh))


def _ship_used(state: State, fact: f.ShipUsed) -> State:
    return _with_ship(state, fact.seat, fact.ship, Ship(fact.sea_zone, fresh=False))


def _discs_added(state: State, key: str, seat: int, count: int) -> State:
    discs = _plus(region(state, key).discs, seat, count)
    return replace(
        state, reserve=_plus(state.reserve, seat, -count), regions=_with_region(state, key, discs=discs)
    )


def _region_explored(state: State, fact: f.RegionExplored) -> State:
    return _discs_added(state, fact.region, fact.seat, 1)


def _discs_returned(state: State, fact: f.InfluenceDiscsWithdrawn | f.ExcessInfluenceRemoved) -> State:
    return _discs_added(state, fact.region, fact.seat, -fact.count)


def _off_hand(state: State, seat: int, card: str) -> State:
    return replace(state, hands=put(state.hands, seat, without(state.hands[seat], (card,))))


def _on_region(state: State, key: str, seat: int, card: PolicyCard) -> State:
    policy = region(state, key).policy
    return replace(state, regions=_with_region(state, key, policy=put(policy, seat, (*policy[seat], card))))


def _policy_card_played(state: State, fact: f.PolicyCardPlayed) -> State:
    """Face-up it is known to all from now on; face-down everybody counts what it can be (CSM-077)."""
    seat, card = fact.seat, fact.card
    limit = NO_LIMIT if fact.face_up else drawn_since_reshuffle(state, seat)
    laid = PolicyCard(card, fact.face_up, limit)
    state = _on_region(_off_hand(state, seat, card), fact.region, seat, laid)
    return after_showing(state, seat, (card,)) if fact.face_up else state


def _action_card_played(state: State, fact: f.ActionCardPlayed) -> State:
    playing = ActionCard(fact.seat, fact.card, fact.regions[0], fact.target)
    state = replace(_off_hand(state, fact.seat, fact.card), action_card=playing)
    return after_showing(state, fact.seat, (fact.card,))


def _influence_added(state: State, fact: f.InfluenceAdded) -> State:
    if fact.faction != "natives":
        return _discs_added(state, fact.region, fact.faction, fact.placed)
    natives = region(state, fact.region).natives + fact.placed
    return replace(
        state,
        native_supply=state.native_supply - fact.placed,
        regions=_with_region(state, fact.region, natives=natives),
    )


def _mercenaries_recruited(state: State, fact: f.MercenariesRecruited) -> State:
    mercenaries = _plus(region(state, fact.region).mercenaries, fact.seat, fact.placed)
    return replace(
        state,
        mercenary_supply=state.mercenary_supply - fact.placed,
        regions=_with_region(state, fact.region, mercenaries=mercenaries),
    )


def _loss_choice_opened(state: State, fact: f.LossChoiceOpened) -> State:
    return replace(state, losses=(*state.losses, Loss(fact.seat, fact.region, fact.loss, fact.cause)))


def _mercenary_losses_chosen(state: State, fact: f.MercenaryLossesChosen) -> State:
    return replace(state, losses=state.losses[1:])


def _influence_removed(state: State, fact: f.InfluenceRemoved) -> State:
    """Discs go back to their reserve or supply at once (CSM-010)."""
    state = _removed(state, fact.region, fact.faction, fact.own_discs, fact.mercenaries)
    playing = state.action_card
    if playing is None:
        return state
    removed = playing.removed + fact.own_discs + fact.mercenaries
    return replace(state, action_card=replace(playing, removed=removed))


def _removed(state: State, key: str, faction: Faction, discs: int, mercenaries: int) -> State:
    at = region(state, key)
    if faction == "natives":
        return replace(
            state,
            native_supply=state.native_supply + discs,
            regions=_with_region(state, key, natives=at.natives - discs),
        )
    left = _plus(at.discs, faction, -discs)
    hired = _plus(at.mercenaries, faction, -mercenaries)
    return replace(
        state,
        reserve=_plus(state.reserve, faction, discs),
        mercenary_supply=state.mercenary_supply + mercenaries,
        regions=_with_region(state, key, discs=left, mercenaries=hired),
    )


def _resources_exchanged(state: State, fact: f.ResourcesExchanged) -> State:
    first, second = region(state, fact.region_a).cubes, region(state, fact.region_b).cubes
    first = _cubes_plus(_cubes_plus(first, fact.color_a, -1), fact.color_b, 1)
    second = _cubes_plus(_cubes_plus(second, fact.color_b, -1), fact.color_a, 1)
    state = replace(state, regions=_with_region(state, fact.region_a, cubes=first))
    return replace(state, regions=_with_region(state, fact.region_b, cubes=second))


def _action_card_discarded(state: State, fact: f.ActionCardDiscarded) -> State:
    pile = (*state.discards[fact.seat], fact.card)
    return replace(state, action_card=None, discards=put(state.discards, fact.seat, pile))


# --- colonization ------------------------------------------------------------------------------


def _colonization_phase_started(state: State, fact: f.ColonizationPhaseStarted) -> State:
    return replace(state, step="colonization", colonization=Colonization())


def _region_colonization_checked(state: State, fact: f.RegionColonizationChecked) -> State:
    return _stage(state, "cards") if fact.colonization_required else _next_region(state)


def _region_colonization_ended(state: State, fact: f.RegionColonizationEnded) -> State:
    return _next_region(state)


def _next_region(state: State) -> State:
    if state.colonization is None:
        return state
    index = state.colonization.index + 1
    if index < len(state.region_order):
        return replace(state, colonization=Colonization(index))
    return replace(state, colonization=None, step="scoring" if last_phase(state) else "keep_one_card")


def _stage(state: State, stage: Any) -> State:
    if state.colonization is None:
        return state
    return replace(state, colonization=replace(state.colonization, stage=stage))


def _policy_cards_revealed(state: State, fact: f.PolicyCardsRevealed) -> State:
    at = region(state, fact.region)
    shown = tuple(tuple(PolicyCard(p.card, face_up=True) for p in stack) for stack in at.policy)
    hidden = [(seat, [p.card for p in stack if not p.face_up]) for seat, stack in enumerate(at.policy)]
    state = replace(state, regions=_with_region(state, fact.region, policy=shown))
    for seat, cards in hidden:
        if cards:
            state = after_showing(state, seat, cards)
    return state


def _policy_cards_resolved(state: State, fact: f.PolicyCardsResolved) -> State:
    if fact.step == "unrest_at_home":
        return _stage(state, "unrest_at_home")
    for result in fact.results:
        if result.placed:
            state = _discs_added(state, fact.region, result.seat, result.placed)
    return state


def _conflict_resolved(state: State, fact: f.ConflictResolved) -> State:
    return _stage(state, "conflict")


def _collection_started(state: State, fact: f.CollectionStarted) -> State:
    return replace(_stage(state, "collection"), collection=Collection(fact.region, fact.order))


def _resource_color_collected(state: State, fact: f.ResourceColorCollected) -> State:
    seat, count = fact.seat, fact.count
    lying = _cubes_plus(region(state, fact.region).cubes, fact.color, -count)
    collecting = state.collection
    return replace(
        state,
        regions=_with_region(state, fact.region, cubes=lying),
        collected=put(state.collected, seat, _cubes_plus(state.collected[seat], fact.color, count)),
        collected_this_turn=_plus(state.collected_this_turn, seat, count),
        collection=collecting and replace(collecting, picks=collecting.picks + 1),
    )


def _collection_ended(state: State, fact: f.CollectionEnded) -> State:
    return replace(state, collection=None)


def _policy_cards_discarded(state: State, fact: f.PolicyCardsDiscarded) -> State:
    piles = state.discards
    for mine in fact.cards:
        piles = put(piles, mine.seat, piles[mine.seat] + mine.cards)
    none: tuple[tuple[PolicyCard, ...], ...] = ((),) * len(piles)
    return replace(state, discards=piles, regions=_with_region(state, fact.region, policy=none))


def _influence_card_kept(state: State, fact: f.InfluenceCardKept) -> State:
    return replace(state, kept=put(state.kept, fact.seat, (fact.kept,)))


def _mercenaries_removed(state: State, fact: f.MercenariesRemoved) -> State:
    for gone in fact.removed:
        state = _removed(state, gone.region, gone.seat, 0, gone.count)
    return state


def _game_phase_advanced(state: State, fact: f.GamePhaseAdvanced) -> State:
    return replace(state, turn=fact.turn, phase=fact.phase)


def _game_turn_ended(state: State, fact: f.GameTurnEnded) -> State:
    """The tallies of the turn restart (CSM-222)."""
    return replace(state, turn=fact.turn, phase=fact.phase, collected_this_turn=(0,) * len(state.rows))


# --- scoring -----------------------------------------------------------------------------------


def _economic_interest_revealed(state: State, fact: f.EconomicInterestRevealed) -> State:
    return replace(state, interests_shown=put(state.interests_shown, fact.seat, True))


def _game_ended(state: State, fact: f.GameEnded) -> State:
    return replace(state, step="ended", standings=fact.standings)


FOLD: Mapping[type[Fact], Callable[[Any, Any], State]] = {
    f.GameBegan: _game_started,
    f.RegionOrderDetermined: _region_order_determined,
    f.RegionLimitTilesPlaced: _region_limit_tiles_placed,
    f.ResourcesDrawn: _resources_drawn,
    f.NativesRolled: _natives_placed,
    f.NativeAdded: _natives_placed,
    f.TurnOrderRolled: _unchanged,
    f.TurnOrderChoiceOpened: _turn_order_choice_opened,
    f.TurnOrderPositionChosen: _turn_order_position_chosen,
    f.EconomicInterestCardsDealt: _economic_interest_cards_dealt,
    f.UndealtEconomicInterestSetAside: _unchanged,
    f.InfluenceDeckShuffled: _unchanged,
    f.StartingCardsDrawn: _starting_cards_drawn,
    f.StartingHandKept: _starting_hand_kept,
    f.StartingDiscardsRevealed: _starting_discards_revealed,
    f.ShipPlaced: _ship_placed,
    f.ActionRoundStarted: _action_round_started,
    f.ActionRoundEnded: _action_round_ended,
    f.ActionCompleted: _action_completed,
    f.InfluenceCardDrawn: _influence_card_drawn,
    f.DiscardPileReshuffled: _discard_pile_reshuffled,
    f.ShipMoved: _ship_moved,
    f.ShipUsed: _ship_used,
    f.RegionExplored: _region_explored,
    f.InfluenceDiscsWithdrawn: _discs_returned,
    f.PolicyCardPlayed: _policy_card_played,
    f.ActionCardPlayed: _action_card_played,
    f.DieRolled: _unchanged,
    f.InfluenceAdded: _influence_added,
    f.MercenariesRecruited: _mercenaries_recruited,
    f.LossChoiceOpened: _loss_choice_opened,
    f.MercenaryLossesChosen: _mercenary_losses_chosen,
    f.InfluenceRemoved: _influence_removed,
    f.ResourcesExchanged: _resources_exchanged,
    f.ActionCardDiscarded: _action_card_discarded,
    f.ColonizationPhaseStarted: _colonization_phase_started,
    f.RegionColonizationChecked: _region_colonization_checked,
    f.PolicyCardsRevealed: _policy_cards_revealed,
    f.PolicyCardsResolved: _policy_cards_resolved,
    f.ConflictResolved: _conflict_resolved,
    f.CollectionStarted: _collection_started,
    f.ResourceColorCollected: _resource_color_collected,
    f.CollectionEnded: _collection_ended,
    f.PolicyCardsDiscarded: _policy_cards_discarded,
    f.RegionColonizationEnded: _region_colonization_ended,
    f.InfluenceCardKept: _influence_card_kept,
    f.InfluenceCardsDiscarded: _influence_cards_discarded,
    f.HandRefilled: _cards_drawn,
    f.MercenariesRemoved: _mercenaries_removed,
    f.ExcessInfluenceRemoved: _discs_returned,
    f.GamePhaseAdvanced: _game_phase_advanced,
    f.GameTurnEnded: _game_turn_ended,
    f.EconomicInterestRevealed: _economic_interest_revealed,
    f.ResourcesConverted: _unchanged,
    f.GameEnded: _game_ended,
}
