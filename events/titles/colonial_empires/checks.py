"""Checks that several steps share."""

from __future__ import annotations

from collections.abc import Iterable

from events.chance import Chance
from events.steps import ALREADY_ANSWERED, NOT_YOUR_DECISION, Draft, Rejected
from events.titles.colonial_empires.data import CARD_NAMES
from events.titles.colonial_empires.derived import holds
from events.titles.colonial_empires.facts import DeckRanOut
from events.titles.colonial_empires.state import Cards, State, StepKind

Drafting = Draft[State]


def require_step(state: State, step: StepKind) -> None:
    """The game waits for something else."""
    if state.step != step:
        waits = (state.step or state.phase).replace("_", " ")
        raise not_awaited(f"The game is at '{waits}' now: choose one of the commands that it names.")


def not_awaited(detail: str) -> Rejected:
    """Nothing of this kind is awaited from the seat now."""
    return Rejected(NOT_YOUR_DECISION, detail)


def already_answered() -> Rejected:
    """A sealed answer is final."""
    return Rejected(ALREADY_ANSWERED, "Your sealed answer is in and final; wait for the others.")


def require_cards(cards: Iterable[str]) -> None:
    """Each key must be a card of the deck."""
    for card in cards:
        if card not in CARD_NAMES:
            raise Rejected("unknown_card", f"There is no card {card!r}: use a key of the card list.")


def require_in_hand(state: State, seat: int, cards: Cards) -> None:
    """Hand cards are a multiset: a key may be named as often as the player holds it."""
    if not holds(state.hand[seat], cards):
        raise Rejected("card_not_in_hand", "Name only cards of your hand, each as often as you hold it.")


def draw_cards(state: State, chance: Chance, wanted: int) -> Cards:
    """Up to *wanted* cards, each picked from what remains when it is drawn (CEM-204, CEM-208)."""
    deck = list(state.deck)
    drawn: list[str] = []
    while deck and len(drawn) < wanted:
        drawn.append(chance.pick(deck, hidden=True))
        deck.remove(drawn[-1])
    return tuple(drawn)


def note_empty_deck(draft: Drafting) -> None:
    """After a draw: the turn in which the last card is drawn is the final one (CEM-209)."""
    if not draft.state.deck:
        draft.emit(DeckRanOut(draft.state.turn))
