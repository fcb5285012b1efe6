"""The Sovereign declares war (COL-22-01, COL-22-02, COL-25-20); the war itself is in `steps.war`."""

from __future__ import annotations

from events.steps import INVALID_PARAMETERS, Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.commands import PlaySovereign
from events.titles.colonial.data import WORLD
from events.titles.colonial.derived import nation
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps import guards
from events.titles.colonial.steps.placing import move_left, move_right
from events.titles.colonial.steps.rounds import finish, use


def may_attack(state: State, seat: int, target: int) -> bool:
    """COL-10-03: nobody further right on Diplomacy."""
    return target != seat and state.players[target].diplomacy <= state.players[seat].diplomacy


def may_court(state: State, seat: int) -> bool:
    """COL-25-20: France, not at the right limit."""
    card = nation(state.players[seat])
    return (
        bool(card and card.sovereign_moves_right) and state.players[seat].diplomacy < WORLD.diplomacy_length
    )


def play(draft: Draft, seat: int, command: PlaySovereign) -> None:
    """COL-22-01, COL-22-02; France may move right instead (COL-25-20)."""
    state = draft.state
    guards.active(state, seat)
    if command.mode == "diplomacy":
        _court(draft, seat)
        return
    if command.target is None:
        raise Rejected(INVALID_PARAMETERS, "Name the player to attack.")
    guards.player_known(state, command.target)
    guards.may_play(state, seat, "sovereign")
    if state.players[command.target].diplomacy > state.players[seat].diplomacy:
        raise Rejected("target_more_advanced", "That player is further right on Diplomacy; choose another.")
    if command.target == seat:
        raise Rejected("target_is_self", "Attack another player.")
    use(draft, seat, "sovereign")
    draft.emit(f.WarDeclared(seat, command.target))
    move_left(draft, seat, 1, "war_declared")


def _court(draft: Draft, seat: int) -> None:
    guards.may_play(draft.state, seat, "sovereign")
    card = nation(draft.player(seat))
    if card is None or not card.sovereign_moves_right:
        raise Rejected(
            "diplomacy_mode_not_allowed", "Only France's Sovereign moves on Diplomacy; declare war."
        )
    if draft.player(seat).diplomacy >= WORLD.diplomacy_length:
        raise Rejected(
            "diplomacy_at_right_limit", "Your marker is at the right limit; declare war or forfeit."
        )
    use(draft, seat, "sovereign")
    move_right(draft, seat, "sovereign")
    finish(draft, seat)
