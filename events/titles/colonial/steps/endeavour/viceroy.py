"""The Viceroy (COL-24)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.words import format_list
from events.rules.steps import Rejected
from events.titles.colonial import checks
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import PlayViceroy
from events.titles.colonial.data import SPACE, SPACES, TERRITORIES, space_name
from events.titles.colonial.derived import may_place
from events.titles.colonial.state import State
from events.titles.colonial.steps.endeavour.rounds import character, finish, use
from events.titles.colonial.steps.placing import consequences, place


def play(draft: Draft, seat: Seat, command: PlayViceroy) -> None:
    """Place counters on spaces of one Territory (COL-24-01 to COL-24-05)."""
    state = draft.state
    number = checks.territory_number(command.territory)
    spaces = tuple(checks.space_number(name) for name in command.placements)
    checks.may_play(state, seat, "viceroy")
    checks.check_not_excluded(state, number)
    checks.is_explored(state, number)
    if state.lands[number].colony not in (None, seat):
        raise Rejected(
            "foreign_colony",
            f"{TERRITORIES[number].name} is another player's Colony; choose another Territory.",
        )
    checks.can_pay(state.players[seat], len(spaces))
    most = state.players[seat].logistics
    if len(spaces) > most:
        raise Rejected("too_many_counters", f"Your Logistics allow {most} counters; place fewer.")
    checks.check_placeable(state, seat, number, spaces)
    use(draft, seat, "viceroy")
    place(draft, seat, spaces)
    finish(draft, seat)


def _placements(state: State, seat: Seat) -> Iterator[PlayViceroy]:
    player = state.players[seat]
    for land in TERRITORIES:
        spaces = [SPACES[at].id for at in land.spaces if may_place(state, seat, at)]
        for count in range(min(player.logistics, player.treasury), 0, -1) if spaces else ():
            for chosen in combinations_with_replacement(spaces, count):
                yield PlayViceroy(land.id, chosen)


def _sample(state: State, seat: Seat, chance: Chance) -> PlayViceroy | None:
    player = state.players[seat]
    spaces = [space.number for space in SPACES if may_place(state, seat, space.number)]
    if not spaces or not player.treasury:
        return None
    at = chance.pick(spaces)
    land = TERRITORIES[SPACES[at].territory]
    beside = [space for space in land.spaces if space in spaces]
    count = 1 + chance.pick(range(min(player.logistics, player.treasury)))
    chosen = (at, *(chance.pick(beside) for _ in range(count - 1)))
    return PlayViceroy(land.id, tuple(SPACES[space].id for space in chosen))


def _label(state: State, seat: Seat, command: PlayViceroy) -> str:
    names = [space_name(space) for space in command.placements]
    placed = format_list(f"{names.count(name)} on {name}" for name in dict.fromkeys(names))
    numbers = tuple(SPACE[space] for space in command.placements if space in SPACE)
    return f"Viceroy: {placed} for {len(names)} Treasury{consequences(state, seat, numbers)}"


VICEROY = character(PlayViceroy, play, legal=_placements, label=_label, sample=_sample)
