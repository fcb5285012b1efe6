"""One legal command at random: fast, and sane enough that random games are games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from events.chance import Chance
from events.steps import Command
from events.titles.colonial_revised import choices
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.awaited import awaited
from events.titles.colonial_revised.data import CARD, CONSTANTS, SPACE, SPACES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.decisions import default, may_repay
from events.titles.colonial_revised.derived import fleet_limit, trade_limit, vulnerable
from events.titles.colonial_revised.state import State, sure
from events.titles.colonial_revised.steps import merchant, trader, viceroy
from events.titles.colonial_revised.steps.alliances import may_help_attacker, volunteers
from events.titles.colonial_revised.steps.cards import available
from events.titles.colonial_revised.steps.checks import usable_spaces
from events.titles.colonial_revised.steps.choosing_cards import played
from events.titles.colonial_revised.steps.conqueror import founder_removal
from events.titles.colonial_revised.steps.escalation import most_squadrons, navy_step, squadron_price
from events.titles.colonial_revised.steps.explorer import target_number
from events.titles.colonial_revised.steps.passing import may_pass
from events.titles.colonial_revised.steps.rebel import can_spark, unrest_targets
from events.titles.colonial_revised.steps.sovereign import can_fight_privateers, war_targets
from events.titles.colonial_revised.steps.war import enemy_colonies

T = TypeVar("T")
Sampler = Callable[[State, int, Chance], Command | None]
HIDDEN = True
"""Draws of a sampler are nobody's business."""
ATTEMPTS = 6


def pick(chance: Chance, options: Sequence[T]) -> T:
    """One of the options."""
    return chance.pick(options, hidden=HIDDEN)


def often(chance: Chance, percent: int) -> bool:
    """True in so many of a hundred cases."""
    return pick(chance, range(100)) < percent


def upto(chance: Chance, most: int) -> int:
    """0 .. most."""
    return pick(chance, range(max(0, most) + 1))


def sample(state: State, seat: int, chance: Chance) -> Command | None:
    """One legal command of the seat, None if it has nothing to decide."""
    decision = next((d for d in awaited(state) if d.seat == seat), None)
    repay = may_repay(state, seat)
    if repay and (decision is None or often(chance, 5)):
        player = state.players[seat]
        return c.RepayLoan(amount=1 + upto(chance, min(player.loans, player.spendable) - 1))
    if decision is None:
        return None
    return _SAMPLERS[decision.kind](state, seat, chance)


def scattered(chance: Chance, spaces: Sequence[int], count: int) -> choices.Split:
    """So many counters thrown on spaces."""
    counts: dict[int, int] = {}
    for _ in range(count):
        space = pick(chance, spaces)
        counts[space] = counts.get(space, 0) + 1
    return tuple(counts.items())


# --- cards ---------------------------------------------------------------------------------------


def _play_card(state: State, seat: int, chance: Chance) -> Command:
    cards = available(state, seat)
    for _ in range(ATTEMPTS):
        card = pick(chance, cards)
        if often(chance, 3) and may_pass(state, seat, card):
            return c.PassCard(card_id=card)  # type: ignore[arg-type]
        command = _CHARACTERS[pick(chance, CARD[card].characters)](state, seat, chance)
        if command is not None:
            return command
    return default(state, next(d for d in awaited(state) if d.seat == seat))


def _explorer(state: State, seat: int, chance: Chance) -> Command | None:
    targets = choices.unexplored(state)
    if not targets:
        return None
    some = [pick(chance, targets) for _ in range(3)]
    best = min(some, key=lambda t: target_number(state, seat, t))
    return c.Explore(territory=TERRITORIES[best].id)


def _conqueror(state: State, seat: int, chance: Chance) -> Command | None:
    sites = choices.colony_sites(state, seat)
    if not sites:
        return None
    site = pick(chance, sites)
    held, due = choices.own_counters(state, seat, site), founder_removal(state, seat, site)
    return c.FoundColony(TERRITORIES[site].id, choices.entries(_some_of(chance, held, due)))


