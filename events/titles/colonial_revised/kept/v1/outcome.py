"""The outcome of a finished game (REV-391, REV-395, REV-396)."""

from __future__ import annotations

from collections.abc import Mapping

from events.rules.title import Outcome
from events.titles.colonial_revised.kept.v1.derived import ranking_keys
from events.titles.colonial_revised.kept.v1.state import FINISHED, State


def outcome(state: State) -> Outcome | None:
    """Ranked by net Prestige, then the tie-breaks; None while the game runs."""
    if state.status != FINISHED:
        return None
    keys = ranking_keys(state)
    places = tuple(
        1 if seat in state.winners else 1 + sum(1 for other in keys if other > key)
        for seat, key in enumerate(keys)
    )
    return Outcome(state.winners, places, tuple(key[0] for key in keys), state.end_reason)


def count_conserved(state: State) -> Mapping[str, int]:
    """Return the counts that no command may change: cards in all hands, order cards, players."""
    return {
        "cards": sum(len(player.cards) for player in state.players),
        "order_cards": len(set(state.order)),
        "players": len(state.players),
    }
