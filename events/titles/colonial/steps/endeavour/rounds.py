"""The five rounds of the Endeavour phase: cards, course, and Character plays (COL-04)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator
from itertools import permutations
from typing import Any

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.values import remove_each
from events.rules.steps import NOT_YOUR_DECISION, Command, Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import ProgramCards
from events.titles.colonial.data import CARD_OF, RULES
from events.titles.colonial.offers import MOST
from events.titles.colonial.state import State
from events.titles.colonial.steps.later_phases import open_phase
from events.titles.colonial.words import card_names


def open_round(draft: Draft, number: int) -> None:
    """Reveal a card of every seat; the First Player begins (COL-04-06, COL-04-07)."""
    cards = tuple(row[number - 1] for row in draft.state.programmes)
    draft.emit(f.CardsRevealed(number, cards))
    draft.emit(f.RoundBegan(number, draft.state.first_player))


def end(draft: Draft, seat: Seat) -> None:
    """The next seat, the next round, or the Merchant Fleets phase (COL-04-07, COL-04-14)."""
    number = draft.state.round
    draft.emit(f.RoundEnded(number, seat))
    following = (seat + 1) % draft.state.seats
    if following != draft.state.first_player:
        draft.emit(f.RoundBegan(number, following))
    elif number < RULES.rounds:
        open_round(draft, number + 1)
    else:
        open_phase(draft, "merchant_fleets")


def end_without_loans(draft: Draft, seat: Seat) -> None:
    """End the round of a seat without Loans: nothing is left to do (COL-04-12)."""
    if not draft.player(seat).loans:
        end(draft, seat)


# --- playing a Character of the card that was revealed ---------------------------------------------


def character(
    command: type[Command],
    play: Callable[[Draft, Seat, Any], None],
    *,
    legal: Callable[[State, Seat], Iterable[Command]],
    label: Callable[[State, Seat, Any], str],
    sample: Callable[[State, Seat, Chance], Command | None],
    target: Callable[[Any], Hashable] | None = None,
) -> Move[State]:
    """The move of a Character; where it cannot be played the rulebook's words say why (COL-04-08).

    All its uses are listed; *target* where they may be too many for that: then as many for each target.
    """

    def take(draft: Draft, seat: Seat, given: Command) -> None:
        checks.check_active(draft.state, seat)
        play(draft, seat, given)

    return Move(
        command=command,
        take=take,
        legal=legal,
        most=None if target is None else MOST,
        target=target,
        label=label,
        sample=sample,
        own_words=True,
    )


def use(draft: Draft, seat: Seat, name: str) -> None:
    """A Character play begins; all its checks are done."""
    draft.emit(f.CharacterUsed(seat, CARD_OF[name], name, draft.state.round))


def finish(draft: Draft, seat: Seat) -> None:
    """A Character play is over; without Loans the round is over too (COL-04-12)."""
    draft.emit(f.ActionFinished(seat, draft.state.played or ""))
    end_without_loans(draft, seat)


# --- programming: a secret row of five cards (COL-04-03 to COL-04-06) -------------------------------


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
