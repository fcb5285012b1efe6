"""Sentences of the Merchant, the Trader and the Privateers."""

from __future__ import annotations

from events.fact import Who
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.tell.sequence import Data, Teller


def by_seat(entries: object, who: Who) -> str:
    """``Red 2 and Blue 1``."""
    return w.listed(f"{who(e['seat'])} {e['count']}" for e in entries)  # type: ignore[attr-defined]


def _requested(d: Data, who: Who) -> str:
    own = f"ships {w.many(len(d['own_spaces']), 'own Good')}"
    asked = [f"{who(e['seat'])} for {w.spaces(e['spaces'])}" for e in d["requests_by_owner"]]
    return f"{who(d['seat'])} {own}" + (f" and asks {w.listed(asked)}." if asked else ".")


def _goods_answered(d: Data, who: Who) -> str:
    if "accepted" not in d:
        return f"{who(d['seller'])} has answered the Merchant."
    return f"{who(d['seller'])} grants {w.spaces(d['accepted'])}."


def _goods_revealed(d: Data, who: Who) -> str:
    answers = (f"{who(e['seat'])} {w.spaces(e['spaces'])}" for e in d["accepted_by_seller"])
    return f"Goods granted: {w.listed(answers)}."


def _shipped(d: Data, who: Who) -> str:
    foreign = sum(len(e["spaces"]) for e in d["foreign_by_seller"])
    return (
        f"{who(d['seat'])} ships {len(d['own'])} own and {w.many(foreign, 'foreign Good')}: "
        f"{w.many(d['market_counters'], 'counter')} for the Market."
    )


def _attacked(d: Data, who: Who) -> str:
    if not d["dice"]:
        return f"{who(d['owner'])}'s Privateers let {who(d['merchant'])} pass."
    hits = w.many(d["successes"], "Success", "Successes")
    ships = w.many(d["dice"], "Privateer")
    return f"{who(d['owner'])} attacks {who(d['merchant'])} with {ships}: {hits}, {d['taken']} taken."


def _counterattack(d: Data, who: Who) -> str:
    dice = w.many(d["dice"], "die", "dice")
    sunk = w.many(d["sunk"], "Privateer")
    return f"{who(d['merchant'])} strikes back with {dice} and sinks {sunk} of {who(d['owner'])}."


def _trade_requested(d: Data, who: Who) -> str:
    own = f"moves {w.many(d['own'], 'own Good')}"
    asked = f" and asks for Goods: {by_seat(d['requests'], who)}" if d["requests"] else ""
    return f"{who(d['seat'])} {own}{asked}."


def _trade_answered(d: Data, who: Who) -> str:
    if "accepted" not in d:
        return f"{who(d['owner'])} has answered the Trader."
    return f"{who(d['owner'])} lets {w.many(d['accepted'], 'Good')} be moved."


def _goods_moved(d: Data, who: Who) -> str:
    others = f", of others {by_seat(d['by_owner'], who)} for {d['commission']} T" if d["by_owner"] else ""
    return f"{who(d['trader'])} turns {w.many(d['own'], 'own Good')} into Treasury{others}."


TELL: dict[str, Teller] = {
    "GoodsRequested": _requested,
    "GoodsRequestAnswered": _goods_answered,
    "GoodsAnswersRevealed": _goods_revealed,
    "GoodsShipped": _shipped,
    "SellerPaid": lambda d, who: f"{who(d['seller'])} takes {d['amount']} T for the Goods sold.",
    "PrivateersAttacked": _attacked,
    "CounterattackRolled": _counterattack,
    "GoodsReachedMarket": lambda d, who: (
        f"{who(d['seat'])} puts {w.many(d['count'], 'counter')} on the Market."
    ),
    "TradeRequested": _trade_requested,
    "TradeRequestAnswered": _trade_answered,
    "TradeAnswersRevealed": lambda d, who: f"Goods released: {by_seat(d['accepted_by_owner'], who)}.",
    "GoodsMoved": _goods_moved,
}
