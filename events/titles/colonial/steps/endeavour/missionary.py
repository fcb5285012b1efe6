"""The Missionary (COL-19)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import PlayMissionary
from events.titles.colonial.data import TERRITORIES, territory_name
from events.titles.colonial.derived import open_land
from events.titles.colonial.offers import pick_any
from events.titles.colonial.state import State
from events.titles.colonial.steps.endeavour.rounds import character, finish, use


def play(draft: Draft, seat: Seat, command: PlayMissionary) -> None:
    """Flip an Unrest, or place a Mission where there is none (COL-19-01 to COL-19-03)."""
    state = draft.state
    number = checks.territory_number(command.territory)
    checks.may_play(state, seat, "missionary")
    checks.check_not_excluded(state, number)
    if command.mode == "flip":
        if not state.lands[number].unrest:
            raise Rejected("no_unrest_there", "Choose a Territory with Unrest, or place a Mission.")
        use(draft, seat, "missionary")
        draft.emit(f.UnrestFlipped(command.territory, seat))
    else:
        if state.lands[number].unrest:
            raise Rejected("unrest_present", "There is Unrest; flip it instead.")
        checks.is_explored(state, number)
        use(draft, seat, "missionary")
        draft.emit(f.MissionPlaced(command.territory, seat))
    finish(draft, seat)


def _missions(state: State, seat: Seat) -> Iterator[PlayMissionary]:
    for land in TERRITORIES:
        if state.lands[land.number].excluded:
            continue
        if state.lands[land.number].unrest:
            yield PlayMissionary(land.id, "flip")
        elif open_land(state, land.number):
            yield PlayMissionary(land.id, "place")


def _sample(state: State, seat: Seat, chance: Chance) -> PlayMissionary | None:
    land = pick_any(chance, [land for land in TERRITORIES if open_land(state, land.number)])
    if land is None:
        return None
    return PlayMissionary(land.id, "flip" if state.lands[land.number].unrest else "place")


def _label(state: State, seat: Seat, command: PlayMissionary) -> str:
    what = "turn Unrest into a Mission in" if command.mode == "flip" else "Mission in"
    return f"Missionary: {what} {territory_name(command.territory)}"


MISSIONARY = character(PlayMissionary, play, legal=_missions, label=_label, sample=_sample)
