"""Every player puts a card into the event deck: at set-up and at the end of turn 5's event phase."""

from __future__ import annotations

from collections.abc import Callable

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonies import words
from events.titles.colonies.commands import ChooseDeckCard
from events.titles.colonies.data import BOARD
from events.titles.colonies.facts import DeckCardCommitted, EventCardRevealed, EventDeckBuilt
from events.titles.colonies.sealing import Sealing, has_answered
from events.titles.colonies.state import State
from events.titles.colonies.steps.actions import start_actions
from events.titles.colonies.steps.income import start_turn


def check(state: State, seat: Seat, command: ChooseDeckCard) -> None:
    """Raise Rejected unless the card is of one's own hand (CLN-023)."""
    if command.card_id not in state.hands[seat]:
        raise Rejected("card_not_in_hand", "Choose one of the event cards in your hand.")


def build_deck(draft: Draft[State], turn: int) -> None:
    """Build the deck of the cards put in, completed with undealt ones (CLN-024, CLN-069)."""
    state = draft.state
    fillers = draft.chance.deal(state.undealt, BOARD.deck_size - state.seats)
    size = len(state.deck) + state.seats + len(fillers)
    draft.emit(EventDeckBuilt(turn, size, len(fillers), fillers))


def reveal_card(draft: Draft[State], for_turn: int) -> None:
    """Draw the top card now: any card of the deck may be it (CLN-025, CLN-067)."""
    deck = draft.state.deck
    draft.emit(EventCardRevealed(draft.chance.pick(deck, hidden=True), for_turn, len(deck) - 1))


def first_deck(draft: Draft[State]) -> None:
    """Build the deck, and begin the first turn."""
    build_deck(draft, 0)
    reveal_card(draft, 1)
    start_turn(draft, 1)


def second_deck(draft: Draft[State]) -> None:
    """Rebuild the deck, and begin turn 5's actions (CLN-070)."""
    turn = draft.state.turn
    build_deck(draft, turn)
    reveal_card(draft, turn + 1)
    start_actions(draft)


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    return ChooseDeckCard(chance.pick(state.hands[seat]))


def _make_sealing(reveal: Callable[[Draft[State]], None]) -> Sealing:
    return Sealing(
        command=ChooseDeckCard,
        check=check,
        cover=lambda seat, command: DeckCardCommitted(seat, command.card_id),
        reveal=reveal,
    )


def _step(sealing: Sealing) -> Step[State]:
    return Step(
        kind="choose_deck_card",
        asked=sealing.list_asked,
        covered=has_answered,
        default=lambda state, seat: ChooseDeckCard(state.hands[seat][0]),
        sample=_sample,
        moves=(
            Move(
                command=ChooseDeckCard,
                take=sealing.take,
                legal=lambda state, seat: map(ChooseDeckCard, state.hands[seat]),
                label=lambda _state, _seat, command: f"Put {words.card(command.card_id)} into the deck",
            ),
        ),
    )


FIRST_SEALING, SECOND_SEALING = _make_sealing(first_deck), _make_sealing(second_deck)
FIRST_DECK, SECOND_DECK = _step(FIRST_SEALING), _step(SECOND_SEALING)
