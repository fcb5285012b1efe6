"""Phase 4: maintenance of the Squadrons, then building."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import can_pay
from events.titles.colonial_revised.derived import affordable_squadrons, maintenance
from events.titles.colonial_revised.offers import draw_up_to
from events.titles.colonial_revised.state import State, find_next_to_play
from events.titles.colonial_revised.steps.settlement import settle


def maintenance_due(state: State, seat: int) -> bool:
    """Return True if the player whose turn it is has still to pay (REV-040)."""
    return not state.maintenance_paid and maintenance(state.players[seat].squadrons) > 0


def pay_maintenance(draft: Draft[State], seat: int) -> None:
    """Pay maintenance, which is compulsory (REV-040, REV-041).

    A seat that cannot pay keeps the largest fleet that it can.
    """
    player = draft.state.players[seat]
    kept = affordable_squadrons(player.squadrons, max(0, player.spendable))
    draft.emit(
        f.MaintenancePaid(seat=seat, amount=maintenance(kept), squadrons_scrapped=player.squadrons - kept)
    )


def build_squadrons(draft: Draft[State], seat: int, command: c.BuildSquadrons) -> None:
    """Treasury into Naval Forces, at most the Navy level (REV-042)."""
    player = draft.state.players[seat]
    if command.count > player.navy:
        raise Rejected(
            "over_navy_limit", f"Your Navy allows {player.navy} Squadrons a turn: build at most that."
        )
    can_pay(player, command.count)
    draft.emit(f.SquadronsBuilt(seat=seat, count=command.count))
    settle(draft)


def _who_builds(state: State) -> tuple[int, ...]:
    seat = find_next_to_play(state)
    if seat is None or maintenance_due(state, seat) or state.players[seat].spendable <= 0:
        return ()
    return (seat,)


def _find_most(state: State, seat: int) -> int:
    return min(state.players[seat].navy, state.players[seat].spendable)


def _builds(state: State, seat: int) -> Iterator[c.BuildSquadrons]:
    for count in range(_find_most(state, seat) + 1):
        yield c.BuildSquadrons(count)


def _sample_build(state: State, seat: int, chance: Chance) -> Command:
    return c.BuildSquadrons(draw_up_to(chance, _find_most(state, seat)))


BUILD_SQUADRONS = Step(
    kind="build_squadrons",
    asked=_who_builds,
    default=lambda _state, _seat: c.BuildSquadrons(count=0),
    sample=_sample_build,
    moves=(
        Move(
            command=c.BuildSquadrons,
            take=build_squadrons,
            legal=_builds,
            label=lambda _state, _seat, command: (
                f"Build {w.squadrons(command.count)} for {command.count} T"
                if command.count
                else "Build no Squadron"
            ),
        ),
    ),
)
