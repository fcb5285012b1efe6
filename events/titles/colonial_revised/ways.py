"""Ways to say commands whose legal list is a selection or one order of many.

See `events/rules/kit/ways.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from events.rules.kit.ways import DONE, Way, allot, choose_one, choose_several, choose_some, lots
from events.rules.steps import Command
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.data import (
    CARD_OF,
    CARDS,
    CONSTANTS,
    DIPLOMACY,
    SLAVES,
    SPACE,
    SPACES,
    TERRITORIES,
    TERRITORY,
)
from events.titles.colonial_revised.derived import count_vulnerable, foreign, list_controlled, trade_limit
from events.titles.colonial_revised.offers import names
from events.titles.colonial_revised.parts import Loss, SeatCount, SpaceCount
from events.titles.colonial_revised.state import State, list_available, require
from events.titles.colonial_revised.steps import merchant, trader
from events.titles.colonial_revised.steps.ambassador import unrest_to_remove
from events.titles.colonial_revised.steps.rebel import unrest_targets

NAMES = (*CARDS, *(land.id for land in TERRITORIES), *(space.id for space in SPACES))


def _holds(state: State, seat: int, character: str) -> bool:
    return CARD_OF[character] in list_available(state, seat)


# --- Ambassador, Rebel, Sovereign -----------------------------------------------------------------


def _ambassador(state: State, seat: int) -> Way | None:
    if not _holds(state, seat, "ambassador"):
        return None
    spots = tuple(TERRITORIES[number].id for number in unrest_to_remove(state, seat))
    alone = state.players[seat].diplomacy < DIPLOMACY
    uses = (True, False) if spots else (True,) if alone else ()

    def list_spots(moves: bool) -> Way:
        return choose_one((None, *spots) if moves and alone else spots)

    return choose_one(uses, list_spots) if uses else None


def _unrest(state: State, seat: int) -> Way | None:
    """Two Territories, or the one that there is (REV-264)."""
    spots = [TERRITORIES[number].id for number in unrest_targets(state)]
    if not spots or not _holds(state, seat, "rebel"):
        return None
    return choose_some(spots, min(2, len(spots)), 2)


# --- Merchant -------------------------------------------------------------------------------------


def _shipment(state: State, seat: int) -> Way | None:
    """Own Goods up to the Merchant Fleets, then requests if any are left over, then the consent."""
    forbidden = merchant.slaves_forbidden(state, seat)
    own, others = list_controlled(state, seat), foreign(state, seat)
    if forbidden:
        own, others = merchant.list_without_slaves(state, own), merchant.list_without_slaves(state, others)
    if not (own or others) or not _holds(state, seat, "merchant"):
        return None
    fleets = state.players[seat].merchant_fleets
    if not fleets:
        return None
    # Booming Cities are asked by themselves, so that a command that names no Goods may still ship some.
    by_itself = [
        bool(merchant.list_booming_spaces(state, seat, ship_slaves=slaves)) for slaves in (False, True)
    ]

    def requests(shipped: Sequence[str]) -> Way:
        asked = names(others) if len(shipped) < fleets else ()
        least = 0 if shipped or any(by_itself) else 1
        return choose_some(asked, least, len(asked), lambda chosen: consents((*shipped, *chosen)))

    def consents(spaces: Sequence[str]) -> Way:
        slaves = state.abolition and any(SPACE[name] in SLAVES for name in spaces)
        return choose_one((True,) if slaves or not (spaces or by_itself[False]) else (False, True))

    return choose_some(names(own), 0 if others else 1, fleets, requests)


def _grant(state: State, seat: int) -> Way:
    asked = merchant.list_asked_spaces(require(state.shipment), seat)
    return choose_some(asked, 0, len(asked))


def _confirmation(state: State, seat: int) -> Way:
    """Some of what was granted, the Booming City's due among them (REV-210)."""
    deal = require(state.shipment)
    offered, fleets = merchant.list_granted(deal), state.players[seat].merchant_fleets
    due, room = merchant.count_owed(deal, fleets), fleets - len(deal.own_spaces)

    def count_lacking(chosen: Sequence[str]) -> int:
        return due - sum(name in deal.booming_spaces for name in chosen)

    def list_more(chosen: tuple[str, ...]) -> Iterator[str]:
        for name in offered:
            after = (*chosen, name)
            if name not in chosen and len(after) + max(0, count_lacking(after)) <= room:
                yield name

    return choose_several(list_more, lambda chosen: count_lacking(chosen) <= 0, lambda _chosen: DONE)


