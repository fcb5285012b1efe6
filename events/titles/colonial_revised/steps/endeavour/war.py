"""A year of war: land, sea, military expedition, decisions (REV-315 to REV-339)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from events.rules.chance import Chance
from events.rules.kit.words import format_list
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import (
    can_pay,
    check_at_least_one,
    check_inside,
    check_logistics,
    economy_allows,
    make_space_counts,
    merge_counts,
    merge_losses,
    territory_number,
    usable_spaces,
)
from events.titles.colonial_revised.data import CONSTANTS, SPACES, TABLES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import (
    count_sent_unrest,
    counters,
    expedition_right,
    fleet_of,
    members,
    own_counters,
    removal_order,
    side_of,
)
from events.titles.colonial_revised.offers import (
    MOST,
    draw_percent,
    draw_up_to,
    entries,
    list_capped_splits,
    pick,
    scatter,
    splits,
)
from events.titles.colonial_revised.parts import Loss, SeatCount, SideCounts, SideFaces
from events.titles.colonial_revised.state import ATTACKER, DEFENDER, Battle, State, War, require
from events.titles.colonial_revised.steps.endeavour.war_end import end_war
from events.titles.colonial_revised.steps.settlement import (
    breaks_out,
    check_colony,
    check_independence,
    lift_america,
    place_markers,
)

Shares = dict[int, int]
Faces = tuple[int, ...]
SIDES = (ATTACKER, DEFENDER)


def the_war(draft: Draft[State]) -> War:
    """The war that is being fought."""
    return require(draft.state.war)


def war_dice(attackers: int, defenders: int) -> tuple[int, int]:
    """Dice of both sides: at most 5 each, 4 for the smaller where both would roll 5 (REV-316)."""
    most = CONSTANTS.war_dice_max
    one, other = min(most, attackers), min(most, defenders)
    if one == other == most:
        if attackers < defenders:
            one = CONSTANTS.war_dice_lesser
        elif defenders < attackers:
            other = CONSTANTS.war_dice_lesser
    return one, other


def alternate(held: Shares, principal: int, losses: int) -> Shares:
    """Losses of a side: first from whom has more, then alternating; on equality the principal (REV-318)."""
    rank = sorted(held, key=lambda seat: (-held[seat], seat != principal))
    return share_in_turn(held, rank, losses)


def share_in_turn(held: Shares, rank: list[int], losses: int) -> Shares:
    """Return the losses by seat: one each in that order, repeated; those with none left are skipped."""
    left, taken = dict(held), dict.fromkeys(rank, 0)
    while losses and any(left[seat] for seat in rank):
        for seat in rank:
            if losses and left[seat]:
                left[seat], taken[seat], losses = left[seat] - 1, taken[seat] + 1, losses - 1
    return {seat: count for seat, count in taken.items() if count}


def record_rolls(attacker: Faces, defender: Faces) -> tuple[SideFaces, SideCounts]:
    """The dice of a battle and their Successes, as facts write them."""
    return SideFaces(attacker, defender), SideCounts(sum(attacker), sum(defender))


def pieces(state: State, war: War, side: str, territory: int) -> Shares:
    """Counters of a side's players in a Territory."""
    return {seat: counters(state, seat, territory) for seat in members(war, side)}


def fight_year(draft: Draft[State], seat: int | None, command: c.FightYear) -> None:
    """Fight the year until a principal has to choose: shared Territories, then the sea (REV-317, REV-320)."""
    state, war = draft.state, the_war(draft)
    shared = tuple(
        place.id
        for place in TERRITORIES
        if all(sum(pieces(state, war, side, place.number).values()) for side in (ATTACKER, DEFENDER))
    )
    draft.emit(f.WarYearBegan(war.year + 1, shared))
    _fight_on(draft)


def _fight_on(draft: Draft[State]) -> None:
    """Fight the battles of the year that are left, until a principal has to choose casualties."""
    while battles := the_war(draft).battles:
        _land_battle(draft, TERRITORY[battles[0]])
        if the_war(draft).step == "casualties":
            return
    _naval_battle(draft)


