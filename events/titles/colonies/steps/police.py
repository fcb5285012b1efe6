"""Upkeep: the police sector (Table 1)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Draft, Move, Step
from events.titles.colonies.checks import limit_exceeded
from events.titles.colonies.commands import PoliceSector
from events.titles.colonies.derived import own_pirates
from events.titles.colonies.facts import PoliceCommitted, SectorPoliced
from events.titles.colonies.parts import Removal
from events.titles.colonies.picks import random_pick
from events.titles.colonies.removals import (
    Routes,
    as_removals,
    check_available,
    check_distinct,
    check_own,
    check_shape,
    choose_by_import,
    format_removals,
    routes_of,
    total,
    ways,
)
from events.titles.colonies.sealing import Sealing, has_answered
from events.titles.colonies.state import State
from events.titles.colonies.steps.fulfilment import start_fulfilment


def list_with_pirates(state: State) -> tuple[Seat, ...]:
    """Return the players who have pirates on their own routes (CLN-132)."""
    return tuple(seat for seat in range(state.seats) if own_pirates(state, seat))


def start_upkeep(draft: Draft[State]) -> None:
    """Wait for the players with pirates; if nobody has any, the upkeep goes on (CLN-130, CLN-132)."""
    if not list_with_pirates(draft.state):
        start_fulfilment(draft)


def check(state: State, seat: Seat, command: PoliceSector) -> None:
    """Raise Rejected unless 0 up to the Military level go, on one's own routes only (CLN-130)."""
    check_shape(command.removals)
    check_distinct(command.removals)
    check_own(state, seat, command.removals)
    level = state.levels[seat]["military"]
    if total(command.removals) > level:
        raise limit_exceeded("military", level, "pirates")
    check_available(state, command.removals)


def reveal(draft: Draft[State]) -> None:
    """Carry out all choices together; the pirates return to the supply (CLN-131)."""
    for seat, given in enumerate(draft.state.sealed):
        if isinstance(given, PoliceSector):
            draft.emit(SectorPoliced(seat, given.removals))
    start_fulfilment(draft)


def _own(state: State, seat: Seat) -> tuple[Routes, int]:
    return routes_of(state, state.planets[seat]), state.levels[seat]["military"]


def _ways(routes: Routes, level: int) -> Iterator[tuple[Removal, ...]]:
    yield from ways(routes, level)
    yield ()


def _legal(state: State, seat: Seat) -> Iterator[Command]:
    """Return all removals: with four routes and six levels they are 210 at most."""
    return map(PoliceSector, _ways(*_own(state, seat)))


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    routes, level = _own(state, seat)
    return PoliceSector(as_removals(random_pick(routes, chance.pick(range(level + 1)), chance)))


def _label(_state: State, _seat: Seat, command: PoliceSector) -> str:
    return f"Police: remove {format_removals(command.removals)}" if command.removals else "Police nothing"


SEALING = Sealing(
    command=PoliceSector,
    check=check,
    cover=lambda seat, command: PoliceCommitted(seat, command.removals),
    reveal=reveal,
    concerned=list_with_pirates,
)
POLICE = Step[State](
    kind="police_sector",
    asked=SEALING.list_asked,
    covered=has_answered,
    default=lambda state, seat: PoliceSector(choose_by_import(state, seat, state.levels[seat]["military"])),
    sample=_sample,
    moves=(Move(command=PoliceSector, take=SEALING.take, legal=_legal, label=_label),),
)
