"""Every Rebellion: allotting losses, averting them, what falls, entering a lost Colony."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.kit.overseas.offers import grid
from events.rules.kit.overseas.piles import find_majority_owner
from events.rules.kit.words import format_list
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import (
    can_pay,
    check_inside,
    economy_allows,
    make_space_counts,
    merge_counts,
    merge_losses,
    space_number,
    usable_spaces,
)
from events.titles.colonial_revised.data import CONSTANTS, SPACE, SPACES, TABLES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import (
    all_vulnerable,
    count_vulnerable,
    half_up,
    is_empty,
    native_power,
    removal_order,
    vulnerable_in,
)
from events.titles.colonial_revised.offers import MOST, draw_percent, draw_up_to, names, pick
from events.titles.colonial_revised.parts import Loss, SpaceCount
from events.titles.colonial_revised.state import Rebellion, State, controllers, require
from events.titles.colonial_revised.steps.settlement import (
    check_colony,
    check_independence,
    control_after_removal,
    lapse_markers,
    lift_america,
    move_diplomacy,
)

Holding = tuple[int, int]
"""A victim, and a space on which they have counters."""


def break_out(draft: Draft[State], territory: int) -> None:
    """The automatic Rebellion at the fifth Unrest, by the rules of a Territory (REV-285, REV-287)."""
    state = draft.state
    open_to_loss = all_vulnerable(state, territory)
    missions = state.lands[territory].missions
    dice = half_up(native_power(state, territory)) * CONSTANTS.auto_rebellion_unrest
    faces = draft.chance.roll(dice if open_to_loss else 0, TABLES.success_faces)
    losses = min(open_to_loss, max(0, sum(faces) - missions))
    name = TERRITORIES[territory].id
    draft.emit(f.AutomaticRebellionBrokeOut(name, len(faces), faces, sum(faces), missions, losses))


def can_avert(state: State, seat: int) -> bool:
    """Return True if a victim can save at least one counter (REV-269)."""
    return state.players[seat].spendable >= CONSTANTS.avert_cost


def can_enter(state: State, rebellion: Rebellion) -> bool:
    """Return True if the Rebel's player can enter the lost Colony (REV-277)."""
    seat = rebellion.seat
    if seat is None:
        return False
    player = state.players[seat]
    return player.spendable > 0 and bool(usable_spaces(player, TERRITORY[rebellion.territory]))


def go_on(draft: Draft[State], rebellion: Rebellion) -> None:
    """The next automatic part of a Rebellion."""
    territory = TERRITORY[rebellion.territory]
    if rebellion.step == "allot":
        losses = rank_losses(draft.state, territory, rebellion.losses)
        draft.emit(f.LossesAllotted(rebellion.territory, losses))
    elif rebellion.step == "avert":
        _follow_averting(draft, rebellion, territory)
    elif rebellion.step == "entry":
        draft.emit(
            f.DecisionSkipped(require(rebellion.seat), "enter_after_rebellion", "no_treasury_or_space")
        )
    else:
        settle_unrest(draft, territory)
        close(draft, territory)


def _follow_averting(draft: Draft[State], rebellion: Rebellion, territory: int) -> None:
    penniless = [seat for seat in rebellion.awaiting if not can_avert(draft.state, seat)]
    if penniless:
        draft.emit(f.DecisionSkipped(penniless[0], "avert_losses", "no_treasury"))
        return
    take_losses(draft, rebellion, territory)
    if require(draft.state.rebellion).step == "entry":
        protect_survivors(draft, territory)
        return
    settle_unrest(draft, territory)
    protect_survivors(draft, territory)
    close(draft, territory)


def rank_losses(state: State, territory: int, losses: int) -> tuple[Loss, ...]:
    """Automatic sharing: one each by rank, repeated; spaces by the removal order (REV-286)."""
    return share(state, territory, ranking(state, territory), losses)


def ranking(state: State, territory: int) -> list[int]:
    """Return the seats with vulnerable counters: most first, later in player order on ties (REV-286)."""
    held = {seat: vulnerable_in(state, territory, seat) for seat in state.order}
    late = {seat: place for place, seat in enumerate(state.order)}
    return sorted((seat for seat in held if held[seat]), key=lambda seat: (-held[seat], -late[seat]))


def share(state: State, territory: int, rank: list[int], losses: int) -> tuple[Loss, ...]:
    """One loss each in that ranking, repeated, skipping exhausted players."""
    left = {seat: vulnerable_in(state, territory, seat) for seat in rank}
    taken = dict.fromkeys(rank, 0)
    while losses and any(left.values()):
        for seat in rank:
            if losses and left[seat]:
                left[seat], taken[seat], losses = left[seat] - 1, taken[seat] + 1, losses - 1
    return as_losses(state, territory, taken)


