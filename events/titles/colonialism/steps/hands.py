"""The end of a colonization phase: cards kept, hands refilled, Influence Check (CSM-200 to CSM-206)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.kit.values import remove_each
from events.rules.steps import Draft, Move, Rejected, Step
from events.titles.colonialism.commands import KeepInfluenceCard
from events.titles.colonialism.data import COUNTS, REGION_IDS
from events.titles.colonialism.derived import (
    choosing_order,
    has_chosen,
    influences,
    keeping_seats,
    last_phase,
    region,
    turn_order,
)
from events.titles.colonialism.facts import (
    ExcessInfluenceRemoved,
    HandRefilled,
    InfluenceCardKept,
    InfluenceCardsDiscarded,
    MercenariesRemoved,
)
from events.titles.colonialism.parts import SeatRegionCount
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.decks import draw_cards, list_chosen_discards, settle_deck
from events.titles.colonialism.steps.scoring import score
from events.titles.colonialism.steps.turn_order import open_choice
from events.titles.colonialism.words import format_name


def end_colonization(draft: Draft[State]) -> None:
    """After the sixth region; the very last phase has only the Influence Check (CSM-211)."""
    if last_phase(draft.state):
        check_influence(draft)
        score(draft)
    elif not keeping_seats(draft.state):
        _refill_and_go_on(draft)


def keep_influence_card(draft: Draft[State], seat: int, command: KeepInfluenceCard) -> None:
    """Keep one card; the discards are shown when all have chosen (CSM-200, CSM-201)."""
    hand = draft.state.hands[seat]
    if command.card not in hand:
        raise Rejected("card_not_in_hand", "You do not hold that card; keep one of your hand.")
    discarded = remove_each(hand, (command.card,))
    draft.emit(InfluenceCardKept(seat=seat, kept=command.card, discarded=discarded))
    if keeping_seats(draft.state):
        return
    discards = list_chosen_discards(draft.state)
    draft.emit(InfluenceCardsDiscarded(discards))
    for mine in discards:
        settle_deck(draft, mine.seat)
    _refill_and_go_on(draft)


def _refill_and_go_on(draft: Draft[State]) -> None:
    """Let every player draw up to six cards; then check influence and set the new turn order.

    The clauses are CSM-202 and CSM-203.
    """
    for seat in turn_order(draft.state):
        missing = max(0, COUNTS.hand - len(draft.state.hands[seat]))
        draw_cards(draft, seat, missing, HandRefilled)
    check_influence(draft)
    open_choice(draft, choosing_order(draft.state))


def check_influence(draft: Draft[State]) -> None:
    """Remove all mercenaries, then return what sole powers have above the limit (CSM-204, CSM-205)."""
    state = draft.state
    removed = tuple(
        SeatRegionCount(seat, key, count)
        for key, at in zip(REGION_IDS, state.regions, strict=True)
        for seat, count in enumerate(at.mercenaries)
        if count
    )
    if removed:
        draft.emit(MercenariesRemoved(removed))
    for key in state.region_order:
        _return_surplus(draft, key)


def _return_surplus(draft: Draft[State], key: str) -> None:
    at = region(draft.state, key)
    own = influences(at)
    present = [seat for seat, count in enumerate(own) if count]
    if at.natives or len(present) != 1:
        return
    surplus = own[present[0]] - at.limit
    if surplus > 0:
        draft.emit(ExcessInfluenceRemoved(seat=present[0], region=key, count=surplus))


def _cards(state: State, seat: int) -> Iterator[KeepInfluenceCard]:
    return (KeepInfluenceCard(card=card) for card in dict.fromkeys(state.hands[seat]))


KEEP_INFLUENCE_CARD: Move[State] = Move(
    command=KeepInfluenceCard,
    take=keep_influence_card,
    legal=_cards,
    label=lambda _state, _seat, command: f"Keep {format_name(command.card)}",
)
CARD_TO_KEEP: Step[State] = Step(
    kind="card_to_keep",
    asked=keeping_seats,
    moves=(KEEP_INFLUENCE_CARD,),
    default=lambda state, seat: KeepInfluenceCard(card=state.hands[seat][0]),
    covered=has_chosen,
    sample=KEEP_INFLUENCE_CARD.one,
)