def _some_of(chance: Chance, held: dict[int, int], count: int) -> choices.Split:
    left, taken = dict(held), dict[int, int]()
    for _ in range(count):
        space = pick(chance, [s for s, n in left.items() if n])
        left[space] -= 1
        taken[space] = taken.get(space, 0) + 1
    return tuple(taken.items())


def _viceroy(state: State, seat: int, chance: Chance) -> Command | None:
    player = state.players[seat]
    if often(chance, 8):
        mine = choices.with_counter(state, seat)
        if not mine:
            return None
        place = pick(chance, mine)
        held = choices.own_counters(state, seat, place)
        count = 1 + upto(chance, min(player.logistics, sum(held.values())) - 1)
        removals = choices.entries(_some_of(chance, held, count))
        return c.RecallCounters(TERRITORIES[place].id, removals)
    explored = choices.explored(state)
    if not explored:
        return None
    place = pick(chance, explored)
    spaces = usable_spaces(player, place)
    most = min(player.spendable, viceroy.most_to_send(state, seat, place))
    if most < 1 or not spaces:
        return None
    sent = scattered(chance, spaces, 1 + upto(chance, most - 1))
    return c.SendCounters(TERRITORIES[place].id, choices.entries(sent))


def _ambassador(state: State, seat: int, chance: Chance) -> Command | None:
    spots = choices.unrest_to_remove(state, seat)
    spot = TERRITORIES[pick(chance, spots)].id if spots and often(chance, 80) else None
    return c.UseAmbassador(often(chance, 90), spot)


def _sovereign(state: State, seat: int, chance: Chance) -> Command | None:
    if can_fight_privateers(state, seat) and often(chance, 60):
        return c.FightPrivateers()
    targets = war_targets(state, seat)
    return c.DeclareWar(target=pick(chance, targets)) if targets else None


def _rebel(state: State, seat: int, chance: Chance) -> Command | None:
    sparks = [t for t in range(len(TERRITORIES)) if can_spark(state, seat, t)]
    if sparks and often(chance, 50):
        return c.SparkRebellion(TERRITORIES[pick(chance, sparks)].id)
    targets = unrest_targets(state)
    if not targets:
        return None
    first = pick(chance, targets)
    rest = [t for t in targets if t != first]
    names = [first, pick(chance, rest)] if rest else [first]
    return c.PlaceUnrest(tuple(TERRITORIES[t].id for t in names))


def _merchant(state: State, seat: int, chance: Chance) -> Command | None:
    fleets = state.players[seat].merchant_fleets
    slaves = often(chance, 30)
    own, others = choices.controlled(state, seat), choices.foreign(state, seat)
    if not slaves:
        own, others = choices.without_slaves(state, own), choices.without_slaves(state, others)
    own = own[:fleets]
    if not own and not others:
        return None
    asked = tuple(s for s in others if often(chance, 50)) if fleets > len(own) else ()
    return c.ShipGoods(names(own), names(asked), slaves, often(chance, 90))


def names(spaces: Sequence[int]) -> tuple[str, ...]:
    """Ids of spaces."""
    return tuple(SPACES[space].id for space in spaces)


def _governor(state: State, seat: int, chance: Chance) -> Command | None:
    options = choices.cities(state, seat)
    if not options:
        return None
    place, value = pick(chance, options)
    return c.FoundCity(TERRITORIES[place].id, value)


def _trader(state: State, seat: int, chance: Chance) -> Command | None:
    own = min(trade_limit(state, seat), state.players[seat].market_goods)
    others = [(s, p.market_goods) for s, p in enumerate(state.players) if s != seat and p.market_goods]
    asked = tuple(c.SeatCount(s, 1 + upto(chance, n - 1)) for s, n in others if often(chance, 50))
    return c.SellGoods(own=own, requests=asked) if own or asked else None


def _financier(state: State, seat: int, chance: Chance) -> Command | None:
    return c.TakeLoan() if state.players[seat].loans < 15 or often(chance, 20) else None


def _scientist(state: State, seat: int, chance: Chance) -> Command | None:
    options = choices.tracks(state, seat)
    return c.AdvanceProgress(track=pick(chance, options)) if options else None  # type: ignore[arg-type]


