"""The outcome of a game, and the counts that never change."""

from __future__ import annotations

from collections.abc import Mapping

from events.rules.title import Outcome
from events.titles.colonialism.data import COLOR_NAMES, COLORS
from events.titles.colonialism.state import State


def outcome(state: State) -> Outcome | None:
    """Return None while the game runs; then the places by score and total (CSM-247, CSM-248)."""
    if state.step != "ended":
        return None
    return Outcome(
        winners=tuple(s.seat for s in state.standings if s.place == 1),
        places=tuple(s.place for s in state.standings),
        scores=tuple(s.score for s in state.standings),
    )


def count_conserved(state: State) -> Mapping[str, int]:
    """Return the counts of pieces that no command may change (CSM-026)."""
    totals = {
        "natives": state.native_supply + sum(at.natives for at in state.regions),
        "mercenaries": state.mercenary_supply + sum(sum(at.mercenaries) for at in state.regions),
        "interests": len(state.undealt_interests) + sum(map(len, state.interests)),
    }
    for index, color in enumerate(COLORS):
        lying = sum(at.cubes[index] for at in state.regions)
        totals[f"cubes_{color}"] = state.bag[index] + lying + sum(c[index] for c in state.collected)
    for seat in range(state.seats):
        totals[f"discs_{seat}"] = state.reserve[seat] + sum(at.discs[seat] for at in state.regions)
        totals[f"cards_{seat}"] = _cards(state, seat)
    return totals


def _cards(state: State, seat: int) -> int:
    playing = state.action_card
    return (
        len(state.hands[seat])
        + len(state.decks[seat])
        + len(state.discards[seat])
        + sum(len(at.policy[seat]) for at in state.regions)
        + (playing is not None and playing.seat == seat)
    )


def seat_name(state: State, seat: int) -> str:
    """Return the colour of the player."""
    return COLOR_NAMES[state.colors[seat]] if state.colors else f"Seat {seat}"


def is_in_setup(state: State) -> bool:
    """True until all ships are placed."""
    return state.step.startswith("setup_")
