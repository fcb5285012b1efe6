"""The Ambassador (COL-13)."""

from __future__ import annotations

from events.steps import Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.commands import PlayAmbassador
from events.titles.colonial.data import WORLD
from events.titles.colonial.draft import Draft
from events.titles.colonial.steps import guards
from events.titles.colonial.steps.placing import move_right
from events.titles.colonial.steps.rounds import finish, use


def play(draft: Draft, seat: int, command: PlayAmbassador) -> None:
    """COL-13-01 to COL-13-03: move one marker right, remove 1 Unrest, at least one of both."""
    state = draft.state
    guards.active(state, seat)
    if command.move is not None:
        guards.player_known(state, command.move)
    name = command.remove_unrest_from
    number = None if name is None else guards.territory(name)
    guards.may_play(state, seat, "ambassador")
    if command.move is None and number is None:
        raise Rejected("nothing_chosen", "Move a marker, remove an Unrest, or do both.")
    if command.move is not None and state.players[command.move].diplomacy >= WORLD.diplomacy_length:
        raise Rejected(
            "diplomacy_at_right_limit", "That marker is at the right limit; choose another player."
        )
    if number is not None and not state.unrest[number]:
        raise Rejected("no_unrest_there", "Choose a Territory with Unrest.")
    use(draft, seat, "ambassador")
    if command.move is not None:
        move_right(draft, command.move, "ambassador")
    if name is not None:
        draft.emit(f.UnrestRemoved(name, 1, seat, "ambassador"))
    finish(draft, seat)
