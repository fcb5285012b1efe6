"""A war, year by year (COL-22).

The server rolls; belligerents choose casualties, re-rolls and surrender.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from events.rules.fact import Seat
from events.rules.kit.words import format_count
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import ChooseWarCasualties, DecideSurrender, FightYear, RerollSeaDice
from events.titles.colonial.data import RULES, TERRITORY, space_name
from events.titles.colonial.derived import counters, list_shared_territories
from events.titles.colonial.offers import draw_percent
from events.titles.colonial.parts import Dice, SeaLoss, Target
from events.titles.colonial.state import Battle, State, War, nation
from events.titles.colonial.steps import losses
from events.titles.colonial.steps.endeavour.rounds import finish
from events.titles.colonial.words import removal, successes

ATTACKER, DEFENDER = 0, 1


def sides(war: War) -> tuple[int, int]:
    """The belligerents: attacker, defender."""
    return war.attacker, war.defender


def the_war(state: State) -> War:
    """The war in progress; ValueError if there is none."""
    if state.war is None:
        raise ValueError("no war is being fought")
    return state.war


def fight_year(draft: Draft, seat: None, command: FightYear) -> None:
    """Fight on with the year until somebody has to decide (COL-22-03); the server gives this command."""
    war = the_war(draft.state)
    if not war.year_open:
        draft.emit(
            f.WarYearBegan(war.year + 1, list_shared_territories(draft.state, war.attacker, war.defender))
        )
    elif war.sea is not None:
        _sea_losses(draft)
        return
    while the_war(draft.state).battles:
        if not _battle(draft):
            return
    _sea_battle(draft)


FIGHT_YEAR = Step[State](
    kind="fight_year",
    asked=lambda _state: (None,),
    moves=(Move(command=FightYear, take=fight_year, label="Fight on"),),
    default=lambda _state, _seat: FightYear(),
)


# --- on land -----------------------------------------------------------------------------------


def enemy_counters(state: State, war: War, territory: int, side: int) -> losses.Casualties:
    """Return the enemy's counters from which a side may choose casualties (COL-22-06)."""
    return losses.counters_of(state, territory, [sides(war)[1 - side]])


def _battle(draft: Draft) -> bool:
    """Fight one battle on land; return False if a belligerent has a real choice (COL-22-05 to COL-22-07)."""
    state, war = draft.state, the_war(draft.state)
    number = TERRITORY[war.battles[0]]
    counts = [counters(state, seat, number) for seat in sides(war)]
    dice = [draft.roll(min(RULES.war_dice, count)) for count in counts]
    due = (min(sum(dice[0]), counts[1]), min(sum(dice[1]), counts[0]))
    pools = [enemy_counters(state, war, number, side) for side in (ATTACKER, DEFENDER)]
    asked = (
        not losses.is_forced(state, pools[0], due[0], pools[1], due[1]),
        not losses.is_forced(state, pools[1], due[1], pools[0], due[0]),
    )
    draft.emit(f.LandBattleRolled(war.battles[0], war.attacker, war.defender, dice[0], dice[1], due, asked))
    if any(asked):
        return False
    if any(due):
        _settle_battle(draft)
    return True


def choosing_side(war: War, seat: Seat) -> int | None:
    """The side of a seat that has casualties to choose, chosen or not; None otherwise."""
    battle = war.battle
    if war.step != "casualties" or battle is None or seat not in sides(war):
        return None
    side = sides(war).index(seat)
    return side if battle.asked[side] else None


def open_side(war: War, seat: Seat) -> int | None:
    """The side of a seat that has casualties to choose and has not chosen; None otherwise."""
    side = choosing_side(war, seat)
    return None if side is None or war.battle is None or war.battle.chosen[side] is not None else side


def choose_war_casualties(draft: Draft, seat: Seat, command: ChooseWarCasualties) -> None:
    """Choose casualties secretly, until both have chosen; both sides' come off together (COL-22-06)."""
    state = draft.state
    war = the_war(state)
    side, battle = choosing_side(war, seat), war.battle
    if side is None or battle is None:
        return
    enemy, number = sides(war)[1 - side], TERRITORY[battle.territory]
    wanted = [(target.space, enemy, target.position) for target in command.casualties]
    chosen = losses.find_named(state, number, wanted, battle.due[side])
    draft.emit(f.WarCasualtiesChosen(seat, battle.territory, chosen))
    if not any(open_side(the_war(draft.state), other) is not None for other in sides(war)):
        _settle_battle(draft)


