"""Action rounds: the actions but for action cards, and what follows every action (CSM-050 to CSM-081)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.kit.values import put
from events.rules.kit.words import format_count
from events.rules.steps import INVALID_PARAMETERS, Draft, Move, Rejected
from events.titles.colonialism.checks import (
    check_in_hand,
    own_ship,
    require_region,
    require_sea_zone,
    ship_for_card,
    usable_ship,
)
from events.titles.colonialism.commands import (
    DrawInfluenceCard,
    ExploreRegion,
    MoveShip,
    PlayPolicyCard,
    WithdrawInfluenceDiscs,
)
from events.titles.colonialism.data import NAMES, NUMBERS, POLICY_IDS, ZONE_IDS
from events.titles.colonialism.derived import action_round, find_next, region, segment, ship_id
from events.titles.colonialism.facts import (
    ActionCompleted,
    ActionRoundEnded,
    ActionRoundStarted,
    ColonizationPhaseStarted,
    GamePhaseAdvanced,
    InfluenceCardDrawn,
    InfluenceDiscsWithdrawn,
    PolicyCardPlayed,
    RegionExplored,
    ShipMoved,
    ShipUsed,
)
from events.titles.colonialism.parts import Ship
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.colonization import colonize
from events.titles.colonialism.steps.decks import settle_deck
from events.titles.colonialism.steps.next_segment import next_phase
from events.titles.colonialism.steps.offers import list_reachable
from events.titles.colonialism.words import format_name, format_with_ship, ship_named

# --- what follows every action -----------------------------------------------------------------


def use_ship(draft: Draft[State], seat: int, key: str) -> None:
    """A ship that satisfied a requirement becomes used (CSM-014)."""
    ship = own_ship(draft.state, seat, key)
    draft.emit(ShipUsed(seat=seat, ship=key, sea_zone=ship.sea_zone))


def complete_action(draft: Draft[State], seat: int) -> None:
    """Move the marker on; after everybody's third action the round ends (CSM-052, CSM-062)."""
    state = draft.state
    action = state.actions_taken[seat] + 1
    following = find_next(state, put(state.actions_taken, seat, action))
    draft.emit(ActionCompleted(seat=seat, action_number=action, next=following))
    if following is None:
        _end_round(draft)


def _end_round(draft: Draft[State]) -> None:
    """Begin the next action round after rounds 1 and 3, the colonization phase after 2 and 4 (CSM-063)."""
    state = draft.state
    draft.emit(ActionRoundEnded(turn=state.turn, round=action_round(state)))
    draft.emit(GamePhaseAdvanced(turn=state.turn, phase=next_phase(state)))
    state = draft.state
    if state.phase.startswith("action_round"):
        draft.emit(ActionRoundStarted(turn=state.turn, round=action_round(state)))
        return
    order = state.region_order
    draft.emit(ColonizationPhaseStarted(turn=state.turn, segment=segment(state), region_order=order))
    colonize(draft)


# --- actions without a card --------------------------------------------------------------------


def draw_influence_card(draft: Draft[State], seat: int, command: DrawInfluenceCard) -> None:
    """Draw the top card of the deck into the hand, which has no limit now (CSM-053, CSM-054)."""
    state = draft.state
    if not can_draw(state, seat):
        raise Rejected("no_cards_to_draw", "Your deck and discard pile are empty; take another action.")
    settle_deck(draft, seat)
    deck = draft.state.decks[seat]
    card = draft.chance.pick(deck, hidden=True)
    draft.emit(InfluenceCardDrawn(seat=seat, card=card, deck_size=len(deck) - 1))
    settle_deck(draft, seat)
    complete_action(draft, seat)


def can_draw(state: State, seat: int) -> bool:
    """Return True if any card is left to draw."""
    return bool(state.decks[seat] or state.discards[seat])


DRAW_INFLUENCE_CARD: Move[State] = Move(
    command=DrawInfluenceCard,
    take=draw_influence_card,
    legal=lambda state, seat: (DrawInfluenceCard(),) if can_draw(state, seat) else (),
    label="Draw a card",
)


def move_ship(draft: Draft[State], seat: int, command: MoveShip) -> None:
    """Move a ship, fresh or used, to any other sea zone (CSM-056)."""
    zone = require_sea_zone(command.sea_zone)
    ship = own_ship(draft.state, seat, command.ship)
    if ship.sea_zone == zone:
        raise Rejected("same_sea_zone", f"That ship is in {NAMES[zone]} already; choose another sea zone.")
    draft.emit(ShipMoved(seat=seat, ship=command.ship, from_=ship.sea_zone, to=zone))
    complete_action(draft, seat)


def _moves(state: State, seat: int) -> Iterator[MoveShip]:
    """Yield moves of ships; of several alike in one sea zone only those of the first."""
    done: set[Ship] = set()
    for number, ship in enumerate(state.ships[seat]):
        if ship not in done:
            done.add(ship)
            key = ship_id(state, seat, number)
            yield from [MoveShip(ship=key, sea_zone=zone) for zone in ZONE_IDS if zone != ship.sea_zone]


