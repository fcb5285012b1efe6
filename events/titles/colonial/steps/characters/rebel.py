"""The Rebel and rebellions (COL-20)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from events.steps import NOT_YOUR_DECISION, Rejected
from events.titles.colonial import facts as f
from events.titles.colonial.commands import ChooseRebellionCasualties, PlayRebel
from events.titles.colonial.data import TERRITORIES, TERRITORY
from events.titles.colonial.derived import counters_in, native_power, total_in
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import Rebelling, State
from events.titles.colonial.steps import guards, losses
from events.titles.colonial.steps.rounds import finish, use


def play(draft: Draft, seat: int, command: PlayRebel) -> None:
    """COL-20-01: a rebellion, an Unrest, or a Mission discarded."""
    state = draft.state
    guards.active(state, seat)
    number = guards.territory(command.territory)
    guards.may_play(state, seat, "rebel")
    guards.not_excluded(state, number)
    if command.mode == "rebellion":
        _may_spark(state, number)
        use(draft, seat, "rebel")
        _spark(draft, seat, number)
        return
    if command.mode == "unrest":
        guards.is_explored(state, number)
        use(draft, seat, "rebel")
        draft.emit(f.UnrestPlaced(command.territory, 1, seat, "rebel"))
    else:
        if not state.missions[number]:
            raise Rejected("no_mission_there", "Choose a Territory with a Mission.")
        use(draft, seat, "rebel")
        draft.emit(f.MissionDiscarded(command.territory, seat))
    finish(draft, seat)


def _may_spark(state: State, number: int) -> None:
    """COL-09-01, COL-20-02."""
    if not state.unrest[number]:
        raise Rejected("no_unrest_there", "A rebellion takes Unrest in the Territory.")
    if state.missions[number]:
        raise Rejected("mission_present", "A Mission prevents rebellion; discard it first.")


def _spark(draft: Draft, seat: int, number: int) -> None:
    """COL-20-03 to COL-20-05: roll; without a real choice the casualties follow at once."""
    state = draft.state
    dice = draft.roll(native_power(state, number) * state.unrest[number])
    total, own = total_in(state, number), counters_in(state, number, seat)
    due = min(sum(dice), total)
    others = min(due, total - own)
    name = TERRITORIES[number].id
    rolled = f.RebellionRolled(seat, name, len(dice), dice, sum(dice), due, others, due - others)
    draft.emit(rolled)
    if not due:
        finish(draft, seat)
        return
    possible = tuple(islice(ways(draft.state, seat), 2))
    if len(possible) == 1:
        _suffer(draft, seat, number, possible[0])


def ways(state: State, seat: int) -> Iterator[losses.Casualties]:
    """The selections that really differ, the default one first (COL-20-05)."""
    action = state.action
    if not isinstance(action, Rebelling):
        return
    number = TERRITORY[action.territory]
    others = losses.counters_of(state, number, [s for s in range(state.seats) if s != seat])
    own = losses.counters_of(state, number, [seat])
    if action.from_self:
        for mine in losses.distinct(state, own, action.from_self, always=others):
            yield (*others, *mine)
    else:
        yield from losses.distinct(state, others, action.from_others)


def choose_rebellion_casualties(draft: Draft, seat: int, command: ChooseRebellionCasualties) -> None:
    """COL-20-04, COL-20-05."""
    state = draft.state
    action = state.action
    if not isinstance(action, Rebelling) or state.active != seat:
        raise Rejected(NOT_YOUR_DECISION, "No casualties of a rebellion are yours to choose now.")
    number = TERRITORY[action.territory]
    for victim in command.casualties:
        guards.player_known(state, victim.owner)
    wanted = [(victim.space, victim.owner, victim.position) for victim in command.casualties]
    chosen = losses.named(state, number, wanted, action.from_others + action.from_self)
    if sum(1 for loss in chosen if loss.owner == seat) > action.from_self:
        raise Rejected("own_counters_spared_last", "Take the counters of other players first.")
    _suffer(draft, seat, number, chosen)


def _suffer(draft: Draft, seat: int, number: int, casualties: losses.Casualties) -> None:
    losses.lose(draft, number, casualties, "rebellion", (seat,))
    finish(draft, seat)
