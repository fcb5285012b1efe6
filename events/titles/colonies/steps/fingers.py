"""Setup: the first player is found with fingers, or drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonies import words
from events.titles.colonies.commands import ShowFingers
from events.titles.colonies.data import BOARD, COLOURS, TABLE
from events.titles.colonies.facts import (
    BoardPrepared,
    EventCardsDealt,
    FingerRoundRepeated,
    FingersCommitted,
    FingersRevealed,
    FirstPlayerDetermined,
)
from events.titles.colonies.sealing import Sealing, has_answered
from events.titles.colonies.state import State


def highest_lone(counts: Sequence[int]) -> Seat | None:
    """Return the seat with the highest number shown by exactly one player; None without any (CLN-011)."""
    shown = Counter(counts)
    lone = [count for count in counts if shown[count] == 1]
    return counts.index(max(lone)) if lone else None


def check(state: State, seat: Seat, command: ShowFingers) -> None:
    """Raise Rejected unless 0 to 5 fingers are shown (CLN-010)."""
    if command.count > BOARD.most_fingers:
        raise Rejected("fingers_out_of_range", f"Show between 0 and {BOARD.most_fingers} fingers.")


def reveal(draft: Draft[State]) -> None:
    """Find the first player, or go another round, or draw after too many of them (CLN-011 to CLN-013)."""
    state = draft.state
    counts = tuple(a.count if isinstance(a, ShowFingers) else 0 for a in state.sealed)
    draft.emit(FingersRevealed(state.finger_round, counts))
    first = highest_lone(counts)
    if first is not None:
        draft.emit(FirstPlayerDetermined(first, "fingers"))
        prepare(draft)
    elif state.finger_round >= state.options.max_finger_rounds:
        draw_first_player(draft)
    else:
        draft.emit(FingerRoundRepeated(state.finger_round + 1))


def draw_first_player(draft: Draft[State]) -> None:
    """Draw the first player uniformly, open to everybody (CLN-013)."""
    seat = draft.chance.pick(range(draft.state.seats))
    draft.emit(FirstPlayerDetermined(seat, "random"))
    prepare(draft)


def prepare(draft: Draft[State]) -> None:
    """Prepare the board, the stocks, the Credits and the hands (CLN-015 to CLN-022)."""
    state = draft.state
    stocks = tuple({c: BOARD.foreign_resources for c in COLOURS if c != own} for own in state.planets)
    credits = TABLE[state.seats].credits
    draft.emit(BoardPrepared(BOARD.start_marker, BOARD.start_market, BOARD.start_level, stocks, credits))
    for seat in range(state.seats):
        undealt = draft.state.undealt
        hand = draft.chance.deal(undealt, BOARD.cards_dealt)
        draft.emit(EventCardsDealt(seat, hand, len(hand), len(undealt) - len(hand)))


def _legal(_state: State, _seat: Seat) -> Iterator[Command]:
    for count in range(BOARD.most_fingers, -1, -1):
        yield ShowFingers(count)


def _sample(_state: State, _seat: Seat, chance: Chance) -> Command:
    return ShowFingers(chance.pick(range(BOARD.most_fingers + 1)))


SEALING = Sealing(
    command=ShowFingers,
    check=check,
    cover=lambda seat, command: FingersCommitted(seat, command.count),
    reveal=reveal,
)
FINGERS = Step[State](
    kind="show_fingers",
    asked=SEALING.list_asked,
    covered=has_answered,
    default=lambda _state, _seat: ShowFingers(0),
    sample=_sample,
    moves=(
        Move(
            command=ShowFingers,
            take=SEALING.take,
            legal=_legal,
            label=lambda _state, _seat, command: f"Show {words.number(command.count, 'finger')}",
        ),
    ),
)
