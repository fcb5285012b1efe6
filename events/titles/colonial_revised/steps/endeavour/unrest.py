"""Placing Unrest one marker at a time; the fifth sets off a Rebellion at once (REV-126, REV-127)."""

from __future__ import annotations

from collections.abc import Sequence

from events.rules.kit.latest import remember_latest
from events.rules.steps import Draft
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CONSTANTS, TERRITORIES, TERRITORY
from events.titles.colonial_revised.parts import Markers
from events.titles.colonial_revised.state import Land, State


def place_markers(draft: Draft[State], territory: int, count: int, reason: str) -> None:
    """Begin to place so many markers in one Territory."""
    if count:
        place(draft, [Markers(TERRITORIES[territory].id, count, reason)])


def place(draft: Draft[State], markers: Sequence[Markers]) -> None:
    """Place markers until all are placed or a Territory has five; the rest waits in the state."""
    waiting = list(markers)
    while waiting:
        due = waiting.pop(0)
        most = CONSTANTS.auto_rebellion_unrest
        room = most - draft.state.lands[TERRITORY[due.territory]].unrest
        count = min(due.count, room)
        if count < due.count:
            waiting.insert(0, Markers(due.territory, due.count - count, due.reason))
        draft.emit(f.UnrestPlaced(due.territory, count, due.reason, tuple(waiting)))
        if due.reason == "rebel":
            draft.emit(f.RebelMarked(territory=due.territory))
        if full(draft.state) is not None:
            return


def full(state: State) -> int | None:
    """The Territory in which an automatic Rebellion is due."""
    return next(iter(_list_full(state.lands)), None)


@remember_latest
def _list_full(lands: tuple[Land, ...]) -> tuple[int, ...]:
    most = CONSTANTS.auto_rebellion_unrest
    return tuple([number for number, land in enumerate(lands) if land.unrest >= most])


def lapse_markers(draft: Draft[State], territory: int) -> None:
    """Markers meant for a Territory that became an Independent State lapse (REV-127)."""
    name = TERRITORIES[territory].id
    left = draft.state.unrest_left
    gone = sum(marker.count for marker in left if marker.territory == name)
    if gone:
        kept = tuple(marker for marker in left if marker.territory != name)
        draft.emit(f.UnrestLapsed(name, gone, kept))