# --- Trader ---------------------------------------------------------------------------------------


def _sale(state: State, seat: int) -> Way | None:
    """Own Goods, then Goods of others, of whom nobody is asked where the limit is reached (REV-237)."""
    limit = trade_limit(state, seat)
    own = min(limit, state.players[seat].market)
    others = {s: p.market for s, p in enumerate(state.players) if s != seat and p.market}
    if not _holds(state, seat, "trader") or not (own or (others and limit)):
        return None

    def requests(moved: int) -> Way:
        return _goods(others, None, least=0 if moved else 1)

    return choose_one(range(0 if others else 1, own + 1), requests)


def _choose_moved(state: State, seat: int) -> Way:
    deal = require(state.trade)
    return _goods(trader.count_granted(deal), trade_limit(state, seat) - deal.own, least=0)


def _goods(goods: Mapping[int, int], room: int | None, *, least: int) -> Way:
    """Goods of other seats, each once, *least* seats at least; no more than *room* in all."""

    def list_more(chosen: tuple[SeatCount, ...]) -> Iterator[SeatCount]:
        left = None if room is None else room - sum(entry.count for entry in chosen)
        named = {entry.seat for entry in chosen}
        for owner, count in goods.items():
            most = count if left is None else min(count, left)
            if owner not in named:
                yield from (SeatCount(owner, number) for number in range(1, most + 1))

    return choose_several(list_more, lambda chosen: len(chosen) >= least, lambda _chosen: DONE)


# --- losses in a Rebellion ------------------------------------------------------------------------


def _allotment(state: State, seat: int) -> Way:
    """All losses: of the others until they have no more, then of one's own (REV-268)."""
    losses, held = require(state.rebellion).losses, _open_to_loss(state)
    due = min(losses, sum(count for (victim, _), count in held.items() if victim != seat))

    def list_more(chosen: tuple[Loss, ...]) -> Iterator[Loss]:
        total = sum(loss.count for loss in chosen)
        named = {(loss.seat, SPACE[loss.space]) for loss in chosen}
        goal = due if total < due else losses
        left = {k: count for k, count in held.items() if k not in named and (k[0] == seat) == (total >= due)}
        for (victim, space), count in lots(left, goal - total, goal - total):
            yield Loss(victim, SPACES[space].id, count)

    return choose_several(
        list_more, lambda chosen: sum(loss.count for loss in chosen) == losses, lambda _chosen: DONE
    )


def _open_to_loss(state: State) -> dict[tuple[int, int], int]:
    """Counters that can be hit, by victim and space (REV-270)."""
    spaces = TERRITORIES[TERRITORY[require(state.rebellion).territory]].spaces
    pairs = ((victim, space) for victim in range(state.seats) for space in spaces)
    return {pair: count for pair in pairs if (count := count_vulnerable(state, pair[1], pair[0]))}


def _saving(state: State, seat: int) -> Way:
    """Counters of one's own among those lost, as far as they can be paid for (REV-269)."""
    mine = {loss.space: loss.count for loss in require(state.rebellion).allotment if loss.seat == seat}
    return allot(mine, 0, state.players[seat].spendable // CONSTANTS.avert_cost, SpaceCount)


WAYS: Mapping[type[Command], Callable[[State, int], Way | None]] = {
    c.UseAmbassador: _ambassador,
    c.PlaceUnrest: _unrest,
    c.ShipGoods: _shipment,
    c.AnswerGoodsRequest: _grant,
    c.ConfirmShipment: _confirmation,
    c.SellGoods: _sale,
    c.ConfirmTrade: _choose_moved,
    c.AllotLosses: _allotment,
    c.AvertLosses: _saving,
}
