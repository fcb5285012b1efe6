"""The Rebel: placing Unrest, or sparking a Rebellion."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import tables
from events.titles.colonial_revised.data import TABLES, TERRITORIES
from events.titles.colonial_revised.derived import all_vulnerable, native_power
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import play
from events.titles.colonial_revised.steps.checks import can_pay, explored, territory_number
from events.titles.colonial_revised.steps.unrest import place


def unrest_targets(state: State) -> tuple[int, ...]:
    """Explored Territories that no Rebel has marked this turn (REV-262, REV-263)."""
    return tuple(
        number
        for number, land in enumerate(state.territories)
        if land.explored and not land.rebel_marked_this_turn
    )


def place_unrest(draft: Draft[State], seat: int, command: c.PlaceUnrest, chance: Chance) -> None:
    """1 Unrest in each of two Territories; 1 if only one is possible (REV-262 to REV-264)."""
    state = draft.state
    numbers = [territory_number(name) for name in command.territories]
    targets = unrest_targets(state)
    if len(numbers) < 2 and len(targets) != 1:
        raise Rejected("two_territories_required", "Name two different Territories.")
    if len(set(numbers)) < len(numbers):
        raise Rejected("same_territory", "Name two different Territories.")
    for number in numbers:
        explored(state, number)
    if any(number not in targets for number in numbers):
        raise Rejected(
            "already_marked_by_rebel", "A Rebel has placed Unrest there this turn: name another Territory."
        )
    play(draft, seat, "rebel")
    place(draft, [f.Markers(name, 1, "rebel") for name in command.territories])


def is_colony_of_another(state: State, seat: int, territory: int) -> bool:
    """Whether a Rebellion there would be one in a Colony (REV-275)."""
    return state.territories[territory].colony_owner not in {None, seat}


def price(state: State, seat: int, territory: int) -> int:
    """What sparking costs: nothing in a Territory, half the Native Power in a Colony (REV-266, REV-275)."""
    if not is_colony_of_another(state, seat, territory):
        return 0
    return tables.half_up(TERRITORIES[territory].native_power)


def can_spark(state: State, seat: int, territory: int) -> bool:
    """Whether the seat could spark a Rebellion there now, price included (REV-027)."""
    land = state.territories[territory]
    return (
        land.unrest > 0
        and land.colony_owner != seat
        and all_vulnerable(state, territory) > 0
        and price(state, seat, territory) <= state.players[seat].spendable
    )


def spark_rebellion(draft: Draft[State], seat: int, command: c.SparkRebellion, chance: Chance) -> None:
    """The price in a Colony, then the dice (REV-266, REV-267, REV-275, REV-276)."""
    state, territory = draft.state, territory_number(command.territory)
    land = state.territories[territory]
    if not land.unrest:
        raise Rejected("no_unrest", "A Rebellion needs Unrest: name a Territory that has some.")
    if land.colony_owner == seat:
        raise Rejected("own_colony", "You cannot spark a Rebellion in your own Colony: name another.")
    vulnerable = all_vulnerable(state, territory)
    if not vulnerable:
        raise Rejected(
            "no_vulnerable_counter", "No counter there can be hit any more this turn: name another Territory."
        )
    cost, power = price(state, seat, territory), native_power(state, territory)
    can_pay(state.players[seat], cost)
    play(draft, seat, "rebel")
    colony = is_colony_of_another(state, seat, territory)
    if cost:
        draft.emit(f.RebellionPricePaid(seat=seat, territory=command.territory, amount=cost))
    dice = (power if colony else tables.half_up(power)) * land.unrest
    faces = chance.roll(dice, TABLES.success_faces)
    losses = min(vulnerable, max(0, sum(faces) - land.missions))
    draft.emit(
        f.RebellionRolled(
            seat=seat,
            territory=command.territory,
            kind="colony" if colony else "territory",
            dice=dice,
            faces=faces,
            successes=sum(faces),
            missions=land.missions,
            losses=losses,
        )
    )