def as_losses(state: State, territory: int, taken: dict[int, int]) -> tuple[Loss, ...]:
    """Losses of players as losses on spaces, by the removal order (REV-007)."""
    return tuple(
        Loss(seat, SPACES[space].id, count)
        for seat, number in taken.items()
        if number
        for space, count in removal_order(state, territory, seat, number, rebellion=True).items()
    )


def _check_protected(state: State, losses: dict[tuple[int, int], int]) -> None:
    """Check that no counter that survived a Rebellion this turn is hit (REV-270)."""
    for (victim, space), count in losses.items():
        if count_vulnerable(state, space, victim) < count <= state.piles[space].count(victim):
            raise Rejected(
                "protected_counter", "Counters that survived a Rebellion this turn are safe: choose others."
            )


def allot_losses(draft: Draft[State], seat: int, command: c.AllotLosses) -> None:
    """Allot all losses as the Rebel's player chooses, their own counters last (REV-268)."""
    state, rebellion = draft.state, require(draft.state.rebellion)
    territory = TERRITORY[rebellion.territory]
    losses = merge_losses(state, command.losses)
    check_inside(territory, {space for _, space in losses})
    if sum(losses.values()) != rebellion.losses:
        raise Rejected("wrong_total", f"Allot exactly {rebellion.losses} losses.")
    _check_protected(state, losses)
    if any(state.piles[space].count(victim) < count for (victim, space), count in losses.items()):
        raise Rejected("not_enough_counters", "There are fewer counters than that: allot what is there.")
    own = sum(count for (victim, _), count in losses.items() if victim == seat)
    others = all_vulnerable(state, territory) - vulnerable_in(state, territory, seat)
    if own and rebellion.losses - own < others:
        raise Rejected("own_counters_last", "Take your own counters only after all those of others.")
    entries = tuple(Loss(victim, SPACES[space].id, n) for (victim, space), n in losses.items())
    draft.emit(f.LossesAllotted(rebellion.territory, entries))


def avert_losses(draft: Draft[State], seat: int, command: c.AvertLosses) -> None:
    """2 T per counter saved (REV-269)."""
    rebellion = require(draft.state.rebellion)
    saved = merge_counts(command.saved)
    allotted = {SPACE[loss.space]: loss.count for loss in rebellion.allotment if loss.seat == seat}
    if any(count > allotted.get(space, 0) for space, count in saved.items()):
        raise Rejected("more_than_allotted", "Save at most the counters that you are about to lose.")
    cost = CONSTANTS.avert_cost * sum(saved.values())
    can_pay(draft.state.players[seat], cost)
    draft.emit(f.LossesAverted(seat, rebellion.territory, make_space_counts(saved), cost))


def take_losses(draft: Draft[State], rebellion: Rebellion, territory: int) -> None:
    """Counters leave, control changes without Diplomacy, a Colony may fall (REV-273, REV-113)."""
    before = controllers(draft.state)
    for victim in dict.fromkeys(loss.seat for loss in rebellion.allotment):
        gone = tuple(
            SpaceCount(loss.space, loss.count) for loss in rebellion.allotment if loss.seat == victim
        )
        draft.emit(f.CountersLost(rebellion.territory, victim, gone, "rebellion"))
    if draft.state.war is None:
        control_after_removal(draft, before, TERRITORIES[territory].spaces)
    check_colony(draft, territory)


def protect_survivors(draft: Draft[State], territory: int) -> None:
    """Make counters that were there and survived safe this turn; later ones are not (REV-270)."""
    state = draft.state
    survivors = tuple(
        Loss(seat, SPACES[space].id, count)
        for space in TERRITORIES[territory].spaces
        for seat in range(state.seats)
        if (count := state.piles[space].count(seat))
    )
    if survivors:
        draft.emit(f.CountersProtected(TERRITORIES[territory].id, survivors))


def enter_after_rebellion(draft: Draft[State], seat: int, command: c.EnterAfterRebellion) -> None:
    """1 T to a space of the lost Colony for 1 Diplomacy, or nothing (REV-277)."""
    state, rebellion = draft.state, require(draft.state.rebellion)
    if command.space is None:
        draft.emit(f.RebelStayedOut(seat=seat, territory=rebellion.territory))
        return
    space, territory = space_number(command.space), TERRITORY[rebellion.territory]
    economy_allows(state.players[seat], [space])
    check_inside(territory, [space])
    can_pay(state.players[seat], 1)
    draft.emit(f.RebelEntered(seat=seat, space=command.space))
    lift_america(draft, seat, territory)
    _control_after_entry(draft, state, seat, space)
    move_diplomacy(draft, seat, -1, "rebel_entered")