def _missionary(state: State, seat: int, chance: Chance) -> Command | None:
    sites = choices.mission_sites(state, seat)
    return c.PlaceMission(TERRITORIES[pick(chance, sites)].id) if sites else None


_CHARACTERS: dict[str, Sampler] = {
    "explorer": _explorer,
    "conqueror": _conqueror,
    "viceroy": _viceroy,
    "ambassador": _ambassador,
    "sovereign": _sovereign,
    "rebel": _rebel,
    "merchant": _merchant,
    "governor": _governor,
    "trader": _trader,
    "financier": _financier,
    "scientist": _scientist,
    "missionary": _missionary,
}


# --- other decisions -------------------------------------------------------------------------------


def _buy_exploration(state: State, seat: int, chance: Chance) -> Command:
    return c.BuyExploration(pay=often(chance, 60))


def _settle(state: State, seat: int, chance: Chance) -> Command:
    player = state.players[seat]
    spaces = usable_spaces(player, TERRITORY[sure(state.exploration).territory])
    post = SPACES[pick(chance, spaces)].id if player.merchant_fleets and often(chance, 50) else None
    sent = scattered(chance, spaces, upto(chance, min(player.logistics, player.spendable)))
    return c.SettleExploration(post, choices.entries(sent))


def _answer_goods(state: State, seat: int, chance: Chance) -> Command:
    asked = merchant.asked_of(sure(state.shipment), seat)
    return c.AnswerGoodsRequest(tuple(name for name in asked if often(chance, 70)))


def _confirm_shipment(state: State, seat: int, chance: Chance) -> Command:
    deal = sure(state.shipment)
    fleets = state.players[seat].merchant_fleets
    room, due = max(0, fleets - len(deal.own_spaces)), merchant.owed(deal, fleets)
    offered = merchant.granted(deal)
    booming = [name for name in offered if name in deal.booming_spaces]
    chosen = booming[:due]
    others = [name for name in offered if name not in chosen]
    chosen += others[: upto(chance, min(room - due, len(others)))]
    return c.ConfirmShipment(tuple(sorted(chosen, key=SPACE.__getitem__)))


def _attack(state: State, seat: int, chance: Chance) -> Command:
    return c.AttackMerchant(upto(chance, state.players[seat].privateers[sure(state.action).seat]))


def _answer_trade(state: State, seat: int, chance: Chance) -> Command:
    return c.AnswerTradeRequest(upto(chance, trader.asked_of(sure(state.trade), seat)))


def _confirm_trade(state: State, seat: int, chance: Chance) -> Command:
    deal = sure(state.trade)
    room, goods = trade_limit(state, seat) - deal.own, []
    for owner, count in trader.granted(deal).items():
        moved = min(room, upto(chance, count))
        if moved > 0:
            goods.append(c.SeatCount(owner, moved))
            room -= moved
    return c.ConfirmTrade(tuple(goods))


def _allot(state: State, seat: int, chance: Chance) -> Command:
    rebellion = sure(state.rebellion)
    left = {
        (victim, space): vulnerable(state, space, victim)
        for space in TERRITORIES[TERRITORY[rebellion.territory]].spaces
        for victim in range(state.seats)
    }
    taken: dict[tuple[int, int], int] = {}
    for _ in range(rebellion.losses):
        others = [key for key, count in left.items() if count and key[0] != seat]
        key = pick(chance, others or [key for key, count in left.items() if count])
        left[key] -= 1
        taken[key] = taken.get(key, 0) + 1
    return c.AllotLosses(tuple(c.Loss(v, SPACES[s].id, n) for (v, s), n in taken.items()))