def _settle_battle(draft: Draft) -> None:
    """Remove both sides' casualties, then settle control and Colonies (COL-22-06 to COL-22-08)."""
    war = the_war(draft.state)
    battle = war.battle
    if battle is None:
        return
    number = TERRITORY[battle.territory]
    off = [loss for side in (ATTACKER, DEFENDER) for loss in _find_inflicted(draft.state, war, battle, side)]
    by = tuple(seat for seat, due in zip(sides(war), battle.due, strict=True) if due)
    losses.lose(draft, number, tuple(off), "war", by)


def _find_inflicted(state: State, war: War, battle: Battle, side: int) -> losses.Casualties:
    """Return the casualties that a side inflicts: its choice, or else the only way there is."""
    chosen = battle.chosen[side]
    if chosen is not None:
        return chosen
    return next(casualty_ways(state, war, battle, side))


def casualty_ways(state: State, war: War, battle: Battle, side: int) -> Iterator[losses.Casualties]:
    """The selections of a side that really differ, the default one first."""
    pool = enemy_counters(state, war, TERRITORY[battle.territory], side)
    return losses.list_distinct(state, pool, battle.due[side], with_bottoms=battle.due[1 - side] > 0)


def _choices(state: State, seat: Seat) -> Iterator[ChooseWarCasualties]:
    war = the_war(state)
    side = choosing_side(war, seat)
    if side is not None and war.battle is not None:
        for chosen in casualty_ways(state, war, war.battle, side):
            yield ChooseWarCasualties(tuple(Target(loss.space, loss.position) for loss in chosen))


def _removal(state: State, seat: Seat, command: ChooseWarCasualties) -> str:
    return removal([space_name(target.space) for target in command.casualties], command.casualties)


def _list_choosing(state: State) -> list[Seat]:
    war = the_war(state)
    return [seat for seat in sides(war) if open_side(war, seat) is not None]


def _has_chosen(state: State, seat: Seat) -> bool:
    war = the_war(state)
    if war.battle is None or seat not in sides(war):
        return False
    return war.battle.chosen[sides(war).index(seat)] is not None


CHOOSE_WAR_CASUALTIES = Step[State](
    kind="choose_war_casualties",
    asked=_list_choosing,
    covered=_has_chosen,
    moves=(
        losses.removal_move(ChooseWarCasualties, take=choose_war_casualties, legal=_choices, label=_removal),
    ),
    default=lambda state, seat: next(_choices(state, seat)),
)


# --- at sea ------------------------------------------------------------------------------------


def _sea_battle(draft: Draft) -> None:
    """Fight at sea (COL-22-09); Great Britain may re-roll before losses (COL-25-18)."""
    war = the_war(draft.state)
    squadrons = [draft.player(seat).squadrons for seat in sides(war)]
    if not any(squadrons):
        _end_check(draft)
        return
    dice = [draft.roll(min(RULES.war_dice, count)) for count in squadrons]
    draft.emit(f.SeaBattleRolled(war.attacker, war.defender, dice[0], dice[1]))
    for seat, rolled in zip(sides(war), dice, strict=True):
        card = nation(draft.player(seat))
        if card and card.sea_reroll and rolled:
            draft.emit(f.ChoiceOffered(seat, "reroll"))
            return
    _sea_losses(draft)


def reroller(state: State) -> int | None:
    """Return the seat that may re-roll its sea dice now, or None."""
    war = state.war
    if war is None or war.step != "reroll":
        return None
    cards = {seat: nation(state.players[seat]) for seat in sides(war)}
    return next((seat for seat, card in cards.items() if card and card.sea_reroll), None)


def reroll_sea_dice(draft: Draft, seat: Seat, command: RerollSeaDice) -> None:
    """Re-roll all own dice, once a year; the second result stands (COL-25-18)."""
    war = draft.state.war
    if war is None or war.sea is None or reroller(draft.state) != seat:
        raise Rejected(
            "reroll_not_available",
            "Great Britain may re-roll once a year, right after the sea roll; keep this roll.",
        )
    if command.reroll:
        old = war.sea[sides(war).index(seat)]
        draft.emit(f.SeaDiceRerolled(seat, old, draft.roll(len(old))))
    else:
        draft.emit(f.SeaRerollDeclined(seat))
    _sea_losses(draft)


def _rerollers(state: State) -> tuple[Seat, ...]:
    seat = reroller(state)
    return () if seat is None else (seat,)


