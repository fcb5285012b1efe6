"""A steady player of Colonial Revised: Colonies, Cities and Monopolies first, few debts, five Squadrons.

Cards are rated by Character with plain numbers (a Prestige Point is about 100); where counters are
placed, the few sensible placements are tried out and the resulting positions compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from events.fact import Seat
from events.fast_chance import FastChance
from events.steps import Command, Decision
from events.title import Title
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.checks import usable_spaces
from events.titles.colonial_revised.data import CONSTANTS, GATED, SPACES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import (
    colonies,
    controlled,
    counters,
    double_if,
    explored,
    fleet_limit,
    fleet_of,
    foreign,
    half_up,
    loan_penalty,
    native_power,
    own_counters,
    resources,
    trade_limit,
    unexplored,
    vulnerable_in,
    with_counter,
)
from events.titles.colonial_revised.offers import Split, capped_splits, entries
from events.titles.colonial_revised.parts import SeatCount, SpaceCount, VictimCount
from events.titles.colonial_revised.state import State, sure
from events.titles.colonial_revised.steps import privateering
from events.titles.colonial_revised.steps.alliances import volunteers
from events.titles.colonial_revised.steps.cards import CARD_OF, available
from events.titles.colonial_revised.steps.characters import merchant, trader, viceroy
from events.titles.colonial_revised.steps.characters.ambassador import unrest_to_remove
from events.titles.colonial_revised.steps.characters.conqueror import colony_sites, founder_removal
from events.titles.colonial_revised.steps.characters.explorer import target_number
from events.titles.colonial_revised.steps.characters.governor import cities
from events.titles.colonial_revised.steps.characters.missionary import mission_sites
from events.titles.colonial_revised.steps.characters.rebel import can_spark, price, unrest_targets
from events.titles.colonial_revised.steps.characters.scientist import tracks
from events.titles.colonial_revised.steps.characters.sovereign import can_fight_privateers, war_targets
from events.titles.colonial_revised.steps.escalation import most_squadrons, navy_step, squadron_price
from events.titles.colonial_revised.steps.passing import may_pass
from workers.bots import Bot

Rated = Iterable[tuple[float, Command]]
Chooser = Callable[[Title[Any], State, Seat, FastChance], Command]

POINT = 100.0
FLEET = 5
"""Squadrons that cost no maintenance."""
TRIED = 14
"""Placements that are tried out at most."""


def choose(title: Title[Any], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """A legal command of the seat that is waited for."""
    decision = next(d for d in title.awaited(state) if d.seat == seat)
    repay = _repayment(state, seat)
    if repay is not None:
        return repay
    chooser = _CHOOSERS.get(decision.kind)
    if chooser is None:
        return title.default(state, decision)
    return chooser(title, state, seat, chance)


def _repayment(state: State, seat: Seat) -> Command | None:
    """Debts go as soon as they can go at once, or when that wins."""
    player = state.players[seat]
    amount = min(player.loans, player.spendable)
    if not amount:
        return None
    left = loan_penalty(player.loans - amount)
    if player.standing.total - left >= CONSTANTS.win_pp or amount == player.loans <= player.spendable - 5:
        return c.RepayLoan(amount)
    return None


def worth(state: State, seat: Seat) -> float:
    """How good a position is for the seat; a Prestige Point counts 100."""
    player = state.players[seat]
    value = POINT * (player.standing.total - 0.8 * loan_penalty(player.loans))
    value += (
        14 * resources(state, seat) + 3.5 * min(player.spendable, 20) + 4 * min(player.merchant_fleets, 10)
    )
    value += 8 * min(player.squadrons, FLEET) + 3 * player.market + 2 * player.diplomacy
    for place in with_counter(state, seat):
        value += _foothold(state, seat, place)
    return value


def _foothold(state: State, seat: Seat, place: int) -> float:
    """Counters on the way to a Colony, less the danger of a Rebellion."""
    land, mine = state.lands[place], counters(state, seat, place)
    danger = 3.0 * land.unrest * min(mine, 3) / (1 + land.missions)
    if land.colony_owner == seat:
        spare = mine - half_up(TERRITORIES[place].native_power)
        return 6.0 * min(spare, 2) - danger * 2
    if land.colony_owner is not None or not TERRITORIES[place].native_power:
        return -danger
    power = native_power(state, place)
    owned = sum(1 for space in TERRITORIES[place].spaces if state.piles[space][:1] == (seat,))
    share = min(1.0, mine / power) * owned / len(TERRITORIES[place].spaces)
    return 45.0 * share * double_if(place) + 3.0 * min(mine, power) - danger


def _tried(title: Title[Any], state: State, seat: Seat, commands: Iterable[Command]) -> tuple[float, Command]:
    """The best of a few commands by the position that each leads to."""
    best: tuple[float, Command] | None = None
    for number, command in enumerate(commands):
        if number >= TRIED and best is not None:
            break
        after = title.decide(state, seat, command, FastChance(number)).state
        value = worth(after, seat)
        if best is None or value > best[0]:
            best = value, command
    if best is None:
        raise LookupError("nothing to try")
    return best


# --- cards -----------------------------------------------------------------------------------------


def _play_card(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    cards = available(state, seat)
    best: tuple[float, Command] | None = None
    for card in cards:
        if may_pass(state, seat, card) and (best is None or best[0] < -20):
            best = -20, c.PassCard(card)  # type: ignore[arg-type]
    for character, rate in _RATINGS.items():
        if CARD_OF[character] not in cards:
            continue
        for rating, command in rate(title, state, seat):
            if best is None or rating > best[0]:
                best = rating, command
    if best is None:
        return title.default(state, Decision(seat, "play_card", ()))
    return best[1]


def _conqueror(title: Title[Any], state: State, seat: Seat) -> Rated:
    for site in colony_sites(state, seat):
        held, due = own_counters(state, seat, site), founder_removal(state, seat, site)
        for split in capped_splits(held, due):
            if all(held[space] > count for space, count in split):
                yield 120.0 * double_if(site), c.FoundColony(TERRITORIES[site].id, entries(split))
                break


def _governor(title: Title[Any], state: State, seat: Seat) -> Rated:
    for place, value in cities(state, seat):
        yield 110.0 - 5 * value, c.FoundCity(TERRITORIES[place].id, value)


def _explorer(title: Title[Any], state: State, seat: Seat) -> Rated:
    purse = state.players[seat].spendable
    for place in unexplored(state):
        short = [max(0, target_number(state, seat, place) - face) for face in range(1, 7)]
        likely = sum(1.0 if not n else 0.7 if n == 1 and purse > 2 else 0 for n in short) / len(short)
        usable = [s for s in usable_spaces(state.players[seat], place) if s not in GATED]
        gain = 30.0 + 12 * len(usable) + (12 if 0 < TERRITORIES[place].native_power <= 2 else 0)
        yield likely * gain - 5, c.Explore(TERRITORIES[place].id)


def _viceroy(title: Title[Any], state: State, seat: Seat) -> Rated:
    """The best sending, by what it leaves behind."""
    sends = list(_sendings(state, seat))
    if sends:
        value, command = _tried(title, state, seat, [send for _, send in sorted(sends, key=_first)[::-1]])
        yield value - worth(state, seat) + 12, command


def _first(entry: tuple[float, Command]) -> float:
    return entry[0]


def _sendings(state: State, seat: Seat) -> Rated:
    player = state.players[seat]
    for place in explored(state):
        spaces = usable_spaces(player, place)
        most = min(player.spendable, viceroy.most_to_send(state, seat, place))
        if not spaces or most < 1:
            continue
        lacking = native_power(state, place) - counters(state, seat, place)
        interest = sum(1 for space in spaces if state.piles[space][:1] != (seat,)) * 10.0
        interest += 10.0 if 0 < lacking <= most else 0.0
        interest -= 2.0 * max(0, lacking)
        counts = {1, most, max(1, min(most, lacking))}
        for count in sorted(counts):
            target = min(spaces, key=lambda s: (state.piles[s][:1] == (seat,), len(state.piles[s])))
            sent = ((target, count),)
            yield interest, c.SendCounters(TERRITORIES[place].id, entries(sent))


def _ambassador(title: Title[Any], state: State, seat: Seat) -> Rated:
    spots = unrest_to_remove(state, seat)
    worst = max(spots, key=lambda t: (state.lands[t].unrest, counters(state, seat, t)), default=None)
    step = 4.0 if state.players[seat].diplomacy < 7 else 0.0
    if worst is None:
        yield step, c.UseAmbassador(move_marker=True)
    else:
        relief = 6.0 * state.lands[worst].unrest
        yield step + relief, c.UseAmbassador(move_marker=True, remove_unrest_in=TERRITORIES[worst].id)


def _sovereign(title: Title[Any], state: State, seat: Seat) -> Rated:
    mine = state.players[seat].squadrons
    for target in war_targets(state, seat):
        theirs = state.players[target].squadrons
        lead = mine - theirs
        rating = (
            75.0 if not theirs and mine else 60.0 if lead >= 3 and mine >= 2 * theirs else -70.0 + 5 * lead
        )
        yield rating, c.DeclareWar(target)
    if can_fight_privateers(state, seat):
        box = sum(player.privateers[seat] for player in state.players)
        yield 4.0 * box if mine >= 2 else -8.0, c.FightPrivateers()


def _rebel(title: Title[Any], state: State, seat: Seat) -> Rated:
    def harm(place: int) -> float:
        others = sum(vulnerable_in(state, place, s) for s in range(state.seats) if s != seat)
        return others - 2.5 * counters(state, seat, place)

    targets = sorted(unrest_targets(state), key=lambda t: (-harm(t), t))
    if targets:
        pair = targets[:2]
        rating = min(12.0, 3 * sum(harm(t) for t in pair)) if all(harm(t) >= 0 for t in pair) else -15.0
        yield rating, c.PlaceUnrest(tuple(TERRITORIES[t].id for t in pair))
    for place in range(len(TERRITORIES)):
        if can_spark(state, seat, place):
            land = state.lands[place]
            fragile = 30.0 if land.colony_owner not in {None, seat} and land.unrest > 1 else 0.0
            rating = harm(place) * 4 * land.unrest / (1 + land.missions) + fragile
            yield rating - 5 * price(state, seat, place), c.SparkRebellion(TERRITORIES[place].id)


def _merchant(title: Title[Any], state: State, seat: Seat) -> Rated:
    fleets = state.players[seat].merchant_fleets
    own = merchant.without_slaves(state, controlled(state, seat))[:fleets]
    others = merchant.without_slaves(state, foreign(state, seat)) if fleets > len(own) else ()
    if own or others:
        room = min(fleets - len(own), len(others))
        names = tuple(SPACES[space].id for space in own), tuple(SPACES[space].id for space in others)
        yield 8.0 * len(own) + 3.0 * room, c.ShipGoods(*names)


def _trader(title: Title[Any], state: State, seat: Seat) -> Rated:
    limit, mine = trade_limit(state, seat), state.players[seat].market
    own = min(limit, mine)
    others = tuple(
        SeatCount(other, player.market)
        for other, player in enumerate(state.players)
        if other != seat and player.market
    )
    if own or others:
        asked = others if own < limit else ()
        yield 9.0 * own + 2.0 * bool(asked), c.SellGoods(own, asked)


def _financier(title: Title[Any], state: State, seat: Seat) -> Rated:
    player = state.players[seat]
    poor = player.spendable < 3 and not player.loans and state.turn <= 5
    yield 20.0 if poor else -40.0, c.TakeLoan()


def _scientist(title: Title[Any], state: State, seat: Seat) -> Rated:
    player = state.players[seat]
    holder = state.progress_award_holder
    record = 0 if holder is None else state.players[holder].steps_bought
    award = player.steps_bought + 1 >= max(CONSTANTS.progress_award_steps, record + 1) and holder != seat
    for track in tracks(state, seat):
        cost = next(v for v in title.board["tracks"][track] if v > getattr(player, track))
        useful = {"logistics": 30.0, "seafaring": 26.0, "economy": 24.0, "navy": 14.0}[track]
        reserve = -25.0 if player.spendable - cost < 2 and not award else 0.0
        yield useful - 3.0 * cost + (90.0 if award else 0.0) + reserve, c.AdvanceProgress(track)  # type: ignore[arg-type]


def _missionary(title: Title[Any], state: State, seat: Seat) -> Rated:
    placed = state.players[seat].missions_placed + 1
    holder = state.missions_award_holder
    record = 0 if holder is None else state.players[holder].missions_placed
    award = placed >= max(CONSTANTS.missions_award_count, record + 1) and holder != seat
    for place in mission_sites(state, seat):
        own = 10.0 if state.lands[place].colony_owner == seat else 0.0
        yield (
            (95.0 if award else 22.0 if holder != seat else 4.0) + own,
            c.PlaceMission(TERRITORIES[place].id),
        )


_RATINGS: dict[str, Callable[[Title[Any], State, Seat], Rated]] = {
    "conqueror": _conqueror,
    "governor": _governor,
    "explorer": _explorer,
    "viceroy": _viceroy,
    "ambassador": _ambassador,
    "sovereign": _sovereign,
    "rebel": _rebel,
    "merchant": _merchant,
    "trader": _trader,
    "financier": _financier,
    "scientist": _scientist,
    "missionary": _missionary,
}


# --- other decisions ---------------------------------------------------------------------------------


def _buy_exploration(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    cost = sure(sure(state.exploration).price)
    purse = state.players[seat].spendable
    return c.BuyExploration(pay=cost <= 1 or (cost <= 3 and purse >= 7))


def _settle(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    player, place = state.players[seat], TERRITORY[sure(state.exploration).territory]
    spaces = usable_spaces(player, place)
    most = min(player.logistics, player.spendable)
    posts: list[int | None] = [None, *(spaces if player.merchant_fleets else ())]
    sent: list[Split] = [(), *(((space, n),) for space in spaces for n in (1, 2) if n <= most)]
    options = [
        c.SettleExploration(None if post is None else SPACES[post].id, entries(split))
        for post in reversed(posts)
        for split in sent
    ]
    return _tried(title, state, seat, options)[1]


def _answer_goods(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    """1 T a Good for the seller, half a counter for the Merchant: sold, but not to a leader."""
    asked = merchant.asked_of(sure(state.shipment), seat)
    leader = state.players[sure(state.action).seat].standing.total >= CONSTANTS.win_pp - 2
    return c.AnswerGoodsRequest(() if leader else asked)


def _confirm_shipment(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    """As many as there are fleets, but no even last Good that only the seller profits from."""
    deal, fleets = sure(state.shipment), state.players[seat].merchant_fleets
    offered = merchant.granted(deal)
    booming = [name for name in offered if name in deal.booming_spaces]
    due, room = merchant.owed(deal, fleets), fleets - len(deal.own_spaces)
    chosen = booming[:due] + [name for name in offered if name not in booming[:due]]
    count = min(room, len(chosen))
    if count > due and count % 2 == 0:
        count -= 1
    return c.ConfirmShipment(tuple(chosen[:count]))


def _answer_trade(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    return c.AnswerTradeRequest(trader.asked_of(sure(state.trade), seat))


def _listed(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    """The first of the list is the natural one."""
    return next(title.legal(state, seat))


def _avert(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    """Save what keeps a Colony, else only with a full purse."""
    rebellion, player = sure(state.rebellion), state.players[seat]
    place = TERRITORY[rebellion.territory]
    lost = sum(loss.count for loss in rebellion.allotment if loss.seat == seat)
    needed = 0
    if state.lands[place].colony_owner == seat:
        left = counters(state, seat, place) - lost
        needed = max(0, half_up(TERRITORIES[place].native_power) - left)
    if player.spendable >= 12:
        needed = lost
    if needed * CONSTANTS.avert_cost > player.spendable:
        return c.AvertLosses(())
    saved = []
    for loss in rebellion.allotment:
        if loss.seat == seat and needed:
            saved.append(SpaceCount(loss.space, min(needed, loss.count)))
            needed -= min(needed, loss.count)
    return c.AvertLosses(tuple(saved))


def _accept(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    best = max(volunteers(sure(state.war)), key=lambda s: (state.players[s].squadrons, s))
    return c.AcceptAlly(best if state.players[best].squadrons else None)


def _decide_war(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    """A weaker Defender gives in without loss; an Attacker only ever loses by giving in."""
    war = sure(state.war)
    ours, theirs = fleet_of(state, war, "defender"), fleet_of(state, war, "attacker")
    if seat == war.defender:
        return c.DecideWar(go_on=ours * 2 > theirs)
    if seat in {war.attacker_ally, war.defender_ally}:
        return c.DecideWar(go_on=False)
    return c.DecideWar(go_on=True)


def _navy_step(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    cost, player = navy_step(state, seat), state.players[seat]
    close = player.steps_bought + 1 == CONSTANTS.progress_award_steps and state.progress_award_holder is None
    ready = cost is not None and player.spendable - cost >= (0 if close else 9)
    return c.BuyNavyStep(buy=ready)


def _squadrons(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    held, player = sure(state.escalation), state.players[seat]
    count = most_squadrons(state, held, seat)
    belligerent = seat in held.belligerents
    while count and squadron_price(player.squadrons, count, belligerent=belligerent) > player.spendable - 2:
        count -= 1
    return c.BuyEscalationSquadrons(count)


def _fleets(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    player = state.players[seat]
    useful = max(0, resources(state, seat) + 3 - player.merchant_fleets)
    spare = max(0, player.spendable - 3)
    return c.BuildMerchantFleets(min(fleet_limit(state, seat), useful, spare))


def _build_squadrons(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    player = state.players[seat]
    spare = max(0, player.spendable - 3)
    return c.BuildSquadrons(min(player.navy, spare, max(0, FLEET - player.squadrons)))


def _privateers(title: Title[Any], state: State, seat: Seat, chance: FastChance) -> Command:
    """With a full purse against the weakest fleet that ships much."""
    options = privateering.placements(state, seat)
    if state.players[seat].spendable < 12 or len(colonies(state, seat)) < 1:
        return c.CommissionPrivateers(())

    def promise(placements: tuple[VictimCount, ...]) -> float:
        return sum(
            entry.count * (resources(state, entry.victim) - state.players[entry.victim].squadrons)
            for entry in placements
        )

    return c.CommissionPrivateers(max(options, key=promise))


_CHOOSERS: dict[str, Chooser] = {
    "play_card": _play_card,
    "buy_exploration": _buy_exploration,
    "settle_exploration": _settle,
    "answer_goods_request": _answer_goods,
    "confirm_shipment": _confirm_shipment,
    "answer_trade_request": _answer_trade,
    "confirm_trade": _listed,
    "avert_losses": _avert,
    "enter_after_rebellion": _listed,
    "accept_ally": _accept,
    "decide_war": _decide_war,
    "buy_navy_step": _navy_step,
    "buy_escalation_squadrons": _squadrons,
    "build_merchant_fleets": _fleets,
    "build_squadrons": _build_squadrons,
    "commission_privateers": _privateers,
}
"""Everything else is answered by the default action."""

STEADY = Bot(name="steady", version=1, budget=0, choose=choose)
