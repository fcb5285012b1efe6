"""The worth of positions in Colonialism: cubes of all colours, and the regions that will bring more."""

from __future__ import annotations

from collections.abc import Sequence

from events.rules.fact import Seat
from events.titles.colonialism.data import INTEREST, REGION_INDEX, TRACK
from events.titles.colonialism.derived import has_most, influences, segment
from events.titles.colonialism.state import State
from events.titles.colonialism.steps.scoring import best_score
from workers.bots.kept.colonialism.bots3.colonialism_prospects import cubes_worth, gains, hope
from workers.bots.kept.colonialism.bots3.worth import Worth

NAMES = (
    "score",
    "cubes",
    "fewest",
    "middle",
    "most",
    "prospects",
    "rivals_prospects",
    "hope",
    "influence",
    "regions",
    "regions_led",
    "interests",
    "policy_cards",
    "hand",
    "reserve",
    "fresh_ships",
    "row",
)


def features(state: State) -> list[tuple[int, ...]]:
    """Return the features by seat, in the order of :data:`NAMES`; prospects and hope in tenths of a cube."""
    seats = range(state.seats)
    brought = [gains(state, index) for index in range(len(state.regions))]
    found: list[tuple[int, ...]] = []
    sums = [[sum(gain[seat][c] for gain in brought if gain) for c in range(3)] for seat in seats]
    promised = [_value_gain(state, seat, sums[seat]) // 100 for seat in seats]
    for seat in seats:
        held = state.collected[seat]
        own = [influences(at)[seat] for at in state.regions]
        fewest, middle, most = sorted(held)
        found.append(
            (
                best_score(held),
                sum(held),
                fewest,
                middle,
                most,
                promised[seat],
                max(promised[:seat] + promised[seat + 1 :]),
                sum(hope(at, seat, state.reserve[seat]) for at in state.regions) // 100,
                sum(own),
                sum(map(bool, own)),
                sum(has_most(at, seat) for at in state.regions),
                _interests(state, seat),
                sum(len(at.policy[seat]) for at in state.regions),
                len(state.hands[seat]),
                state.reserve[seat],
                sum(ship.fresh for ship in state.ships[seat]),
                state.rows[seat],
            )
        )
    return found


def _value_gain(state: State, seat: Seat, gain: Sequence[int]) -> int:
    if not any(gain):
        return 0
    black, brown, yellow = held = state.collected[seat]
    return cubes_worth((black + gain[0], brown + gain[1], yellow + gain[2])) - cubes_worth(held)


def _interests(state: State, seat: Seat) -> int:
    """Return the number of economic interests that would pay now."""
    shown = (INTEREST[key].region for key in state.interests[seat])
    return sum(has_most(state.regions[REGION_INDEX[key]], seat) for key in shown)


def clock(state: State) -> int:
    """Return the colonization phases that are over."""
    return 2 * (state.turn - 1) + segment(state) - 1 + 2 * TRACK.turns * bool(state.standings)


def progress(state: State) -> int:
    """Return the progress by the colonization phases, and the phases between them."""
    phase = TRACK.phases.index(state.phase)
    return 1000 * (len(TRACK.phases) * (state.turn - 1) + phase) // (len(TRACK.phases) * TRACK.turns)


WORTH = Worth(NAMES, features, progress, clock, horizon=1, searched=frozenset({"action"}))
