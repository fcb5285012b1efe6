"""The steady player of Colonial Revised: Colonies, Cities and Monopolies first, few debts.

Cards are rated by Character; where counters are placed, the few sensible placements are tried out and the
resulting positions compared. Among Goods that others grant, those of the player who stands lowest come first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command, Decision
from events.rules.title import Title
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised.checks import usable_spaces
from events.titles.colonial_revised.data import CARD_OF, CONSTANTS, MANDATORY, SPACES, TERRITORIES, TERRITORY
from events.titles.colonial_revised.derived import (
    colonies,
    counters,
    fleet_limit,
    fleet_of,
    half_up,
    loan_penalty,
    resources,
    trade_limit,
)
from events.titles.colonial_revised.offers import Split, entries
from events.titles.colonial_revised.parts import SpaceCount, VictimCount
from events.titles.colonial_revised.state import State, list_available, require
from events.titles.colonial_revised.steps import merchant, privateering, trader
from events.titles.colonial_revised.steps.alliances import volunteers
from events.titles.colonial_revised.steps.escalation import count_most_squadrons, navy_step, squadron_price
from events.titles.colonial_revised.steps.later_phases.choosing_cards import list_played
from events.titles.colonial_revised.steps.passing import may_pass
from workers.bot_types import Bot
from workers.bots.colonial_revised_plans import (
    PLANS,
    Plan,
    Thumb,
    find_promising_sending,
    try_commands,
    try_promising_sendings,
)
from workers.bots.colonial_revised_worth import WORTH
from workers.bots.search import thinkers

Chooser = Callable[[Title[Any], State, Seat], Command]

PASS = -20_000
"""The rating of passing with a card."""
_LATE = 5
"""The turn from which progress no longer pays."""
_SPARED_EARLY = (
    "explorer_conqueror",
    "scientist_missionary",
    "merchant_governor",
    "trader_financier",
    "viceroy_ambassador",
)
"""Cards by how well the bots that think can do without them before turn :data:`_LATE`.