MOVE_SHIP: Move[State] = Move(
    command=MoveShip,
    take=move_ship,
    legal=_moves,
    label=lambda _state, _seat, command: (
        f"Move {ship_named(command.ship)} to {format_name(command.sea_zone)}"
    ),
)


def explore_region(draft: Draft[State], seat: int, command: ExploreRegion) -> None:
    """Place one disc; no prior influence is needed (CSM-057)."""
    key = require_region(command.region)
    usable_ship(draft.state, seat, command.ship, key)
    if not draft.state.reserve[seat]:
        raise Rejected("reserve_empty", "You have no discs in reserve; take another action.")
    use_ship(draft, seat, command.ship)
    draft.emit(RegionExplored(seat=seat, region=key))
    complete_action(draft, seat)


def _explorations(state: State, seat: int) -> Iterator[ExploreRegion]:
    if state.reserve[seat]:
        yield from (ExploreRegion(region=key, ship=ship) for key, ship in list_reachable(state, seat))


EXPLORE_REGION: Move[State] = Move(
    command=ExploreRegion,
    take=explore_region,
    legal=_explorations,
    label=lambda _state, _seat, command: (
        f"Explore {format_name(command.region)} {format_with_ship(command.ship)}"
    ),
)


def withdraw_influence_discs(draft: Draft[State], seat: int, command: WithdrawInfluenceDiscs) -> None:
    """Withdraw one to five own discs, never mercenaries (CSM-058, CSM-059)."""
    key = require_region(command.region)
    usable_ship(draft.state, seat, command.ship, key)
    if not 1 <= command.count <= NUMBERS.withdraw:
        raise Rejected(INVALID_PARAMETERS, f"Withdraw from 1 to {NUMBERS.withdraw} discs at a time.")
    there = region(draft.state, key).discs[seat]
    if there < command.count:
        discs = format_count(there, "disc")
        raise Rejected("not_enough_influence_discs", f"You have {discs} there; withdraw no more than that.")
    use_ship(draft, seat, command.ship)
    draft.emit(InfluenceDiscsWithdrawn(seat=seat, region=key, count=command.count))
    complete_action(draft, seat)


def _withdrawals(state: State, seat: int) -> Iterator[WithdrawInfluenceDiscs]:
    for key, ship in list_reachable(state, seat):
        there = region(state, key).discs[seat]
        for count in range(1, min(NUMBERS.withdraw, there) + 1):
            yield WithdrawInfluenceDiscs(region=key, ship=ship, count=count)


def _label_withdrawal(_state: State, _seat: int, command: WithdrawInfluenceDiscs) -> str:
    discs, place = format_count(command.count, "disc"), format_name(command.region)
    return f"Withdraw {discs} from {place} {format_with_ship(command.ship)}"


WITHDRAW_INFLUENCE_DISCS: Move[State] = Move(
    command=WithdrawInfluenceDiscs,
    take=withdraw_influence_discs,
    legal=_withdrawals,
    label=_label_withdrawal,
)


# --- playing a policy card (CSM-070 to CSM-081) ------------------------------------------------


def play_policy_card(draft: Draft[State], seat: int, command: PlayPolicyCard) -> None:
    """Play a policy card: a player's first at a region face-down, further ones face-up on top (CSM-077)."""
    key = require_region(command.region)
    check_in_hand(draft.state, seat, command.card)
    ship_for_card(draft.state, seat, command.ship, key)
    if command.card not in POLICY_IDS:
        raise Rejected("not_a_policy_card", "That is an action card; play it with its own command.")
    position = len(region(draft.state, key).policy[seat]) + 1
    face_up = position > 1
    use_ship(draft, seat, command.ship)
    draft.emit(
        PolicyCardPlayed(
            seat=seat,
            region=key,
            ship=command.ship,
            position=position,
            face_up=face_up,
            card=command.card,
            shown=command.card if face_up else None,
            known_to=tuple(range(draft.state.seats)) if face_up else (seat,),
        )
    )
    complete_action(draft, seat)


def _lays(state: State, seat: int) -> Iterator[PlayPolicyCard]:
    pairs = list_reachable(state, seat)
    for card in dict.fromkeys(state.hands[seat]):
        if card in POLICY_IDS:
            yield from (PlayPolicyCard(card=card, region=key, ship=ship) for key, ship in pairs)


def _label_policy_card(_state: State, _seat: int, command: PlayPolicyCard) -> str:
    return f"{format_name(command.card)} at {format_name(command.region)} {format_with_ship(command.ship)}"


PLAY_POLICY_CARD: Move[State] = Move(
    command=PlayPolicyCard, take=play_policy_card, legal=_lays, label=_label_policy_card
)
