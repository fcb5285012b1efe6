"""The Viceroy sends counters to one Territory, or takes counters back from one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import (
    at_least_one,
    can_pay,
    economy_allows,
    inside,
    is_explored,
    merged,
    placed,
    territory_number,
    usable_spaces,
    within_logistics,
)
from events.titles.colonial_revised.data import TERRITORIES
from events.titles.colonial_revised.derived import (
    controllers,
    counters,
    explored,
    own_counters,
    sent_unrest,
    with_counter,
)
from events.titles.colonial_revised.offers import (
    capped_splits,
    entries,
    often,
    pick,
    scattered,
    some_of,
    splits,
    upto,
)
from events.titles.colonial_revised.state import State
from events.titles.colonial_revised.steps.cards import Character, character, use
from events.titles.colonial_revised.steps.settlement import (
    check_colony,
    check_independence,
    control_after_placing,
    control_after_removal,
    lift_america,
)
from events.titles.colonial_revised.steps.unrest import place_markers


def most_to_send(state: State, seat: int, territory: int) -> int:
    """Return the most counters that the seat may send there (REV-246, REV-247).

    It is Logistics, or 1 as a guest without counters.
    """
    owner = state.lands[territory].colony_owner
    if owner is None or owner == seat:
        return state.players[seat].logistics
    return 0 if counters(state, seat, territory) else 1


def send_counters(draft: Draft[State], seat: int, command: c.SendCounters) -> None:
    """Treasury to spaces; control per space, then Unrest (REV-245 to REV-249)."""
    territory, counts = territory_number(command.territory), merged(command.placements)
    state, sent = draft.state, sum(counts.values())
    player = state.players[seat]
    at_least_one(sent)
    is_explored(state, territory)
    within_logistics(player, sent)
    _check_access(state, seat, territory, sent)
    economy_allows(player, counts)
    inside(territory, counts)
    can_pay(player, sent)
    use(draft, seat, "viceroy")
    draft.emit(f.CountersSent(seat=seat, territory=command.territory, placements=placed(counts)))
    control_after_placing(draft, state, seat, counts)
    place_markers(draft, territory, sent_unrest(sent), "viceroy")
    lift_america(draft, seat, territory)


def _check_access(state: State, seat: int, territory: int, sent: int) -> None:
    """REV-247, REV-111: one guest in a Colony of another."""
    if sent > most_to_send(state, seat, territory):
        raise Rejected(
            "colony_access",
            "To another player's Colony send one counter, and only while you have none there.",
        )


def recall_counters(draft: Draft[State], seat: int, command: c.RecallCounters) -> None:
    """Counters back to the Treasury; Colonies and Territories may fall free (REV-250)."""
    territory, counts = territory_number(command.territory), merged(command.removals)
    state, taken = draft.state, sum(counts.values())
    at_least_one(taken)
    within_logistics(state.players[seat], taken)
    inside(territory, counts)
    if any(state.piles[space].count(seat) < count for space, count in counts.items()):
        raise Rejected(
            "not_enough_counters", "You have fewer counters there: take back at most what you have."
        )
    use(draft, seat, "viceroy")
    draft.emit(f.CountersRecalled(seat=seat, territory=command.territory, removals=placed(counts)))
    control_after_removal(draft, controllers(state), counts)
    check_colony(draft, territory)
    check_independence(draft, territory)


# --- offers --------------------------------------------------------------------------------------


def _sendings(state: State, seat: int) -> Iterator[c.SendCounters]:
    player = state.players[seat]
    for place in explored(state):
        spaces = usable_spaces(player, place)
        for count in range(min(player.spendable, most_to_send(state, seat, place)), 0, -1):
            for split in splits(spaces, count):
                yield c.SendCounters(TERRITORIES[place].id, entries(split))


def _recalls(state: State, seat: int) -> Iterator[c.RecallCounters]:
    for place in with_counter(state, seat):
        held = own_counters(state, seat, place)
        for count in range(1, min(state.players[seat].logistics, sum(held.values())) + 1):
            for split in capped_splits(held, count):
                yield c.RecallCounters(TERRITORIES[place].id, entries(split))


def _label_sending(_state: State, _seat: int, command: c.SendCounters) -> str:
    return f"Viceroy: send to {w.territory_name(command.territory)}: {w.sent(command.placements)}"


def _label_recall(_state: State, _seat: int, command: c.RecallCounters) -> str:
    back = sum(entry.count for entry in command.removals)
    taken = w.from_spaces(command.removals)
    return f"Viceroy: take back {back} T from {w.territory_name(command.territory)}: {taken}"


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    return _some_recall(state, seat, chance) if often(chance, 8) else _some_sending(state, seat, chance)


def _some_recall(state: State, seat: int, chance: Chance) -> Command | None:
    mine = with_counter(state, seat)
    if not mine:
        return None
    place = pick(chance, mine)
    held = own_counters(state, seat, place)
    count = 1 + upto(chance, min(state.players[seat].logistics, sum(held.values())) - 1)
    return c.RecallCounters(TERRITORIES[place].id, entries(some_of(chance, held, count)))


def _some_sending(state: State, seat: int, chance: Chance) -> Command | None:
    places, player = explored(state), state.players[seat]
    if not places:
        return None
    place = pick(chance, places)
    spaces = usable_spaces(player, place)
    most = min(player.spendable, most_to_send(state, seat, place))
    if most < 1 or not spaces:
        return None
    sent = scattered(chance, spaces, 1 + upto(chance, most - 1))
    return c.SendCounters(TERRITORIES[place].id, entries(sent))


_counters = partial(character, "viceroy", target=lambda command: command.territory)
SEND_COUNTERS = _counters(c.SendCounters, take=send_counters, legal=_sendings, label=_label_sending)
RECALL_COUNTERS = _counters(c.RecallCounters, take=recall_counters, legal=_recalls, label=_label_recall)
VICEROY = Character("viceroy", (SEND_COUNTERS, RECALL_COUNTERS), _sample)
