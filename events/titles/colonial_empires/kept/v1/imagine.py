"""A state that a seat cannot tell from the real one: other hands, deck and sealed answers."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.titles.colonial_empires.kept.v1.kit.values import put
from events.titles.colonial_empires.kept.v1.data import CARD_NAMES, DECK_PLACE
from events.titles.colonial_empires.kept.v1.knowledge import note_shown
from events.titles.colonial_empires.kept.v1.picks import one_in, random_cards, random_side
from events.titles.colonial_empires.kept.v1.state import Cards, Known, Offer, Side, State
from events.titles.colonial_empires.kept.v1.steps.build import random_build
from events.titles.colonial_empires.kept.v1.steps.offers import list_unseen_by
from events.titles.colonial_empires.kept.v1.steps.trade import side_of

T = TypeVar("T", str, int)


def imagine(state: State, seat: Seat, chance: Chance) -> State:
    """Fix what *seat* knows, deal the rest of the unseen cards uniformly, and redraw what is sealed."""
    hands, deck = _deal(state, seat, chance)
    silent: tuple[tuple[Known, ...], ...] = ((),) * state.seats
    state = replace(state, hand=hands, deck=deck, known=put(silent, seat, state.known[seat]))
    others = [other for other in range(state.seats) if other != seat]
    for other in others:
        state = _redraw_answers(state, other, chance)
    offers = tuple(
        offer if seat in {offer.from_, offer.to} else _redraw_offer(state, offer, chance)
        for offer in state.offers
    )
    return replace(state, offers=offers)


# --- hands and deck ------------------------------------------------------------------------------


def _deal(state: State, seat: Seat, chance: Chance) -> tuple[tuple[Cards, ...], Cards]:
    pool = chance.shuffle(list_unseen_by(state, seat))
    placed = _place(_find_certain(state, seat), state, seat, pool, chance)
    for cards in placed.values():
        for card in cards:
            pool.remove(card)
    hands = list(state.hand)
    for other, cards in placed.items():
        missing = len(state.hand[other]) - len(cards)
        hands[other] = (*cards, *pool[:missing])
        del pool[:missing]
    return tuple(hands), tuple(sorted(pool, key=DECK_PLACE.__getitem__))


def _find_certain(state: State, seat: Seat) -> list[Known]:
    """Return the cards that the open offers to *seat* show, then others it saw pass (CEM-705, CEM-712)."""
    entries, offered = state.known[seat], set()
    for offer in state.offers:
        if offer.to == seat:
            entries = note_shown(entries, offer.give.hand_cards, offer.from_)
            offered |= {Known(card, (offer.from_,)) for card in offer.give.hand_cards}
    return sorted(entries, key=lambda entry: entry not in offered)


def _place(
    entries: list[Known], state: State, seat: Seat, pool: list[str], chance: Chance
) -> dict[Seat, list[str]]:
    """Place each known card in one of its possible hands; what fits nowhere is left out."""
    left = list(pool)
    placed: dict[Seat, list[Known]] = {other: [] for other in range(state.seats) if other != seat}
    for entry in entries:
        if entry.card in left and _seat_one(entry, placed, state, set(), chance):
            left.remove(entry.card)
    return {other: [entry.card for entry in held] for other, held in placed.items()}


def _seat_one(
    entry: Known, placed: dict[Seat, list[Known]], state: State, tried: set[Seat], chance: Chance
) -> bool:
    """Find a hand for *entry*, moving entries placed before if need be (an augmenting path)."""
    for seat in chance.shuffle(entry.seats):
        if seat in tried or seat not in placed:
            continue
        tried.add(seat)
        held = placed[seat]
        if len(held) < len(state.hand[seat]):
            held.append(entry)
            return True
        for place, other in enumerate(held):
            if _seat_one(other, placed, state, tried, chance):
                held[place] = entry
                return True
    return False


# --- sealed answers and offers -------------------------------------------------------------------


def _redraw_answers(state: State, other: Seat, chance: Chance) -> State:
    """Redraw the sealed answers: that one was given is public; what it says is not."""
    if state.fate_answers[other] is not None:
        state = replace(state, fate_answers=put(state.fate_answers, other, one_in(chance, 2)))
    if state.build_plans[other] is not None:
        state = replace(state, build_plans=put(state.build_plans, other, random_build(state, other, chance)))
    if state.discard_choices[other] is not None:
        cards = random_cards(state.hand[other], state.discards_due[other], chance)
        state = replace(state, discard_choices=put(state.discard_choices, other, cards))
    return state


def _redraw_offer(state: State, offer: Offer, chance: Chance) -> Offer:
    """Return some offer that could be open between these two."""
    giver, to = offer.from_, offer.to
    give = random_side(state.treasury[giver], state.hand[giver], state.in_play[giver], chance)
    purse = 0 if give and give.fortunes else state.treasury[to]
    ask = random_side(purse, tuple(CARD_NAMES), state.in_play[to], chance)
    return replace(offer, give=side_of(give) if give else Side(), ask=side_of(ask) if ask else Side())
