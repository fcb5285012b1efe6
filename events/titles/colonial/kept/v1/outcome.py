"""The outcome of a finished game (COL-00-01, R-58)."""

from __future__ import annotations

from events.rules.title import Outcome
from events.titles.colonial.kept.v1.data import CARDS
from events.titles.colonial.kept.v1.derived import colonies, loans_of, monopoly_counts, ranking, resources
from events.titles.colonial.kept.v1.state import State


def outcome(state: State) -> Outcome | None:
    """None while the game runs. The winner alone is first; at a turn limit equals share a place."""
    if state.status != "finished":
        return None
    order = ranking(state)
    marks = _marks(state)
    places = [0] * state.seats
    for index, seat in enumerate(order):
        before = order[index - 1] if index else None
        same = before is not None and marks[before] == marks[seat] and state.winner is None
        places[seat] = places[before] if same and before is not None else index + 1
    return Outcome(
        winners=tuple(seat for seat, place in enumerate(places) if place == 1),
        places=tuple(places),
        scores=tuple(player.prestige for player in state.players),
        reason="prestige" if state.winner is not None else "turn_limit",
    )


def _marks(state: State) -> tuple[tuple[int, ...], ...]:
    """Return by seat what the ranking at a turn limit compares."""
    counts = monopoly_counts(state)
    return tuple(
        (player.prestige, loans_of(player), colonies(state, seat), counts[seat], resources(state, seat))
        for seat, player in enumerate(state.players)
    )


def count_conserved(state: State) -> dict[str, int]:
    """Count the card types in hands: nobody ever loses or doubles their own six; extra copies come and go."""
    return {"card_types": sum(len(set(player.cards) & set(CARDS)) for player in state.players)}
