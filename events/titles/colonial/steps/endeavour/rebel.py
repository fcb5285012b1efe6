"""The Rebel and rebellions (COL-20)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Literal

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.words import format_count
from events.rules.steps import Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import ChooseRebellionCasualties, PlayRebel
from events.titles.colonial.data import TERRITORIES, TERRITORY, space_name, territory_name
from events.titles.colonial.derived import counters, native_power, open_land, total_in
from events.titles.colonial.offers import pick_any
from events.titles.colonial.parts import Victim
from events.titles.colonial.state import Rebelling, State, list_acting
from events.titles.colonial.steps import losses
from events.titles.colonial.steps.endeavour.rounds import character, finish, use
from events.titles.colonial.words import removal, seat_said

Mode = Literal["rebellion", "unrest", "discard_mission"]
_SAID: dict[Mode, str] = {
    "rebellion": "rebellion in",
    "unrest": "1 Unrest in",
    "discard_mission": "discard a Mission in",
}


def play(draft: Draft, seat: Seat, command: PlayRebel) -> None:
    """Spark a rebellion, place an Unrest, or discard a Mission (COL-20-01)."""
    state = draft.state
    number = checks.territory_number(command.territory)
    checks.may_play(state, seat, "rebel")
    checks.check_not_excluded(state, number)
    if command.mode == "rebellion":
        _may_spark(state, number)
        use(draft, seat, "rebel")
        _spark(draft, seat, number)
        return
    if command.mode == "unrest":
        checks.is_explored(state, number)
        use(draft, seat, "rebel")
        draft.emit(f.UnrestPlaced(command.territory, 1, seat, "rebel"))
    else:
        if not state.lands[number].missions:
            raise Rejected("no_mission_there", "Choose a Territory with a Mission.")
        use(draft, seat, "rebel")
        draft.emit(f.MissionDiscarded(command.territory, seat))
    finish(draft, seat)


def _may_spark(state: State, number: int) -> None:
    """Check that there is Unrest and no Mission in the Territory (COL-09-01, COL-20-02)."""
    if not state.lands[number].unrest:
        raise Rejected("no_unrest_there", "A rebellion takes Unrest in the Territory.")
    if state.lands[number].missions:
        raise Rejected("mission_present", "A Mission prevents rebellion; discard it first.")


def _is_possible(state: State, mode: Mode, number: int) -> bool:
    """Return True if the Rebel may be used in that mode in that Territory."""
    land = state.lands[number]
    if mode == "unrest":
        return open_land(state, number)
    if mode == "discard_mission":
        return bool(land.missions) and not land.excluded
    rebellious = land.unrest and not land.missions
    return bool(rebellious) and not land.excluded


def _rebellions(state: State, seat: Seat) -> Iterator[PlayRebel]:
    for land in TERRITORIES:
        if _is_possible(state, "rebellion", land.number):
            yield PlayRebel("rebellion", land.id)
    others: tuple[Mode, ...] = ("unrest", "discard_mission")
    for land in TERRITORIES:
        for mode in others:
            if _is_possible(state, mode, land.number):
                yield PlayRebel(mode, land.id)


def _sample(state: State, seat: Seat, chance: Chance) -> PlayRebel | None:
    modes: tuple[Mode, ...] = ("rebellion", "rebellion", "unrest", "discard_mission")
    mode = chance.pick(modes)
    place = pick_any(chance, [land.id for land in TERRITORIES if _is_possible(state, mode, land.number)])
    return None if place is None else PlayRebel(mode, place)


def _label(state: State, seat: Seat, command: PlayRebel) -> str:
    number = TERRITORY.get(command.territory)
    dice = 0 if number is None or command.mode != "rebellion" else _dice(state, number)
    rolls = f" ({format_count(dice, 'die', 'dice')})" if dice else ""
    return f"Rebel: {_SAID[command.mode]} {territory_name(command.territory)}{rolls}"


REBEL = character(PlayRebel, play, legal=_rebellions, label=_label, sample=_sample)


# --- rebellion -----------------------------------------------------------------------------------


def _dice(state: State, number: int) -> int:
    """Return the number of dice that a rebellion there rolls (COL-20-03)."""
    return native_power(state, number) * state.lands[number].unrest


def _spark(draft: Draft, seat: Seat, number: int) -> None:
    """Roll; without a real choice the casualties follow at once (COL-20-03 to COL-20-05)."""
    state = draft.state
    dice = draft.roll(_dice(state, number))
    total, own = total_in(state, number), counters(state, seat, number)
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


def ways(state: State, seat: Seat) -> Iterator[losses.Casualties]:
    """The selections that really differ, the default one first (COL-20-05)."""
    action = state.action
    if not isinstance(action, Rebelling):
        return
    number = TERRITORY[action.territory]
    others = losses.counters_of(state, number, [s for s in range(state.seats) if s != seat])
    own = losses.counters_of(state, number, [seat])
    if action.from_self:
        for mine in losses.list_distinct(state, own, action.from_self, always=others):
            yield (*others, *mine)
    else:
        yield from losses.list_distinct(state, others, action.from_others)


def choose_rebellion_casualties(draft: Draft, seat: Seat, command: ChooseRebellionCasualties) -> None:
    """Remove the counters that the Rebel's player chose (COL-20-04, COL-20-05)."""
    state = draft.state
    action = state.action
    if not isinstance(action, Rebelling):
        return
    number = TERRITORY[action.territory]
    for victim in command.casualties:
        checks.require_seat(state, victim.owner)
    wanted = [(victim.space, victim.owner, victim.position) for victim in command.casualties]
    chosen = losses.find_named(state, number, wanted, action.from_others + action.from_self)
    _check_own_last(action, seat, chosen)
    _suffer(draft, seat, number, chosen)


def _check_own_last(action: Rebelling, seat: Seat, chosen: losses.Casualties) -> None:
    """Check that others' counters are taken first (COL-20-05)."""
    if sum(1 for loss in chosen if loss.owner == seat) > action.from_self:
        raise Rejected("own_counters_spared_last", "Take the counters of other players first.")


def _suffer(draft: Draft, seat: Seat, number: int, casualties: losses.Casualties) -> None:
    losses.lose(draft, number, casualties, "rebellion", (seat,))
    finish(draft, seat)


def _choices(state: State, seat: Seat) -> Iterator[ChooseRebellionCasualties]:
    for chosen in ways(state, seat):
        victims = (Victim(loss.space, loss.owner, loss.position) for loss in chosen)
        yield ChooseRebellionCasualties(tuple(victims))


def _removal(state: State, seat: Seat, command: ChooseRebellionCasualties) -> str:
    names = [
        f"{seat_said(state, victim.owner)} on {space_name(victim.space)}" for victim in command.casualties
    ]
    return removal(names, command.casualties)


CHOOSE_REBELLION_CASUALTIES = Step[State](
    kind="choose_rebellion_casualties",
    asked=list_acting,
    moves=(
        losses.removal_move(
            ChooseRebellionCasualties, take=choose_rebellion_casualties, legal=_choices, label=_removal
        ),
    ),
    default=lambda state, seat: next(_choices(state, seat)),
)
