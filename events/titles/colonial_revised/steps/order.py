"""The course of a game: the step under way, what happens by itself, the end (REV-009, REV-020)."""

from __future__ import annotations

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Step
from events.rules.title import Outcome
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.derived import interest, ranking_keys
from events.titles.colonial_revised.offers import draw_percent
from events.titles.colonial_revised.state import FINISHED, RUNNING, State, War
from events.titles.colonial_revised.steps import alliances, escalation, explorer, merchant, sovereign, trader
from events.titles.colonial_revised.steps.endeavour import rebellion, war
from events.titles.colonial_revised.steps.endeavour.turn import PLAY_CARD
from events.titles.colonial_revised.steps.later_phases import choosing_cards
from events.titles.colonial_revised.steps.later_phases.end_of_turn import end_turn
from events.titles.colonial_revised.steps.later_phases.first_player import set_order
from events.titles.colonial_revised.steps.later_phases.merchant_fleets import BUILD_MERCHANT_FLEETS
from events.titles.colonial_revised.steps.later_phases.naval_forces import (
    BUILD_SQUADRONS,
    maintenance_due,
    pay_maintenance,
)
from events.titles.colonial_revised.steps.loans import REPAY_LOAN, may_repay
from events.titles.colonial_revised.steps.privateering import COMMISSION_PRIVATEERS
from events.titles.colonial_revised.steps.settlement import find_full, place_all, settle

STEPS: tuple[Step[State], ...] = (
    PLAY_CARD,
    explorer.BUY_EXPLORATION,
    explorer.SETTLE_EXPLORATION,
    merchant.ANSWER_GOODS_REQUEST,
    merchant.CONFIRM_SHIPMENT,
    merchant.ATTACK_MERCHANT,
    merchant.REPLY_TO_PRIVATEERS,
    trader.ANSWER_TRADE_REQUEST,
    trader.CONFIRM_TRADE,
    rebellion.ALLOT_LOSSES,
    rebellion.AVERT_LOSSES,
    rebellion.ENTER_AFTER_REBELLION,
    alliances.OFFER_ALLIANCE,
    alliances.CHOOSE_ALLIANCE,
    alliances.ACCEPT_ALLY,
    war.FIGHT_YEAR,
    war.CHOOSE_CASUALTIES,
    war.SEND_EXPEDITION,
    war.DECIDE_WAR,
    sovereign.SINK_PRIVATEERS,
    escalation.BUY_NAVY_STEP,
    escalation.BUY_ESCALATION_SQUADRONS,
    BUILD_MERCHANT_FLEETS,
    BUILD_SQUADRONS,
    COMMISSION_PRIVATEERS,
    choosing_cards.SET_ASIDE_CARD,
    REPAY_LOAN,
)
_BY_PHASE: dict[str, Step[State]] = {
    "endeavour": PLAY_CARD,
    "merchant_fleets": BUILD_MERCHANT_FLEETS,
    "naval_forces": BUILD_SQUADRONS,
    "privateering": COMMISSION_PRIVATEERS,
    "choosing_cards": choosing_cards.SET_ASIDE_CARD,
}
"""The decision that each phase asks for between cards; the other phases ask nobody."""
_BY_WAR_STEP: dict[str, Step[State]] = {
    "offer_attacker": alliances.OFFER_ALLIANCE,
    "offer_defender": alliances.OFFER_ALLIANCE,
    "choice": alliances.CHOOSE_ALLIANCE,
    "pick_attacker": alliances.ACCEPT_ALLY,
    "pick_defender": alliances.ACCEPT_ALLY,
    "fight": war.FIGHT_YEAR,
    "casualties": war.CHOOSE_CASUALTIES,
    "expedition": war.SEND_EXPEDITION,
    "attacker_ally": war.DECIDE_WAR,
    "attacker": war.DECIDE_WAR,
    "defender_ally": war.DECIDE_WAR,
    "defender": war.DECIDE_WAR,
}
_BY_REBELLION_STEP: dict[str, Step[State]] = {
    "allot": rebellion.ALLOT_LOSSES,
    "avert": rebellion.AVERT_LOSSES,
    "entry": rebellion.ENTER_AFTER_REBELLION,
}
_BY_SHIPMENT_STEP: dict[str, Step[State]] = {
    "answer": merchant.ANSWER_GOODS_REQUEST,
    "confirm": merchant.CONFIRM_SHIPMENT,
    "attack": merchant.ATTACK_MERCHANT,
    "reply": merchant.REPLY_TO_PRIVATEERS,
}


# --- the step under way --------------------------------------------------------------------------


def find_steps(state: State) -> tuple[Step[State], ...]:
    """The step under way, and repaying Loans."""
    if state.status != RUNNING:
        return ()
    step = _find_open_step(state)
    return (REPAY_LOAN,) if step is None else (step, REPAY_LOAN)


def _find_open_step(state: State) -> Step[State] | None:
    """The step that may have to wait for somebody: the innermost of the card being carried out."""
    if state.action is None:
        return _BY_PHASE.get(state.phase)
    if state.rebellion:
        automatic = state.rebellion.step == "allot" and state.rebellion.kind == "automatic"
        return None if automatic else _BY_REBELLION_STEP.get(state.rebellion.step)
    if state.unrest_left:
        return None
    if state.exploration:
        buying = state.exploration.step == "buy"
        return explorer.BUY_EXPLORATION if buying else explorer.SETTLE_EXPLORATION
    if state.shipment:
        return _BY_SHIPMENT_STEP[state.shipment.step]
    if state.trade:
        return trader.ANSWER_TRADE_REQUEST if state.trade.step == "answer" else trader.CONFIRM_TRADE
    if state.privateer_war:
        return sovereign.SINK_PRIVATEERS
    if state.war:
        return _BY_WAR_STEP.get(state.war.step)
    if state.escalation:
        first = state.escalation.part == "A"
        return escalation.BUY_NAVY_STEP if first else escalation.BUY_ESCALATION_SQUADRONS
    return None


