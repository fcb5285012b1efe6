"""The Viceroy (COL-24)."""

from __future__ import annotations

from events.steps import Rejected
from events.titles.colonial.commands import PlayViceroy
from events.titles.colonial.data import TERRITORIES
from events.titles.colonial.draft import Draft
from events.titles.colonial.steps import guards
from events.titles.colonial.steps.placing import place
from events.titles.colonial.steps.rounds import finish, use


def play(draft: Draft, seat: int, command: PlayViceroy) -> None:
    """COL-24-01 to COL-24-05."""
    state = draft.state
    guards.active(state, seat)
    number = guards.territory(command.territory)
    spaces = tuple(guards.space(name) for name in command.placements)
    guards.may_play(state, seat, "viceroy")
    guards.not_excluded(state, number)
    guards.is_explored(state, number)
    if state.colony[number] not in (None, seat):
        raise Rejected("foreign_colony", f"{TERRITORIES[number].name} is another player's Colony.")
    guards.has_treasury(state, seat, len(spaces))
    most = state.players[seat].logistics
    if len(spaces) > most:
        raise Rejected("too_many_counters", f"Your Logistics allow {most} counters.")
    guards.placeable(state, seat, number, spaces)
    use(draft, seat, "viceroy")
    place(draft, seat, spaces)
    finish(draft, seat)
