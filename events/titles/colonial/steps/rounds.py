"""The course of the five rounds of the Endeavour phase, and of a Character play within them (COL-04)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from events.chance import Chance
from events.fact import Seat
from events.steps import Command, Move
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.data import CARD_OF, RULES
from events.titles.colonial.draft import Draft
from events.titles.colonial.offers import MOST
from events.titles.colonial.state import State
from events.titles.colonial.steps.purchases import open_phase


def open_round(draft: Draft, number: int) -> None:
    """COL-04-06, COL-04-07: all reveal a card, the First Player begins."""
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
    """COL-04-12: nothing is left to do without Loans, so the round is over."""
    if not draft.player(seat).loans:
        end(draft, seat)


# --- a Character play ----------------------------------------------------------------------------


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
        checks.active(draft.state, seat)
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
