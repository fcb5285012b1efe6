"""Consequences that many steps share: Diplomacy, control, Colonies, Unrest, Prestige, victory."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from events.rules.fact import Fact
from events.rules.kit.overseas.piles import (
    find_broken_by_taking,
    find_majority_owner,
    find_most_or_lowest,
    monopolies_by_seat,
)
from events.rules.kit.values import remember_latest
from events.rules.steps import Draft
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.data import (
    AMERICAN,
    CONSTANTS,
    DIPLOMACY,
    SPACE,
    SPACES,
    TABLES,
    TERRITORIES,
    TERRITORY,
    WORLD,
)
from events.titles.colonial_revised.derived import (
    colonies_by_seat,
    compute_net_pp,
    counters,
    double_if,
    half_up,
    is_empty,
    largest_group,
    loan_penalty,
    ranking_keys,
    standings,
)
from events.titles.colonial_revised.parts import Markers, SpaceCount
from events.titles.colonial_revised.state import SOURCES, Controllers, Land, Standing, State, controllers

TIE_BREAKS = ("", "colonies", "monopolies", "resources", "war_victories")


def move_diplomacy(draft: Draft[State], seat: int, by: int, reason: str) -> None:
    """Move a Diplomacy marker, never beyond the ends (REV-131)."""
    at = draft.state.players[seat].diplomacy
    to = min(max(at + by, 1), DIPLOMACY)
    if to != at:
        draft.emit(f.DiplomacyMoved(seat=seat, from_=at, to=to, reason=reason))


def lift_america(draft: Draft[State], seat: int, territory: int) -> None:
    """A counter in the Americas, or exploring there, frees of the penalty for good (REV-141)."""
    if territory in AMERICAN and not draft.state.players[seat].america_free:
        draft.emit(f.AmericaPenaltyLifted(seat=seat))


# --- control -------------------------------------------------------------------------------------


def control_after_placing(draft: Draft[State], before: State, seat: int, spaces: Iterable[int]) -> None:
    """Take vacant spaces and take over others, each for at most 1 Diplomacy (REV-064 to REV-066).

    Whose Monopoly breaks is judged before each single space is taken, in the order of *spaces*;
    control, Monopolies and Diplomacy are settled space by space (REV-249).
    """
    control = list(controllers(before))
    for space in dict.fromkeys(spaces):
        was = control[space]
        if was == seat:
            continue
        if was is None:
            penalised, reason = (
                find_broken_by_taking(WORLD, control, space, seat) is not None,
                "monopoly_broken",
            )
        elif find_majority_owner(draft.state.piles[space]) == seat:
            penalised, reason = True, "space_taken_over"
        else:
            continue
        _take_space(draft, space, was, seat, penalised=penalised)
        control[space] = seat
        _record_monopolies(draft, monopolies_by_seat(WORLD, control, before.seats))
        if penalised:
            move_diplomacy(draft, seat, -1, reason)


def consequences(state: State, seat: int, placed: Mapping[int, int]) -> str:
    """Return the words for a button on what counters by space lead to; empty for nothing (REV-064).

    Such as ``, takes Gold in Guinea over from Red, 1 left on Diplomacy``.
    """
    control, said, left = list(controllers(state)), [], 0
    for space, count in placed.items():
        was = control[space]
        victim = find_broken_by_taking(WORLD, control, space, seat) if was is None else None
        if victim is not None:
            left += 1
            said.append(
                f"breaks the {w.resource_name(SPACES[space].resource)} Monopoly of {w.seat_name(victim)}"
            )
        elif was not in {None, seat} and find_majority_owner((*state.piles[space], *[seat] * count)) == seat:
            left += 1
            said.append(f"takes {w.space_name(SPACES[space].id)} over from {w.seat_name(was or 0)}")
        else:
            continue
        control[space] = seat
    moves = min(left, state.players[seat].diplomacy - 1)
    return "".join(f", {part}" for part in [*said, *([f"{moves} left on Diplomacy"] if moves else [])])


def removal_consequences(before: State, after: State, territory: int) -> str:
    """Return the words for a button on what counters that leave lead to; empty for nothing.

    Such as ``, Red takes control of Gold in Guinea, the Colony is lost`` (REV-067, REV-113).
    """
    land, place = before.lands[territory], TERRITORIES[territory]
    said = []
    for space in place.spaces:
        was, left = before.piles[space], after.piles[space]
        leader = find_most_or_lowest(left)
        if was != left and leader is not None and was[:1] != (leader,):
            said.append(f"{w.seat_name(leader)} takes control of {w.space_name(SPACES[space].id)}")
    owner = land.colony_owner
    if owner is not None and counters(after, owner, territory) < half_up(place.native_power):
        said.append("the Colony is lost")
    if is_empty(after, territory) and not land.independent:
        said.append("an Independent State remains")
    return "".join(f", {part}" for part in said)


def holds(state: State, seat: int, removals: Iterable[SpaceCount]) -> bool:
    """Return True if the seat has all these counters."""
    counts = Counter[str]()
    for entry in removals:
        counts[entry.space] += entry.count
    return all(
        space in SPACE and state.piles[SPACE[space]].count(seat) >= count for space, count in counts.items()
    )


def breaks_out(state: State, territory: int, markers: int) -> str:
    """Return the words for a button where so many markers set off the automatic Rebellion (REV-285)."""
    full = markers and state.lands[territory].unrest + markers >= CONSTANTS.auto_rebellion_unrest
    return f", a Rebellion breaks out in {TERRITORIES[territory].name}" if full else ""


def _take_space(draft: Draft[State], space: int, was: int | None, to: int | None, *, penalised: bool) -> None:
    draft.emit(f.ControlChanged(space=SPACES[space].id, from_=was, to=to, penalised=penalised))


def control_after_removal(draft: Draft[State], before: Controllers, spaces: Iterable[int]) -> None:
    """The highest count takes the bottom, among equals the lowest; no Diplomacy is lost (REV-067)."""
    for space in spaces:
        now = find_most_or_lowest(draft.state.piles[space])
        if now != before[space]:
            _take_space(draft, space, before[space], now, penalised=False)


# --- Colonies and independence ---------------------------------------------------------------------


def check_colony(draft: Draft[State], territory: int) -> bool:
    """A Colony with too few counters of its owner is lost at once (REV-113, REV-114)."""
    land = draft.state.lands[territory]
    owner = land.colony_owner
    if owner is None:
        return False
    if counters(draft.state, owner, territory) >= half_up(TERRITORIES[territory].native_power):
        return False
    name = TERRITORIES[territory].id
    draft.emit(f.ColonyLost(seat=owner, territory=name, pp=double_if(territory), cities=land.cities))
    return True


def check_independence(draft: Draft[State], territory: int) -> bool:
    """A Territory that has lost its last counter becomes an Independent State (REV-116)."""
    if not is_empty(draft.state, territory):
        return False
    if not draft.state.lands[territory].independent:
        draft.emit(f.TerritoryBecameIndependent(territory=TERRITORIES[territory].id))
    return True


# --- Unrest, one marker at a time: the fifth sets off a Rebellion at once (REV-126, REV-127) -------


def place_markers(draft: Draft[State], territory: int, count: int, reason: str) -> None:
    """Begin to place so many markers in one Territory."""
    if count:
        place_all(draft, [Markers(TERRITORIES[territory].id, count, reason)])


def place_all(draft: Draft[State], markers: Sequence[Markers]) -> None:
    """Place markers until all are placed or a Territory has five; the rest waits in the state."""
    waiting = list(markers)
    while waiting:
        due = waiting.pop(0)
        most = CONSTANTS.auto_rebellion_unrest
        room = most - draft.state.lands[TERRITORY[due.territory]].unrest
        count = min(due.count, room)
        if count < due.count:
            waiting.insert(0, Markers(due.territory, due.count - count, due.reason))
        draft.emit(f.UnrestPlaced(due.territory, count, due.reason, tuple(waiting)))
        if due.reason == "rebel":
            draft.emit(f.RebelMarked(territory=due.territory))
        if find_full(draft.state) is not None:
            return


def find_full(state: State) -> int | None:
    """The Territory in which an automatic Rebellion is due."""
    return next(iter(_list_full(state.lands)), None)


@remember_latest
def _list_full(lands: tuple[Land, ...]) -> tuple[int, ...]:
    most = CONSTANTS.auto_rebellion_unrest
    return tuple([number for number, land in enumerate(lands) if land.unrest >= most])


def lapse_markers(draft: Draft[State], territory: int) -> None:
    """Markers meant for a Territory that became an Independent State lapse (REV-127)."""
    name = TERRITORIES[territory].id
    left = draft.state.unrest_left
    gone = sum(marker.count for marker in left if marker.territory == name)
    if gone:
        kept = tuple(marker for marker in left if marker.territory != name)
        draft.emit(f.UnrestLapsed(name, gone, kept))


# --- Prestige and victory --------------------------------------------------------------------------


class _Settled:
    """The grounds on which nothing was due when a position was last settled."""

    grounds: tuple[object, ...] = ()


def settle(draft: Draft[State]) -> None:
    """Settle awards, Monopolies, Prestige; a seat with 10 net points wins (REV-090, REV-390).

    Most commands change nothing that counts here: the same grounds as the last time have nothing due either.
    """
    grounds = _list_grounds(draft.state)
    if grounds == _Settled.grounds:
        return
    before = len(draft.facts)
    progress_award(draft)
    _award(draft, "missions_award", [p.missions_placed for p in draft.state.players])
    _empires(draft)
    state = draft.state
    now = standings(state)
    changed = [seat for seat in range(state.seats) if now[seat] != state.players[seat].standing]
    if changed:
        _record_monopolies(draft, [standing.monopolies for standing in now])
        _record_prestige(draft, changed, now)
    for player in draft.state.players:
        if player.standing.total >= CONSTANTS.win_pp and compute_net_pp(player) >= CONSTANTS.win_pp:
            end_game(draft, "ten_points")
            break
    if len(draft.facts) == before:
        _Settled.grounds = grounds


def _list_grounds(state: State) -> tuple[object, ...]:
    """Return all that :func:`settle` goes by."""
    players = [
        (p.steps_bought, p.missions_placed, p.war_pp, p.empire_achieved, p.loans, p.standing)
        for p in state.players
    ]
    return (state.lands, state.piles, state.progress_award_holder, state.missions_award_holder, players)


def progress_award(draft: Draft[State]) -> None:
    """Give the award to the seat with the most Progress steps, from the fifth on (REV-092)."""
    _award(draft, "progress_award", [p.steps_bought for p in draft.state.players])


def _award(draft: Draft[State], award: str, counts: Sequence[int]) -> None:
    """The first to reach the number holds it; another takes it with a higher count (REV-092, REV-093)."""
    if award == "progress_award":
        holder, needed = draft.state.progress_award_holder, CONSTANTS.progress_award_steps
    else:
        holder, needed = draft.state.missions_award_holder, CONSTANTS.missions_award_count
    if max(counts) < needed:
        return
    best = max(range(len(counts)), key=lambda seat: (counts[seat], seat == holder, -seat))
    if best != holder and (holder is None or counts[best] > counts[holder]):
        draft.emit(f.AwardTransferred(award=award, from_=holder, to=best))


def _empires(draft: Draft[State]) -> None:
    """Give a lasting point to each seat that ever has 5 adjacent Colonies (REV-095)."""
    for seat, owned in enumerate(colonies_by_seat(draft.state)):
        if len(owned) < TABLES.adjacency_large or draft.state.players[seat].empire_achieved:
            continue
        if largest_group(owned) >= TABLES.adjacency_large:
            draft.emit(f.EmpireAchieved(seat=seat))


def _record_monopolies(draft: Draft[State], held: Sequence[Sequence[str]]) -> None:
    """Record the Monopolies that each seat gained and lost since the last record (REV-062, REV-063)."""
    lost: list[Fact] = []
    gained: list[Fact] = []
    for seat, (player, new) in enumerate(zip(draft.state.players, held, strict=True)):
        old = player.standing.monopolies
        lost += [f.MonopolyLost(seat, *_find_named(name)) for name in old if name not in new]
        gained += [f.MonopolyGained(seat, *_find_named(name)) for name in sorted(new) if name not in old]
    for fact in (*gained, *lost):
        draft.emit(fact)


def _find_named(monopoly: str) -> tuple[str, str | None]:
    """The Resource, and the space where that is the Monopoly (REV-063)."""
    if "." in monopoly:
        return monopoly.rsplit(".", 1)[1], monopoly
    return monopoly, None


def _record_prestige(draft: Draft[State], seats: Iterable[int], now: Sequence[Standing]) -> None:
    for seat in seats:
        for source in SOURCES:
            old = draft.state.players[seat].standing
            delta = getattr(now[seat], source) - getattr(old, source)
            if delta:
                draft.emit(f.PrestigeChanged(seat=seat, source=source, delta=delta, total=old.total + delta))


def end_game(draft: Draft[State], reason: str) -> None:
    """The most net Prestige wins; ties go down the list, then are shared (REV-391, REV-396)."""
    draft.emit(f.GameEnded(reason=reason))
    if reason == "end_roll":
        amounts = tuple(min(player.treasury, player.loans) for player in draft.state.players)
        draft.emit(f.LoansRepaidAtEnd(amount_by_player=amounts))
    for seat, player in enumerate(draft.state.players):
        if player.loans:
            draft.emit(f.LoanPenaltyApplied(seat=seat, pp=loan_penalty(player.loans)))
    keys = ranking_keys(draft.state)
    best = max(keys)
    winners = tuple(seat for seat, key in enumerate(keys) if key == best)
    draft.emit(f.GameWon(seats=winners, net_pp=best[0], tie_break=_tie_break(keys, winners)))


def _tie_break(keys: Sequence[tuple[int, ...]], winners: tuple[int, ...]) -> str:
    if len(winners) > 1:
        return "shared"
    best = keys[winners[0]]
    for depth in range(1, len(best) + 1):
        if sum(1 for key in keys if key[:depth] == best[:depth]) == 1:
            return TIE_BREAKS[depth - 1]
    return ""
