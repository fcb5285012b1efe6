"""The course of a game: what happens by itself until somebody must decide (REV-009, REV-020)."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import tables
from events.titles.colonial_revised.awaited import awaited
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.state import RUNNING, State, War
from events.titles.colonial_revised.steps import (
    alliances,
    choosing_cards,
    escalation,
    explorer,
    merchant,
    rebellion,
    trader,
    unrest,
    war,
)
from events.titles.colonial_revised.steps.end_of_turn import end_turn
from events.titles.colonial_revised.steps.first_player import set_order
from events.titles.colonial_revised.steps.naval_forces import maintenance_due, pay_maintenance
from events.titles.colonial_revised.steps.settlement import settle


def carry_on(draft: Draft[State], chance: Chance) -> None:
    """Everything automatic, up to the next decision or the end."""
    while draft.state.status == RUNNING and not awaited(draft.state):
        if not _action_step(draft, chance):
            _PHASE_STEPS[draft.state.phase](draft, chance)


def _action_step(draft: Draft[State], chance: Chance) -> bool:
    """The next automatic part of the action in progress; innermost first."""
    state = draft.state
    if state.rebellion:
        rebellion.go_on(draft, state.rebellion)
    elif (territory := unrest.full(state)) is not None:
        rebellion.break_out(draft, territory, chance)
    elif state.unrest_left:
        unrest.place(draft, state.unrest_left)
    elif state.exploration:
        explorer.go_on(draft, state.exploration)
    elif state.shipment:
        merchant.go_on(draft, state.shipment)
    elif state.trade:
        trader.go_on(draft, state.trade)
    elif state.war:
        _war_step(draft, state.war, chance)
    elif state.escalation and not escalation.is_over(state.escalation):
        escalation.go_on(draft, state.escalation)
    elif state.action:
        settle(draft)
        if draft.state.status == RUNNING:
            draft.emit(f.ActionCompleted(seat=state.action.seat))
    else:
        return False
    return True


def _war_step(draft: Draft[State], the_war: War, chance: Chance) -> None:
    if the_war.year:
        war.go_on(draft, the_war, chance)
    else:
        alliances.go_on(draft, the_war)


def _phase(draft: Draft[State], phase: str) -> None:
    draft.emit(f.PhaseBegan(turn=draft.state.turn, phase=phase))


def _all_done(state: State) -> bool:
    return state.place >= state.seats


def _skip(draft: Draft[State], decision: str, reason: str) -> None:
    draft.emit(f.DecisionSkipped(draft.state.order[draft.state.place], decision, reason))


def _endeavour(draft: Draft[State], chance: Chance) -> None:
    """Five rounds of one card each (REV-022)."""
    state = draft.state
    if not _all_done(state):
        _skip(draft, "play_card", "no_card")
    elif state.round < CONSTANTS.rounds_per_turn:
        draft.emit(f.RoundBegan(turn=state.turn, round=state.round + 1))
    else:
        _phase(draft, "merchant_fleets")


def _merchant_fleets(draft: Draft[State], chance: Chance) -> None:
    if _all_done(draft.state):
        _phase(draft, "first_player")
    else:
        _skip(draft, "build_merchant_fleets", "nothing_to_build")


def _first_player(draft: Draft[State], chance: Chance) -> None:
    set_order(draft, chance)
    _phase(draft, "naval_forces")


def _naval_forces(draft: Draft[State], chance: Chance) -> None:
    state = draft.state
    if _all_done(state):
        _phase(draft, "privateering")
    elif maintenance_due(state, state.order[state.place]):
        pay_maintenance(draft, state.order[state.place])
    else:
        _skip(draft, "build_squadrons", "no_treasury")


def _privateering(draft: Draft[State], chance: Chance) -> None:
    if _all_done(draft.state):
        _phase(draft, "interest")
    else:
        _skip(draft, "commission_privateers", "nothing_to_place")


def _interest(draft: Draft[State], chance: Chance) -> None:
    """Interest on the Loan before adding (REV-050)."""
    for seat in draft.state.order:
        amount = tables.interest(draft.state.players[seat].loans)
        if amount:
            draft.emit(f.InterestAdded(seat=seat, amount=amount))
    _phase(draft, "choosing_cards")


def _choosing_cards(draft: Draft[State], chance: Chance) -> None:
    choosing_cards.reveal(draft)
    _phase(draft, "end_of_turn")


_PHASE_STEPS = {
    "endeavour": _endeavour,
    "merchant_fleets": _merchant_fleets,
    "first_player": _first_player,
    "naval_forces": _naval_forces,
    "privateering": _privateering,
    "interest": _interest,
    "choosing_cards": _choosing_cards,
    "end_of_turn": end_turn,
}
