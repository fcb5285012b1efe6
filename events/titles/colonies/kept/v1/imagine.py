"""A state that a seat cannot tell from the real one."""

from __future__ import annotations

from msgspec.structs import replace

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.titles.colonies.kept.v1.kit.values import remove_each
from events.titles.colonies.kept.v1.commands import SealedAnswer
from events.titles.colonies.kept.v1.data import BOARD
from events.titles.colonies.kept.v1.state import Cards, State
from events.titles.colonies.kept.v1.steps.order import find_steps


def imagine(state: State, seat: Seat, chance: Chance) -> State:
    """Draw other hands, the deck, the undealt cards and others' covered answers again.

    Credits stay as they are: anyone who counts the public movements knows them (CLN-172).
    """
    imagined = _deal(state, seat, chance)
    return replace(
        imagined,
        deck_cards=_deck_cards(imagined, seat, chance),
        sealed=tuple(_answer(imagined, s, seat, chance) for s in range(state.seats)),
    )


def _deal(state: State, seat: Seat, chance: Chance) -> State:
    """Deal every card that the seat has not seen to any place that it has not seen."""
    mine = tuple(card for card in state.deck_cards[seat] if card in state.deck)
    unknown = remove_each(state.deck, mine)
    hands = [hand for s, hand in enumerate(state.hands) if s != seat]
    hidden = [card for hand in hands for card in hand] + [*unknown, *state.undealt]
    cards = iter(chance.deal(sorted(hidden), len(hidden)))
    dealt = tuple(
        hand if s == seat else tuple(next(cards) for _ in hand) for s, hand in enumerate(state.hands)
    )
    deck = tuple(sorted((*mine, *(next(cards) for _ in unknown))))
    return replace(state, hands=dealt, deck=deck, undealt=tuple(sorted(cards)))


def _deck_cards(state: State, seat: Seat, chance: Chance) -> tuple[Cards, ...]:
    """Return by seat the cards put into the decks: the seat's own as they are, others' drawn at random.

    Another seat's card may be any that the same deck held.
    """
    given: list[list[str]] = [[] for _ in range(state.seats)]
    for number in range(max(len(cards) for cards in state.deck_cards)):
        own = state.deck_cards[seat][number : number + 1]
        others = [card for card in _deck(state, number) if card not in own]
        pool = list(chance.deal(others, len(others)))
        for s, cards in enumerate(state.deck_cards):
            if s != seat and number < len(cards):
                given[s].append(pool.pop() if pool else cards[number])
    given[seat] = list(state.deck_cards[seat])
    return tuple(tuple(cards) for cards in given)


def _deck(state: State, number: int) -> Cards:
    """Return the cards of the first (0) or second (1) deck, revealed or not."""
    revealed = (*state.resolved_cards, *((state.current_card,) if state.current_card else ()))
    first, latest = BOARD.resupply_turn, max(len(cards) for cards in state.deck_cards) - 1
    seen = revealed[:first] if number == 0 else revealed[first:]
    return (*seen, *(state.deck if number == latest else ()))


def _answer(state: State, seat: Seat, viewer: Seat, chance: Chance) -> SealedAnswer | None:
    """Return any legal answer in place of another seat's covered one."""
    answer = state.sealed[seat]
    if seat == viewer or answer is None:
        return answer
    (step,) = find_steps(state)
    drawn = step.one(replace(state, sealed=(None,) * state.seats), seat, chance)
    return drawn if isinstance(drawn, SealedAnswer) else answer
