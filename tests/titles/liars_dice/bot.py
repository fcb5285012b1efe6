"""A steady player of Liar's dice: it believes what its own dice and the average of the others allow."""

from __future__ import annotations

from typing import Any

from rutter.events.rules.fast_chance import FastChance
from rutter.events.rules.title import Title
from rutter.workers.bot_types import Bot

from .state import Bid, State
from .steps import ChallengeBid, MakeBid, count_dice, list_bids


def choose(
    title: Title[Any], state: State, seat: int, chance: FastChance, budget: int
) -> MakeBid | ChallengeBid:
    """Return the bid that is likeliest to hold, or a challenge if the latest bid is less likely than that."""
    bids = list(list_bids(state, seat))
    best = max(bids, key=lambda bid: _margin(state, seat, Bid(bid.count, bid.face)), default=None)
    if best is None:
        return ChallengeBid()
    if (
        state.bid is not None
        and _margin(state, seat, state.bid) + _margin(state, seat, Bid(best.count, best.face)) < 0
    ):
        return ChallengeBid()
    return best


def _margin(state: State, seat: int, bid: Bid) -> float:
    """Return how many more dice of the face there are than the bid says, on average."""
    own = state.cups[seat]
    return own.count(bid.face) + (count_dice(state) - len(own)) / 6 - bid.count


STEADY = Bot(name="steady", version=1, budget=0, choose=choose)