def _control_after_entry(draft: Draft[State], before: State, seat: int, space: int) -> None:
    """Entry may take a vacant space or take one over, but costs no further Diplomacy (REV-277)."""
    old = before.piles[space][:1]
    pile = draft.state.piles[space]
    others = max((pile.count(other) for other in set(pile) if other != seat), default=0)
    if old != (seat,) and pile.count(seat) > others:
        was = old[0] if old else None
        draft.emit(f.ControlChanged(space=SPACES[space].id, from_=was, to=seat, penalised=False))


def settle_unrest(draft: Draft[State], territory: int) -> None:
    """Unrest after a Rebellion: none in an emptied Territory, else half of it goes (REV-272, REV-278)."""
    rebellion = require(draft.state.rebellion)
    unrest = draft.state.lands[territory].unrest
    emptied = rebellion.removed and is_empty(draft.state, territory)
    if emptied:
        check_independence(draft, territory)
    gone = unrest if emptied else unrest // 2
    if gone:
        draft.emit(f.UnrestRemoved(territory=rebellion.territory, count=gone, reason="rebellion"))


def close(draft: Draft[State], territory: int) -> None:
    """The Rebellion is over; markers still meant for an emptied Territory lapse (REV-127)."""
    removed = require(draft.state.rebellion).removed
    draft.emit(f.RebellionEnded(territory=TERRITORIES[territory].id))
    if removed and is_empty(draft.state, territory):
        lapse_markers(draft, territory)


# --- who decides ---------------------------------------------------------------------------------


def _others_first(state: State, seat: int) -> c.AllotLosses:
    """Allot losses by the automatic ranking, with the Rebel's player last (REV-286, REV-268)."""
    rebellion = require(state.rebellion)
    territory = TERRITORY[rebellion.territory]
    rank = [victim for victim in ranking(state, territory) if victim != seat]
    others = min(rebellion.losses, sum(vulnerable_in(state, territory, victim) for victim in rank))
    own = share(state, territory, [seat], rebellion.losses - others)
    return c.AllotLosses(losses=share(state, territory, rank, others) + own)


def _allotments(state: State, seat: int) -> Iterator[c.AllotLosses]:
    """The default ranking first, then every other way to allot the losses (REV-268)."""
    first = _others_first(state, seat)
    yield first
    losses, held = require(state.rebellion).losses, _open_to_loss(state)
    others = {key: count for key, count in held.items() if key[0] != seat}
    own = {key: count for key, count in held.items() if key[0] == seat}
    due = min(losses, sum(others.values()))
    seen = frozenset(first.losses)
    for part in _ways(list(others.items()), due):
        for mine in _ways(list(own.items()), losses - due):
            allotted = tuple(Loss(v, SPACES[s].id, n) for (v, s), n in (*part, *mine))
            if frozenset(allotted) != seen:
                yield c.AllotLosses(allotted)


def _open_to_loss(state: State) -> dict[Holding, int]:
    """Vulnerable counters by victim and space."""
    spaces = TERRITORIES[TERRITORY[require(state.rebellion).territory]].spaces
    return {
        (victim, space): count
        for victim in range(state.seats)
        for space in spaces
        if (count := count_vulnerable(state, space, victim))
    }


def _ways(held: list[tuple[Holding, int]], count: int) -> Iterator[tuple[tuple[Holding, int], ...]]:
    """All ways to take so many from the holdings."""
    if not count:
        yield ()
        return
    if not held:
        return
    (key, most), *rest = held
    for here in range(min(most, count), -1, -1):
        for tail in _ways(rest, count - here):
            yield ((key, here), *tail) if here else tail


def _label_allotment(_state: State, _seat: int, command: c.AllotLosses) -> str:
    parts = (f"{e.count} of {w.seat_name(e.seat)} on {w.short_space(e.space)}" for e in command.losses)
    return f"Losses: {format_list(parts)}"


