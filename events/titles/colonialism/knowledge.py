"""The knowledge that everybody can work out about a player's hidden cards.

All 24 cards of a player differ and are known. A reshuffle tells everybody which cards lie in the new
deck, and so which are in the hand or face-down (`known_held`). Cards drawn after it come from the rest.
Only so many of a player's hidden cards can therefore be drawn ones, and fewer of those laid face-down
early (`PolicyCard.drawn_limit`). Imagined states keep to this, so that nobody searches in positions that
they could rule out (CSM-021, CSM-261).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from msgspec.structs import replace

from events.rules.kit.values import put
from events.titles.colonialism.data import sort_in_table_order
from events.titles.colonialism.derived import face_down
from events.titles.colonialism.parts import PolicyCard, SeatCards
from events.titles.colonialism.state import State, discard_cards, take_from_hand


def take_away(values: tuple[str, ...], gone: Iterable[str]) -> tuple[str, ...]:
    """Return *values* without one of each of *gone*, as far as they are there."""
    left = list(values)
    for card in gone:
        if card in left:
            left.remove(card)
    return tuple(left)


def count_drawn_since_reshuffle(state: State, seat: int) -> int:
    """Return the number of the seat's hidden cards (hand, face-down) drawn since its last reshuffle."""
    return len(state.hands[seat]) + len(face_down(state, seat)) - len(state.known_held[seat])


def note_showing(state: State, seat: int, cards: Collection[str]) -> State:
    """Return the state after *cards*, hidden before, have been shown to everybody."""
    known = state.known_held[seat]
    if not known:
        return state
    left = take_away(known, cards)
    state = replace(state, known_held=put(state.known_held, seat, left))
    if len(known) - len(left) == len(cards):
        return state
    return _limit_drawn(state, seat, count_drawn_since_reshuffle(state, seat))


def note_reshuffle(state: State, seat: int) -> State:
    """Return the state after the seat's discard pile became its deck.

    All its other hidden cards are now known to be held.
    """
    hidden = state.hands[seat] + tuple(p.card for p in face_down(state, seat))
    state = replace(state, known_held=put(state.known_held, seat, sort_in_table_order(hidden)))
    return _limit_drawn(state, seat, 0)


def _limit_drawn(state: State, seat: int, limit: int) -> State:
    regions = []
    for at in state.regions:
        stack = at.policy[seat]
        if any(not p.face_up and p.drawn_limit > limit for p in stack):
            at = replace(at, policy=put(at.policy, seat, tuple(_cap_limit(p, limit) for p in stack)))  # noqa: PLW2901
        regions.append(at)
    return replace(state, regions=tuple(regions))


def _cap_limit(policy: PolicyCard, limit: int) -> PolicyCard:
    return policy if policy.face_up else replace(policy, drawn_limit=min(policy.drawn_limit, limit))


def respects_limits(stacks: Collection[PolicyCard], cards: Collection[str], known: Collection[str]) -> bool:
    """Return True if *cards* may lie face-down as *stacks*, as far as everybody could count.

    Both are in the same order.
    """
    limits = [p.drawn_limit for p, card in zip(stacks, cards, strict=True) if card not in known]
    return all(sum(1 for other in limits if other <= p.drawn_limit) <= p.drawn_limit for p in stacks)


def discard_chosen(state: State, discards: Sequence[SeatCards]) -> State:
    """Discard the cards that players chose from their hands, shown to all; all choices are made."""
    for mine in discards:
        state = discard_cards(take_from_hand(state, mine.seat, mine.cards), mine.seat, mine.cards)
        state = note_showing(state, mine.seat, mine.cards)
    return replace(state, kept=(None,) * state.seats)