def _land_battle(draft: Draft[State], territory: int, *, expedition: bool = False) -> None:
    """Both sides roll at once; each Success is one loss of the enemy there (REV-317 to REV-319)."""
    state, war = draft.state, the_war(draft)
    ours, theirs = pieces(state, war, ATTACKER, territory), pieces(state, war, DEFENDER, territory)
    one, other = war_dice(sum(ours.values()), sum(theirs.values()))
    if not (one and other):  # an expedition whose target a Rebellion has emptied
        one = other = 0
    first, second = (
        draft.chance.roll(one, TABLES.success_faces),
        draft.chance.roll(other, TABLES.success_faces),
    )
    ours_due, theirs_due = (
        alternate(ours, war.attacker, sum(second)),
        alternate(theirs, war.defender, sum(first)),
    )
    due = tuple(SeatCount(seat, count) for seat, count in (ours_due | theirs_due).items())
    asked = (
        has_choice(state, territory, theirs_due),
        has_choice(state, territory, ours_due),
    )
    kind = f.ExpeditionBattleFought if expedition else f.LandBattleFought
    name = TERRITORIES[territory].id
    draft.emit(kind(name, war.attacker, war.defender, *record_rolls(first, second), due, asked))
    if due and not any(asked):
        _take_casualties(draft)


# --- casualties on land ----------------------------------------------------------------------------


def has_choice(state: State, territory: int, due: Shares) -> bool:
    """Return True if such losses of a side can be taken in more than one way."""
    for seat, count in due.items():
        held = own_counters(state, seat, territory)
        if len(held) > 1 and count < sum(held.values()):
            return True
    return False


def count_inflicted(war: War, battle: Battle, side: int) -> Shares:
    """Return the losses by seat that a side (0 the Attacker's, 1 the Defender's) inflicts in a battle."""
    enemy = members(war, SIDES[1 - side])
    return {entry.seat: entry.count for entry in battle.due if entry.seat in enemy}


def casualty_ways(state: State, war: War, battle: Battle, side: int) -> Iterator[tuple[Loss, ...]]:
    """All casualties that a side may choose, by the standard removal order first (REV-007, REV-317)."""
    first = _take_by_removal_order(state, war, battle, side)
    yield first
    territory, due = TERRITORY[battle.territory], count_inflicted(war, battle, side)
    for ways in product(
        *(
            [(seat, split) for split in list_capped_splits(own_counters(state, seat, territory), count)]
            for seat, count in due.items()
        )
    ):
        losses = tuple(Loss(seat, SPACES[s].id, n) for seat, split in ways for s, n in split)
        if frozenset(losses) != frozenset(first):
            yield losses


def _take_by_removal_order(state: State, war: War, battle: Battle, side: int) -> tuple[Loss, ...]:
    territory = TERRITORY[battle.territory]
    return tuple(
        Loss(seat, SPACES[space].id, count)
        for seat, number in count_inflicted(war, battle, side).items()
        for space, count in removal_order(state, territory, seat, number, rebellion=False).items()
    )


def open_side(war: War, seat: int) -> int | None:
    """The side of a principal who has casualties to choose and has not chosen; None otherwise."""
    battle, principals = war.battle, (war.attacker, war.defender)
    if war.step != "casualties" or battle is None or seat not in principals:
        return None
    side = principals.index(seat)
    return side if battle.asked[side] and battle.chosen[side] is None else None


