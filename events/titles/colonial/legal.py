"""The legal commands of a seat, most natural first."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, combinations_with_replacement, islice, permutations, product

from events.fact import Seat
from events.kit.overseas.piles import removed
from events.steps import Command
from events.titles.colonial import commands as c
from events.titles.colonial.data import RULES, SPACES, TERRITORIES, TERRITORY, WORLD
from events.titles.colonial.decisions import decisions, default_row
from events.titles.colonial.derived import (
    city_spaces,
    colonies,
    controls_all,
    counters_in,
    historical_city,
    may_place,
    nation,
    native_power,
    next_space,
    open_land,
    payments,
    present,
    shipments_left,
    shippable,
)
from events.titles.colonial.state import Exploring, Selling, State
from events.titles.colonial.steps import nations, turn, war
from events.titles.colonial.steps.characters import (
    conqueror,
    explorer,
    financier,
    merchant,
    rebel,
    sovereign,
    trader,
)

MOST = 120
"""How many commands of one type are listed at most."""


def legal(state: State, seat: Seat) -> Iterator[Command]:
    """Legal commands; of each type at most :data:`MOST`. Equal effects are listed once."""
    for name in _types(state, seat):
        yield from islice(_LISTS[name](state, seat), MOST)


def complete(state: State, seat: Seat) -> bool:
    """Whether no type of command has more than are listed."""
    return not any(next(islice(_LISTS[name](state, seat), MOST, None), None) for name in _types(state, seat))


def _types(state: State, seat: int) -> tuple[str, ...]:
    return tuple(name for d in decisions(state) if d.seat == seat for name in d.commands)


# --- set-up, programming, purchases ------------------------------------------------------------


def _nations(state: State, seat: int) -> Iterator[Command]:
    return (c.ChooseNation(name) for name in nations.free_nations(state))


def _rows(state: State, seat: int) -> Iterator[Command]:
    """The usual row, then all others in the order of the hand."""
    usual = default_row(state, seat)
    seen = {usual}
    yield c.ProgramCards(usual)
    for row in permutations(state.players[seat].cards, RULES.programmed_cards):
        if row not in seen:
            seen.add(row)
            yield c.ProgramCards(row)


def _fleets(state: State, seat: int) -> Iterator[Command]:
    most = min(turn.limit(state, seat, "merchant_fleets"), state.players[seat].treasury)
    return (c.BuyMerchantFleets(amount) for amount in range(most, -1, -1))


def _squadrons(state: State, seat: int) -> Iterator[Command]:
    most = min(turn.limit(state, seat, "naval_forces"), state.players[seat].treasury)
    return (c.BuySquadrons(amount) for amount in range(most, -1, -1))


def _flamboyance(state: State, seat: int) -> Iterator[Command]:
    if state.players[seat].treasury >= state.players[seat].prestige:
        yield c.DecideFlamboyance("pay")
    yield c.DecideFlamboyance("lose_prestige")


# --- Treasury ----------------------------------------------------------------------------------


def _repayments(state: State, seat: int) -> Iterator[Command]:
    player = state.players[seat]
    for loan in player.loans:
        for amount in range(min(loan.size, player.treasury), 0, -1):
            yield c.RepayLoan(loan.loan_id, amount)


def _gifts(state: State, seat: int) -> Iterator[Command]:
    for amount in range(1, state.players[seat].treasury + 1):
        for to in range(state.seats):
            if to != seat:
                yield c.TransferTreasury(to, amount)


# --- Explorer, Conqueror -----------------------------------------------------------------------


def _explorations(state: State, seat: int) -> Iterator[Command]:
    for land in TERRITORIES:
        if state.prestige[land.number] and not state.excluded[land.number]:
            yield c.PlayExplorer(land.id)
    player = state.players[seat]
    alone = explorer.nothing_unexplored(state) and state.circumnavigation_box
    if alone and player.treasury >= RULES.circumnavigation_cost:
        yield c.PlayExplorer()


def _settlements(state: State, seat: int) -> Iterator[Command]:
    action, player = state.action, state.players[seat]
    if isinstance(action, Exploring) and action.territory:
        for space in explorer.settling_spaces(state, seat, TERRITORY[action.territory]):
            if player.treasury:
                yield c.SettleExploredTerritory("adventurers", SPACES[space].id)
            if player.fleets:
                yield c.SettleExploredTerritory("trading_post", SPACES[space].id)
    yield c.SettleExploredTerritory("none")


def _attempts(state: State, seat: int) -> Iterator[Command]:
    if state.players[seat].treasury >= RULES.circumnavigation_cost and state.circumnavigation_box:
        yield c.AttemptCircumnavigation(attempt=True)
    yield c.AttemptCircumnavigation(attempt=False)


def foundable(state: State, seat: int) -> Iterator[tuple[int, c.PlayConqueror]]:
    """Every way to found a Colony, without options (COL-14-02, COL-25-21)."""
    if colonies(state, seat) >= RULES.colony_markers:
        return
    card = nation(state.players[seat])
    for land in TERRITORIES:
        at = land.number
        ready = open_land(state, at) and state.colony[at] is None and land.native_power
        if not ready or not controls_all(state, at, seat):
            continue
        if counters_in(state, at, seat) >= native_power(state, at):
            yield at, c.PlayConqueror(land.id)
        if card and card.extremadura and land.american and state.missions[at]:
            yield at, c.PlayConqueror(land.id, "extremadura")


def companies(state: State, seat: int, territory: int) -> Iterator[c.Company | None]:
    """No Company, then every counter whose removal makes another pile."""
    yield None
    if counters_in(state, territory, seat) <= 1:
        return
    for space in TERRITORIES[territory].spaces:
        pile, seen = state.piles[space], set()
        for at in range(len(pile) - 1, -1, -1):
            key = (removed(pile, {at}), at == 0)
            if pile[at] == seat and key not in seen:
                seen.add(key)
                yield c.Company(SPACES[space].id, at)


def victims(state: State, seat: int, territory: int) -> Iterator[tuple[int, ...]]:
    """No Plantation, then every way to choose victims (COL-14-10)."""
    yield ()
    due = conqueror.takable_fleets(state, seat) if conqueror.has_plantation(territory) else 0
    if due:
        others = [other for other in range(state.seats) if other != seat]
        for chosen in combinations_with_replacement(others, due):
            if all(chosen.count(other) <= state.players[other].fleets for other in chosen):
                yield chosen


def _colonies(state: State, seat: int) -> Iterator[Command]:
    for at, plain in foundable(state, seat):
        ways = product(companies(state, seat, at), (False, True), (0, 1, 2), victims(state, seat, at))
        for company, pillage, repression, stolen in ways:
            unrest = state.unrest[at] + pillage + (plain.method == "extremadura")
            if repression <= unrest:
                yield c.PlayConqueror(plain.territory, plain.method, company, pillage, repression, stolen)


# --- Viceroy, Ambassador, Sovereign, Rebel, Missionary, Scientist, Financier, Governor ---------


def _placements(state: State, seat: int) -> Iterator[Command]:
    player = state.players[seat]
    for land in TERRITORIES:
        spaces = [SPACES[at].id for at in land.spaces if may_place(state, seat, at)]
        for count in range(min(player.logistics, player.treasury), 0, -1) if spaces else ():
            for chosen in combinations_with_replacement(spaces, count):
                yield c.PlayViceroy(land.id, chosen)


def _embassies(state: State, seat: int) -> Iterator[Command]:
    movable = [
        other for other in range(state.seats) if state.players[other].diplomacy < WORLD.diplomacy_length
    ]
    moves: list[int | None] = [*sorted(movable, key=lambda other: other != seat), None]
    troubled: list[str | None] = [None, *(land.id for land in TERRITORIES if state.unrest[land.number])]
    for move, calmed in product(moves, troubled):
        if move is not None or calmed is not None:
            yield c.PlayAmbassador(move, calmed)


def _wars(state: State, seat: int) -> Iterator[Command]:
    for target in range(state.seats):
        if sovereign.may_attack(state, seat, target):
            yield c.PlaySovereign("war", target)
    if sovereign.may_court(state, seat):
        yield c.PlaySovereign("diplomacy")


def _rebellions(state: State, seat: int) -> Iterator[Command]:
    for land in TERRITORIES:
        at = land.number
        if state.unrest[at] and not state.missions[at] and not state.excluded[at]:
            yield c.PlayRebel("rebellion", land.id)
    for land in TERRITORIES:
        if open_land(state, land.number):
            yield c.PlayRebel("unrest", land.id)
        if state.missions[land.number] and not state.excluded[land.number]:
            yield c.PlayRebel("discard_mission", land.id)


def _missions(state: State, seat: int) -> Iterator[Command]:
    for land in TERRITORIES:
        if state.excluded[land.number]:
            continue
        if state.unrest[land.number]:
            yield c.PlayMissionary(land.id, "flip")
        elif open_land(state, land.number):
            yield c.PlayMissionary(land.id, "place")


def _advances(state: State, seat: int) -> Iterator[Command]:
    player = state.players[seat]
    for track in RULES.tracks:
        space = next_space(player, track)
        if space is not None and player.treasury >= space:
            yield c.PlayScientist(track)


def _loans(state: State, seat: int) -> Iterator[Command]:
    return (c.PlayFinancier(amount) for amount in range(financier.largest_loan(state, seat), 0, -1))


def _cities(state: State, seat: int) -> Iterator[Command]:
    city, player = state.booming_city, state.players[seat]
    for land in TERRITORIES:
        here = city is not None and city.territory == land.id
        if here or not open_land(state, land.number) or not present(state, land.number, seat):
            continue
        for payment in payments(state, seat):
            yield c.PlayGovernor(land.id, payment)
            if historical_city(player, land.id) and payment < RULES.booming_city_max:
                yield c.PlayGovernor(land.id, payment, city_bonus=False)


# --- Merchant, Trader --------------------------------------------------------------------------


def _merchants(state: State, seat: int) -> Iterator[Command]:
    fleets = state.players[seat].fleets
    if not fleets or not merchant.something_to_ship(state):
        return
    due = [SPACES[space].id for space in city_spaces(state)]
    for order in combinations(due, min(len(due), fleets)):
        yield c.PlayMerchant(order)


def _shipments(state: State, seat: int) -> Iterator[Command]:
    """As many own Goods as possible first, then as many as possible with others', then all the rest."""
    possible, left = shippable(state), shipments_left(state, seat)
    own = [at for at in possible if state.piles[at][0] == seat]
    others = [at for at in possible if state.piles[at][0] != seat]
    seen: set[tuple[int, ...]] = set()
    sizes = range(min(left, len(possible)), 0, -1)
    every = (chosen for size in sizes for chosen in combinations([*own, *others], size))
    for chosen in (tuple(own[:left]), tuple([*own, *others][:left]), *((at,) for at in possible)):
        if chosen and left and chosen not in seen:
            seen.add(chosen)
            yield c.ShipGoods(tuple(SPACES[at].id for at in chosen))
    for chosen in every:
        if chosen not in seen:
            yield c.ShipGoods(tuple(SPACES[at].id for at in chosen))


