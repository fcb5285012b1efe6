"""The steady player of Colonial: explores, holds Resources, founds Colonies, keeps Squadrons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any

from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.titles.colonial import commands as c
from events.titles.colonial.data import CARDS, RULES
from events.titles.colonial.derived import loans_of, monopoly_counts
from events.titles.colonial.parts import Target
from events.titles.colonial.state import Selling, State, find_revealed_card, usable_again
from events.titles.colonial.steps.endeavour import merchant, war
from events.titles.colonial.steps.losses import outcome
from workers.bot_types import Bot
from workers.bots.colonial_plans import (
    FIRST,
    LAST,
    LATE,
    RESERVE,
    RICH,
    SECOND,
    WISHES,
    WISHES_1,
    WISHES_3,
    Plan,
    Wishes,
    next_progress,
    sail,
    settle,
    ship_on,
    strongest_threat,
    trade_on,
    war_strength,
    weak_rival,
)
from workers.bots.colonial_worth import WORTH
from workers.bots.search import thinkers


class RulesOfThumb:
    """Rules of thumb, and what its versions do differently.

    Args:
        wishes: progress in the order in which it is worth its price.
        second_copy: how much less a further copy of a card is worth than the one before: most of what a card
            offers can be done once.
        idle: how much less a card is worth by which nothing could be done as things stand.
        last: what is tried of a card where nothing else can be done.
        wary: whether, where there is money, it follows those who may attack with more Squadrons than it has
            room for, and keeps one more than they have.
    """

    def __init__(
        self,
        wishes: Wishes,
        second_copy: int,
        idle: int = 0,
        last: Mapping[str, Plan] | None = None,
        *,
        wary: bool = False,
    ) -> None:
        self._progress = partial(next_progress, wishes=wishes, wary=wary)
        self._second_copy = second_copy
        self._idle = idle
        first: Mapping[str, Plan] = {**FIRST, "scientist": self._progress}
        self._plans = (first, SECOND, last or {})
        self._answers: Mapping[str, Plan] = {
            **_ANSWERS,
            "buy_squadrons": partial(_squadrons, wary=wary),
            "program_cards": self._program,
            "play_character": self._play,
        }

    def choose(
        self, title: Title[Any], state: State, seat: Seat, _chance: FastChance, _budget: int
    ) -> Command:
        """Return the best command by rules of thumb: the same in the same situation."""
        decision = next(d for d in title.list_awaited_kinds(state) if d.seat == seat)
        answer = self._answers.get(decision.kind)
        return (answer(state, seat) if answer else None) or title.default(state, decision)

    def _program(self, state: State, seat: int) -> Command:
        """Program money first if Goods wait, then progress, Prestige, counters, shipping; worst cards out."""
        worth = {card: self._worth(state, seat, card) for card in CARDS}
        cards = state.players[seat].cards
        copies = [cards[:place].count(card) for place, card in enumerate(cards)]
        offered = zip(cards, copies, strict=True)
        hand = sorted(offered, key=lambda each: self._second_copy * each[1] - worth[each[0]])
        chosen = [card for card, _ in hand[: RULES.programmed_cards]]
        order = _order(state, seat)
        return c.ProgramCards(tuple(sorted(chosen, key=order.index)))

    def _worth(self, state: State, seat: int, card: str) -> int:
        """Return the worth that a card promises this turn."""
        idle = self._idle and self._choose_play(state, seat, CARDS[card].characters) is None
        return self._value_promise(state, seat, card) - (self._idle if idle else 0)

    def _value_promise(self, state: State, seat: int, card: str) -> int:
        if card == "sovereign_rebel" and weak_rival(state, seat) is not None:
            return 8
        if card == "scientist_missionary" and state.players[seat].treasury < 4:
            return 2 if self._progress(state, seat) is None else _WORTH[card]
        return _WORTH[card]

    def _play(self, state: State, seat: int) -> Command | None:
        player = state.players[seat]
        if _should_repay(state, seat):
            return _repay(state, seat)
        usable = [
            character
            for character in CARDS[find_revealed_card(state, seat) or ""].characters
            if usable_again(player, character)
        ]
        return self._choose_play(state, seat, usable)

    def _choose_play(self, state: State, seat: int, usable: Iterable[str]) -> Command | None:
        """Return the best command with one of these Characters; None if no plan applies."""
        for plan in self._plans:
            for character in usable:
                command = plan[character](state, seat) if character in plan else None
                if command is not None:
                    return command
        return None


# --- programming -------------------------------------------------------------------------------


def _order(state: State, seat: int) -> list[str]:
    player = state.players[seat]
    rest = ["sovereign_rebel", "explorer_conqueror", "viceroy_ambassador", "merchant_governor"]
    money, science = "trader_financier", "scientist_missionary"
    if player.market > player.treasury or player.treasury < 2:
        return [money, science, *rest]
    return [science, *rest, money]


_WORTH = {
    "explorer_conqueror": 9,
    "viceroy_ambassador": 8,
    "merchant_governor": 7,
    "trader_financier": 6,
    "scientist_missionary": 5,
    "sovereign_rebel": 3,
}


# --- war ---------------------------------------------------------------------------------------


def _surrender(state: State, seat: int) -> Command:
    """Give up what is lost: it costs no more than defeat, and nothing without Prestige."""
    fighting = war.the_war(state)
    enemy = fighting.defender if seat == fighting.attacker else fighting.attacker
    mine, theirs = war_strength(state, seat, enemy), war_strength(state, enemy, seat)
    hopeless = 2 * mine < theirs or (not state.players[seat].prestige and mine < theirs)
    return c.DecideSurrender(surrender=hopeless or fighting.year >= RULES.patience)


def _reroll(state: State, seat: int) -> Command | None:
    fighting = war.the_war(state)
    dice = (fighting.sea or ((), ()))[war.sides(fighting).index(seat)]
    return c.RerollSeaDice(reroll=3 * sum(dice) < len(dice))


# --- money -------------------------------------------------------------------------------------


def _should_repay(state: State, seat: int) -> bool:
    player = state.players[seat]
    if not player.loans or not player.treasury:
        return False
    return player.prestige >= LATE or player.treasury >= loans_of(player) + 2 * RESERVE


def _repay(state: State, seat: int) -> Command:
    player = state.players[seat]
    loan = min(player.loans, key=lambda pile: pile.size)
    return c.RepayLoan(loan.loan_id, min(loan.size, player.treasury))


def _end_round(state: State, seat: int) -> Command | None:
    return _repay(state, seat) if _should_repay(state, seat) else None


def _fleets(state: State, seat: int) -> Command:
    """Buy as many Fleets as can be filled with Goods of anybody."""
    player = state.players[seat]
    useful = sum(1 for pile in state.piles if pile) - player.merchant_fleets
    spare = player.treasury - RESERVE
    return c.BuyMerchantFleets(max(0, min(monopoly_counts(state)[seat], spare, useful)))


def _squadrons(state: State, seat: int, *, wary: bool) -> Command:
    """Buy enough Squadrons that nobody who may attack is much stronger."""
    player = state.players[seat]
    late = player.prestige >= LATE - 2
    more = 1 if late or (wary and player.treasury >= RICH) else 0
    wanted = strongest_threat(state, seat) + more - player.squadrons
    reserve = 1 if late else RESERVE
    return c.BuySquadrons(max(0, min(player.navy, wanted, player.treasury - reserve)))


def _grant(state: State, seat: int) -> Command:
    asked = merchant.request_to(state.action, seat)
    return c.AnswerShipment(asked.spaces if asked and not _is_dangerous(state) else ())


def _grant_goods(state: State, seat: int) -> Command:
    asked = state.action.asked[seat] if isinstance(state.action, Selling) else 0
    return c.AnswerGoodsRequest(0 if _is_dangerous(state) else asked)


def _is_dangerous(state: State) -> bool:
    """Return True if the active player is close to winning."""
    return state.active is not None and state.players[state.active].prestige >= RULES.win_prestige - 2


_NATIONS = ("great_britain", "dutch_republic", "portugal", "france", "spain")


def _nation(state: State, seat: int) -> Command:
    taken = {player.nation for player in state.players}
    return c.ChooseNation(next(name for name in _NATIONS if name not in taken))


def _casualties(state: State, seat: int) -> Command | None:
    """Return the casualties that leave the seat the most control; the first of equals."""
    fighting = war.the_war(state)
    side = war.open_side(fighting, seat)
    if side is None or fighting.battle is None:
        return None
    few = islice(war.casualty_ways(state, fighting, fighting.battle, side), 12)
    best = max(few, key=lambda way: sum(pile[:1] == (seat,) for pile in outcome(state, way)))
    return c.ChooseWarCasualties(tuple(Target(loss.space, loss.position) for loss in best))


_ANSWERS: Mapping[str, Plan] = {
    "choose_nation": _nation,
    "end_round": _end_round,
    "settle_explored_territory": settle,
    "attempt_circumnavigation": sail,
    "choose_war_casualties": _casualties,
    "answer_shipment": _grant,
    "answer_goods_request": _grant_goods,
    "continue_merchant": ship_on,
    "continue_trader": trade_on,
    "reroll_sea_dice": _reroll,
    "decide_surrender": _surrender,
    "buy_merchant_fleets": _fleets,
}

_BY_THUMB = RulesOfThumb(WISHES, second_copy=4).choose
"""The second version, by which those who think play games out."""
_AMONG_FEW = RulesOfThumb(WISHES_3, second_copy=4, idle=3, last=LAST).choose
_AMONG_MANY = RulesOfThumb(WISHES, second_copy=4, wary=True).choose
FEW = 3
"""Seats up to which there is land for everybody: there money comes before the open sea. Where there are more,
some player is always strong enough for a war.
"""


def choose(title: Title[Any], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """Return the best command by the rules of thumb for so many players."""
    return (_AMONG_FEW if state.seats <= FEW else _AMONG_MANY)(title, state, seat, chance, budget)


def _third(title: Title[Any], state: State, seat: Seat, chance: FastChance, budget: int) -> Command:
    """Choose as the third version did."""
    return (_AMONG_FEW if state.seats <= FEW else _BY_THUMB)(title, state, seat, chance, budget)


STEADY = Bot(name="steady", version=4, budget=0, choose=choose)
THINKERS = thinkers("colonial", _BY_THUMB, WORTH)
KEPT = (
    Bot(name="steady", version=3, budget=0, choose=_third),
    Bot(name="steady", version=2, budget=0, choose=_BY_THUMB),
    Bot(name="steady", version=1, budget=0, choose=RulesOfThumb(WISHES_1, second_copy=0).choose),
)
