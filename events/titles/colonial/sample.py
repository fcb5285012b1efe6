"""One legal command at random, without listing them all. Random, but sane enough that games end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import TypeVar

from events.chance import Chance
from events.fact import Seat
from events.kit.values import without
from events.steps import Command, Decision
from events.titles.colonial import commands as c
from events.titles.colonial.data import CARDS, RULES, SPACES, TERRITORIES, WORLD
from events.titles.colonial.decisions import decisions, default
from events.titles.colonial.derived import (
    city_spaces,
    may_place,
    next_space,
    open_land,
    payments,
    present,
    required_successes,
    revealed_card,
    shipments_left,
    shippable,
    usable_again,
)
from events.titles.colonial.legal import companies, foundable, legal, victims
from events.titles.colonial.state import Request, Selling, State
from events.titles.colonial.steps import turn, war
from events.titles.colonial.steps.characters import financier, merchant, rebel, sovereign, trader

T = TypeVar("T")
Sampler = Callable[[State, int, Chance], Command | None]


def sample(state: State, seat: Seat, chance: Chance) -> Command | None:
    """A random legal command; None for a seat without any decision."""
    mine = [decision for decision in decisions(state) if decision.seat == seat]
    awaited = [decision for decision in mine if not decision.free]
    free = [decision for decision in mine if decision.free]
    if free and (not awaited or _often(chance, 3)):
        return _free(state, seat, chance.pick(free), chance)
    if not awaited:
        return None
    return _AWAITED[awaited[0].kind](state, seat, chance) or default(state, awaited[0])


def _often(chance: Chance, percent: int) -> bool:
    return chance.pick(range(100)) < percent


def _some(chance: Chance, options: Sequence[T]) -> T | None:
    return chance.pick(options) if options else None


def _shuffled(chance: Chance, items: Sequence[T], count: int) -> tuple[T, ...]:
    """*count* of *items* in random order."""
    rest, drawn = tuple(items), []
    for _ in range(count):
        drawn.append(chance.pick(rest))
        rest = without(rest, [drawn[-1]])
    return tuple(drawn)


def _free(state: State, seat: int, decision: Decision, chance: Chance) -> Command:
    """Gifts are small, repayments generous."""
    if decision.kind == "transfer_treasury":
        others = [other for other in range(state.seats) if other != seat]
        return c.TransferTreasury(
            chance.pick(others), 1 + chance.pick(range(min(3, state.players[seat].treasury)))
        )
    if decision.kind == "replace_row":
        return _program(state, seat, chance)
    return default(state, decision)


def _program(state: State, seat: int, chance: Chance) -> Command:
    return c.ProgramCards(_shuffled(chance, state.players[seat].cards, RULES.programmed_cards))


# --- the Characters ----------------------------------------------------------------------------


def _character(state: State, seat: int, chance: Chance) -> Command | None:
    """One of the two Characters if it can do anything, else the other, else forfeit."""
    player = state.players[seat]
    if player.loans and player.treasury and _often(chance, 25):
        return _repay(state, seat, chance)
    if _often(chance, 3):
        return None
    card = CARDS[revealed_card(state, seat) or ""]
    for character in _shuffled(chance, card.characters, 2):
        if usable_again(player, character):
            command = _PLAYS[character](state, seat, chance)
            if command is not None:
                return command
    return None


def _repay(state: State, seat: int, chance: Chance) -> Command:
    player = state.players[seat]
    loan = chance.pick(player.loans)
    return c.RepayLoan(loan.loan_id, min(loan.size, player.treasury))


def _explorer(state: State, seat: int, chance: Chance) -> Command | None:
    """The easier of two Territories."""
    unknown = [at for at, lies in enumerate(state.prestige) if lies and not state.excluded[at]]
    if unknown:
        two = (chance.pick(unknown), chance.pick(unknown))
        at = min(two, key=lambda number: required_successes(state, seat, number))
        return c.PlayExplorer(TERRITORIES[at].id)
    alone = not any(state.prestige) and state.circumnavigation_box
    affordable = state.players[seat].treasury >= RULES.circumnavigation_cost
    return c.PlayExplorer() if alone and affordable else None


def _conqueror(state: State, seat: int, chance: Chance) -> Command | None:
    ways = tuple(foundable(state, seat))
    if not ways:
        return None
    at, plain = chance.pick(ways)
    pillage = chance.pick((True, False))
    most = min(2, state.unrest[at] + pillage + (plain.method == "extremadura"))
    return c.PlayConqueror(
        plain.territory,
        plain.method,
        chance.pick(tuple(companies(state, seat, at))),
        pillage,
        chance.pick(range(most + 1)),
        chance.pick(tuple(victims(state, seat, at))),
    )


def _viceroy(state: State, seat: int, chance: Chance) -> Command | None:
    player = state.players[seat]
    spaces = [space.number for space in SPACES if may_place(state, seat, space.number)]
    if not spaces or not player.treasury:
        return None
    at = chance.pick(spaces)
    beside = [space for space in TERRITORIES[SPACES[at].territory].spaces if space in spaces]
    count = 1 + chance.pick(range(min(player.logistics, player.treasury)))
    chosen = (at, *(chance.pick(beside) for _ in range(count - 1)))
    return c.PlayViceroy(TERRITORIES[SPACES[at].territory].id, tuple(SPACES[space].id for space in chosen))


def _ambassador(state: State, seat: int, chance: Chance) -> Command | None:
    movable = [s for s in range(state.seats) if state.players[s].diplomacy < WORLD.diplomacy_length]
    move = seat if seat in movable and _often(chance, 60) else _some(chance, movable)
    troubled = _some(chance, [land.id for land in TERRITORIES if state.unrest[land.number]])
    calmed = troubled if move is None or _often(chance, 60) else None
    return c.PlayAmbassador(move, calmed) if move is not None or calmed is not None else None


def _sovereign(state: State, seat: int, chance: Chance) -> Command | None:
    if sovereign.may_court(state, seat) and _often(chance, 30):
        return c.PlaySovereign("diplomacy")
    target = _some(chance, [s for s in range(state.seats) if sovereign.may_attack(state, seat, s)])
    return None if target is None else c.PlaySovereign("war", target)


def _rebel(state: State, seat: int, chance: Chance) -> Command | None:
    mode = chance.pick(("rebellion", "rebellion", "unrest", "discard_mission"))
    lands = [
        land.id
        for at, land in enumerate(TERRITORIES)
        if (
            (mode == "rebellion" and state.unrest[at] and not state.missions[at] and not state.excluded[at])
            or (mode == "unrest" and open_land(state, at))
            or (mode == "discard_mission" and state.missions[at] and not state.excluded[at])
        )
    ]
    land = _some(chance, lands)
    return None if land is None else c.PlayRebel(mode, land)  # type: ignore[arg-type]


def _merchant(state: State, seat: int, chance: Chance) -> Command | None:
    fleets = state.players[seat].fleets
    if not fleets or not merchant.something_to_ship(state):
        return None
    due = [SPACES[space].id for space in city_spaces(state)]
    return c.PlayMerchant(_shuffled(chance, due, min(len(due), fleets)))


def _governor(state: State, seat: int, chance: Chance) -> Command | None:
    possible, city = payments(state, seat), state.booming_city
    lands = [
        land.id
        for land in TERRITORIES
        if open_land(state, land.number)
        and present(state, land.number, seat)
        and not (city and city.territory == land.id)
    ]
    if not possible or not lands:
        return None
    return c.PlayGovernor(chance.pick(lands), chance.pick(possible[:3]), city_bonus=_often(chance, 90))


def _trade(state: State, seat: int, chance: Chance) -> tuple[int, tuple[c.GoodsWanted, ...]] | None:
    left = trader.capacity_left(state, seat)
    own = min(left, state.players[seat].market)
    asked = _some(chance, [s for s, goods in enumerate(trader.askable(state, seat)) if goods])
    amount = 0 if asked is None else min(left - own, trader.askable(state, seat)[asked])
    wanted = (c.GoodsWanted(asked, amount),) if asked is not None and amount else ()
    return (own, wanted) if own or wanted else None


def _trader(state: State, seat: int, chance: Chance) -> Command | None:
    trade = _trade(state, seat, chance)
    return None if trade is None else c.PlayTrader(*trade)


def _financier(state: State, seat: int, chance: Chance) -> Command | None:
    """Seldom: debts keep games from ending."""
    if state.players[seat].loans or not _often(chance, 25):
        return None
    return c.PlayFinancier(1 + chance.pick(range(financier.largest_loan(state, seat))))


def _scientist(state: State, seat: int, chance: Chance) -> Command | None:
    player = state.players[seat]
    spaces = [(track, next_space(player, track)) for track in RULES.tracks]
    track = _some(chance, [name for name, space in spaces if space is not None and space <= player.treasury])
    return None if track is None else c.PlayScientist(track)


def _missionary(state: State, seat: int, chance: Chance) -> Command | None:
    lands = [land for land in TERRITORIES if open_land(state, land.number)]
    land = _some(chance, lands)
    if land is None:
        return None
    return c.PlayMissionary(land.id, "flip" if state.unrest[land.number] else "place")


_PLAYS: Mapping[str, Sampler] = {
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


# --- within a play -----------------------------------------------------------------------------


def _ship(state: State, seat: int, chance: Chance) -> Command | None:
    possible, left = shippable(state), shipments_left(state, seat)
    own = [at for at in possible if state.piles[at][0] == seat]
    others = [at for at in possible if state.piles[at][0] != seat]
    count = min(left, len(own))
    chosen = _shuffled(chance, own, count)
    if left > count and others and _often(chance, 70):
        chosen += _shuffled(chance, others, 1 + chance.pick(range(min(left - count, len(others)))))
    return c.ShipGoods(tuple(SPACES[at].id for at in chosen)) if chosen else None


def _further_trade(state: State, seat: int, chance: Chance) -> Command | None:
    trade = _trade(state, seat, chance)
    return c.MoveGoods(*trade) if trade is not None and _often(chance, 70) else None


def _grant(state: State, seat: int, chance: Chance) -> Command:
    asked = merchant.request_to(state.action, seat) or Request(seat, ())
    return c.AnswerShipment(tuple(space for space in asked.spaces if _often(chance, 70)))


def _grant_goods(state: State, seat: int, chance: Chance) -> Command:
    asked = state.action.asked[seat] if isinstance(state.action, Selling) else 0
    return c.AnswerGoodsRequest(asked if _often(chance, 60) else chance.pick(range(asked + 1)))


def _rebellion_casualties(state: State, seat: int, chance: Chance) -> Command:
    chosen = chance.pick(tuple(islice(rebel.ways(state, seat), 8)))
    return c.ChooseRebellionCasualties(
        tuple(c.Victim(loss.space, loss.owner, loss.position) for loss in chosen)
    )


def _war_casualties(state: State, seat: int, chance: Chance) -> Command | None:
    fighting = war.the_war(state)
    side = war.open_side(fighting, seat)
    if side is None or fighting.battle is None:
        return None
    chosen = chance.pick(tuple(islice(war.casualty_ways(state, fighting, fighting.battle, side), 8)))
    return c.ChooseWarCasualties(tuple(c.Target(loss.space, loss.position) for loss in chosen))


def _end_round(state: State, seat: int, chance: Chance) -> Command:
    repays = state.players[seat].treasury and _often(chance, 60)
    return _repay(state, seat, chance) if repays else c.EndRound()


def _listed(state: State, seat: int, chance: Chance) -> Command:
    """Where the list is short."""
    awaited = next(d.commands for d in decisions(state) if d.seat == seat and not d.free)
    few: list[Command] = [command for command in legal(state, seat) if _type(command) in awaited]
    return chance.pick(few)


def _type(command: Command) -> str:
    return str(command.__struct_config__.tag)


def _surrender(state: State, seat: int, chance: Chance) -> Command:
    return c.DecideSurrender(surrender=_often(chance, 30))


def _flamboyance(state: State, seat: int, chance: Chance) -> Command | None:
    """Mostly what an absent player does: pay if possible."""
    return c.DecideFlamboyance("lose_prestige") if _often(chance, 20) else None


def _squadrons(state: State, seat: int, chance: Chance) -> Command:
    most = min(turn.limit(state, seat, "naval_forces"), state.players[seat].treasury)
    return c.BuySquadrons(chance.pick(range(most + 1)))


_AWAITED: Mapping[str, Sampler] = {
    "choose_nation": _listed,
    "program_cards": _program,
    "play_character": _character,
    "end_round": _end_round,
    "roll_again_for_australia": _listed,
    "settle_explored_territory": _listed,
    "attempt_circumnavigation": _listed,
    "choose_rebellion_casualties": _rebellion_casualties,
    "choose_war_casualties": _war_casualties,
    "answer_shipment": _grant,
    "answer_goods_request": _grant_goods,
    "continue_merchant": _ship,
    "continue_trader": _further_trade,
    "reroll_sea_dice": _listed,
    "decide_surrender": _surrender,
    "buy_merchant_fleets": _listed,
    "buy_squadrons": _squadrons,
    "decide_flamboyance": _flamboyance,
}
