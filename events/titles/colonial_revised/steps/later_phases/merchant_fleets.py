"""Phase 2: Merchant Fleets."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import can_pay
from events.titles.colonial_revised.derived import fleet_limit
from events.titles.colonial_revised.offers import draw_up_to
from events.titles.colonial_revised.state import State, find_next_to_play
from events.titles.colonial_revised.steps.settlement import settle


def can_build(state: State, seat: int) -> bool:
    """Return True if the limit and the Treasury allow at least one (REV-030)."""
    return state.players[seat].spendable > 0 and fleet_limit(state, seat) > 0


def build_merchant_fleets(draft: Draft[State], seat: int, command: c.BuildMerchantFleets) -> None:
    """Treasury into Merchant Fleets, up to the limit (REV-030 to REV-033)."""
    _check_limit(draft.state, seat, command.count)
    can_pay(draft.state.players[seat], command.count)
    draft.emit(f.MerchantFleetsBuilt(seat=seat, count=command.count))
    settle(draft)


def _check_limit(state: State, seat: int, count: int) -> None:
    """Check that the seat builds no more Merchant Fleets than its limit (REV-031)."""
    limit = fleet_limit(state, seat)
    if count > limit:
        raise Rejected(
            "over_fleet_limit", f"Your Monopolies and Resources allow {limit} fleets: build fewer."
        )


def _who_builds(state: State) -> tuple[int, ...]:
    seat = find_next_to_play(state)
    return (seat,) if seat is not None and can_build(state, seat) else ()


def _find_most(state: State, seat: int) -> int:
    return min(fleet_limit(state, seat), state.players[seat].spendable)


def _builds(state: State, seat: int) -> Iterator[c.BuildMerchantFleets]:
    for count in range(_find_most(state, seat), -1, -1):
        yield c.BuildMerchantFleets(count)


def _sample_build(state: State, seat: int, chance: Chance) -> Command:
    return c.BuildMerchantFleets(draw_up_to(chance, _find_most(state, seat)))


BUILD_MERCHANT_FLEETS = Step(
    kind="build_merchant_fleets",
    asked=_who_builds,
    default=lambda _state, _seat: c.BuildMerchantFleets(count=0),
    sample=_sample_build,
    moves=(
        Move(
            command=c.BuildMerchantFleets,
            take=build_merchant_fleets,
            legal=_builds,
            label=lambda _state, _seat, command: (
                f"Build {w.fleets(command.count)} for {command.count} T"
                if command.count
                else "Build no Merchant Fleet"
            ),
        ),
    ),
)
