"""The Scientist (COL-21)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.fact import Seat
from events.rules.steps import Rejected
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import PlayScientist
from events.titles.colonial.data import RULES
from events.titles.colonial.derived import abolition, next_space
from events.titles.colonial.offers import pick_any
from events.titles.colonial.state import State
from events.titles.colonial.steps.endeavour.rounds import character, finish, use


def play(draft: Draft, seat: Seat, command: PlayScientist) -> None:
    """Advance one space for the number on it (COL-21-01, COL-21-02, COL-06-07)."""
    state = draft.state
    checks.may_play(state, seat, "scientist")
    player = state.players[seat]
    space = next_space(player, command.track)
    if space is None:
        raise Rejected("track_at_maximum", "That track is at its end; choose another.")
    checks.can_pay(state.players[seat], space)
    use(draft, seat, "scientist")
    draft.emit(f.TreasuryDiscarded(seat, space, "scientist"))
    draft.emit(f.TrackAdvanced(seat, command.track, getattr(player, command.track), space, space))
    if abolition(draft.state) and not abolition(state):
        draft.emit(f.SlaveryAbolished(seat))
    finish(draft, seat)


def _advances(state: State, seat: Seat) -> Iterator[PlayScientist]:
    player = state.players[seat]
    for track in RULES.tracks:
        space = next_space(player, track)
        if space is not None and space <= player.treasury:
            yield PlayScientist(track)


def _label(state: State, seat: Seat, command: PlayScientist) -> str:
    space = next_space(state.players[seat], command.track)
    step = "at its end" if space is None else f"to {space} for {space} Treasury"
    return f"Scientist: {command.track.capitalize()} {step}"


SCIENTIST = character(
    PlayScientist,
    play,
    legal=_advances,
    label=_label,
    sample=lambda state, seat, chance: pick_any(chance, tuple(_advances(state, seat))),
)
