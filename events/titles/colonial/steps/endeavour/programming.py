"""Programming: a secret row of five cards (COL-04-03 to COL-04-06)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import permutations

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.values import remove_each
from events.rules.steps import NOT_YOUR_DECISION, Move, Rejected, Step
from events.titles.colonial import facts as f
from events.titles.colonial.commands import ProgramCards
from events.titles.colonial.data import RULES
from events.titles.colonial.draft import Draft
from events.titles.colonial.offers import MOST
from events.titles.colonial.state import State
from events.titles.colonial.steps.endeavour.rounds import open_round
from events.titles.colonial.words import card_names


def program_cards(draft: Draft, seat: Seat, command: ProgramCards) -> None:
    """Submit a secret row of five; it may be replaced until all have (COL-04-03 to COL-04-06)."""
    state = draft.state
    if state.phase == "nation_choice":
        raise Rejected(NOT_YOUR_DECISION, "The Nations are chosen first.")
    if state.phase != "programming":
        raise Rejected("programming_closed", "All rows are fixed for this turn; programme again next turn.")
    if len(command.row) != RULES.programmed_cards:
        raise Rejected("wrong_number_of_cards", f"Line up exactly {RULES.programmed_cards} cards.")
    hand = state.players[seat].cards
    if Counter(command.row) - Counter(hand):
        raise Rejected("card_not_in_hand", "Use each card of your hand at most once.")
    draft.emit(f.CardsProgrammed(seat, command.row, remove_each(hand, command.row)))
    if all(draft.state.programmes):
        draft.emit(f.ProgrammingClosed(state.turn))
        open_round(draft, 1)


def default_row(state: State, seat: Seat) -> ProgramCards:
    """The row of the turn before if the hand still has it, else the usual one."""
    player = state.players[seat]
    playable = player.last_row and not Counter(player.last_row) - Counter(player.cards)
    return ProgramCards(player.last_row if playable else RULES.default_row)


def _rows(state: State, seat: Seat) -> Iterator[ProgramCards]:
    """The usual row, then all others in the order of the hand."""
    usual = default_row(state, seat)
    seen = {usual.row}
    yield usual
    for row in permutations(state.players[seat].cards, RULES.programmed_cards):
        if row not in seen:
            seen.add(row)
            yield ProgramCards(row)


def _sample_row(state: State, seat: Seat, chance: Chance) -> ProgramCards:
    return ProgramCards(chance.deal(state.players[seat].cards, RULES.programmed_cards))


_PROGRAM = Move[State](
    command=ProgramCards,
    take=program_cards,
    legal=_rows,
    most=MOST,
    target=lambda command: command.row[:2],
    label=lambda _state, _seat, command: card_names(command.row),
    sample=_sample_row,
    own_words=True,
)
PROGRAM_CARDS = Step[State](
    kind="program_cards",
    asked=lambda state: [seat for seat, row in enumerate(state.programmes) if not row],
    covered=lambda state, seat: bool(state.programmes[seat]),
    moves=(_PROGRAM,),
    default=default_row,
)
