"""The Scientist (COL-21)."""

from __future__ import annotations

from events.steps import Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.commands import PlayScientist
from events.titles.colonial.derived import abolition, next_space
from events.titles.colonial.draft import Draft
from events.titles.colonial.steps import guards
from events.titles.colonial.steps.rounds import finish, use


def play(draft: Draft, seat: int, command: PlayScientist) -> None:
    """COL-21-01, COL-21-02, COL-06-07: one space forward for the number on it."""
    state = draft.state
    guards.active(state, seat)
    guards.may_play(state, seat, "scientist")
    player = state.players[seat]
    space = next_space(player, command.track)
    if space is None:
        raise Rejected("track_at_maximum", "That track is at its end; choose another.")
    guards.has_treasury(state, seat, space)
    use(draft, seat, "scientist")
    draft.emit(f.TreasuryDiscarded(seat, space, "scientist"))
    draft.emit(f.TrackAdvanced(seat, command.track, getattr(player, command.track), space, space))
    if abolition(draft.state) and not abolition(state):
        draft.emit(f.SlaveryAbolished(seat))
    finish(draft, seat)