def choose_casualties(draft: Draft[State], seat: int, command: c.ChooseCasualties) -> None:
    """Choose in secret which of the enemy's counters fall; both sides' leave together (REV-317)."""
    state, war = draft.state, the_war(draft)
    battle = require(war.battle)
    territory, side = TERRITORY[battle.territory], require(open_side(war, seat))
    losses = merge_losses(state, command.losses)
    check_inside(territory, {space for _, space in losses})
    _check_due(count_inflicted(war, battle, side), losses)
    if any(state.piles[space].count(victim) < count for (victim, space), count in losses.items()):
        raise Rejected("not_enough_counters", "There are fewer counters than that: choose what is there.")
    chosen = tuple(Loss(victim, SPACES[space].id, n) for (victim, space), n in losses.items())
    draft.emit(f.CasualtiesChosen(seat, battle.territory, chosen))
    if not _list_choosing(draft.state):
        _take_casualties(draft)
        if the_war(draft).step == "battles":
            _fight_on(draft)


def _check_due(due: Shares, losses: dict[tuple[int, int], int]) -> None:
    """Check that each player loses as many counters as the rules say (REV-318)."""
    taken: Shares = {}
    for (victim, _), count in losses.items():
        taken[victim] = taken.get(victim, 0) + count
    if taken != due:
        exact = format_list(f"{w.counters(count)} of {w.seat_name(seat)}" for seat, count in due.items())
        raise Rejected("wrong_total", f"Choose exactly {exact}.")


def _take_casualties(draft: Draft[State]) -> None:
    """Remove both sides' casualties; a Colony may fall at once (REV-317, REV-319)."""
    state, war = draft.state, the_war(draft)
    battle = require(war.battle)
    losses = [
        loss
        for side in (1, 0)
        for loss in battle.chosen[side] or _take_by_removal_order(state, war, battle, side)
    ]
    territory = TERRITORY[battle.territory]
    draft.emit(f.CasualtiesTaken(battle.territory, tuple(losses)))
    check_colony(draft, territory)
    check_independence(draft, territory)


# --- at sea ----------------------------------------------------------------------------------------


def _naval_battle(draft: Draft[State]) -> None:
    """Squadrons against Squadrons; Merchant Fleets pay when there are none (REV-320, REV-321)."""
    state, war = draft.state, the_war(draft)
    one, other = war_dice(fleet_of(state, war, ATTACKER), fleet_of(state, war, DEFENDER))
    first, second = (
        draft.chance.roll(one, TABLES.success_faces),
        draft.chance.roll(other, TABLES.success_faces),
    )
    squadrons: list[SeatCount] = []
    fleets: list[SeatCount] = []
    for side, losses in ((ATTACKER, sum(second)), (DEFENDER, sum(first))):
        sunk, destroyed = naval_losses(state, war, side, losses)
        squadrons += [SeatCount(seat, count) for seat, count in sunk.items()]
        fleets += [SeatCount(seat, count) for seat, count in destroyed.items()]
    rolls = record_rolls(first, second)
    draft.emit(f.NavalBattleFought(war.attacker, war.defender, *rolls, tuple(squadrons), tuple(fleets)))


def naval_losses(state: State, war: War, side: str, losses: int) -> tuple[Shares, Shares]:
    """Squadrons first, as on land; the rest destroys Merchant Fleets, the principal's first (REV-321)."""
    seats = members(war, side)
    sunk = alternate({s: state.players[s].squadrons for s in seats}, seats[0], losses)
    rest = losses - sum(sunk.values())
    fleets = {s: state.players[s].merchant_fleets for s in seats}
    return sunk, share_in_turn(fleets, list(seats), rest)


# --- military expedition ---------------------------------------------------------------------------


def enemy_colonies(state: State, seat: int) -> tuple[int, ...]:
    """Colonies of the other side in which the seat may land (REV-326)."""
    war = require(state.war)
    enemy = members(war, DEFENDER if side_of(war, seat) == ATTACKER else ATTACKER)
    return tuple(t for t, land in enumerate(state.lands) if land.colony_owner in enemy)


def can_send_expedition(state: State, seat: int) -> bool:
    """Return True if the seat has Treasury, and a target with a space that it may use."""
    player = state.players[seat]
    return player.spendable > 0 and any(usable_spaces(player, t) for t in enemy_colonies(state, seat))