Found by trial at three seats: of the orders tried, this one won most games against `steady`.
"""
_SPARED_LATE = (
    "scientist_missionary",
    "merchant_governor",
    "trader_financier",
    "viceroy_ambassador",
    "explorer_conqueror",
)
"""The same from that turn on."""


class RulesOfThumb:
    """Rules of thumb, and what its versions do differently.

    Args:
        thumb: what things are worth to it.
        answers: answers to other decisions, by their kind, in place of those of the first version.
        others: plans that take the place of :data:`PLANS`.
    """

    def __init__(self, thumb: Thumb, answers: Mapping[str, Chooser] | None = None, **others: Plan) -> None:
        self._thumb = thumb
        self._plans = {**PLANS, **others}
        self._answers: Mapping[str, Chooser] = {
            **_ANSWERS,
            "play_card": self._play_card,
            "settle_exploration": self._settle,
            "build_squadrons": self._build_squadrons,
            **(answers or {}),
        }

    def choose(
        self, title: Title[Any], state: State, seat: Seat, _chance: FastChance, _budget: int
    ) -> Command:
        """Return the best command by rules of thumb: the same in the same situation."""
        decision = next(d for d in title.list_awaited_kinds(state) if d.seat == seat)
        repay = _repayment(state, seat)
        if repay is not None:
            return repay
        answer = self._answers.get(decision.kind)
        return title.default(state, decision) if answer is None else answer(title, state, seat)

    def _play_card(self, title: Title[Any], state: State, seat: Seat) -> Command:
        cards = list_available(state, seat)
        passed = next((card for card in cards if may_pass(state, seat, card)), None)
        best: tuple[int, Command] | None = None
        if passed is not None:
            best = PASS, c.PassCard(passed)  # type: ignore[arg-type]
        for character, plan in self._plans.items():
            if CARD_OF[character] in cards:
                for rated in plan(self._thumb, title, state, seat):
                    if best is None or rated[0] > best[0]:
                        best = rated
        return title.default(state, Decision(seat, "play_card", ())) if best is None else best[1]

    def _settle(self, title: Title[Any], state: State, seat: Seat) -> Command:
        player, place = state.players[seat], TERRITORY[require(state.exploration).territory]
        spaces = usable_spaces(player, place)
        most = min(player.logistics, player.spendable)
        posts: list[int | None] = [None, *(spaces if player.merchant_fleets else ())]
        sent: list[Split] = [(), *(((space, n),) for space in spaces for n in (1, 2) if n <= most)]
        options = [
            c.SettleExploration(None if post is None else SPACES[post].id, entries(split))
            for post in reversed(posts)
            for split in sent
        ]
        return try_commands(self._thumb, title, state, seat, options)[1]

    def _build_squadrons(self, title: Title[Any], state: State, seat: Seat) -> Command:
        player = state.players[seat]
        spare = max(0, player.spendable - 3)
        return c.BuildSquadrons(min(player.navy, spare, max(0, self._thumb.fleet - player.squadrons)))


def _repayment(state: State, seat: Seat) -> Command | None:
    """Repay debts as soon as they can go at once, or when that wins."""
    player = state.players[seat]
    amount = min(player.loans, player.spendable)
    if not amount:
        return None
    left = loan_penalty(player.loans - amount)
    if player.standing.total - left >= CONSTANTS.win_pp or amount == player.loans <= player.spendable - 5:
        return c.RepayLoan(amount)
    return None


def _buy_exploration(title: Title[Any], state: State, seat: Seat) -> Command:
    cost = require(require(state.exploration).price)
    purse = state.players[seat].spendable
    return c.BuyExploration(pay=cost <= 1 or (cost <= 3 and purse >= 7))


def rank_owners(state: State) -> list[Seat]:
    """Return all seats, the one that is to be paid first for its Goods in front.

    It has the fewest Prestige Points, then the least Treasury; of equals it comes last in the player order.
    """

    def standing(seat: Seat) -> tuple[int, int, int]:
        player = state.players[seat]
        points = player.standing.total - loan_penalty(player.loans)
        return points, player.treasury, -state.order.index(seat)

    return sorted(range(state.seats), key=standing)


def _answer_goods(title: Title[Any], state: State, seat: Seat) -> Command:
    """1 T a Good for the seller, half a counter for the Merchant: sold, but not to a leader."""
    asked = merchant.list_asked_spaces(require(state.shipment), seat)
    leader = state.players[require(state.action).seat].standing.total >= CONSTANTS.win_pp - 2
    return c.AnswerGoodsRequest(() if leader else asked)


def _confirm_shipment(title: Title[Any], state: State, seat: Seat) -> Command:
    """Ship as many as there are fleets, but no even last Good that only the seller profits from."""
    deal, fleets = require(state.shipment), state.players[seat].merchant_fleets
    granted = dict.fromkeys(rank_owners(state), ()) | {entry.seat: entry.spaces for entry in deal.requests}
    offered = [
        name for owner, names in granted.items() for name in names if name in (deal.answers[owner] or ())
    ]
    booming = [name for name in offered if name in deal.booming_spaces]
    due, room = merchant.count_owed(deal, fleets), fleets - len(deal.own_spaces)
    chosen = booming[:due] + [name for name in offered if name not in booming[:due]]
    count = min(room, len(chosen))
    if count > due and count % 2 == 0:
        count -= 1
    return c.ConfirmShipment(tuple(chosen[:count]))


def _answer_trade(title: Title[Any], state: State, seat: Seat) -> Command:
    return c.AnswerTradeRequest(trader.count_asked_goods(require(state.trade), seat))


def _confirm_trade(title: Title[Any], state: State, seat: Seat) -> Command:
    """Move as many Goods of others as there is room for."""
    deal = require(state.trade)
    room, granted = trade_limit(state, seat) - deal.own, trader.count_granted(deal)
    goods = {}
    for owner in rank_owners(state):
        goods[owner] = min(room, granted.get(owner, 0))
        room -= goods[owner]
    return c.ConfirmTrade(trader.as_counts(dict(sorted(goods.items()))))


def _choose_first(title: Title[Any], state: State, seat: Seat) -> Command:
    """Return the first of the list, which is the natural one."""
    return next(title.legal(state, seat))


def _avert(title: Title[Any], state: State, seat: Seat) -> Command:
    """Save what keeps a Colony, else only with a full purse."""
    rebellion, player = require(state.rebellion), state.players[seat]
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


def _accept(title: Title[Any], state: State, seat: Seat) -> Command:
    best = max(volunteers(require(state.war)), key=lambda s: (state.players[s].squadrons, s))
    return c.AcceptAlly(best if state.players[best].squadrons else None)


def _decide_war(title: Title[Any], state: State, seat: Seat) -> Command:
    """Decide a war: a weaker Defender gives in without loss; an Attacker only ever loses by giving in."""
    war = require(state.war)
    ours, theirs = fleet_of(state, war, "defender"), fleet_of(state, war, "attacker")
    if seat == war.defender:
        return c.DecideWar(go_on=ours * 2 > theirs)
    if seat in {war.attacker_ally, war.defender_ally}:
        return c.DecideWar(go_on=False)
    return c.DecideWar(go_on=True)


def _navy_step(title: Title[Any], state: State, seat: Seat) -> Command:
    cost, player = navy_step(state, seat), state.players[seat]
    close = player.steps_bought + 1 == CONSTANTS.progress_award_steps and state.progress_award_holder is None
    ready = cost is not None and player.spendable - cost >= (0 if close else 9)
    return c.BuyNavyStep(buy=ready)


def _squadrons(title: Title[Any], state: State, seat: Seat) -> Command:
    held, player = require(state.escalation), state.players[seat]
    count = count_most_squadrons(state, held, seat)
    belligerent = seat in held.belligerents
    while count and squadron_price(player.squadrons, count, belligerent=belligerent) > player.spendable - 2:
        count -= 1
    return c.BuyEscalationSquadrons(count)


def _fleets(title: Title[Any], state: State, seat: Seat) -> Command:
    player = state.players[seat]
    useful = max(0, resources(state, seat) + 3 - player.merchant_fleets)
    spare = max(0, player.spendable - 3)
    return c.BuildMerchantFleets(min(fleet_limit(state, seat), useful, spare))


def _privateers(title: Title[Any], state: State, seat: Seat) -> Command:
    """Commission privateers, with a full purse, against the weakest fleet that ships much."""
    options = privateering.placements(state, seat)
    if state.players[seat].spendable < 12 or len(colonies(state, seat)) < 1:
        return c.CommissionPrivateers(())

    def promise(placements: tuple[VictimCount, ...]) -> int:
        return sum(
            entry.count * (resources(state, entry.victim) - state.players[entry.victim].squadrons)
            for entry in placements
        )

    return c.CommissionPrivateers(max(options, key=promise))


def _set_aside(title: Title[Any], state: State, seat: Seat) -> Command:
    """Set aside the card that must be used, then what helps least: first exploring, later progress."""
    played = list_played(state, seat)
    order = _SPARED_EARLY if state.turn < _LATE else _SPARED_LATE
    spared = next(card for card in (MANDATORY, *order) if card in played)
    return c.SetAsideCard(spared)  # type: ignore[arg-type]


_ANSWERS: Mapping[str, Chooser] = {
    "buy_exploration": _buy_exploration,
    "answer_goods_request": _answer_goods,
    "confirm_shipment": _confirm_shipment,
    "answer_trade_request": _answer_trade,
    "confirm_trade": _confirm_trade,
    "avert_losses": _avert,
    "enter_after_rebellion": _choose_first,
    "accept_ally": _accept,
    "decide_war": _decide_war,
    "buy_navy_step": _navy_step,
    "buy_escalation_squadrons": _squadrons,
    "build_merchant_fleets": _fleets,
    "commission_privateers": _privateers,
}
"""Everything else is answered by the default action."""

_THUMB = Thumb(
    {"logistics": 60_000, "seafaring": 50_000, "economy": 70_000, "navy": 30_000},
    explored=60_000,
    near=120_000,
    hold=20_000,
)
_THRIFTY = Thumb(
    {"logistics": 80_000, "seafaring": 35_000, "economy": 70_000, "navy": 10_000},
    own_goods=10_500,
    moved_goods=7_500,
    loan=-60_000,
    explored=70_000,
    near=120_000,
    hold=15_000,
    coin=7_000,
    step_price=5_000,
    debt=6_000,
    penalty=0,
    sent=20_000,
    steps_fade=70,
    explored_fade=60,
    fleet=3,
)
"""The ratings of the bots that think: they owe less, and steps of progress pay only early.

Found by trial in games against `steady` at three seats.
"""
_ANSWERED = {"set_aside_card": _set_aside}
choose_thriftily = RulesOfThumb(_THRIFTY, _ANSWERED, viceroy=try_promising_sendings).choose
_LIGHT = RulesOfThumb(_THRIFTY, _ANSWERED, viceroy=find_promising_sending).choose
STEADY = Bot(name="steady", version=4, budget=0, choose=RulesOfThumb(_THUMB).choose)
THINKERS = thinkers("colonial_revised", choose_thriftily, WORTH, light=_LIGHT)
