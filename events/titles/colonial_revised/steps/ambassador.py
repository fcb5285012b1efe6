"""The Ambassador."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.derived import counters
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import play
from events.titles.colonial_revised.steps.checks import territory_number
from events.titles.colonial_revised.steps.settlement import move_diplomacy


def use_ambassador(draft: Draft[State], seat: int, command: c.UseAmbassador, chance: Chance) -> None:
    """1 right on Diplomacy, and 1 Unrest less where he has a counter; each is optional (REV-145, REV-146)."""
    name = command.remove_unrest_in
    if name is not None:
        territory = territory_number(name)
        if not draft.state.territories[territory].unrest:
            raise Rejected("no_unrest", "There is no Unrest in that Territory: name another, or none.")
        if not counters(draft.state, seat, territory):
            raise Rejected(
                "no_own_counter", "You have no counter there: name a Territory where you have one."
            )
    play(draft, seat, "ambassador")
    if command.move_marker:
        move_diplomacy(draft, seat, +1, "ambassador")
    if name is not None:
        draft.emit(f.UnrestRemoved(territory=name, count=1, reason="ambassador"))