def send_expedition(draft: Draft[State], seat: int, command: c.SendExpedition) -> None:
    """1 up to Logistics T to one enemy Colony; Unrest first, then the battle (REV-325 to REV-328)."""
    state = draft.state
    if command.territory is None:
        draft.emit(f.ExpeditionDeclined(seat=seat))
        return
    player = state.players[seat]
    territory, counts = territory_number(command.territory), merge_counts(command.placements)
    sent = sum(counts.values())
    check_at_least_one(sent)
    if territory not in enemy_colonies(state, seat):
        raise Rejected("not_enemy_colony", "Send the expedition to a Colony of the enemy side, or nowhere.")
    check_logistics(player, sent)
    economy_allows(player, counts)
    check_inside(territory, counts)
    can_pay(player, sent)
    draft.emit(f.ExpeditionSent(seat, command.territory, make_space_counts(counts)))
    lift_america(draft, seat, territory)
    place_markers(draft, territory, count_sent_unrest(sent), "expedition")


# --- the end of a year -----------------------------------------------------------------------------


def go_on(draft: Draft[State], war: War) -> None:
    """The automatic parts after the fighting."""
    if war.step == "expedition":
        seat = expedition_right(draft.state)
        draft.emit(f.DecisionSkipped(war.attacker if seat is None else seat, "send_expedition", "no_target"))
    elif war.step == "battles":
        _fight_on(draft)
    elif war.step == "expedition_battle":
        _land_battle(draft, TERRITORY[require(war.expedition_territory)], expedition=True)
    else:
        check(draft)


def check(draft: Draft[State]) -> bool:
    """End the war if a side is left without Squadrons; return True if so (REV-336).

    Otherwise the decisions of the year follow.
    """
    state, war = draft.state, the_war(draft)
    ours, theirs = fleet_of(state, war, ATTACKER), fleet_of(state, war, DEFENDER)
    if not ours and not theirs:
        end_war(draft, "undecided", "both_without_squadrons")
    elif not theirs:
        end_war(draft, "attacker_won", "forced")
    elif not ours:
        end_war(draft, "defender_won", "forced")
    else:
        if war.step == "check":
            draft.emit(f.YearOfWarEnded(year=war.year))
        return False
    return True


def decide_war(draft: Draft[State], seat: int, command: c.DecideWar) -> None:
    """Allies go on or leave, principals go on or surrender (REV-337 to REV-339).

    Where all go on after the last year, the war ends undecided (REV-336).
    """
    war = the_war(draft)
    if command.go_on:
        draft.emit(f.WarContinued(seat=seat))
        if war.step == DEFENDER and war.year >= CONSTANTS.war_years_max:
            end_war(draft, "undecided", "four_years")
    elif war.step in {"attacker_ally", "defender_ally"}:
        draft.emit(f.AllyLeftWar(seat=seat))
        check(draft)
    else:
        draft.emit(f.WarSurrendered(seat=seat))
        won = "defender_won" if war.step == ATTACKER else "attacker_won"
        end_war(draft, won, "surrender")


# --- who decides ---------------------------------------------------------------------------------

FIGHT_YEAR: Step[State] = Step(
    kind="war_year",
    asked=lambda _state: (None,),
    default=lambda _state, _seat: c.FightYear(),
    moves=(Move(command=c.FightYear, take=fight_year, label="Fight the year of war"),),
)


def _list_choosing(state: State) -> tuple[int, ...]:
    war = require(state.war)
    return tuple(seat for seat in (war.attacker, war.defender) if open_side(war, seat) is not None)


def _has_chosen(state: State, seat: int) -> bool:
    war = require(state.war)
    if war.battle is None or seat not in (war.attacker, war.defender):
        return False
    return war.battle.chosen[(war.attacker, war.defender).index(seat)] is not None


def _casualties(state: State, seat: int) -> Iterator[c.ChooseCasualties]:
    war = require(state.war)
    side = open_side(war, seat)
    if side is not None:
        for losses in casualty_ways(state, war, require(war.battle), side):
            yield c.ChooseCasualties(losses)


