"""The Ambassador (COL-13)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.words import format_list
from events.rules.steps import Rejected
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import PlayAmbassador
from events.titles.colonial.data import TERRITORIES, WORLD, territory_name
from events.titles.colonial.offers import draw_percent, pick_any
from events.titles.colonial.state import State
from events.titles.colonial.steps.endeavour.rounds import character, finish, use
from events.titles.colonial.words import seat_said


def play(draft: Draft, seat: Seat, command: PlayAmbassador) -> None:
    """Move one marker right, remove 1 Unrest, at least one of both (COL-13-01 to COL-13-03)."""
    state = draft.state
    if command.move is not None:
        checks.require_seat(state, command.move)
    name = command.remove_unrest_from
    number = None if name is None else checks.territory_number(name)
    checks.may_play(state, seat, "ambassador")
    if command.move is None and number is None:
        raise Rejected("nothing_chosen", "Move a marker, remove an Unrest, or do both.")
    if command.move is not None and state.players[command.move].diplomacy >= WORLD.diplomacy_length:
        raise Rejected(
            "diplomacy_at_right_limit", "That marker is at the right limit; choose another player."
        )
    if number is not None and not state.lands[number].unrest:
        raise Rejected("no_unrest_there", "Choose a Territory with Unrest.")
    use(draft, seat, "ambassador")
    if command.move is not None:
        draft.move_right(command.move, "ambassador")
    if name is not None:
        draft.emit(f.UnrestRemoved(name, 1, seat, "ambassador"))
    finish(draft, seat)


def _list_movable(state: State) -> list[Seat]:
    """Return the seats whose markers can move right."""
    return [seat for seat, player in enumerate(state.players) if player.diplomacy < WORLD.diplomacy_length]


def _embassies(state: State, seat: Seat) -> Iterator[PlayAmbassador]:
    moves: list[Seat | None] = [*sorted(_list_movable(state), key=lambda other: other != seat), None]
    troubled: list[str | None] = [None, *(land.id for land in TERRITORIES if state.lands[land.number].unrest)]
    for move, calmed in product(moves, troubled):
        if move is not None or calmed is not None:
            yield PlayAmbassador(move, calmed)


def _sample(state: State, seat: Seat, chance: Chance) -> PlayAmbassador | None:
    movable = _list_movable(state)
    move = seat if seat in movable and draw_percent(chance, 60) else pick_any(chance, movable)
    troubled = pick_any(chance, [land.id for land in TERRITORIES if state.lands[land.number].unrest])
    calmed = troubled if move is None or draw_percent(chance, 60) else None
    return PlayAmbassador(move, calmed) if move is not None or calmed is not None else None


def _label(state: State, seat: Seat, command: PlayAmbassador) -> str:
    parts = [
        *([f"move {seat_said(state, command.move)} 1 right"] if command.move is not None else []),
        *(
            [f"remove 1 Unrest from {territory_name(command.remove_unrest_from)}"]
            if command.remove_unrest_from
            else []
        ),
    ]
    return f"Ambassador: {format_list(parts)}"


AMBASSADOR = character(PlayAmbassador, play, legal=_embassies, label=_label, sample=_sample)
