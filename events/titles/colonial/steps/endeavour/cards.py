"""Playing a Character of the card that was revealed, within a round of the Endeavour phase (COL-04)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Move
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.data import CARD_OF
from events.titles.colonial.draft import Draft
from events.titles.colonial.offers import MOST
from events.titles.colonial.state import State
from events.titles.colonial.steps.endeavour.rounds import end_without_loans


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
