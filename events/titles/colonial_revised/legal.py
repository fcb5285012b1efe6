"""Legal commands of a seat, most natural first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, islice, permutations, product

from events.steps import Command
from events.titles.colonial_revised import choices
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.awaited import awaited
from events.titles.colonial_revised.data import CONSTANTS, SLAVES, SPACE, SPACES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.decisions import default_allotment, may_repay
from events.titles.colonial_revised.derived import fleet_limit, trade_limit, vulnerable
from events.titles.colonial_revised.sample import names
from events.titles.colonial_revised.state import State, sure
from events.titles.colonial_revised.steps import merchant, trader, viceroy
from events.titles.colonial_revised.steps.alliances import may_help_attacker, volunteers
from events.titles.colonial_revised.steps.cards import CARD_OF, available
from events.titles.colonial_revised.steps.checks import usable_spaces
from events.titles.colonial_revised.steps.choosing_cards import played
from events.titles.colonial_revised.steps.conqueror import founder_removal
from events.titles.colonial_revised.steps.escalation import most_squadrons, navy_step, squadron_price
from events.titles.colonial_revised.steps.explorer import target_number
from events.titles.colonial_revised.steps.passing import may_pass
from events.titles.colonial_revised.steps.rebel import can_spark, unrest_targets
from events.titles.colonial_revised.steps.sovereign import can_fight_privateers, war_targets
from events.titles.colonial_revised.steps.war import enemy_colonies

Commands = Iterator[Command]
MOST = 300
"""At most so many commands of a decision are listed."""
MOST_REPAYMENTS = 20


def legal(state: State, seat: int) -> Commands:
    """What the seat is awaited for, then what it may repay."""
    for decision in awaited(state):
        if decision.seat == seat:
            yield from islice(_LISTS[decision.kind](state, seat), MOST)
    yield from _repayments(state, seat)


def complete(state: State, seat: int) -> bool:
    """Whether that is all: cards have too many uses to list them all."""
    if may_repay(state, seat) and _most_repaid(state, seat) > MOST_REPAYMENTS:
        return False
    for decision in awaited(state):
        if decision.seat == seat:
            if decision.kind == "play_card":
                return False
            listed = islice(_LISTS[decision.kind](state, seat), MOST + 1)
            return sum(1 for _ in listed) <= MOST and decision.kind not in _SELECTED
    return True


_SELECTED = frozenset({"confirm_trade"})
"""Decisions of which only a selection is listed."""


def _most_repaid(state: State, seat: int) -> int:
    player = state.players[seat]
    return min(player.loans, player.spendable)


def _repayments(state: State, seat: int) -> Commands:
    """Everything first, then smaller sums (REV-176)."""
    if not may_repay(state, seat):
        return
    most = _most_repaid(state, seat)
    yield c.RepayLoan(amount=most)
    for amount in range(1, min(most, MOST_REPAYMENTS)):
        yield c.RepayLoan(amount=amount)


# --- cards ---------------------------------------------------------------------------------------


def _play_card(state: State, seat: int) -> Commands:
    """Each Character in turn, so that a cut list still holds something of every kind."""
    cards = available(state, seat)
    lists = [
        list(islice(make(state, seat), most))
        for character, make, most in _CHARACTERS
        if CARD_OF[character] in cards
    ]
    yield from chain.from_iterable(lists)
    for card in cards:
        if may_pass(state, seat, card):
            yield c.PassCard(card_id=card)  # type: ignore[arg-type]


def _explorer(state: State, seat: int) -> Commands:
    targets = sorted(choices.unexplored(state), key=lambda t: (target_number(state, seat, t), t))
    for territory in targets:
        yield c.Explore(territory=TERRITORIES[territory].id)


def _conqueror(state: State, seat: int) -> Commands:
    for site in choices.colony_sites(state, seat):
        held, due = choices.own_counters(state, seat, site), founder_removal(state, seat, site)
        for split in choices.capped_splits(held, due):
            yield c.FoundColony(TERRITORIES[site].id, choices.entries(split))


def _viceroy(state: State, seat: int) -> Commands:
    player = state.players[seat]
    for place in choices.explored(state):
        spaces = usable_spaces(player, place)
        for count in range(min(player.spendable, viceroy.most_to_send(state, seat, place)), 0, -1):
            for split in choices.splits(spaces, count):
                yield c.SendCounters(TERRITORIES[place].id, choices.entries(split))


def _viceroy_back(state: State, seat: int) -> Commands:
    for place in choices.with_counter(state, seat):
        held = choices.own_counters(state, seat, place)
        for count in range(1, min(state.players[seat].logistics, sum(held.values())) + 1):
            for split in choices.capped_splits(held, count):
                yield c.RecallCounters(TERRITORIES[place].id, choices.entries(split))


def _ambassador(state: State, seat: int) -> Commands:
    spots = (None, *(TERRITORIES[t].id for t in choices.unrest_to_remove(state, seat)))
    for moves in (True, False):
        for spot in reversed(spots):
            yield c.UseAmbassador(moves, spot)


def _sovereign(state: State, seat: int) -> Commands:
    for target in war_targets(state, seat):
        yield c.DeclareWar(target=target)
    if can_fight_privateers(state, seat):
        owners = tuple(o for o in state.order if state.players[o].privateers[seat])
        for order in permutations(owners):
            yield c.FightPrivateers(sink_order=order)


def _rebel(state: State, seat: int) -> Commands:
    for territory in range(len(TERRITORIES)):
        if can_spark(state, seat, territory):
            yield c.SparkRebellion(TERRITORIES[territory].id)


def _unrest(state: State, seat: int) -> Commands:
    targets = sorted(unrest_targets(state), key=lambda t: (-state.territories[t].unrest, t))
    if len(targets) == 1:
        yield c.PlaceUnrest((TERRITORIES[targets[0]].id,))
    for pair in combinations(targets, 2):
        yield c.PlaceUnrest(tuple(TERRITORIES[t].id for t in pair))


def _merchant(state: State, seat: int) -> Commands:
    """All own Goods with every request, with each neighbour's, or alone; with Slaves and without."""
    fleets = state.players[seat].merchant_fleets
    own, others = choices.controlled(state, seat), choices.foreign(state, seat)
    with_slaves = state.abolition and not SLAVES.isdisjoint((*own, *others))
    for slaves in (False, True) if with_slaves else (False,):
        mine, theirs = (own, others) if slaves else _no_slaves(state, own, others)
        for count in dict.fromkeys((min(fleets, len(mine)), len(mine) // 2, 0)):
            if count > fleets:
                continue
            for asked in dict.fromkeys((theirs, theirs[:1], ())):
                yield c.ShipGoods(names(mine[:count]), names(asked), slaves)


def _no_slaves(state: State, own: tuple[int, ...], others: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return choices.without_slaves(state, own), choices.without_slaves(state, others)


def _governor(state: State, seat: int) -> Commands:
    for place, value in choices.cities(state, seat):
        yield c.FoundCity(TERRITORIES[place].id, value)


def _trader(state: State, seat: int) -> Commands:
    """As many own Goods as possible, with and without requests to fill the limit."""
    limit, mine = trade_limit(state, seat), state.players[seat].market_goods
    others = [
        c.SeatCount(s, p.market_goods) for s, p in enumerate(state.players) if s != seat and p.market_goods
    ]
    for own in dict.fromkeys((min(limit, mine), min(limit, mine) // 2, 0)):
        asked = tuple(others) if own < limit else ()
        yield from (c.SellGoods(own, requests) for requests in dict.fromkeys((asked, ())))


def _financier(state: State, seat: int) -> Commands:
    yield c.TakeLoan()


def _scientist(state: State, seat: int) -> Commands:
    for track in choices.tracks(state, seat):
        yield c.AdvanceProgress(track=track)  # type: ignore[arg-type]


def _missionary(state: State, seat: int) -> Commands:
    for place in choices.mission_sites(state, seat):
        yield c.PlaceMission(TERRITORIES[place].id)


_CHARACTERS: tuple[tuple[str, Callable[[State, int], Commands], int], ...] = (
    ("explorer", _explorer, 25),
    ("conqueror", _conqueror, 15),
    ("governor", _governor, 15),
    ("merchant", _merchant, 12),
    ("trader", _trader, 6),
    ("scientist", _scientist, 4),
    ("missionary", _missionary, 15),
    ("financier", _financier, 1),
    ("ambassador", _ambassador, 20),
    ("sovereign", _sovereign, 20),
    ("rebel", _rebel, 20),
    ("viceroy", _viceroy, 70),
    ("rebel", _unrest, 50),
    ("viceroy", _viceroy_back, 20),
)
"""In the order of the list, with how many commands of each."""


# --- other decisions -------------------------------------------------------------------------------


def _buy_exploration(state: State, seat: int) -> Commands:
    yield from (c.BuyExploration(pay) for pay in (True, False))


def _settle(state: State, seat: int) -> Commands:
    player = state.players[seat]
    spaces = usable_spaces(player, TERRITORY[sure(state.exploration).territory])
    posts = (*names(spaces), None) if player.merchant_fleets else (None,)
    for count in range(min(player.logistics, player.spendable), -1, -1):
        for post, split in product(posts, choices.splits(spaces, count)):
            yield c.SettleExploration(post, choices.entries(split))


def _subsets(items: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """All first, nothing last."""
    for size in range(len(items), -1, -1):
        yield from combinations(items, size)


def _answer_goods(state: State, seat: int) -> Commands:
    for some in _subsets(merchant.asked_of(sure(state.shipment), seat)):
        yield c.AnswerGoodsRequest(some)


def _confirm_shipment(state: State, seat: int) -> Commands:
    deal = sure(state.shipment)
    fleets = state.players[seat].merchant_fleets
    due, room = merchant.owed(deal, fleets), fleets - len(deal.own_spaces)
    offered = sorted(merchant.granted(deal), key=SPACE.__getitem__)
    booming = [name for name in offered if name in deal.booming_spaces]
    others = [name for name in offered if name not in deal.booming_spaces]
    for size in range(min(room, len(offered)), due - 1, -1):
        for first in range(min(size, len(booming)), due - 1, -1):
            for owed, rest in product(combinations(booming, first), combinations(others, size - first)):
                yield c.ConfirmShipment((*owed, *rest))


def _attack(state: State, seat: int) -> Commands:
    for count in range(state.players[seat].privateers[sure(state.action).seat], -1, -1):
        yield c.AttackMerchant(count)


def _answer_trade(state: State, seat: int) -> Commands:
    for count in range(trader.asked_of(sure(state.trade), seat), -1, -1):
        yield c.AnswerTradeRequest(count)


def _confirm_trade(state: State, seat: int) -> Commands:
    """As much as possible in seat order, from each owner alone, and nothing."""
    deal = sure(state.trade)
    room, offered = trade_limit(state, seat) - deal.own, trader.granted(deal)
    most: list[c.SeatCount] = []
    left = room
    for owner, count in offered.items():
        if min(left, count):
            most.append(c.SeatCount(owner, min(left, count)))
            left -= min(left, count)
    alone = [(c.SeatCount(o, n),) for o, count in offered.items() for n in range(min(room, count), 0, -1)]
    yield from (c.ConfirmTrade(goods) for goods in dict.fromkeys((tuple(most), *alone, ())))


def _allot(state: State, seat: int) -> Commands:
    """The default ranking first, then every other way to allot the losses (REV-268)."""
    rebellion = sure(state.rebellion)
    first = default_allotment(state, seat)
    yield first
    spaces = TERRITORIES[TERRITORY[rebellion.territory]].spaces
    held = {
        (victim, space): count
        for victim in range(state.seats)
        for space in spaces
        if (count := vulnerable(state, space, victim))
    }
    others = {key: count for key, count in held.items() if key[0] != seat}
    own = {key: count for key, count in held.items() if key[0] == seat}
    due = min(rebellion.losses, sum(others.values()))
    seen = frozenset(first.losses)
    for part in _allotments(list(others.items()), due):
        for mine in _allotments(list(own.items()), rebellion.losses - due):
            losses = tuple(c.Loss(v, SPACES[s].id, n) for (v, s), n in (*part, *mine))
            if frozenset(losses) != seen:
                yield c.AllotLosses(losses)


Allotment = tuple[tuple[tuple[int, int], int], ...]


def _allotments(held: list[tuple[tuple[int, int], int]], count: int) -> Iterator[Allotment]:
    """All ways to take so many from the holdings."""
    if not count:
        yield ()
        return
    if not held:
        return
    (key, most), *rest = held
    for here in range(min(most, count), -1, -1):
        for tail in _allotments(rest, count - here):
            yield ((key, here), *tail) if here else tail


def _avert(state: State, seat: int) -> Commands:
    mine = [loss for loss in sure(state.rebellion).allotment if loss.seat == seat]
    most = state.players[seat].spendable // CONSTANTS.avert_cost
    ways = product(*(range(min(loss.count, most), -1, -1) for loss in mine))
    for counts in ways:
        if sum(counts) <= most:
            saved = [c.SpaceCount(loss.space, n) for loss, n in zip(mine, counts, strict=True) if n]
            yield c.AvertLosses(tuple(saved))


def _enter(state: State, seat: int) -> Commands:
    spaces = usable_spaces(state.players[seat], TERRITORY[sure(state.rebellion).territory])
    yield from (c.EnterAfterRebellion(space) for space in (*names(spaces), None))


def _offer(state: State, seat: int) -> Commands:
    for amount in range(min(CONSTANTS.alliance_offer_max, state.players[seat].spendable) + 1):
        yield c.OfferAlliance(amount)


def _choose(state: State, seat: int) -> Commands:
    yield c.ChooseAlliance("none")
    yield c.ChooseAlliance("defender")
    if may_help_attacker(state, seat):
        yield c.ChooseAlliance("attacker")


def _accept(state: State, seat: int) -> Commands:
    yield from (c.AcceptAlly(ally) for ally in (*volunteers(sure(state.war)), None))


def _expedition(state: State, seat: int) -> Commands:
    player = state.players[seat]
    yield c.SendExpedition()
    for place in enemy_colonies(state, seat):
        for count in range(min(player.logistics, player.spendable), 0, -1):
            for split in choices.splits(usable_spaces(player, place), count):
                yield c.SendExpedition(TERRITORIES[place].id, choices.entries(split))


def _decide_war(state: State, seat: int) -> Commands:
    yield from (c.DecideWar(go_on) for go_on in (True, False))


def _navy_step(state: State, seat: int) -> Commands:
    price = navy_step(state, seat)
    if price is not None and price <= state.players[seat].spendable:
        yield c.BuyNavyStep(buy=True)
    yield c.BuyNavyStep(buy=False)
    yield from _emergency(state, seat)


def _emergency(state: State, seat: int) -> Commands:
    if seat not in sure(state.escalation).loans_used:
        yield c.TakeEmergencyLoan()


def _squadrons(state: State, seat: int) -> Commands:
    held, player = sure(state.escalation), state.players[seat]
    belligerent = seat in held.belligerents
    for count in range(most_squadrons(state, held, seat), -1, -1):
        if squadron_price(player.squadrons, count, belligerent=belligerent) <= player.spendable:
            yield c.BuyEscalationSquadrons(count)
    yield from _emergency(state, seat)


def _fleets(state: State, seat: int) -> Commands:
    for count in range(min(fleet_limit(state, seat), state.players[seat].spendable), -1, -1):
        yield c.BuildMerchantFleets(count)


def _build_squadrons(state: State, seat: int) -> Commands:
    player = state.players[seat]
    for count in range(min(player.navy, player.spendable) + 1):
        yield c.BuildSquadrons(count)


def _privateers(state: State, seat: int) -> Commands:
    for placements in choices.privateer_placements(state, seat):
        yield c.CommissionPrivateers(placements)


def _set_aside(state: State, seat: int) -> Commands:
    for card in played(state, seat):
        yield c.SetAsideCard(card)  # type: ignore[arg-type]


_LISTS: dict[str, Callable[[State, int], Commands]] = {
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
