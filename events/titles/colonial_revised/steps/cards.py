"""Playing a card for one of its two Characters (REV-022 to REV-025)."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any, NamedTuple

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Move, Rejected, return_true
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CARD_OF, CARDS
from events.titles.colonial_revised.offers import MOST
from events.titles.colonial_revised.state import State, list_available


class Character(NamedTuple):
    """The uses of a Character: its moves, and a sampler."""

    name: str
    moves: tuple[Move[State], ...]
    sample: Callable[[State, int, Chance], Command | None]
    """Picks a use of the Character at random, sane enough for random games; None where there is none."""


def check_available(state: State, seat: int, card_id: str) -> None:
    """The card was neither played this turn nor set aside last turn (REV-023)."""
    if card_id not in list_available(state, seat):
        raise Rejected(
            "card_not_available",
            f"You have played {CARDS[card_id].name} this turn, or set it aside last turn: use another card.",
        )


def use(draft: Draft[State], seat: int, character: str) -> None:
    """The card of a Character is played face up."""
    state = draft.state
    draft.emit(f.CardPlayed(seat, state.turn, state.round, CARD_OF[character], character))


def character(
    name: str,
    command: type[Command],
    *,
    take: Callable[[Draft[State], int, Any], None],
    legal: Callable[[State, int], Iterable[Command]],
    label: str | Callable[[State, int, Any], str],
    complete: Callable[[State, int], bool] = return_true,
    target: Callable[[Any], Hashable] | None = None,
) -> Move[State]:
    """Return a move that uses a Character: it needs the Character's card.

    *complete* is `return_false` where *legal* selects. *target* stands where even that may be too long a
    list.
    """
    card = CARD_OF[name]

    def take_with_card(draft: Draft[State], seat: int, given: Any) -> None:
        check_available(draft.state, seat, card)
        take(draft, seat, given)

    def legal_with_card(state: State, seat: int) -> Iterable[Command]:
        return legal(state, seat) if card in list_available(state, seat) else ()

    return Move(
        command=command,
        take=take_with_card,
        legal=legal_with_card,
        most=None if target is None else MOST,
        target=target,
        complete=lambda state, seat: card not in list_available(state, seat) or complete(state, seat),
        label=label,
    )
