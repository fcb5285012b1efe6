"""The plans of Colonial's steady player for each Character."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import comb

from events.rules.kit.overseas.piles import find_broken_by_taking
from events.rules.steps import Command
from events.titles.colonial import commands as c
from events.titles.colonial.data import RULES, SPACES, TERRITORIES, TERRITORY, WORLD
from events.titles.colonial.derived import (
    capacity_left,
    circumnavigation_required,
    city_spaces,
    colonies,
    controllers,
    controls_all,
    count_askable,
    count_required_successes,
    counters,
    historical_city,
    is_sea_open,
    list_shared_territories,
    list_shippable,
    may_place,
    native_power,
    next_space,
    open_land,
    payments,
    present,
    shipments_left,
)
from events.titles.colonial.parts import GoodsWanted
from events.titles.colonial.state import Exploring, State, nation
from events.titles.colonial.steps.endeavour import conqueror, explorer, financier, merchant, sovereign

LATE = 7
"""From that much Prestige on debts are paid before anything else."""
RESERVE = 2
"""Treasury kept back when buying ships."""
RICH = 4
"""Treasury from which on there is money for one Squadron more than any rival has."""
SPARE = 4
"""Treasury kept back when room for Squadrons is bought before its turn."""
NAVY = 3
"""The level of that track that is wished for at most."""
Wishes = tuple[tuple[str, int], ...]
"""Levels of the tracks of progress."""
_LATEST: Wishes = (
    ("seafaring", 3),
    ("logistics", 3),
    ("navy", 2),
    ("economy", 6),
    ("logistics", 4),
    ("navy", NAVY),
    ("economy", 10),
)
_LATER: Wishes = (("seafaring", 2), ("economy", 4), *_LATEST)
WISHES: Wishes = (("logistics", 2), ("seafaring", 1), *_LATER)
"""Progress in the order in which it is worth its price: more counters a Viceroy before the open sea."""
WISHES_3: Wishes = (("logistics", 2), ("seafaring", 1), ("economy", 4), ("seafaring", 2), *_LATEST)
"""The same where there is land for everybody."""
WISHES_1: Wishes = (("seafaring", 1), ("logistics", 2), *_LATER)
"""The order of the first version."""
RESOURCE = {
    "spices": 5,
    "gold": 5,
    "silk": 2,
    "furs": 3,
    "precious_metals": 2,
    "slaves": 3,
    "tea": 4,
    "opium": 4,
}
"""The worth of controlling a space, by its resource; others count 1."""


def chances(required: int, dice: int = RULES.exploration_dice) -> float:
    """Return the probability of at least that many Successes."""
    if required <= 0:
        return 1.0
    ways: int = sum(comb(dice, k) * 2 ** (dice - k) for k in range(required, dice + 1))
    return ways / int(3**dice)


def _conquer(state: State, seat: int) -> Command | None:
    """Return the founding of a Colony that brings Prestige.

    It comes with Pillage where Diplomacy can pay for Repression.
    """
    player = state.players[seat]
    card = nation(player)
    ways = [
        (at, plain)
        for at, plain in conqueror.list_foundable(state, seat)
        if card is None or card.goal(TERRITORIES[at].id)
    ]
    if not ways:
        return None
    at, plain = max(ways, key=lambda way: (TERRITORIES[way[0]].native_power, -way[0]))
    fleets, due = _richest(state, seat), 0
    if conqueror.has_plantation(at):
        due = conqueror.count_takable_fleets(state, seat)
    repression = 1 if state.lands[at].unrest + 1 > 1 and player.diplomacy > 2 else 0
    return c.PlayConqueror(
        plain.territory,
        plain.method,
        None,
        pillage=True,
        repression=repression,
        plantation=tuple(fleets[:due]),
    )


def _richest(state: State, seat: int) -> list[int]:
    """Return the owners of Fleets to take, one entry a Fleet, those of the richest first."""
    others = sorted(set(range(state.seats)) - {seat}, key=lambda other: -state.players[other].merchant_fleets)
    return [other for other in others for _ in range(state.players[other].merchant_fleets)]


def _explore(state: State, seat: int) -> Command | None:
    best, value = None, 0.0
    for land in TERRITORIES:
        at = land.number
        if not state.lands[at].prestige or state.lands[at].excluded:
            continue
        gain = 1.0 + (land.american and not state.america_discovered)
        gain += 0.15 * max((_resource(state, seat, space) for space in land.spaces), default=0)
        worth = chances(count_required_successes(state, seat, at)) * gain
        if worth > value:
            best, value = land.id, worth
    if best is not None and value > 0.05:
        return c.PlayExplorer(best)
    alone = explorer.is_all_explored(state) and is_sea_open(state)
    return c.PlayExplorer() if alone and state.players[seat].treasury else None


def _resource(state: State, seat: int, space: int) -> float:
    """Return the worth of placing a first counter in a space."""
    if not may_place(state, seat, space):
        return 0.0
    pile = state.piles[space]
    if pile and pile[0] == seat:
        return 0.0
    worth = float(RESOURCE.get(SPACES[space].resource, 1))
    if pile:
        return 0.3
    if find_broken_by_taking(WORLD, controllers(state), space, seat) is not None:
        worth -= 0.5
    return worth


def settle(state: State, seat: int) -> Command | None:
    """Return the settling of the best Resource of the explored Territory, as far as the player can pay.

    Adventurers come first with two or more in the Treasury, then a Trading Post with two or more Fleets.
    """
    action, player = state.action, state.players[seat]
    if not isinstance(action, Exploring) or action.territory is None:
        return None
    spaces = explorer.settling_spaces(state, seat, TERRITORY[action.territory])
    best = max(spaces, key=lambda space: _resource(state, seat, space), default=None)
    if best is None:
        return None
    if player.treasury >= 2:
        return c.SettleExploredTerritory("adventurers", SPACES[best].id)
    if player.merchant_fleets >= 2:
        return c.SettleExploredTerritory("trading_post", SPACES[best].id)
    return c.SettleExploredTerritory("adventurers", SPACES[best].id) if player.treasury else None


def sail(state: State, seat: int) -> Command | None:
    """Return an attempt to sail around the world if the chance is worth its Treasury."""
    worth = chances(circumnavigation_required(state, seat))
    return c.AttemptCircumnavigation(attempt=worth > 0.25 and state.players[seat].treasury > 0)


def _place(state: State, seat: int) -> Command | None:
    """Return a placement in the Territory where counters do most: for a Colony, a Monopoly, a Goods."""
    player = state.players[seat]
    most = min(player.logistics, player.treasury)
    best, value = None, 0.4
    for land in TERRITORIES:
        if most and land.spaces and open_land(state, land.number):
            chosen, worth = _settlement(state, seat, land.number, most)
            if chosen and worth > value:
                best, value = c.PlayViceroy(land.id, tuple(SPACES[space].id for space in chosen)), worth
    return best


def _settlement(state: State, seat: int, at: int, most: int) -> tuple[tuple[int, ...], float]:
    """Return the best spaces for counters in one Territory, and the worth of placing them."""
    spaces = [space for space in TERRITORIES[at].spaces if may_place(state, seat, space)]
    chosen: list[int] = []
    worth = 0.0
    for space in sorted(spaces, key=lambda number: -_resource(state, seat, number)):
        pile = state.piles[space]
        need = _count_to_control(pile, seat)
        if need and len(chosen) + need <= most:
            chosen += [space] * need
            worth += (float(RESOURCE.get(SPACES[space].resource, 1)) if not pile else 1.5) - 0.4 * (need - 1)
    return _add_towards_colony(state, seat, at, most, spaces, chosen, worth)


def _add_towards_colony(
    state: State, seat: int, at: int, most: int, spaces: list[int], chosen: list[int], worth: float
) -> tuple[tuple[int, ...], float]:
    """Add counters to *chosen* where a Colony is in reach."""
    if state.lands[at].colony is not None or not spaces or not TERRITORIES[at].native_power:
        return tuple(chosen), worth
    card = nation(state.players[seat])
    wanted = (card is None or card.goal(TERRITORIES[at].id)) and len(spaces) == len(TERRITORIES[at].spaces)
    if not wanted or colonies(state, seat) >= RULES.colony_markers:
        return tuple(chosen), worth
    controlled = all(state.piles[space][:1] == (seat,) or space in chosen for space in spaces)
    missing = native_power(state, at) - counters(state, seat, at) - len(chosen)
    if controlled and missing > 0:
        more = min(missing, most - len(chosen))
        chosen += [spaces[0]] * more
        worth += (6.0 if more == missing else 2.5) * more / missing if more else 0.0
    elif controlled and not (controls_all(state, at, seat) and missing <= 0 and not chosen):
        worth += 5.0
    return tuple(chosen), worth


def _count_to_control(pile: tuple[int, ...], seat: int) -> int:
    """Return the number of counters that take control of a pile; 0 if the seat has it."""
    if pile[:1] == (seat,):
        return 0
    strongest = max((pile.count(owner) for owner in set(pile)), default=0)
    return strongest + 1 - pile.count(seat)


def _embassy(state: State, seat: int) -> Command | None:
    troubled = [
        land.id
        for land in TERRITORIES
        if state.lands[land.number].unrest
        and (state.lands[land.number].colony == seat or present(state, land.number, seat))
    ]
    move = seat if state.players[seat].diplomacy < WORLD.diplomacy_length else None
    if move is None and not troubled:
        return None
    return c.PlayAmbassador(move, troubled[0] if troubled else None)


def _govern(state: State, seat: int) -> Command | None:
    """Return a Governor's play for a Booming City in one of the seat's own Colonies that brings Prestige."""
    prices, city, player = payments(state, seat), state.booming_city, state.players[seat]
    if not prices:
        return None
    for land in TERRITORIES:
        at = land.number
        mine = state.lands[at].colony == seat and present(state, at, seat) and open_land(state, at)
        counts = nation(player) is None or historical_city(player, land.id)
        if mine and counts and not (city and city.territory == land.id):
            return c.PlayGovernor(land.id, prices[0], city_bonus=False)
    return None


def _merchant(state: State, seat: int) -> Command | None:
    fleets = state.players[seat].merchant_fleets
    if not fleets or not merchant.has_something_to_ship(state):
        return None
    due = sorted(city_spaces(state), key=lambda space: state.piles[space][0] != seat)
    return c.PlayMerchant(tuple(SPACES[space].id for space in due[:fleets]))


def ship_on(state: State, seat: int) -> Command | None:
    """Ship own Goods first, then those of the players with least Prestige; slaves not after abolition."""
    left, possible = shipments_left(state, seat), list_shippable(state)
    abolished = any(player.economy >= RULES.abolition_economy for player in state.players)
    wanted = [at for at in possible if not (abolished and SPACES[at].resource == RULES.slaves_resource)]

    def cost(space: int) -> tuple[int, int]:
        owner = state.piles[space][0]
        return (0, 0) if owner == seat else (1, state.players[owner].prestige)

    chosen = sorted(wanted, key=cost)[:left]
    return c.ShipGoods(tuple(SPACES[at].id for at in chosen)) if chosen else None


def _trades(state: State, seat: int) -> tuple[int, tuple[GoodsWanted, ...]] | None:
    left, free = capacity_left(state, seat), count_askable(state, seat)
    own = min(left, state.players[seat].market)
    left -= own
    wanted: list[GoodsWanted] = []
    for other in sorted(range(state.seats), key=lambda other: state.players[other].prestige):
        amount = min(left, free[other])
        if amount:
            wanted.append(GoodsWanted(other, amount))
            left -= amount
    return (own, tuple(wanted)) if own or wanted else None


def _trade(state: State, seat: int) -> Command | None:
    trade = _trades(state, seat)
    return c.PlayTrader(*trade) if trade else None


def trade_on(state: State, seat: int) -> Command | None:
    """Return the rest of a Trader play."""
    trade = _trades(state, seat)
    return c.MoveGoods(*trade) if trade else None


def _borrow(state: State, seat: int) -> Command | None:
    """Borrow only early, when the Treasury is empty or nearly so, and nothing is owed."""
    player = state.players[seat]
    if player.loans or player.treasury > 1 or player.prestige >= LATE - 1:
        return None
    return c.PlayFinancier(financier.largest_loan(state, seat))


def _borrow_again(state: State, seat: int) -> Command | None:
    """Borrow with an empty Treasury: nothing else would ever be done."""
    largest = financier.largest_loan(state, seat)
    return c.PlayFinancier(largest) if not state.players[seat].treasury and largest else None


def strongest_threat(state: State, seat: int) -> int:
    """Return the most Squadrons of any player who may attack the seat."""
    return max(
        (
            rival.squadrons
            for other, rival in enumerate(state.players)
            if sovereign.may_attack(state, other, seat)
        ),
        default=0,
    )


def _room_for_squadrons(state: State, seat: int) -> c.PlayScientist | None:
    """Return an advance of the navy if a rival has more Squadrons than the player has room for.

    The rival must be allowed to attack, and the player must have Prestige to lose. Return None otherwise.
    """
    player = state.players[seat]
    space = next_space(player, "navy")
    if not player.prestige or space is None or player.navy >= NAVY or space + SPARE > player.treasury:
        return None
    return c.PlayScientist("navy") if strongest_threat(state, seat) > player.navy else None


def next_progress(state: State, seat: int, wishes: Wishes, *, wary: bool) -> c.PlayScientist | None:
    """Return the progress to the first of the wishes that is open; None if the player cannot pay for it."""
    first = _room_for_squadrons(state, seat) if wary else None
    if first is not None:
        return first
    player = state.players[seat]
    for track, level in wishes:
        if getattr(player, track) < level:
            space = next_space(player, track)
            if space is not None:
                return c.PlayScientist(track) if space <= player.treasury else None  # type: ignore[arg-type]
    return None


def _missionary(state: State, seat: int) -> Command | None:
    """Protect the seat's own Colonies, then its counters."""
    mine = [land for land in TERRITORIES if present(state, land.number, seat)]
    mine.sort(key=lambda land: (state.lands[land.number].colony != seat, -state.lands[land.number].unrest))
    for land in mine:
        at = land.number
        if state.lands[at].unrest and not state.lands[at].missions:
            return c.PlayMissionary(land.id, "flip")
    card = nation(state.players[seat])
    for land in mine:
        useful = card is not None and card.extremadura and land.american and card.goal(land.id)
        if useful and not state.lands[land.number].missions and state.lands[land.number].colony is None:
            return c.PlayMissionary(land.id, "place")
    return None