def _sample_allotment(state: State, seat: int, chance: Chance) -> Command:
    rebellion = require(state.rebellion)
    left = {
        (victim, space): count_vulnerable(state, space, victim)
        for space in TERRITORIES[TERRITORY[rebellion.territory]].spaces
        for victim in range(state.seats)
    }
    taken: dict[Holding, int] = {}
    for _ in range(rebellion.losses):
        others = [key for key, count in left.items() if count and key[0] != seat]
        key = pick(chance, others or [key for key, count in left.items() if count])
        left[key] -= 1
        taken[key] = taken.get(key, 0) + 1
    return c.AllotLosses(tuple(Loss(v, SPACES[s].id, n) for (v, s), n in taken.items()))


ALLOT_LOSSES: Step[State] = Step(
    kind="allot_losses",
    asked=lambda state: (require(state.rebellion).seat,),
    default=_others_first,
    sample=_sample_allotment,
    moves=(
        Move(
            command=c.AllotLosses,
            take=allot_losses,
            legal=_allotments,
            most=MOST,
            target=lambda command: frozenset((loss.seat, loss.space) for loss in command.losses),
            label=_label_allotment,
        ),
    ),
)


def _who_can_avert(state: State) -> tuple[int, ...]:
    return tuple(seat for seat in require(state.rebellion).awaiting if can_avert(state, seat))


def _savings(state: State, seat: int) -> Iterator[c.AvertLosses]:
    mine = [loss for loss in require(state.rebellion).allotment if loss.seat == seat]
    most = state.players[seat].spendable // CONSTANTS.avert_cost
    for counts in grid(range(min(loss.count, most), -1, -1) for loss in mine):
        if sum(counts) <= most:
            saved = [SpaceCount(loss.space, n) for loss, n in zip(mine, counts, strict=True) if n]
            yield c.AvertLosses(tuple(saved))


def _label_saving(_state: State, _seat: int, command: c.AvertLosses) -> str:
    cost = CONSTANTS.avert_cost * sum(entry.count for entry in command.saved)
    return f"Pay {cost} T to save {w.format_on_spaces(command.saved)}" if command.saved else "Save nothing"


def _sample_saving(state: State, seat: int, chance: Chance) -> Command:
    purse, saved = state.players[seat].spendable, []
    for loss in require(state.rebellion).allotment:
        if loss.seat == seat:
            count = draw_up_to(chance, min(loss.count, purse // CONSTANTS.avert_cost))
            if count:
                saved.append(SpaceCount(loss.space, count))
                purse -= count * CONSTANTS.avert_cost
    return c.AvertLosses(tuple(saved))


AVERT_LOSSES = Step(
    kind="avert_losses",
    asked=_who_can_avert,
    default=lambda _state, _seat: c.AvertLosses(saved=()),
    sample=_sample_saving,
    moves=(
        Move(
            command=c.AvertLosses,
            take=avert_losses,
            legal=_savings,
            most=MOST,
            target=lambda command: frozenset(entry.space for entry in command.saved),
            label=_label_saving,
        ),
    ),
)


def _who_can_enter(state: State) -> tuple[int | None, ...]:
    rebellion = require(state.rebellion)
    return (rebellion.seat,) if can_enter(state, rebellion) else ()


def _entry_spaces(state: State, seat: int) -> tuple[int, ...]:
    return usable_spaces(state.players[seat], TERRITORY[require(state.rebellion).territory])


def _entries(state: State, seat: int) -> Iterator[c.EnterAfterRebellion]:
    yield from (c.EnterAfterRebellion(space) for space in (*names(_entry_spaces(state, seat)), None))


def _label_entry(state: State, seat: int, command: c.EnterAfterRebellion) -> str:
    if command.space is None:
        return "Stay out"
    space = SPACE.get(command.space)
    pile = () if space is None else state.piles[space]
    taken = bool(pile) and pile[0] != seat and find_majority_owner((*pile, seat)) == seat
    took = f", takes it over from {w.seat_name(pile[0])}" if taken else ""
    left = ", 1 left on Diplomacy" if state.players[seat].diplomacy > 1 else ""
    return f"Enter with 1 T: {w.space_name(command.space)}{took}{left}"


def _sample_entry(state: State, seat: int, chance: Chance) -> Command:
    spaces = _entry_spaces(state, seat)
    return c.EnterAfterRebellion(SPACES[pick(chance, spaces)].id if draw_percent(chance, 70) else None)


ENTER_AFTER_REBELLION = Step(
    kind="enter_after_rebellion",
    asked=_who_can_enter,
    default=lambda _state, _seat: c.EnterAfterRebellion(),
    sample=_sample_entry,
    moves=(
        Move(command=c.EnterAfterRebellion, take=enter_after_rebellion, legal=_entries, label=_label_entry),
    ),
)
