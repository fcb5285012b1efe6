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
    can_pay,
    check_at_least_one,
    check_inside,
    check_logistics,
    economy_allows,
    is_explored,
    make_space_counts,
    merge_counts,
    territory_number,
    usable_spaces,
)
from events.titles.colonial_revised.data import SPACE, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import (
    count_sent_unrest,
    counters,
    list_explored,
    list_territories_of,
    own_counters,
)
from events.titles.colonial_revised.offers import (
    draw_counters,
    draw_percent,
    draw_up_to,
    entries,
    list_capped_splits,
    pick,
    scatter,
    splits,
)
from events.titles.colonial_revised.state import State, controllers, remove
from events.titles.colonial_revised.steps.cards import Character, character, use
from events.titles.colonial_revised.steps.settlement import (
    breaks_out,
    check_colony,
    check_independence,
    consequences,
    control_after_placing,
    control_after_removal,
    holds,
    lift_america,
    place_markers,
    removal_consequences,
)


def count_most_to_send(state: State, seat: int, territory: int) -> int:
    """Return the most counters that the seat may send there (REV-246, REV-247).

    It is Logistics, or 1 as a guest without counters.
    """
    owner = state.lands[territory].colony_owner
    if owner is None or owner == seat:
        return state.players[seat].logistics
    return 0 if counters(state, seat, territory) else 1


def send_counters(draft: Draft[State], seat: int, command: c.SendCounters) -> None:
    """Treasury to spaces; control per space, then Unrest (REV-245 to REV-249)."""
    territory, counts = territory_number(command.territory), merge_counts(command.placements)
    state, sent = draft.state, sum(counts.values())
    player = state.players[seat]
    check_at_least_one(sent)
    is_explored(state, territory)
    check_logistics(player, sent)
    _check_access(state, seat, territory, sent)
    economy_allows(player, counts)
    check_inside(territory, counts)
    can_pay(player, sent)
    use(draft, seat, "viceroy")
    draft.emit(f.CountersSent(seat=seat, territory=command.territory, placements=make_space_counts(counts)))
    control_after_placing(draft, state, seat, counts)
    place_markers(draft, territory, count_sent_unrest(sent), "viceroy")
    lift_america(draft, seat, territory)


def _check_access(state: State, seat: int, territory: int, sent: int) -> None:
    """REV-247, REV-111: one guest in a Colony of another."""
    if sent > count_most_to_send(state, seat, territory):
        raise Rejected(
            "colony_access",
            "Send one counter to another player's Colony, and only while you have none there.",
        )


def recall_counters(draft: Draft[State], seat: int, command: c.RecallCounters) -> None:
    """Counters back to the Treasury; Colonies and Territories may fall free (REV-250)."""
    territory, counts = territory_number(command.territory), merge_counts(command.removals)
    state, taken = draft.state, sum(counts.values())
    check_at_least_one(taken)
    check_logistics(state.players[seat], taken)
    check_inside(territory, counts)
    if any(state.piles[space].count(seat) < count for space, count in counts.items()):
        raise Rejected(
            "not_enough_counters", "You have fewer counters there: take back at most what you have."
        )
    use(draft, seat, "viceroy")
    draft.emit(f.CountersRecalled(seat=seat, territory=command.territory, removals=make_space_counts(counts)))
    control_after_removal(draft, controllers(state), counts)
    check_colony(draft, territory)
    check_independence(draft, territory)


# --- offers --------------------------------------------------------------------------------------


def _sendings(state: State, seat: int) -> Iterator[c.SendCounters]:
    player = state.players[seat]
    for place in list_explored(state):
        spaces = usable_spaces(player, place)
        for count in range(min(player.spendable, count_most_to_send(state, seat, place)), 0, -1):
            for split in splits(spaces, count):
                yield c.SendCounters(TERRITORIES[place].id, entries(split))


def _recalls(state: State, seat: int) -> Iterator[c.RecallCounters]:
    for place in list_territories_of(state, seat):
        held = own_counters(state, seat, place)
        for count in range(1, min(state.players[seat].logistics, sum(held.values())) + 1):
            for split in list_capped_splits(held, count):
                yield c.RecallCounters(TERRITORIES[place].id, entries(split))


def _label_sending(state: State, seat: int, command: c.SendCounters) -> str:
    sent = f"Viceroy: send to {w.territory_name(command.territory)}: {w.format_sent(command.placements)}"
    number = TERRITORY.get(command.territory)
    if number is None or any(entry.space not in SPACE for entry in command.placements):
        return sent
    counts = merge_counts(command.placements)
    unrest = breaks_out(state, number, count_sent_unrest(sum(counts.values())))
    return f"{sent}{consequences(state, seat, counts)}{unrest}"


def _label_recall(state: State, seat: int, command: c.RecallCounters) -> str:
    back = sum(entry.count for entry in command.removals)
    taken = w.format_from_spaces(command.removals)
    said = f"Viceroy: take back {back} T from {w.territory_name(command.territory)}: {taken}"
    number = TERRITORY.get(command.territory)
    if number is None or not holds(state, seat, command.removals):
        return said
    return said + removal_consequences(state, remove(state, seat, command.removals), number)


def _sample(state: State, seat: int, chance: Chance) -> Command | None:
    return (
        _sample_recall(state, seat, chance)
        if draw_percent(chance, 8)
        else _sample_sending(state, seat, chance)
    )


def _sample_recall(state: State, seat: int, chance: Chance) -> Command | None:
    mine = list_territories_of(state, seat)
    if not mine:
        return None
    place = pick(chance, mine)
    held = own_counters(state, seat, place)
    count = 1 + draw_up_to(chance, min(state.players[seat].logistics, sum(held.values())) - 1)
    return c.RecallCounters(TERRITORIES[place].id, entries(draw_counters(chance, held, count)))


def _sample_sending(state: State, seat: int, chance: Chance) -> Command | None:
    places, player = list_explored(state), state.players[seat]
    if not places:
        return None
    place = pick(chance, places)
    spaces = usable_spaces(player, place)
    most = min(player.spendable, count_most_to_send(state, seat, place))
    if most < 1 or not spaces:
        return None
    sent = scatter(chance, spaces, 1 + draw_up_to(chance, most - 1))
    return c.SendCounters(TERRITORIES[place].id, entries(sent))


_counters = partial(character, "viceroy", target=lambda command: command.territory)
SEND_COUNTERS = _counters(c.SendCounters, take=send_counters, legal=_sendings, label=_label_sending)
RECALL_COUNTERS = _counters(c.RecallCounters, take=recall_counters, legal=_recalls, label=_label_recall)
VICEROY = Character("viceroy", (SEND_COUNTERS, RECALL_COUNTERS), _sample)