# --- war ---------------------------------------------------------------------------------------


def war_strength(state: State, seat: int, enemy: int) -> float:
    """Return the strength in a war: Squadrons, and counters where both are."""
    shared = [TERRITORY[name] for name in list_shared_territories(state, seat, enemy)]
    return state.players[seat].squadrons + 0.5 * sum(counters(state, seat, at) for at in shared)


def weak_rival(state: State, seat: int) -> int | None:
    """Return a player with Prestige who would very likely lose a war."""
    if state.players[seat].squadrons < 2:
        return None
    weak = [
        other
        for other, rival in enumerate(state.players)
        if rival.prestige
        and sovereign.may_attack(state, seat, other)
        and war_strength(state, seat, other) >= 2 * war_strength(state, other, seat) + 1
        and rival.squadrons < state.players[seat].squadrons
    ]
    return max(weak, key=lambda other: state.players[other].prestige, default=None)


def _war(state: State, seat: int) -> Command | None:
    prey = weak_rival(state, seat)
    if prey is not None:
        return c.PlaySovereign("war", prey)
    return c.PlaySovereign("diplomacy") if sovereign.may_court(state, seat) else None


def _rebel(state: State, seat: int) -> Command | None:
    """Return a Rebellion against a Colony of the leader; None if the seat itself leads."""
    leader = max(range(state.seats), key=lambda other: state.players[other].prestige)
    if leader == seat:
        return None
    for land in TERRITORIES:
        at = land.number
        ripe = state.lands[at].unrest and not state.lands[at].missions and not present(state, at, seat)
        if ripe and state.lands[at].colony == leader:
            return c.PlayRebel("rebellion", land.id)
    return None


Plan = Callable[[State, int], Command | None]

FIRST: Mapping[str, Plan] = {
    "conqueror": _conquer,
    "viceroy": _place,
    "governor": _govern,
    "trader": _trade,
    "sovereign": _war,
}
"""The plans that are tried first for a card, by Character."""
SECOND: Mapping[str, Plan] = {
    "explorer": _explore,
    "ambassador": _embassy,
    "merchant": _merchant,
    "financier": _borrow,
    "missionary": _missionary,
    "rebel": _rebel,
}
LAST: Mapping[str, Plan] = {"financier": _borrow_again}
"""The plans that are tried last, if no other leads to a command."""