def _avert(state: State, seat: int, chance: Chance) -> Command:
    purse, saved = state.players[seat].spendable, []
    for loss in sure(state.rebellion).allotment:
        if loss.seat == seat:
            count = upto(chance, min(loss.count, purse // CONSTANTS.avert_cost))
            if count:
                saved.append(c.SpaceCount(loss.space, count))
                purse -= count * CONSTANTS.avert_cost
    return c.AvertLosses(tuple(saved))


def _enter(state: State, seat: int, chance: Chance) -> Command:
    spaces = usable_spaces(state.players[seat], TERRITORY[sure(state.rebellion).territory])
    return c.EnterAfterRebellion(SPACES[pick(chance, spaces)].id if often(chance, 70) else None)


def _offer(state: State, seat: int, chance: Chance) -> Command:
    return c.OfferAlliance(upto(chance, min(CONSTANTS.alliance_offer_max, state.players[seat].spendable)))


def _choose(state: State, seat: int, chance: Chance) -> Command:
    sides = ("none", "defender", "attacker") if may_help_attacker(state, seat) else ("none", "defender")
    return c.ChooseAlliance(pick(chance, sides))  # type: ignore[arg-type]


def _accept(state: State, seat: int, chance: Chance) -> Command:
    return c.AcceptAlly(pick(chance, (*volunteers(sure(state.war)), None)))


def _expedition(state: State, seat: int, chance: Chance) -> Command:
    player = state.players[seat]
    targets = [t for t in enemy_colonies(state, seat) if usable_spaces(player, t)]
    if often(chance, 30):
        return c.SendExpedition()
    place = pick(chance, targets)
    count = 1 + upto(chance, min(player.logistics, player.spendable) - 1)
    sent = scattered(chance, usable_spaces(player, place), count)
    return c.SendExpedition(TERRITORIES[place].id, choices.entries(sent))


def _decide_war(state: State, seat: int, chance: Chance) -> Command:
    return c.DecideWar(go_on=often(chance, 70))


def _navy_step(state: State, seat: int, chance: Chance) -> Command:
    price = navy_step(state, seat)
    if seat not in sure(state.escalation).loans_used and often(chance, 5):
        return c.TakeEmergencyLoan()
    can = price is not None and price <= state.players[seat].spendable
    return c.BuyNavyStep(buy=can and often(chance, 50))


def _squadrons(state: State, seat: int, chance: Chance) -> Command:
    held = sure(state.escalation)
    if seat not in held.loans_used and often(chance, 5):
        return c.TakeEmergencyLoan()
    player, belligerent = state.players[seat], seat in held.belligerents
    count = upto(chance, most_squadrons(state, held, seat))
    while squadron_price(player.squadrons, count, belligerent=belligerent) > player.spendable:
        count -= 1
    return c.BuyEscalationSquadrons(count)


def _fleets(state: State, seat: int, chance: Chance) -> Command:
    return c.BuildMerchantFleets(upto(chance, min(fleet_limit(state, seat), state.players[seat].spendable)))


def _build_squadrons(state: State, seat: int, chance: Chance) -> Command:
    player = state.players[seat]
    return c.BuildSquadrons(upto(chance, min(player.navy, player.spendable)))


def _privateers(state: State, seat: int, chance: Chance) -> Command:
    return c.CommissionPrivateers(pick(chance, choices.privateer_placements(state, seat)))


def _set_aside(state: State, seat: int, chance: Chance) -> Command:
    return c.SetAsideCard(pick(chance, played(state, seat)))  # type: ignore[arg-type]


_SAMPLERS: dict[str, Callable[[State, int, Chance], Command]] = {
    "play_card": _play_card,
    "buy_exploration": _buy_exploration,
    "settle_exploration": _settle,
    "answer_goods_request": _answer_goods,
    "confirm_shipment": _confirm_shipment,
    "attack_merchant": _attack,
    "answer_trade_request": _answer_trade,
    "confirm_trade": _confirm_trade,
    "allot_losses": _allot,
    "avert_losses": _avert,
    "enter_after_rebellion": _enter,
    "offer_alliance": _offer,
    "choose_alliance": _choose,
    "accept_ally": _accept,
    "send_expedition": _expedition,
    "decide_war": _decide_war,
    "buy_navy_step": _navy_step,
    "buy_escalation_squadrons": _squadrons,
    "build_merchant_fleets": _fleets,
    "build_squadrons": _build_squadrons,
    "commission_privateers": _privateers,
    "set_aside_card": _set_aside,
}
