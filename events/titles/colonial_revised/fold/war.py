"""Folds of wars, alliances, Escalations and the war against Privateers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.fact import Fact
from events.kit.values import put, without
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.derived import controllers, expedition_right, members
from events.titles.colonial_revised.fold.lands import counters_sent
from events.titles.colonial_revised.fold.values import by_seat, player, take
from events.titles.colonial_revised.state import ATTACKER, DEFENDER, Escalation, State, War, sure


def war(s: State, **changes: Any) -> State:
    """The state with fields of the war replaced."""
    return replace(s, war=replace(sure(s.war), **changes))


def escalation(s: State, **changes: Any) -> State:
    """The state with fields of the Escalation replaced."""
    return replace(s, escalation=replace(sure(s.escalation), **changes))


def _privateer_round(s: State, e: f.PrivateerWarRoundFought) -> State:
    s = player(s, e.seat, squadrons=s.players[e.seat].squadrons - e.squadrons_lost)
    for entry in e.sunk_by_owner:
        fleet = s.players[entry.seat].privateers
        s = player(s, entry.seat, privateers=put(fleet, e.seat, fleet[e.seat] - entry.count))
    counts = s.war_fought_this_turn or CONSTANTS.war_box_counts_privateer_war
    return replace(s, war_fought_this_turn=counts)


def _war_declared(s: State, e: f.WarDeclared) -> State:
    others = tuple(seat for seat in s.order if seat not in {e.attacker, e.defender})
    begun = War(
        attacker=e.attacker,
        defender=e.defender,
        step="offer_attacker",
        controllers=controllers(s),
        awaiting=others,
        choices=(None,) * s.seats,
    )
    return replace(s, war=begun, war_fought_this_turn=True)


def _war_box_taken(s: State, e: f.WarBoxTaken) -> State:
    return replace(player(s, e.seat, treasury=s.players[e.seat].treasury + e.amount), war_box=0)


def _alliance_offered(s: State, e: f.AllianceOffered) -> State:
    s = player(s, e.seat, escrow=s.players[e.seat].escrow + e.amount)
    if e.side == ATTACKER:
        return war(s, attacker_offer=e.amount, step="offer_defender")
    return war(s, defender_offer=e.amount, step="choice")


def _alliance_chosen(s: State, e: f.AllianceChosen) -> State:
    choices = put(sure(s.war).choices, e.seat, e.choice)
    return war(s, choices=choices, awaiting=without(sure(s.war).awaiting, [e.seat]))


def _choices_revealed(s: State, e: f.AllianceChoicesRevealed) -> State:
    return war(s, step="pick_attacker")


def _ally_accepted(s: State, e: f.AllyAccepted) -> State:
    if e.side == ATTACKER:
        return war(s, attacker_ally=e.seat, step="pick_defender")
    return war(s, defender_ally=e.seat, step="fight")


def _ally_declined(s: State, e: f.AllyDeclined) -> State:
    return war(s, step="pick_defender" if e.side == ATTACKER else "fight")


def _escrow_released(s: State, e: f.EscrowReleased) -> State:
    return player(s, e.seat, escrow=s.players[e.seat].escrow - e.amount)


def _year_started(s: State, e: f.WarYearBegan) -> State:
    return war(s, year=e.year, attacker_naval_losses=0, defender_naval_losses=0)


def _battle_fought(s: State, e: f.LandBattleFought | f.ExpeditionBattleFought) -> State:
    return take(s, [(loss.seat, loss.space, loss.count) for loss in e.losses])


def _expedition_fought(s: State, e: f.ExpeditionBattleFought) -> State:
    return war(_battle_fought(s, e), step="check")


def _naval_battle(s: State, e: f.NavalBattleFought) -> State:
    s = by_seat(s, "squadrons", {entry.seat: -entry.count for entry in e.squadrons_lost})
    s = by_seat(s, "merchant_fleets", {entry.seat: -entry.count for entry in e.merchant_fleets_lost})
    attackers = {sure(s.war).attacker, sure(s.war).attacker_ally}
    lost = (*e.squadrons_lost, *e.merchant_fleets_lost)
    mine = sum(entry.count for entry in lost if entry.seat in attackers)
    theirs = sum(entry.count for entry in lost) - mine
    s = war(s, attacker_naval_losses=mine, defender_naval_losses=theirs)
    return war(s, step="check" if expedition_right(s) is None else "expedition")


def _expedition_sent(s: State, e: f.ExpeditionSent) -> State:
    return war(counters_sent(s, e), step="expedition_battle", expedition_territory=e.territory)


def _expedition_declined(s: State, e: f.ExpeditionDeclined) -> State:
    return war(s, step="check")


def _year_ended(s: State, e: f.YearOfWarEnded) -> State:
    return war(s, step=after(sure(s.war), "check"), expedition_territory=None)


def after(w: War, step: str) -> str:
    """The next decision of the year, without Allies who are not there (REV-335); last the next year."""
    if step == "check":
        return "attacker_ally" if w.attacker_ally in members(w, ATTACKER) else "attacker"
    if step == "attacker_ally":
        return "attacker"
    if step == "attacker":
        return "defender_ally" if w.defender_ally in members(w, DEFENDER) else "defender"
    return "defender" if step == "defender_ally" else "fight"


def _ally_left(s: State, e: f.AllyLeftWar) -> State:
    return war(s, left=(*sure(s.war).left, e.seat), step=after(sure(s.war), sure(s.war).step))


def _war_continued(s: State, e: f.WarContinued) -> State:
    return war(s, step=after(sure(s.war), sure(s.war).step))


def _war_ended(s: State, e: f.WarEnded) -> State:
    if e.winner is not None and e.loser is not None:
        winner, loser = s.players[e.winner], s.players[e.loser]
        s = player(s, e.winner, war_pp=winner.war_pp + e.winner_pp, war_victories=winner.war_victories + 1)
        s = player(s, e.loser, war_pp=loser.war_pp + e.loser_pp)
    return war(s, step="over")


def _alliance_paid(s: State, e: f.AllianceSumPaid) -> State:
    payer = s.players[e.from_]
    s = player(s, e.from_, treasury=payer.treasury - e.amount, escrow=payer.escrow - e.amount)
    return player(s, e.to, treasury=s.players[e.to].treasury + e.amount)


def _counters_returned(s: State, e: f.CountersReturned) -> State:
    s = take(s, [(e.seat, entry.space, entry.count) for entry in e.by_space])
    return player(s, e.seat, treasury=s.players[e.seat].treasury + e.count)


def _escalation_started(s: State, e: f.EscalationStarted) -> State:
    begun = Escalation(part="A", order=e.order, queue=e.order, belligerents=e.belligerents)
    return replace(s, war=None, escalation=begun)


def _part_started(s: State, e: f.EscalationPartStarted) -> State:
    return escalation(s, part=e.part, queue=e.order)


def next_in_queue(s: State, e: object) -> State:
    """A player has had his turn in this part of the Escalation."""
    return escalation(s, queue=sure(s.escalation).queue[1:])


def _squadrons_bought(s: State, e: f.SquadronsBought) -> State:
    mine = s.players[e.seat]
    s = player(s, e.seat, treasury=mine.treasury - e.price, squadrons=mine.squadrons + e.count)
    return next_in_queue(s, e)


FOLD: dict[type[Fact], Callable[[Any, Any], State]] = {
    f.PrivateerWarRoundFought: _privateer_round,
    f.WarDeclared: _war_declared,
    f.WarBoxTaken: _war_box_taken,
    f.AllianceOffered: _alliance_offered,
    f.AllianceChosen: _alliance_chosen,
    f.AllianceChoicesRevealed: _choices_revealed,
    f.AllyAccepted: _ally_accepted,
    f.AllyDeclined: _ally_declined,
    f.EscrowReleased: _escrow_released,
    f.WarYearBegan: _year_started,
    f.LandBattleFought: _battle_fought,
    f.NavalBattleFought: _naval_battle,
    f.ExpeditionSent: _expedition_sent,
    f.ExpeditionDeclined: _expedition_declined,
    f.ExpeditionBattleFought: _expedition_fought,
    f.YearOfWarEnded: _year_ended,
    f.AllyLeftWar: _ally_left,
    f.WarContinued: _war_continued,
    f.WarSurrendered: lambda s, _e: s,
    f.WarEnded: _war_ended,
    f.AllianceSumPaid: _alliance_paid,
    f.CountersReturned: _counters_returned,
    f.EscalationStarted: _escalation_started,
    f.EscalationPartStarted: _part_started,
    f.EscalationPassed: next_in_queue,
    f.SquadronsBought: _squadrons_bought,
}
