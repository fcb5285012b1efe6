"""Reading the parameters of commands: names become numbers, or the command is rejected."""

from __future__ import annotations

from collections.abc import Iterable

from events.rules.steps import INVALID_PARAMETERS, Rejected
from events.titles.colonial_revised.data import (
    CONSTANTS,
    GATED,
    SPACE,
    SPACES,
    TERRITORIES,
    TERRITORY,
    UNUSED,
)
from events.titles.colonial_revised.parts import Loss, SpaceCount
from events.titles.colonial_revised.state import Player, State

Counts = dict[int, int]


def territory_number(name: str) -> int:
    """The Territory of that id (REV-013)."""
    number = TERRITORY.get(name)
    if number is not None:
        return number
    if name in UNUSED:
        raise Rejected("unused_territory", f"{name} is out of play in this edition; name another Territory.")
    raise Rejected("unknown_territory", "There is no such Territory; use an id of the board.")


def space_number(name: str) -> int:
    """The space of that id."""
    number = SPACE.get(name)
    if number is None:
        raise Rejected("unknown_space", "There is no such space; use an id such as west_africa.gold.")
    return number


def space_numbers(names: Iterable[str]) -> list[int]:
    """The spaces of those ids, each once."""
    numbers = [space_number(name) for name in names]
    if len(set(numbers)) < len(numbers):
        raise Rejected(INVALID_PARAMETERS, "Each space gives one Good: name it once only.")
    return numbers


def require_seat(state: State, seat: int) -> int:
    """A seat of this table."""
    if seat >= state.seats:
        raise Rejected("unknown_player", f"There is no such seat: name one of 0 to {state.seats - 1}.")
    return seat


def merge_counts(entries: Iterable[SpaceCount]) -> Counts:
    """Counters by space, in the order of the command."""
    counts: Counts = {}
    for entry in entries:
        number = space_number(entry.space)
        counts[number] = counts.get(number, 0) + entry.count
    return counts


def merge_losses(state: State, losses: Iterable[Loss]) -> dict[tuple[int, int], int]:
    """Losses by victim and space, with the same ones added."""
    counts: dict[tuple[int, int], int] = {}
    for loss in losses:
        key = require_seat(state, loss.seat), space_number(loss.space)
        counts[key] = counts.get(key, 0) + loss.count
    return counts


def make_space_counts(counts: Counts) -> tuple[SpaceCount, ...]:
    """Counters by space, as facts write them."""
    return tuple(SpaceCount(SPACES[space].id, count) for space, count in counts.items() if count)


def economy_allows(player: Player, spaces: Iterable[int]) -> None:
    """Tea and Opium need Economy 6 (REV-069)."""
    if player.economy < CONSTANTS.tea_opium_economy and not GATED.isdisjoint(spaces):
        needed = CONSTANTS.tea_opium_economy
        raise Rejected(
            "economy_too_low", f"Tea and Opium spaces need Economy {needed}: choose another space."
        )


def usable_spaces(player: Player, territory: int) -> tuple[int, ...]:
    """The spaces of a Territory on which the player may put counters (REV-069)."""
    spaces = TERRITORIES[territory].spaces
    if player.economy >= CONSTANTS.tea_opium_economy:
        return spaces
    return tuple(space for space in spaces if space not in GATED)


def check_inside(territory: int, spaces: Iterable[int]) -> None:
    """All spaces lie in the Territory."""
    if any(SPACES[space].territory != territory for space in spaces):
        name = TERRITORIES[territory].name
        raise Rejected("space_not_in_territory", f"Name only spaces of {name}.")


def check_logistics(player: Player, count: int) -> None:
    """At most Logistics counters."""
    if count > player.logistics:
        raise Rejected(
            "over_logistics", f"Your Logistics is {player.logistics}: move at most that many counters."
        )


def can_pay(player: Player, amount: int) -> None:
    """Treasury less escrow covers the amount (REV-003)."""
    if amount > player.spendable:
        raise Rejected(
            "insufficient_treasury",
            f"This costs {amount} T and you can spend {player.spendable} T: choose less.",
        )


def is_explored(state: State, territory: int) -> None:
    """The Territory is explored."""
    if not state.lands[territory].explored:
        name = TERRITORIES[territory].name
        raise Rejected("territory_unexplored", f"{name} is not explored yet: choose an explored Territory.")


def check_at_least_one(count: int) -> None:
    """Something is really moved."""
    if count < 1:
        raise Rejected(INVALID_PARAMETERS, "Name at least one counter, or pass the card.")
