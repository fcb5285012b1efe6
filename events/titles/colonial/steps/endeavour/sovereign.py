"""The Sovereign declares war (COL-22-01, COL-22-02, COL-25-20); the war itself is in `war`."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import INVALID_PARAMETERS, Rejected
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import PlaySovereign
from events.titles.colonial.data import WORLD
from events.titles.colonial.offers import draw_percent, pick_any
from events.titles.colonial.state import State, nation
from events.titles.colonial.steps.endeavour.rounds import character, finish, use
from events.titles.colonial.words import seat_said


def may_attack(state: State, seat: Seat, target: Seat) -> bool:
    """Return True if the target is another seat and not further right on Diplomacy (COL-10-03)."""
    return target != seat and state.players[target].diplomacy <= state.players[seat].diplomacy


def may_court(state: State, seat: Seat) -> bool:
    """Return True if the seat is France and not at the right limit of Diplomacy (COL-25-20)."""
    card = nation(state.players[seat])
    return (
        bool(card and card.sovereign_moves_right) and state.players[seat].diplomacy < WORLD.diplomacy_length
    )


def play(draft: Draft, seat: Seat, command: PlaySovereign) -> None:
    """Declare war (COL-22-01, COL-22-02); France may move right instead (COL-25-20)."""
    state = draft.state
    if command.mode == "diplomacy":
        _court(draft, seat)
        return
    if command.target is None:
        raise Rejected(INVALID_PARAMETERS, "Name the player to attack.")
    checks.require_seat(state, command.target)
    checks.may_play(state, seat, "sovereign")
    _check_diplomacy(state, seat, command.target)
    if command.target == seat:
        raise Rejected("target_is_self", "Attack another player.")
    use(draft, seat, "sovereign")
    draft.emit(f.WarDeclared(seat, command.target))
    draft.move_left(seat, 1, "war_declared")


def _check_diplomacy(state: State, seat: Seat, target: Seat) -> None:
    """Check that the target is not further right on Diplomacy (COL-10-03)."""
    if state.players[target].diplomacy > state.players[seat].diplomacy:
        raise Rejected("target_more_advanced", "That player is further right on Diplomacy; choose another.")


def _court(draft: Draft, seat: Seat) -> None:
    checks.may_play(draft.state, seat, "sovereign")
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
    draft.move_right(seat, "sovereign")
    finish(draft, seat)


def _targets(state: State, seat: Seat) -> list[Seat]:
    return [target for target in range(state.seats) if may_attack(state, seat, target)]


def _wars(state: State, seat: Seat) -> Iterator[PlaySovereign]:
    for target in _targets(state, seat):
        yield PlaySovereign("war", target)
    if may_court(state, seat):
        yield PlaySovereign("diplomacy")


def _sample(state: State, seat: Seat, chance: Chance) -> PlaySovereign | None:
    if may_court(state, seat) and draw_percent(chance, 30):
        return PlaySovereign("diplomacy")
    target = pick_any(chance, _targets(state, seat))
    return None if target is None else PlaySovereign("war", target)


def _label(state: State, seat: Seat, command: PlaySovereign) -> str:
    if command.mode == "diplomacy" or command.target is None:
        return "Sovereign: 1 right on Diplomacy"
    price = " (1 left on Diplomacy)" if state.players[seat].diplomacy > 1 else ""
    return f"Sovereign: war on {seat_said(state, command.target)}{price}"


SOVEREIGN = character(PlaySovereign, play, legal=_wars, label=_label, sample=_sample)
