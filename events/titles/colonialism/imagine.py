"""A state that a seat cannot tell from the real one."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from events.rules.chance import Chance
from events.rules.kit.values import put
from events.titles.colonialism.data import COUNTS, INTEREST_INDEX, POLICY_IDS, sort_in_table_order
from events.titles.colonialism.derived import face_down
from events.titles.colonialism.knowledge import take_away
from events.titles.colonialism.parts import PolicyCard, Region
from events.titles.colonialism.state import State

T = TypeVar("T", str, int)
TRIES = 20
"""Random arrangements tried before the one that always fits."""


def imagine(state: State, seat: int, chance: Chance) -> State:
    """Draw others' hands, decks, face-down cards, sealed answers and interests again."""
    state = _interests(state, seat, chance)
    for other in range(state.seats):
        if other != seat:
            state = _cards(state, other, chance)
            state = _redraw_answer(state, other, chance)
    return state


def _interests(state: State, seat: int, chance: Chance) -> State:
    """Deal again all interests that are neither the seat's own nor shown."""
    fixed = {s for s, shown in enumerate(state.interests_shown) if shown or s == seat}
    pool = list(state.undealt_interests)
    for other, cards in enumerate(state.interests):
        if other not in fixed:
            pool += cards
    pool = chance.shuffle(pool)
    interests = []
    for other, cards in enumerate(state.interests):
        if other in fixed:
            interests.append(cards)
        else:
            interests.append(tuple(pool[: len(cards)]))
            pool = pool[len(cards) :]
    undealt = tuple(sorted(pool, key=INTEREST_INDEX.__getitem__))
    return replace(state, interests=tuple(interests), undealt_interests=undealt)


def _cards(state: State, other: int, chance: Chance) -> State:
    """Deal the other's hand, face-down cards and deck again, within what everybody could work out."""
    hand, deck, known = state.hands[other], state.decks[other], state.known_held[other]
    stacks = face_down(state, other)
    rest = sort_in_table_order(take_away((*hand, *(p.card for p in stacks), *deck), known))
    drawn = len(hand) + len(stacks) - len(known)
    laid = _face_down_cards(stacks, known, rest, drawn, chance)
    still_known = take_away(known, laid)
    unknown = chance.shuffle(take_away(rest, take_away(tuple(laid), known)))
    missing = len(hand) - len(still_known)
    return replace(
        state,
        hands=put(state.hands, other, tuple(chance.shuffle([*still_known, *unknown[:missing]]))),
        decks=put(state.decks, other, sort_in_table_order(unknown[missing:])),
        regions=_lay_cards(state.regions, other, laid),
    )


def _face_down_cards(
    stacks: tuple[PolicyCard, ...], known: tuple[str, ...], rest: tuple[str, ...], drawn: int, chance: Chance
) -> list[str]:
    """Return policy cards that may lie as *stacks*.

    They are of those known to be held, or of the *drawn* ones out of the *rest*.
    """
    if not stacks:
        return []
    order = sorted(range(len(stacks)), key=lambda i: stacks[i].drawn_limit)
    limits = [min(drawn, stacks[i].drawn_limit) if known else drawn for i in order]
    held = [card for card in known if card in POLICY_IDS]
    other = [card for card in rest if card in POLICY_IDS]
    for _ in range(TRIES):
        cards = _choose(limits, chance.shuffle(held), chance.shuffle(other), chance)
        if cards:
            break
    else:
        # As few drawn cards as possible, as late as possible: the owner of the real cards could have put down
        # these.
        cards = [*held, *other][: len(stacks)]
    laid = dict(zip(order, cards, strict=True))
    return [laid[i] for i in range(len(stacks))]


def _choose(limits: list[int], held: list[str], other: list[str], chance: Chance) -> list[str]:
    """One card for each limit in turn, at most so many of *other* so far; empty where that leads nowhere."""
    cards: list[str] = []
    taken = 0
    for limit in limits:
        choices = len(held) + (len(other) if taken < limit else 0)
        if not choices:
            return []
        if chance.draw((choices,), hidden=True)[0] < len(held):
            cards.append(held.pop())
        else:
            cards.append(other.pop())
            taken += 1
    return cards


def _lay_cards(regions: tuple[Region, ...], other: int, cards: list[str]) -> tuple[Region, ...]:
    if not cards:
        return regions
    left = iter(cards)
    made = []
    for at in regions:
        stack = tuple(p if p.face_up else replace(p, card=next(left)) for p in at.policy[other])
        made.append(replace(at, policy=put(at.policy, other, stack)) if stack else at)
    return tuple(made)


def _redraw_answer(state: State, other: int, chance: Chance) -> State:
    """Draw again the choice that the other has made but nobody has seen."""
    if state.kept[other] is None:
        return state
    count = COUNTS.kept if state.step == "setup_starting_hands" else 1
    kept = tuple(chance.shuffle(state.hands[other])[:count])
    return replace(state, kept=put(state.kept, other, kept))
