"""The outcome of a game: the final scores, and the winners."""

from __future__ import annotations

from events.rules.fact import Seat
from events.rules.title import Outcome
from events.titles.colonies.kept.v1.derived import technology_points
from events.titles.colonies.kept.v1.parts import Score
from events.titles.colonies.kept.v1.state import State


def outcome(state: State) -> Outcome | None:
    """Return None while the game runs; then places and scores (CLN-167)."""
    if state.phase != "ended":
        return None
    return Outcome(
        winners=tuple(score.seat for score in state.scores if score.rank == 1),
        places=tuple(score.rank for score in state.scores),
        scores=tuple(score.total for score in state.scores),
    )


def final_scores(state: State) -> tuple[Score, ...]:
    """Return scores ranked by points, technology points, stock; equals share (CLN-167 to CLN-169)."""
    keys = [_rank_key(state, seat) for seat in range(state.seats)]
    return tuple(
        Score(
            seat=seat,
            levels=state.levels[seat],
            technology_points=keys[seat][1],
            credits=state.credits[seat],
            total=keys[seat][0],
            resources_in_stock=keys[seat][2],
            rank=1 + sum(key > keys[seat] for key in keys),
        )
        for seat in range(state.seats)
    )


def _rank_key(state: State, seat: Seat) -> tuple[int, int, int]:
    technology = technology_points(state.levels[seat])
    return technology + state.credits[seat], technology, sum(state.stocks[seat].values())