def _grants(state: State, seat: int) -> Iterator[Command]:
    asked = merchant.request_to(state.action, seat)
    spaces = asked.spaces if asked else ()
    for count in range(len(spaces), -1, -1):
        for accepted in combinations(spaces, count):
            yield c.AnswerShipment(accepted)


def trades(state: State, seat: int) -> Iterator[tuple[int, tuple[c.GoodsWanted, ...]]]:
    """Own Goods and requests, the largest first."""
    left, free = trader.capacity_left(state, seat), trader.askable(state, seat)
    others = [other for other, goods in enumerate(free) if goods]
    for own in range(min(left, state.players[seat].market), -1, -1):
        for amounts in _spread([free[other] for other in others], left - own):
            pairs = zip(others, amounts, strict=True)
            wanted = tuple(c.GoodsWanted(other, amount) for other, amount in pairs if amount)
            if own or wanted:
                yield own, wanted


def _spread(free: Sequence[int], left: int) -> Iterator[tuple[int, ...]]:
    """Amounts up to *free* each and up to *left* in all, the largest first."""
    if not free:
        yield ()
        return
    for amount in range(min(free[0], left), -1, -1):
        for rest in _spread(free[1:], left - amount):
            yield (amount, *rest)


def _trades(state: State, seat: int) -> Iterator[Command]:
    return (c.PlayTrader(own, requests) for own, requests in trades(state, seat))


