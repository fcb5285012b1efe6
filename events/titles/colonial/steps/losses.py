"""Losing counters: the selections that are legal, those without a real choice, the effects of a loss."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, Literal

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.overseas.piles import (
    Pile,
    find_highest,
    find_majority_owner,
    find_most_or_lowest,
    move_to_bottom,
    remove_counters,
)
from events.rules.steps import Command, Move, Rejected
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.data import SPACE, SPACES, TERRITORIES
from events.titles.colonial.derived import present
from events.titles.colonial.offers import MOST
from events.titles.colonial.parts import Casualty
from events.titles.colonial.state import State

Casualties = tuple[Casualty, ...]
MOST_WAYS = 3000
"""So many selections are compared at most; piles that play leaves behind have far fewer."""
FEW_WAYS = 8
"""Of so many first ways random play takes one."""


def settle_losses(pile: Pile, positions: Collection[int]) -> Pile:
    """The pile after a batch of losses and the control check (COL-05-10, COL-05-14).

    Where the bottom counter stays, the pile is rearranged only if another player takes control.
    """
    left = remove_counters(pile, positions)
    leader = find_most_or_lowest(left) if 0 in positions else find_majority_owner(left)
    stays = leader is None or (0 not in positions and leader == left[0])
    return left if leader is None or stays else move_to_bottom(left, leader)


# --- choosing ----------------------------------------------------------------------------------


def counters_of(state: State, territory: int, owners: Sequence[int]) -> Casualties:
    """The counters of these owners in a Territory: spaces in table order, each from the top down."""
    return tuple(
        Casualty(SPACES[space].id, owner, at)
        for space in TERRITORIES[territory].spaces
        for at, owner in reversed(tuple(enumerate(state.piles[space])))
        if owner in owners
    )


def selections(pool: Casualties, due: int) -> Iterator[Casualties]:
    """Ways to take *due* counters of *pool* that may differ in effect, the default way first.

    Counters of one owner that lie side by side are alike, except the bottom one of a pile.
    """
    groups = tuple(_group_alike(pool))
    if due > len(pool):
        return
    counts = [0] * len(groups)
    _fill(groups, counts, 0, due)
    while True:
        chosen = zip(groups, counts, strict=True)
        yield tuple(counter for group, count in chosen for counter in group[:count])
        if not _advance(groups, counts):
            return


def _fill(groups: Sequence[Casualties], counts: list[int], start: int, due: int) -> None:
    """Take *due* counters from the groups from *start* on, as many as possible from each in turn."""
    for index in range(start, len(groups)):
        counts[index] = min(due, len(groups[index]))
        due -= counts[index]


def _advance(groups: Sequence[Casualties], counts: list[int]) -> bool:
    """The next way to take as many counters: one fewer of a group, one more of those after it."""
    taken = room = 0
    for index in range(len(groups) - 1, -1, -1):
        if counts[index] and room > taken:
            counts[index] -= 1
            _fill(groups, counts, index + 1, taken + 1)
            return True
        taken += counts[index]
        room += len(groups[index])
    return False


def _group_alike(pool: Casualties) -> Iterator[Casualties]:
    group: list[Casualty] = []
    for counter in pool:
        if group and not _is_beside(group[-1], counter):
            yield tuple(group)
            group = []
        group.append(counter)
    if group:
        yield tuple(group)


def _is_beside(upper: Casualty, lower: Casualty) -> bool:
    """Return True if *lower* is right below *upper*, has the same owner and is not the bottom counter."""
    same = (lower.space, lower.owner) == (upper.space, upper.owner)
    return same and lower.position == upper.position - 1 > 0


def outcome(state: State, casualties: Casualties) -> tuple[Pile, ...]:
    """All piles as they would be after these losses."""
    piles = list(state.piles)
    for name, left in _outcome(state, casualties):
        piles[SPACE[name]] = left
    return tuple(piles)


_Outcome = frozenset[tuple[str, Pile]]
"""By space the piles that losses leave; every other pile is as it was."""


def _outcome(state: State, casualties: Casualties) -> _Outcome:
    lost: dict[str, list[int]] = {}
    for loss in casualties:
        lost.setdefault(loss.space, []).append(loss.position)
    return frozenset((name, _settle(state.piles[SPACE[name]], frozenset(at))) for name, at in lost.items())


@lru_cache(2048)
def _settle(pile: Pile, positions: frozenset[int]) -> Pile:
    """Settle losses as :func:`settle_losses` does; many selections leave the same pile."""
    return settle_losses(pile, positions)


def list_distinct(
    state: State, pool: Casualties, due: int, always: Casualties = (), *, with_bottoms: bool = False
) -> Iterator[Casualties]:
    """The selections that really differ when *always* is lost besides (COL-20-04, R-10).

    *with_bottoms* tells apart whether bottom counters are lost: more counters may fall at the same time.
    """
    seen: set[tuple[_Outcome, frozenset[str]]] = set()
    for chosen in islice(selections(pool, due), MOST_WAYS):
        bottoms = {loss.space for loss in chosen if with_bottoms and not loss.position}
        result = (_outcome(state, (*always, *chosen)), frozenset(bottoms))
        if result not in seen:
            seen.add(result)
            yield chosen


def is_forced(state: State, pool: Casualties, due: int, enemy: Casualties, enemy_due: int) -> bool:
    """Return True if every allowed selection leaves the same piles, whatever *enemy_due* of *enemy* fall."""
    together = ((theirs, mine) for theirs in selections(enemy, enemy_due) for mine in selections(pool, due))
    first: dict[Casualties, _Outcome] = {}
    for theirs, mine in islice(together, MOST_WAYS):
        result = _outcome(state, (*theirs, *mine))
        if first.setdefault(theirs, result) != result:
            return False
    return True


def find_named(
    state: State, territory: int, wanted: Sequence[tuple[str, int, int | None]], due: int
) -> Casualties:
    """The counters named as (space, owner, position or None); Rejected unless they are *due* real ones."""
    numbers = [checks.space_number(space) for space, _, _ in wanted]
    if len(wanted) != due:
        raise Rejected("wrong_number_of_casualties", f"Choose exactly {due} counters.")
    found: list[Casualty] = []
    for number, (space, owner, position) in zip(numbers, wanted, strict=True):
        if SPACES[number].territory != territory:
            raise _invalid(territory)
        pile = state.piles[number]
        taken = {c.position for c in found if c.space == space}
        at = find_highest(pile, owner, taken) if position is None else position
        if at is None or at in taken or at >= len(pile) or pile[at] != owner:
            raise _invalid(territory)
        found.append(Casualty(space, owner, at))
    return tuple(found)


def _invalid(territory: int) -> Rejected:
    name = TERRITORIES[territory].name
    return Rejected("invalid_casualty", f"Name counters that lie in {name}, each once, with their owner.")


def removal_move(
    command: type[Command],
    *,
    take: Callable[[Draft, Seat, Any], None],
    legal: Callable[[State, Seat], Iterator[Command]],
    label: Callable[[State, Seat, Any], str],
) -> Move[State]:
    """The move by which counters are named that fall; listed are those ways that really differ."""

    def one(state: State, seat: Seat, chance: Chance) -> Command:
        return chance.pick(tuple(islice(legal(state, seat), FEW_WAYS)))

    return Move(
        command=command,
        take=take,
        legal=legal,
        most=MOST,
        target=_find_spaces,
        label=label,
        sample=one,
    )


def _find_spaces(command: Any) -> frozenset[str]:
    return frozenset(loss.space for loss in command.casualties)


# --- losing ------------------------------------------------------------------------------------


def lose(
    draft: Draft,
    territory: int,
    casualties: Casualties,
    cause: Literal["rebellion", "war"],
    by: tuple[int, ...],
) -> None:
    """Remove a batch, check control without Diplomacy moves, then Colonies (COL-20-06, COL-22-07)."""
    before = draft.state
    draft.emit(f.CountersLost(TERRITORIES[territory].id, casualties, cause, by))
    for space in TERRITORIES[territory].spaces:
        gone = {c.position for c in casualties if c.space == SPACES[space].id}
        if gone:
            check_control(draft, space, before.piles[space], gone)
    check_colony(draft, territory)


def check_control(draft: Draft, space: int, before: Pile, gone: set[int]) -> None:
    """Settle the control of a space after a loss (COL-05-14, COL-05-15, COL-05-17)."""
    left, stack = draft.state.piles[space], settle_losses(before, gone)
    if stack and (stack != left or stack[0] != before[0]):
        draft.emit(f.ControlChanged(SPACES[space].id, before[0], stack[0], "loss", stack))


def check_colony(draft: Draft, territory: int) -> None:
    """Take away a Colony without a counter of its owner (COL-08-04, COL-08-05, COL-08-10)."""
    state = draft.state
    owner = state.lands[territory].colony
    if owner is None or present(state, territory, owner):
        return
    name, prestige = TERRITORIES[territory].id, state.players[owner].prestige
    city = state.booming_city is not None and state.booming_city.territory == name
    lost = min(1, prestige)
    city_lost = min(1, prestige - lost) if city else 0
    draft.emit(f.ColonyLost(owner, name, lost, city_lost, state.lands[territory].unrest))
    draft.emit(f.IndependenceBegan(name))
