"""Folds of what happens on the map: counters, control, Colonies, Unrest, cities, Prestige, Rebellions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.fact import Fact
from events.kit.overseas.piles import to_bottom
from events.kit.values import put, without
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.commands import SpaceCount
from events.titles.colonial_revised.data import SPACE, TERRITORIES, TERRITORY
from events.titles.colonial_revised.fold.values import cleared, land, place, player, take
from events.titles.colonial_revised.state import Exploration, Rebellion, State, sure


def _diplomacy_moved(s: State, e: f.DiplomacyMoved) -> State:
    return player(s, e.seat, diplomacy=e.to)


def _unrest_placed(s: State, e: f.UnrestPlaced) -> State:
    unrest = s.territories[TERRITORY[e.territory]].unrest + e.count
    return replace(land(s, e.territory, unrest=unrest), unrest_left=e.left)


def _unrest_lapsed(s: State, e: f.UnrestLapsed) -> State:
    return replace(s, unrest_left=e.left)


def _unrest_removed(s: State, e: f.UnrestRemoved) -> State:
    return land(s, e.territory, unrest=s.territories[TERRITORY[e.territory]].unrest - e.count)


def _rebel_marked(s: State, e: f.RebelMarked) -> State:
    return land(s, e.territory, rebel_marked_this_turn=True)


def _control_changed(s: State, e: f.ControlChanged) -> State:
    number = SPACE[e.space]
    pile = s.piles[number]
    if e.to is None or not pile or pile[0] == e.to:
        return s
    return replace(s, piles=put(s.piles, number, to_bottom(pile, e.to)))


def _monopoly_gained(s: State, e: f.MonopolyGained) -> State:
    mine = s.players[e.seat].standing
    held = tuple(sorted((*mine.monopolies, e.space or e.resource)))
    return player(s, e.seat, standing=replace(mine, monopolies=held))


def _monopoly_lost(s: State, e: f.MonopolyLost) -> State:
    mine = s.players[e.seat].standing
    held = without(mine.monopolies, [e.space or e.resource])
    return player(s, e.seat, standing=replace(mine, monopolies=held))


def _prestige_changed(s: State, e: f.PrestigeChanged) -> State:
    mine = s.players[e.seat].standing
    return player(s, e.seat, standing=replace(mine, **{e.source: getattr(mine, e.source) + e.delta}))


def _award_transferred(s: State, e: f.AwardTransferred) -> State:
    if e.award == "progress_award":
        return replace(s, progress_award_holder=e.to)
    return replace(s, missions_award_holder=e.to)


def _empire_achieved(s: State, e: f.EmpireAchieved) -> State:
    return player(s, e.seat, empire_achieved=True)


def colony_lost(s: State, e: f.ColonyLost) -> State:
    """A Booming City falls with its Colony (REV-191); a Rebellion may let the Rebel in (REV-277)."""
    booming = None if s.booming_city in e.cities else s.booming_city
    s = replace(land(s, e.territory, colony_owner=None, cities=()), booming_city=booming)
    if s.rebellion and s.rebellion.kind == "colony" and s.rebellion.territory == e.territory:
        s = replace(s, rebellion=replace(s.rebellion, step="entry"))
    return s


def _became_independent(s: State, e: f.TerritoryBecameIndependent) -> State:
    return land(s, e.territory, independent=True)


def _counters_removed(s: State, e: f.CountersRemoved) -> State:
    s = take(s, [(e.seat, entry.space, entry.count) for entry in e.by_space])
    if e.to != "merchant_fleet":
        return s
    gained = sum(entry.count for entry in e.by_space)
    return player(s, e.seat, merchant_fleets=s.players[e.seat].merchant_fleets + gained)


def _colony_founded(s: State, e: f.ColonyFounded) -> State:
    return land(s, e.territory, colony_owner=e.seat)


def _independence_ended(s: State, e: f.IndependenceEnded) -> State:
    return land(s, e.territory, independent=False)


def _protection_lifted(s: State, e: f.ProtectionLifted) -> State:
    protected = s.protected
    for space in TERRITORIES[TERRITORY[e.territory]].spaces:
        protected = put(protected, space, ())
    return replace(s, protected=protected)


def _exploration_rolled(s: State, e: f.ExplorationRolled) -> State:
    return replace(s, exploration=Exploration(e.territory, "buy", max(0, e.shortfall), e.price))


def _exploration_bought(s: State, e: f.ExplorationBought) -> State:
    return player(s, e.seat, treasury=s.players[e.seat].treasury - e.price)


def _exploration_failed(s: State, e: f.ExplorationFailed) -> State:
    return replace(s, exploration=None)


def _territory_explored(s: State, e: f.TerritoryExplored) -> State:
    return replace(land(s, e.territory, explored=True), exploration=Exploration(e.territory, "settle"))


def _america_discovered(s: State, e: f.AmericaDiscovered) -> State:
    return replace(s, america_discovered_turn=e.turn)


def _penalty_lifted(s: State, e: f.AmericaPenaltyLifted) -> State:
    return player(s, e.seat, america_free=True)


def _trading_post(s: State, e: f.TradingPostEstablished) -> State:
    s = player(s, e.seat, merchant_fleets=s.players[e.seat].merchant_fleets - 1)
    return replace(place(s, e.seat, [SpaceCount(e.space, 1)]), exploration=None)


def _exploration_settled(s: State, e: f.ExplorationSettled) -> State:
    return replace(s, exploration=None)


def _adventurers_sent(s: State, e: f.AdventurersSent) -> State:
    return replace(counters_sent(s, e), exploration=None)


def counters_sent(s: State, e: f.CountersSent | f.AdventurersSent | f.ExpeditionSent) -> State:
    """Treasury becomes counters on spaces."""
    sent = sum(entry.count for entry in e.placements)
    s = player(s, e.seat, treasury=s.players[e.seat].treasury - sent)
    return place(s, e.seat, e.placements)


def _counters_recalled(s: State, e: f.CountersRecalled) -> State:
    back = sum(entry.count for entry in e.removals)
    s = take(s, [(e.seat, entry.space, entry.count) for entry in e.removals])
    return player(s, e.seat, treasury=s.players[e.seat].treasury + back)


def _city_founded(s: State, e: f.BoomingCityFounded) -> State:
    mine = s.players[e.seat]
    s = player(s, e.seat, treasury=mine.treasury - e.value)
    cities = tuple(sorted((*s.territories[TERRITORY[e.territory]].cities, e.value)))
    return replace(land(s, e.territory, cities=cities), booming_city=e.value)


def _mission_placed(s: State, e: f.MissionPlaced) -> State:
    s = player(s, e.seat, missions_placed=e.placed_total)
    return land(s, e.territory, missions=s.territories[TERRITORY[e.territory]].missions + 1)


def _progress_advanced(s: State, e: f.ProgressAdvanced) -> State:
    mine = s.players[e.seat]
    changes = {e.track: e.to, "treasury": mine.treasury - e.price, "steps_bought": mine.steps_bought + 1}
    if e.track == "navy":
        changes |= {"navy_step_bought_this_turn": True}
    by_escalation = e.by == "escalation"
    if by_escalation:
        changes |= {"navy_step_by_escalation": True}
    s = player(s, e.seat, **changes)
    if by_escalation and s.escalation:
        s = replace(s, escalation=replace(s.escalation, queue=s.escalation.queue[1:]))
    return s


def _slavery_abolished(s: State, e: f.SlaveryAbolished) -> State:
    return replace(s, abolition=True)


def _price_paid(s: State, e: f.RebellionPricePaid) -> State:
    return player(s, e.seat, treasury=s.players[e.seat].treasury - e.amount)


def _rebellion_rolled(s: State, e: f.RebellionRolled) -> State:
    step = "allot" if e.losses else "avert"
    return replace(s, rebellion=Rebellion(e.territory, e.kind, e.losses, step, seat=e.seat))


def _automatic_rebellion(s: State, e: f.AutomaticRebellionBrokeOut) -> State:
    step = "allot" if e.losses else "avert"
    return replace(s, rebellion=Rebellion(e.territory, "automatic", e.losses, step))


def _losses_allotted(s: State, e: f.LossesAllotted) -> State:
    victims = {loss.seat for loss in e.losses}
    awaiting = tuple(seat for seat in s.order if seat in victims)
    return replace(
        s, rebellion=replace(sure(s.rebellion), step="avert", allotment=e.losses, awaiting=awaiting)
    )


def _losses_averted(s: State, e: f.LossesAverted) -> State:
    s = player(s, e.victim, treasury=s.players[e.victim].treasury - e.paid)
    saved = {entry.space: entry.count for entry in e.saved}
    kept = []
    for loss in sure(s.rebellion).allotment:
        if loss.seat == e.victim and (spared := min(loss.count, saved.get(loss.space, 0))):
            if loss.count > spared:
                kept.append(replace(loss, count=loss.count - spared))
        else:
            kept.append(loss)
    awaiting = without(sure(s.rebellion).awaiting, [e.victim])
    return replace(s, rebellion=replace(sure(s.rebellion), allotment=tuple(kept), awaiting=awaiting))


def _counters_lost(s: State, e: f.CountersLost) -> State:
    s = take(s, [(e.seat, entry.space, entry.count) for entry in e.by_space])
    if s.rebellion:
        s = replace(s, rebellion=replace(s.rebellion, removed=True, allotment=(), step="close"))
    return s


def _counters_protected(s: State, e: f.CountersProtected) -> State:
    protected = list(s.protected)
    for space in TERRITORIES[TERRITORY[e.territory]].spaces:
        protected[space] = ()
    for entry in e.by_space_and_player:
        number = SPACE[entry.space]
        safe = protected[number] or (0,) * s.seats
        protected[number] = cleared(put(safe, entry.seat, entry.count))
    return replace(s, protected=tuple(protected))


def _rebel_entered(s: State, e: f.RebelEntered) -> State:
    s = player(s, e.seat, treasury=s.players[e.seat].treasury - 1)
    return close_entry(place(s, e.seat, [SpaceCount(e.space, 1)]))


def _rebel_stayed_out(s: State, e: f.RebelStayedOut) -> State:
    return close_entry(s)


def close_entry(s: State) -> State:
    """The Rebel's player has decided about entering."""
    return replace(s, rebellion=replace(sure(s.rebellion), step="close"))