def somebody_decides(state: State) -> bool:
    """Return True if the game waits for anybody."""
    step = _find_open_step(state)
    return step is not None and bool(step.asked(state))


def sample(state: State, seat: int, chance: Chance) -> Command | None:
    """One legal command at random: mostly what is awaited, now and then repaying a Loan."""
    if state.status != RUNNING:
        return None
    step = _find_open_step(state)
    awaited = step is not None and seat in step.asked(state)
    if may_repay(state, seat) and (not awaited or draw_percent(chance, 5)):
        return REPAY_LOAN.one(state, seat, chance)
    return step.one(state, seat, chance) if step is not None and awaited else None


# --- what happens by itself ----------------------------------------------------------------------


def follow(draft: Draft[State]) -> None:
    """Everything automatic, up to the next decision or the end."""
    while draft.state.status == RUNNING and not somebody_decides(draft.state):
        if not _go_on_with_card(draft):
            _PHASE_STEPS[draft.state.phase](draft)


def _go_on_with_card(draft: Draft[State]) -> bool:
    """The next automatic part of the action in progress; innermost first."""
    state = draft.state
    if state.rebellion:
        rebellion.go_on(draft, state.rebellion)
    elif (territory := find_full(state)) is not None:
        rebellion.break_out(draft, territory)
    elif state.unrest_left:
        place_all(draft, state.unrest_left)
    elif state.exploration:
        explorer.go_on(draft, state.exploration)
    elif state.shipment:
        merchant.go_on(draft, state.shipment)
    elif state.trade:
        trader.go_on(draft, state.trade)
    elif state.war:
        _war_step(draft, state.war)
    elif state.escalation and not escalation.is_over(state.escalation):
        escalation.go_on(draft, state.escalation)
    elif state.action:
        settle(draft)
        if draft.state.status == RUNNING:
            draft.emit(f.ActionCompleted(seat=state.action.seat))
    else:
        return False
    return True


def _war_step(draft: Draft[State], the_war: War) -> None:
    if the_war.year:
        war.go_on(draft, the_war)
    else:
        alliances.go_on(draft, the_war)


def _phase(draft: Draft[State], phase: str) -> None:
    draft.emit(f.PhaseBegan(turn=draft.state.turn, phase=phase))


def _all_done(state: State) -> bool:
    return state.place >= state.seats


def _skip(draft: Draft[State], decision: str, reason: str) -> None:
    draft.emit(f.DecisionSkipped(draft.state.order[draft.state.place], decision, reason))


def _endeavour(draft: Draft[State]) -> None:
    """Five rounds of one card each (REV-022)."""
    state = draft.state
    if not _all_done(state):
        _skip(draft, "play_card", "no_card")
    elif state.round < CONSTANTS.rounds_per_turn:
        draft.emit(f.RoundBegan(turn=state.turn, round=state.round + 1))
    else:
        _phase(draft, "merchant_fleets")


def _merchant_fleets(draft: Draft[State]) -> None:
    if _all_done(draft.state):
        _phase(draft, "first_player")
    else:
        _skip(draft, "build_merchant_fleets", "nothing_to_build")


def _begin_first_player(draft: Draft[State]) -> None:
    set_order(draft)
    _phase(draft, "naval_forces")


def _naval_forces(draft: Draft[State]) -> None:
    state = draft.state
    if _all_done(state):
        _phase(draft, "privateering")
    elif maintenance_due(state, state.order[state.place]):
        pay_maintenance(draft, state.order[state.place])
    else:
        _skip(draft, "build_squadrons", "no_treasury")


def _begin_privateering(draft: Draft[State]) -> None:
    if _all_done(draft.state):
        _phase(draft, "interest")
    else:
        _skip(draft, "commission_privateers", "nothing_to_place")


def _begin_interest(draft: Draft[State]) -> None:
    """Interest on the Loan before adding (REV-050)."""
    for seat in draft.state.order:
        amount = interest(draft.state.players[seat].loans)
        if amount:
            draft.emit(f.InterestAdded(seat=seat, amount=amount))
    _phase(draft, "choosing_cards")


def _end_choosing_cards(draft: Draft[State]) -> None:
    choosing_cards.reveal(draft)
    _phase(draft, "end_of_turn")


_PHASE_STEPS = {
    "endeavour": _endeavour,
    "merchant_fleets": _merchant_fleets,
    "first_player": _begin_first_player,
    "naval_forces": _naval_forces,
    "privateering": _begin_privateering,
    "interest": _begin_interest,
    "choosing_cards": _end_choosing_cards,
    "end_of_turn": end_turn,
}


# --- the end (REV-391, REV-395, REV-396) ---------------------------------------------------------


def outcome(state: State) -> Outcome | None:
    """Ranked by net Prestige, then the tie-breaks; None while the game runs."""
    if state.status != FINISHED:
        return None
    keys = ranking_keys(state)
    places = tuple(
        1 if seat in state.winners else 1 + sum(1 for other in keys if other > key)
        for seat, key in enumerate(keys)
    )
    return Outcome(state.winners, places, tuple(key[0] for key in keys), state.end_reason)
