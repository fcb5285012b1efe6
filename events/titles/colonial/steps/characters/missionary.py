"""The Missionary (COL-19)."""

from __future__ import annotations

from events.steps import Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.commands import PlayMissionary
from events.titles.colonial.draft import Draft
from events.titles.colonial.steps import guards
from events.titles.colonial.steps.rounds import finish, use


def play(draft: Draft, seat: int, command: PlayMissionary) -> None:
    """COL-19-01 to COL-19-03: flip an Unrest, or place a Mission where there is none."""
    state = draft.state
    guards.active(state, seat)
    number = guards.territory(command.territory)
    guards.may_play(state, seat, "missionary")
    guards.not_excluded(state, number)
    if command.mode == "flip":
        if not state.unrest[number]:
            raise Rejected("no_unrest_there", "Choose a Territory with Unrest, or place a Mission.")
        use(draft, seat, "missionary")
        draft.emit(f.UnrestFlipped(command.territory, seat))
    else:
        if state.unrest[number]:
            raise Rejected("unrest_present", "There is Unrest; flip it instead.")
        guards.is_explored(state, number)
        use(draft, seat, "missionary")
        draft.emit(f.MissionPlaced(command.territory, seat))
    finish(draft, seat)