def _rebellion_ended(s: State, e: f.RebellionEnded) -> State:
    return replace(s, rebellion=None)


FOLD: dict[type[Fact], Callable[[Any, Any], State]] = {
    f.DiplomacyMoved: _diplomacy_moved,
    f.UnrestPlaced: _unrest_placed,
    f.UnrestLapsed: _unrest_lapsed,
    f.UnrestRemoved: _unrest_removed,
    f.RebelMarked: _rebel_marked,
    f.ControlChanged: _control_changed,
    f.MonopolyGained: _monopoly_gained,
    f.MonopolyLost: _monopoly_lost,
    f.PrestigeChanged: _prestige_changed,
    f.AwardTransferred: _award_transferred,
    f.EmpireAchieved: _empire_achieved,
    f.ColonyLost: colony_lost,
    f.TerritoryBecameIndependent: _became_independent,
    f.CountersRemoved: _counters_removed,
    f.ColonyFounded: _colony_founded,
    f.IndependenceEnded: _independence_ended,
    f.ProtectionLifted: _protection_lifted,
    f.ExplorationRolled: _exploration_rolled,
    f.ExplorationBought: _exploration_bought,
    f.ExplorationFailed: _exploration_failed,
    f.TerritoryExplored: _territory_explored,
    f.AmericaDiscovered: _america_discovered,
    f.AmericaPenaltyLifted: _penalty_lifted,
    f.TradingPostEstablished: _trading_post,
    f.AdventurersSent: _adventurers_sent,
    f.ExplorationSettled: _exploration_settled,
    f.CountersSent: counters_sent,
    f.CountersRecalled: _counters_recalled,
    f.BoomingCityFounded: _city_founded,
    f.CityBecameRelevant: lambda s, _e: s,
    f.MissionPlaced: _mission_placed,
    f.ProgressAdvanced: _progress_advanced,
    f.SlaveryAbolished: _slavery_abolished,
    f.RebellionPricePaid: _price_paid,
    f.RebellionRolled: _rebellion_rolled,
    f.AutomaticRebellionBrokeOut: _automatic_rebellion,
    f.LossesAllotted: _losses_allotted,
    f.LossesAverted: _losses_averted,
    f.CountersLost: _counters_lost,
    f.CountersProtected: _counters_protected,
    f.RebelEntered: _rebel_entered,
    f.RebelStayedOut: _rebel_stayed_out,
    f.RebellionEnded: _rebellion_ended,
}