def _label_reroll(state: State, seat: Seat, command: RerollSeaDice) -> str:
    war = state.war
    if war is None or war.sea is None or seat not in sides(war):
        return "Re-roll"
    dice = war.sea[sides(war).index(seat)]
    number = format_count(len(dice), "die", "dice")
    return f"Re-roll {number}" if command.reroll else f"Keep the {number} with {successes(sum(dice))}"


REROLL_SEA_DICE = Step[State](
    kind="reroll_sea_dice",
    asked=_rerollers,
    moves=(
        Move(
            command=RerollSeaDice,
            take=reroll_sea_dice,
            legal=lambda _state, _seat: (RerollSeaDice(reroll=True), RerollSeaDice(reroll=False)),
            label=_label_reroll,
            own_words=True,
        ),
    ),
    default=lambda _state, _seat: RerollSeaDice(reroll=False),
)


def _sea_losses(draft: Draft) -> None:
    """Take Squadrons, then Merchant Fleets, from both sides at once (COL-22-10)."""
    war = the_war(draft.state)
    attacker_dice, defender_dice = war.sea or ((), ())
    draft.emit(
        f.SeaLossesTaken(
            (
                _sea_loss(draft, war.attacker, defender_dice),
                _sea_loss(draft, war.defender, attacker_dice),
            )
        )
    )
    _end_check(draft)


def _sea_loss(draft: Draft, seat: Seat, enemy: Dice) -> SeaLoss:
    player, hits = draft.player(seat), sum(enemy)
    squadrons = min(hits, player.squadrons)
    return SeaLoss(seat, squadrons, min(hits - squadrons, player.merchant_fleets))


# --- end of the year ---------------------------------------------------------------------------


def _end_check(draft: Draft) -> None:
    """End the war for a side unable to fight; else offer surrender (COL-22-11 to COL-22-14)."""
    war, state = the_war(draft.state), draft.state
    shared = bool(list_shared_territories(state, war.attacker, war.defender))
    able = [shared or state.players[seat].squadrons > 0 for seat in sides(war)]
    if all(able):
        draft.emit(f.ChoiceOffered(war.defender, "surrender"))
    elif any(able):
        _end(draft, "defeat", sides(war)[able.index(False)])
    else:
        draft.emit(f.WarEnded("draw", None, None, war.year))
        finish(draft, war.attacker)


def decide_surrender(draft: Draft, seat: Seat, command: DecideSurrender) -> None:
    """Surrender or fight on: the defender first, then the attacker (COL-22-14 to COL-22-17)."""
    war = the_war(draft.state)
    if command.surrender:
        draft.emit(f.Surrendered(seat, war.year))
        _end(draft, "surrender", seat)
        return
    draft.emit(f.SurrenderDeclined(seat, war.year))
    if seat == war.defender:
        draft.emit(f.ChoiceOffered(war.attacker, "surrender"))


def _gives_up(state: State, seat: Seat) -> DecideSurrender:
    """A war of absent players must end: after many years the attacker gives up."""
    war = the_war(state)
    return DecideSurrender(surrender=war.year >= RULES.patience and seat == war.attacker)


def _list_deciding(state: State) -> tuple[Seat, ...]:
    seat = the_war(state).deciding
    return () if seat is None else (seat,)


def _label_surrender(state: State, seat: Seat, command: DecideSurrender) -> str:
    prestige = min(1, state.players[seat].prestige)
    return f"Surrender (lose {prestige or 'no'} Prestige)" if command.surrender else "Fight on"


DECIDE_SURRENDER = Step[State](
    kind="decide_surrender",
    asked=_list_deciding,
    moves=(
        Move(
            command=DecideSurrender,
            take=decide_surrender,
            legal=lambda _state, _seat: (DecideSurrender(surrender=False), DecideSurrender(surrender=True)),
            label=_label_surrender,
            sample=lambda _state, _seat, chance: DecideSurrender(surrender=draw_percent(chance, 30)),
        ),
    ),
    default=_gives_up,
)


def _end(draft: Draft, result: Literal["surrender", "defeat"], loser: int) -> None:
    """End the war; 1 Prestige changes hands, if there is one (COL-22-13, COL-22-15, COL-07-03)."""
    war = the_war(draft.state)
    winner = war.attacker if loser == war.defender else war.defender
    draft.emit(f.PrestigeTaken(loser, winner, min(1, draft.player(loser).prestige)))
    draft.emit(f.WarEnded(result, winner, loser, war.year))
    finish(draft, war.attacker)
