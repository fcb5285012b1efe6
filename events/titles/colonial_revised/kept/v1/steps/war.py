"""A year of war: land, sea, military expedition, decisions (REV-315 to REV-339)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised.kept.v1 import commands as c
from events.titles.colonial_revised.kept.v1 import facts as f
from events.titles.colonial_revised.kept.v1 import words as w
from events.titles.colonial_revised.kept.v1.checks import (
    can_pay,
    check_at_least_one,
    check_inside,
    check_logistics,
    economy_allows,
    make_space_counts,
    merge_counts,
    territory_number,
    usable_spaces,
)
from events.titles.colonial_revised.kept.v1.data import CONSTANTS, SPACES, TABLES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.kept.v1.derived import (
    count_sent_unrest,
    counters,
    expedition_right,
    fleet_of,
    members,
    removal_order,
    side_of,
)
from events.titles.colonial_revised.kept.v1.offers import (
    MOST,
    draw_percent,
    draw_up_to,
    entries,
    pick,
    scatter,
    splits,
)
from events.titles.colonial_revised.kept.v1.parts import Loss, SeatCount, SideCounts, SideFaces
from events.titles.colonial_revised.kept.v1.state import ATTACKER, DEFENDER, State, War, require
from events.titles.colonial_revised.kept.v1.steps.settlement import check_colony, check_independence, lift_america
from events.titles.colonial_revised.kept.v1.steps.unrest import place_markers
from events.titles.colonial_revised.kept.v1.steps.war_end import end_war

Shares = dict[int, int]
Faces = tuple[int, ...]


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
    """Fight the year: every shared Territory in map order, then the sea (REV-317, REV-320)."""
    draft.emit(f.WarYearBegan(year=the_war(draft).year + 1))
    for territory in TERRITORIES:
        _land_battle(draft, territory.number)
    _naval_battle(draft)


def _land_battle(draft: Draft[State], territory: int, *, expedition: bool = False) -> None:
    """Both sides roll at once; each Success is one loss of the enemy there (REV-317, REV-319)."""
    state, war = draft.state, the_war(draft)
    ours, theirs = pieces(state, war, ATTACKER, territory), pieces(state, war, DEFENDER, territory)
    kind = f.ExpeditionBattleFought if expedition else f.LandBattleFought
    one, other = war_dice(sum(ours.values()), sum(theirs.values()))
    if not (one and other):
        if expedition:
            draft.emit(kind(TERRITORIES[territory].id, *record_rolls((), ()), ()))
        return
    first, second = (
        draft.chance.roll(one, TABLES.success_faces),
        draft.chance.roll(other, TABLES.success_faces),
    )
    gone = alternate(ours, war.attacker, sum(second)) | alternate(theirs, war.defender, sum(first))
    losses = tuple(
        Loss(seat, SPACES[space].id, count)
        for seat, number in gone.items()
        for space, count in removal_order(state, territory, seat, number, rebellion=False).items()
    )
    draft.emit(kind(TERRITORIES[territory].id, *record_rolls(first, second), losses))
    check_colony(draft, territory)
    check_independence(draft, territory)


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
    draft.emit(f.NavalBattleFought(*record_rolls(first, second), tuple(squadrons), tuple(fleets)))


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


def _label_expedition(_state: State, _seat: int, command: c.SendExpedition) -> str:
    if command.territory is None:
        return "No military expedition"
    return f"Expedition to {w.territory_name(command.territory)}: {w.format_sent(command.placements)}"


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