def _further_trades(state: State, seat: int) -> Iterator[Command]:
    return (c.MoveGoods(own, requests) for own, requests in trades(state, seat))


def _goods_grants(state: State, seat: int) -> Iterator[Command]:
    action = state.action
    asked = action.asked[seat] if isinstance(action, Selling) else 0
    return (c.AnswerGoodsRequest(amount) for amount in range(asked, -1, -1))


# --- casualties --------------------------------------------------------------------------------


def _rebellion_casualties(state: State, seat: int) -> Iterator[Command]:
    for chosen in rebel.ways(state, seat):
        yield c.ChooseRebellionCasualties(
            tuple(c.Victim(loss.space, loss.owner, loss.position) for loss in chosen)
        )


def _war_casualties(state: State, seat: int) -> Iterator[Command]:
    fighting = war.the_war(state)
    side = war.open_side(fighting, seat)
    if side is not None and fighting.battle is not None:
        for chosen in war.casualty_ways(state, fighting, fighting.battle, side):
            yield c.ChooseWarCasualties(tuple(c.Target(loss.space, loss.position) for loss in chosen))


def _only(*listed: Command) -> Callable[[State, int], Iterator[Command]]:
    return lambda _state, _seat: iter(listed)


_LISTS: Mapping[str, Callable[[State, int], Iterator[Command]]] = {
    "choose_nation": _nations,
    "program_cards": _rows,
    "play_explorer": _explorations,
    "play_conqueror": _colonies,
    "play_viceroy": _placements,
    "play_ambassador": _embassies,
    "play_sovereign": _wars,
    "play_rebel": _rebellions,
    "play_merchant": _merchants,
    "play_governor": _cities,
    "play_trader": _trades,
    "play_financier": _loans,
    "play_scientist": _advances,
    "play_missionary": _missions,
    "forfeit_round": _only(c.ForfeitRound()),
    "end_round": _only(c.EndRound()),
    "repay_loan": _repayments,
    "transfer_treasury": _gifts,
    "roll_again_for_australia": _only(
        c.RollAgainForAustralia(roll=True), c.RollAgainForAustralia(roll=False)
    ),
    "settle_explored_territory": _settlements,
    "attempt_circumnavigation": _attempts,
    "choose_rebellion_casualties": _rebellion_casualties,
    "choose_war_casualties": _war_casualties,
    "ship_goods": _shipments,
    "answer_shipment": _grants,
    "move_goods": _further_trades,
    "answer_goods_request": _goods_grants,
    "withdraw_requests": _only(c.WithdrawRequests()),
    "finish_action": _only(c.FinishAction()),
    "reroll_sea_dice": _only(c.RerollSeaDice(reroll=True), c.RerollSeaDice(reroll=False)),
    "decide_surrender": _only(c.DecideSurrender(surrender=False), c.DecideSurrender(surrender=True)),
    "buy_merchant_fleets": _fleets,
    "buy_squadrons": _squadrons,
    "decide_flamboyance": _flamboyance,
}
