"""Every player puts a card into the event deck: at set-up and at the end of turn 5's event phase."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from events.chance import Chance
from events.fact import Seat
from events.steps import Command, Draft, Rejected
from events.titles.colonies.commands import ChooseDeckCard
from events.titles.colonies.data import BOARD
from events.titles.colonies.facts import DeckCardCommitted, EventCardRevealed, EventDeckBuilt
from events.titles.colonies.state import Phase, State
from events.titles.colonies.steps.actions import start_actions
from events.titles.colonies.steps.income import start_turn
from events.titles.colonies.steps.step import Sealing, Step, all_seats, always


def check(state: State, seat: Seat, command: ChooseDeckCard) -> None:
    """A card of one's own hand (CLN-023)."""
    if command.card_id not in state.hands[seat]:
        raise Rejected("card_not_in_hand", "Choose one of the event cards in your hand.")


def build_deck(draft: Draft[State], chance: Chance, turn: int) -> None:
    """The cards put in, completed with undealt ones (CLN-024, CLN-069)."""
    state = draft.state
    left = list(state.undealt)
    fillers = []
    for _ in range(BOARD.deck_size - state.seats):
        fillers.append(chance.pick(left, hidden=True))
        left.remove(fillers[-1])
    size = len(state.deck) + state.seats + len(fillers)
    draft.emit(EventDeckBuilt(turn, size, len(fillers), tuple(fillers)))


def reveal_card(draft: Draft[State], chance: Chance, for_turn: int) -> None:
    """Any card of the deck may be the top one: it is drawn now (CLN-025, CLN-067)."""
    deck = draft.state.deck
    draft.emit(EventCardRevealed(chance.pick(deck, hidden=True), for_turn, len(deck) - 1))


def first_deck(draft: Draft[State], chance: Chance) -> None:
    """The deck is built, and the first turn begins."""
    build_deck(draft, chance, 0)
    reveal_card(draft, chance, 1)
    start_turn(draft, 1)


def second_deck(draft: Draft[State], chance: Chance) -> None:
    """The deck is rebuilt, and turn 5's actions begin (CLN-070)."""
    turn = draft.state.turn
    build_deck(draft, chance, turn)
    reveal_card(draft, chance, turn + 1)
    start_actions(draft)


def _default(state: State, seat: Seat) -> Command:
    return ChooseDeckCard(state.hands[seat][0])


def _legal(state: State, seat: Seat) -> Iterator[Command]:
    for card in state.hands[seat]:
        yield ChooseDeckCard(card)


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    return ChooseDeckCard(chance.pick(state.hands[seat]))


def _step(phase: Phase, reveal: Callable[[Draft[State], Chance], None]) -> Step:
    return Step(
        phase=phase,
        kind="choose_deck_card",
        commands=(ChooseDeckCard,),
        concerned=all_seats,
        take=Sealing(check, lambda seat, c: DeckCardCommitted(seat, c.card_id), reveal).take,
        default=_default,
        legal=_legal,
        complete=always,
        sample=_sample,
        sealed=True,
    )


FIRST_DECK = _step("setup_deck_choice", first_deck)
SECOND_DECK = _step("event_resupply", second_deck)
