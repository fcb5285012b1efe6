"""Phase 5: Privateers in other players' Merchant Fleet boxes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from events.rules.chance import Chance
from events.rules.kit.words import format_list
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import can_pay, require_seat
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.derived import count_deployed, privateers_in_box
from events.titles.colonial_revised.offers import pick
from events.titles.colonial_revised.parts import VictimCount
from events.titles.colonial_revised.state import State, find_next_to_play
from events.titles.colonial_revised.steps.settlement import settle


def room_in_box(state: State, victim: int) -> int:
    """Return the number of Privateers that a Merchant Fleet box can still take (REV-047)."""
    return max(0, CONSTANTS.privateers_in_box_max - privateers_in_box(state, victim))


def count_most_privateers(state: State, seat: int) -> int:
    """Return the most Privateers that the seat may place this turn (REV-045, REV-046)."""
    player = state.players[seat]
    free = CONSTANTS.privateers_deployed_max - count_deployed(player)
    return max(0, min(CONSTANTS.privateers_per_turn, free, player.spendable))


def can_commission(state: State, seat: int) -> bool:
    """Return True if any Privateer can be placed."""
    return count_most_privateers(state, seat) > 0 and any(
        room_in_box(state, victim) for victim in range(state.seats) if victim != seat
    )


def commission_privateers(draft: Draft[State], seat: int, command: c.CommissionPrivateers) -> None:
    """0-2 T as Privateers in one box or in two (REV-045 to REV-048)."""
    state = draft.state
    counts: dict[int, int] = {}
    for entry in command.placements:
        victim = require_seat(state, entry.victim)
        counts[victim] = counts.get(victim, 0) + entry.count
    total = sum(counts.values())
    if seat in counts:
        raise Rejected("self_target", "Place Privateers in the boxes of other players.")
    if total > CONSTANTS.privateers_per_turn:
        most = CONSTANTS.privateers_per_turn
        raise Rejected("over_two_privateers", f"Place at most {most} Privateers a turn.")
    _check_deployed(state, seat, total)
    _check_boxes(state, counts)
    can_pay(state.players[seat], total)
    for victim, count in counts.items():
        draft.emit(f.PrivateersCommissioned(seat=seat, victim=victim, count=count))
    draft.emit(f.PrivateeringCompleted(seat=seat))
    settle(draft)


def _check_deployed(state: State, seat: int, more: int) -> None:
    """Check that the seat deploys no more Privateers than allowed in all (REV-046)."""
    most = CONSTANTS.privateers_deployed_max
    if more + count_deployed(state.players[seat]) > most:
        raise Rejected(
            "over_deployed_limit", f"You may have {most} Privateers deployed in all: deploy fewer."
        )


def _check_boxes(state: State, counts: dict[int, int]) -> None:
    """Check that no Merchant Fleet box takes more Privateers than it holds (REV-047)."""
    if any(count > room_in_box(state, victim) for victim, count in counts.items()):
        most = CONSTANTS.privateers_in_box_max
        raise Rejected("box_full", f"A box holds at most {most} Privateers: choose another.")


def _who_commissions(state: State) -> tuple[int, ...]:
    seat = find_next_to_play(state)
    return (seat,) if seat is not None and can_commission(state, seat) else ()


def placements(state: State, seat: int) -> tuple[tuple[VictimCount, ...], ...]:
    """Every way to place Privateers, none first (REV-045 to REV-047)."""
    most = count_most_privateers(state, seat)
    rooms = {v: room for v in range(state.seats) if v != seat and (room := room_in_box(state, v))}
    found: list[tuple[VictimCount, ...]] = [()]
    for total in range(1, most + 1):
        found += [(VictimCount(v, total),) for v, room in rooms.items() if room >= total]
    if most >= CONSTANTS.privateers_per_turn:
        found += [(VictimCount(a, 1), VictimCount(b, 1)) for a, b in combinations(rooms, 2)]
    return tuple(found)


def _commissions(state: State, seat: int) -> Iterator[c.CommissionPrivateers]:
    for entries in placements(state, seat):
        yield c.CommissionPrivateers(entries)


def _label(_state: State, _seat: int, command: c.CommissionPrivateers) -> str:
    if not command.placements:
        return "No Privateers"
    parts = (f"{entry.count} against {w.seat_name(entry.victim)}" for entry in command.placements)
    return f"Privateers: {format_list(parts)} for {sum(entry.count for entry in command.placements)} T"


def _sample_commission(state: State, seat: int, chance: Chance) -> Command:
    return c.CommissionPrivateers(pick(chance, placements(state, seat)))


COMMISSION_PRIVATEERS = Step(
    kind="commission_privateers",
    asked=_who_commissions,
    default=lambda _state, _seat: c.CommissionPrivateers(placements=()),
    sample=_sample_commission,
    moves=(
        Move(command=c.CommissionPrivateers, take=commission_privateers, legal=_commissions, label=_label),
    ),
)