def _label_casualties(_state: State, _seat: int, command: c.ChooseCasualties) -> str:
    parts = (f"{e.count} of {w.seat_name(e.seat)} on {w.short_space(e.space)}" for e in command.losses)
    return f"Casualties: {format_list(parts)}"


CHOOSE_CASUALTIES: Step[State] = Step(
    kind="choose_casualties",
    asked=_list_choosing,
    answered=_has_chosen,
    default=lambda state, seat: next(_casualties(state, seat)),
    moves=(
        Move(
            command=c.ChooseCasualties,
            take=choose_casualties,
            legal=_casualties,
            most=MOST,
            target=lambda command: frozenset((loss.seat, loss.space) for loss in command.losses),
            label=_label_casualties,
        ),
    ),
)


def _who_may_send(state: State) -> tuple[int, ...]:
    seat = expedition_right(state)
    return (seat,) if seat is not None and can_send_expedition(state, seat) else ()


def _expeditions(state: State, seat: int) -> Iterator[c.SendExpedition]:
    player = state.players[seat]
    yield c.SendExpedition()
    for place in enemy_colonies(state, seat):
        for count in range(min(player.logistics, player.spendable), 0, -1):
            for split in splits(usable_spaces(player, place), count):
                yield c.SendExpedition(TERRITORIES[place].id, entries(split))


def _label_expedition(state: State, _seat: int, command: c.SendExpedition) -> str:
    """Only Unrest follows at once: control is settled at the end of the war (REV-328, REV-329)."""
    if command.territory is None:
        return "No military expedition"
    sent = f"Expedition to {w.territory_name(command.territory)}: {w.format_sent(command.placements)}"
    number = TERRITORY.get(command.territory)
    if number is None:
        return sent
    return sent + breaks_out(state, number, count_sent_unrest(sum(e.count for e in command.placements)))


def _sample_expedition(state: State, seat: int, chance: Chance) -> Command:
    player = state.players[seat]
    targets = [t for t in enemy_colonies(state, seat) if usable_spaces(player, t)]
    if draw_percent(chance, 30):
        return c.SendExpedition()
    place = pick(chance, targets)
    count = 1 + draw_up_to(chance, min(player.logistics, player.spendable) - 1)
    sent = scatter(chance, usable_spaces(player, place), count)
    return c.SendExpedition(TERRITORIES[place].id, entries(sent))


SEND_EXPEDITION = Step(
    kind="send_expedition",
    asked=_who_may_send,
    default=lambda _state, _seat: c.SendExpedition(),
    sample=_sample_expedition,
    moves=(
        Move(
            command=c.SendExpedition,
            take=send_expedition,
            legal=_expeditions,
            most=MOST,
            target=lambda command: command.territory,
            label=_label_expedition,
        ),
    ),
)


def _who_decides(state: State) -> tuple[int | None, ...]:
    war = require(state.war)
    return (
        {
            "attacker_ally": war.attacker_ally,
            ATTACKER: war.attacker,
            "defender_ally": war.defender_ally,
            DEFENDER: war.defender,
        }[war.step],
    )


def _label_decision(state: State, seat: int, command: c.DecideWar) -> str:
    last = state.war is not None and state.war.year >= CONSTANTS.war_years_max
    if command.go_on:
        return "Go on until the war ends undecided" if last else "Go on with the war"
    ally = state.war is not None and seat in {state.war.attacker_ally, state.war.defender_ally}
    return "Give up and leave the war" if ally else "Surrender"


DECIDE_WAR = Step(
    kind="decide_war",
    asked=_who_decides,
    default=lambda _state, _seat: c.DecideWar(go_on=True),
    sample=lambda _state, _seat, chance: c.DecideWar(go_on=draw_percent(chance, 70)),
    moves=(
        Move(
            command=c.DecideWar,
            take=decide_war,
            legal=lambda _state, _seat: (c.DecideWar(go_on) for go_on in (True, False)),
            label=_label_decision,
        ),
    ),
)
