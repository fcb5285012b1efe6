"""The Rebel: placing Unrest, or sparking a Rebellion."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from events.rules.chance import Chance
from events.rules.kit.words import format_list
from events.rules.steps import Command, Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import can_pay, is_explored, territory_number
from events.titles.colonial_revised.data import TABLES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import all_vulnerable, counters, half_up, rebellion_dice
from events.titles.colonial_revised.offers import draw_percent, pick
from events.titles.colonial_revised.parts import Markers
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import Character, character, use
from events.titles.colonial_revised.steps.settlement import breaks_out, place_all


def unrest_targets(state: State) -> tuple[int, ...]:
    """Explored Territories that no Rebel has marked this turn (REV-262, REV-263)."""
    return tuple(
        number for number, land in enumerate(state.lands) if land.explored and not land.rebel_marked_this_turn
    )


def place_unrest(draft: Draft[State], seat: int, command: c.PlaceUnrest) -> None:
    """1 Unrest in each of two Territories; 1 if only one is possible (REV-262 to REV-264)."""
    state = draft.state
    numbers = [territory_number(name) for name in command.territories]
    targets = unrest_targets(state)
    if len(numbers) < 2 and len(targets) != 1:
        raise Rejected("two_territories_required", "Name two different Territories.")
    if len(set(numbers)) < len(numbers):
        raise Rejected("same_territory", "Name two different Territories.")
    for number in numbers:
        is_explored(state, number)
    if any(number not in targets for number in numbers):
        raise Rejected(
            "already_marked_by_rebel", "A Rebel has placed Unrest there this turn: name another Territory."
        )
    use(draft, seat, "rebel")
    place_all(draft, [Markers(name, 1, "rebel") for name in command.territories])


def is_colony_of_another(state: State, seat: int, territory: int) -> bool:
    """Return True if a Rebellion there would be one in a Colony of another seat (REV-275)."""
    return state.lands[territory].colony_owner not in {None, seat}


def price(state: State, seat: int, territory: int) -> int:
    """Return the cost of sparking: 0 in a Territory, half the Native Power in a Colony (REV-266, REV-275)."""
    if not is_colony_of_another(state, seat, territory):
        return 0
    return half_up(TERRITORIES[territory].native_power)


def can_spark(state: State, seat: int, territory: int) -> bool:
    """Return True if the seat could spark a Rebellion there now, price included (REV-027)."""
    land = state.lands[territory]
    return (
        land.unrest > 0
        and land.colony_owner != seat
        and price(state, seat, territory) <= state.players[seat].spendable
    )


def spark_rebellion(draft: Draft[State], seat: int, command: c.SparkRebellion) -> None:
    """The price in a Colony, then the dice (REV-266, REV-267, REV-275, REV-276)."""
    state, territory = draft.state, territory_number(command.territory)
    land = state.lands[territory]
    if not land.unrest:
        raise Rejected("no_unrest", "A Rebellion needs Unrest: name a Territory that has some.")
    if land.colony_owner == seat:
        raise Rejected("own_colony", "You cannot spark a Rebellion in your own Colony: name another.")
    vulnerable = all_vulnerable(state, territory)
    cost = price(state, seat, territory)
    can_pay(state.players[seat], cost)
    use(draft, seat, "rebel")
    colony = is_colony_of_another(state, seat, territory)
    if cost:
        draft.emit(f.RebellionPricePaid(seat=seat, territory=command.territory, amount=cost))
    dice = rebellion_dice(state, territory) if vulnerable else 0
    faces = draft.chance.roll(dice, TABLES.success_faces)
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


# --- offers --------------------------------------------------------------------------------------


def _markings(state: State, seat: int) -> Iterator[c.PlaceUnrest]:
    targets = sorted(unrest_targets(state), key=lambda t: (-state.lands[t].unrest, t))
    if len(targets) == 1:
        yield c.PlaceUnrest((TERRITORIES[targets[0]].id,))
    for pair in combinations(targets, 2):
        yield c.PlaceUnrest(tuple(TERRITORIES[t].id for t in pair))


def sparks(state: State, seat: int) -> tuple[int, ...]:
    """Return the Territories where the seat could spark a Rebellion."""
    return tuple(territory for territory in range(len(TERRITORIES)) if can_spark(state, seat, territory))


def _sparks(state: State, seat: int) -> Iterator[c.SparkRebellion]:
    for territory in sparks(state, seat):
        yield c.SparkRebellion(TERRITORIES[territory].id)


def _label_unrest(state: State, _seat: int, command: c.PlaceUnrest) -> str:
    placed = f"Rebel: 1 Unrest in {format_list(w.territory_name(name) for name in command.territories)}"
    numbers = (TERRITORY[name] for name in command.territories if name in TERRITORY)
    return placed + "".join(breaks_out(state, number, 1) for number in numbers)


def _label_spark(state: State, seat: int, command: c.SparkRebellion) -> str:
    number = TERRITORY.get(command.territory)
    if number is None:
        return f"Rebel: Rebellion in {command.territory}"
    cost, dice = price(state, seat, number), rebellion_dice(state, number)
    if not all_vulnerable(state, number):
        dice = 0
    paid = f" for {cost} T" if cost else ""
    mine = ", your counters are there" if counters(state, seat, number) else ""
    rolled = w.dice(dice) if dice else "no dice, no counter can fall"
    return f"Rebel: Rebellion in {TERRITORIES[number].name}{paid} ({rolled}{mine})"


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    open_to = sparks(state, seat)
    if open_to and draw_percent(chance, 50):
        return c.SparkRebellion(TERRITORIES[pick(chance, open_to)].id)
    targets = unrest_targets(state)
    if not targets:
        return None
    first = pick(chance, targets)
    rest = [t for t in targets if t != first]
    chosen = [first, pick(chance, rest)] if rest else [first]
    return c.PlaceUnrest(tuple(TERRITORIES[t].id for t in chosen))


PLACE_UNREST = character(
    "rebel",
    c.PlaceUnrest,
    take=place_unrest,
    legal=_markings,
    target=lambda command: command.territories[0],
    label=_label_unrest,
)
SPARK_REBELLION = character(
    "rebel", c.SparkRebellion, take=spark_rebellion, legal=_sparks, label=_label_spark
)
REBEL = Character("rebel", (PLACE_UNREST, SPARK_REBELLION), _sample)
