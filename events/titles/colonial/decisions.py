"""What the game waits for, what seats may do besides, and the default of every decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping

from events.steps import Command, Decision
from events.titles.colonial import commands as c
from events.titles.colonial.data import RULES
from events.titles.colonial.derived import usable_characters
from events.titles.colonial.state import Exploring, Rebelling, Selling, Shipping, State
from events.titles.colonial.steps import consent, nations, war
from events.titles.colonial.steps.characters import rebel


def decisions(state: State) -> tuple[Decision, ...]:
    """All that is awaited, then what is free; nothing when the game has ended."""
    if state.status != "running":
        return ()
    return (*_AWAITED[state.phase](state), *_free(state))


def _one(seat: int | None, kind: str, *commands: str) -> Decision:
    return Decision(seat, kind, commands or (kind,))


def _nothing(state: State) -> Iterator[Decision]:
    yield from ()


def _nations(state: State) -> Iterator[Decision]:
    """COL-25-02."""
    seat = nations.chooser(state)
    if seat is not None:
        yield _one(seat, "choose_nation")


def _programming(state: State) -> Iterator[Decision]:
    """COL-04-03: all seats at once."""
    for seat, row in enumerate(state.programmes):
        if not row:
            yield _one(seat, "program_cards")


def _endeavour(state: State) -> Iterator[Decision]:
    """The active player, or whoever his play waits for."""
    seat = state.active
    if seat is None:
        return
    if state.war is not None:
        yield from _war(state)
    elif state.action is not None:
        yield from _action(state, seat)
    elif state.played is not None:
        yield _one(seat, "end_round")
    else:
        plays = (c.PLAY_NAMES[character] for character in usable_characters(state, seat))
        yield _one(seat, "play_character", *plays, "forfeit_round")


_EXPLORING = {
    "second_roll": "roll_again_for_australia",
    "settle": "settle_explored_territory",
    "circumnavigation": "attempt_circumnavigation",
}


def _action(state: State, seat: int) -> Iterator[Decision]:
    action = state.action
    if isinstance(action, Exploring):
        yield _one(seat, _EXPLORING[action.step])
    elif isinstance(action, Rebelling):
        yield _one(seat, "choose_rebellion_casualties")
    elif isinstance(action, Shipping):
        for request in action.requests:
            yield _one(request.owner, "answer_shipment")
        if not action.requests:
            yield _one(seat, "continue_merchant", "ship_goods", "finish_action")
    elif isinstance(action, Selling):
        for owner, amount in enumerate(action.asked):
            if amount:
                yield _one(owner, "answer_goods_request")
        if not any(action.asked):
            yield _one(seat, "continue_trader", "move_goods", "finish_action")


def _war(state: State) -> Iterator[Decision]:
    """The house fights; the belligerents choose."""
    battle = war.the_war(state)
    if battle.step == "fight":
        yield _one(None, "fight_year")
    elif battle.step == "casualties":
        for seat in war.sides(battle):
            if war.open_side(battle, seat) is not None:
                yield _one(seat, "choose_war_casualties")
    elif battle.step == "reroll":
        yield _one(war.reroller(state), "reroll_sea_dice")
    else:
        yield _one(battle.deciding, "decide_surrender")


def _purchase(kind: str) -> Callable[[State], Iterator[Decision]]:
    def awaited(state: State) -> Iterator[Decision]:
        if state.active is not None:
            yield _one(state.active, kind)

    return awaited


_AWAITED: Mapping[str, Callable[[State], Iterator[Decision]]] = {
    "setup": _nothing,
    "nation_choice": _nations,
    "programming": _programming,
    "endeavour": _endeavour,
    "merchant_fleets": _purchase("buy_merchant_fleets"),
    "first_player": _nothing,
    "naval_forces": _purchase("buy_squadrons"),
    "loan_interest": _nothing,
    "end_of_turn": _purchase("decide_flamboyance"),
}


def _free(state: State) -> Iterator[Decision]:
    """Replacing a row, repaying, withdrawing requests, gifts (COL-04-05, COL-16-03, COL-12-01)."""
    if state.phase == "programming":
        for seat, row in enumerate(state.programmes):
            if row:
                yield Decision(seat, "replace_row", ("program_cards",), free=True)
    if state.phase == "endeavour" and state.active is not None:
        player = state.players[state.active]
        if player.loans and player.treasury:
            yield Decision(state.active, "repay_loan", ("repay_loan",), free=True)
        if consent.request_open(state):
            yield Decision(state.active, "withdraw_requests", ("withdraw_requests",), free=True)
    for seat, player in enumerate(state.players):
        if player.treasury:
            yield Decision(seat, "transfer_treasury", ("transfer_treasury",), free=True)


# --- defaults ----------------------------------------------------------------------------------


def default(state: State, decision: Decision) -> Command:
    """What an absent player does; for the house, what it does."""
    return _DEFAULTS[decision.kind](state, 0 if decision.seat is None else decision.seat)


def default_row(state: State, seat: int) -> tuple[str, ...]:
    """The row of the turn before if the hand still has it, else the usual one."""
    player = state.players[seat]
    playable = player.last_row and not Counter(player.last_row) - Counter(player.cards)
    return player.last_row if playable else RULES.default_row


def _flamboyance(state: State, seat: int) -> Command:
    player = state.players[seat]
    return c.DecideFlamboyance("pay" if player.treasury >= player.prestige else "lose_prestige")


def _surrender(state: State, seat: int) -> Command:
    """A war of absent players must end: after many years the attacker gives up."""
    fighting = war.the_war(state)
    return c.DecideSurrender(fighting.year >= RULES.patience and seat == fighting.attacker)


def _rebellion(state: State, seat: int) -> Command:
    chosen = next(rebel.ways(state, seat))
    return c.ChooseRebellionCasualties(
        tuple(c.Victim(loss.space, loss.owner, loss.position) for loss in chosen)
    )


def _casualties(state: State, seat: int) -> Command:
    fighting = war.the_war(state)
    side, battle = war.open_side(fighting, seat), fighting.battle
    if side is None or battle is None:
        return c.ChooseWarCasualties(())
    chosen = next(war.casualty_ways(state, fighting, battle, side))
    return c.ChooseWarCasualties(tuple(c.Target(loss.space, loss.position) for loss in chosen))


def _repay(state: State, seat: int) -> Command:
    loan, player = state.players[seat].loans[0], state.players[seat]
    return c.RepayLoan(loan.loan_id, min(loan.size, player.treasury))


_DEFAULTS: Mapping[str, Callable[[State, int], Command]] = {
    "choose_nation": lambda state, _seat: c.ChooseNation(nations.free_nations(state)[0]),
    "program_cards": lambda state, seat: c.ProgramCards(default_row(state, seat)),
    "replace_row": lambda state, seat: c.ProgramCards(default_row(state, seat)),
    "play_character": lambda _state, _seat: c.ForfeitRound(),
    "end_round": lambda _state, _seat: c.EndRound(),
    "roll_again_for_australia": lambda _state, _seat: c.RollAgainForAustralia(roll=True),
    "settle_explored_territory": lambda _state, _seat: c.SettleExploredTerritory("none"),
    "attempt_circumnavigation": lambda _state, _seat: c.AttemptCircumnavigation(attempt=False),
    "choose_rebellion_casualties": _rebellion,
    "choose_war_casualties": _casualties,
    "answer_shipment": lambda _state, _seat: c.AnswerShipment(()),
    "answer_goods_request": lambda _state, _seat: c.AnswerGoodsRequest(0),
    "continue_merchant": lambda _state, _seat: c.FinishAction(),
    "continue_trader": lambda _state, _seat: c.FinishAction(),
    "withdraw_requests": lambda _state, _seat: c.WithdrawRequests(),
    "reroll_sea_dice": lambda _state, _seat: c.RerollSeaDice(reroll=False),
    "decide_surrender": _surrender,
    "fight_year": lambda _state, _seat: c.FightYear(),
    "buy_merchant_fleets": lambda _state, _seat: c.BuyMerchantFleets(0),
    "buy_squadrons": lambda _state, _seat: c.BuySquadrons(0),
    "decide_flamboyance": _flamboyance,
    "repay_loan": _repay,
    "transfer_treasury": lambda state, seat: c.TransferTreasury((seat + 1) % state.seats, 1),
}
