"""The Escalation after a war: Navy steps, then Squadrons, in reverse player order (REV-360 to REV-366)."""

from __future__ import annotations

from events.chance import Chance
from events.steps import Draft, Rejected
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import tables
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.state import Escalation, State, sure
from events.titles.colonial_revised.steps.checks import can_pay
from events.titles.colonial_revised.steps.scientist import advance, next_step
from events.titles.colonial_revised.steps.settlement import settle


def means(state: State, escalation: Escalation, seat: int) -> int:
    """What he can spend, with the Emergency Loan that he may still take."""
    loan = 0 if seat in escalation.loans_used else CONSTANTS.emergency_treasury
    return state.players[seat].spendable + loan


def squadron_price(have: int, count: int, *, belligerent: bool) -> int:
    """What so many Squadrons cost: the fifth 2 T, earlier ones 1; outside the war 2 (REV-364, REV-365)."""
    if not belligerent:
        return count * CONSTANTS.outsider_price
    numbers = range(have + 1, have + count + 1)
    fifth, dear, cheap = CONSTANTS.fifth_squadron, CONSTANTS.fifth_squadron_price, CONSTANTS.squadron_price
    return sum(dear if number >= fifth else cheap for number in numbers)


def most_squadrons(state: State, escalation: Escalation, seat: int) -> int:
    """How many the cap and his part in the war allow, whatever they cost (REV-363, REV-364)."""
    room = max(0, tables.squadron_cap(state.turn) - state.players[seat].squadrons)
    return room if seat in escalation.belligerents else min(room, CONSTANTS.outsider_squadrons)


def navy_step(state: State, seat: int) -> int | None:
    """The Navy step that he may still buy this turn (REV-361, REV-362)."""
    player = state.players[seat]
    return None if player.navy_step_bought_this_turn else next_step(player, "navy")


def can_buy(state: State, escalation: Escalation, seat: int) -> bool:
    """Whether the seat can buy anything in this part, an Emergency Loan included."""
    available = means(state, escalation, seat)
    if escalation.part == "A":
        step = navy_step(state, seat)
        return step is not None and step <= available
    belligerent = seat in escalation.belligerents
    price = squadron_price(state.players[seat].squadrons, 1, belligerent=belligerent)
    return most_squadrons(state, escalation, seat) > 0 and price <= available


def go_on(draft: Draft[State], escalation: Escalation) -> None:
    """Who cannot buy anything is skipped; part B follows part A."""
    if escalation.queue:
        word = "buy_navy_step" if escalation.part == "A" else "buy_escalation_squadrons"
        draft.emit(f.DecisionSkipped(escalation.queue[0], word, "nothing_purchasable"))
    else:
        draft.emit(f.EscalationPartStarted(part="B", order=escalation.order))


def is_over(escalation: Escalation) -> bool:
    """Whether everybody has had his turn in both parts."""
    return escalation.part == "B" and not escalation.queue


def buy_navy_step(draft: Draft[State], seat: int, command: c.BuyNavyStep, chance: Chance) -> None:
    """One Navy step at its price; it counts as a Progress step (REV-361, REV-362)."""
    player = draft.state.players[seat]
    if not command.buy:
        draft.emit(f.EscalationPassed(seat=seat, part="A"))
        return
    if player.navy_step_bought_this_turn:
        raise Rejected("navy_step_already_bought", "You have bought a Navy step this turn: pass.")
    value = next_step(player, "navy")
    if value is None:
        raise Rejected("track_complete", "Your Navy track is complete: pass.")
    can_pay(player, value)
    advance(draft, seat, "navy", value, "escalation")
    settle(draft)


def buy_escalation_squadrons(
    draft: Draft[State], seat: int, command: c.BuyEscalationSquadrons, chance: Chance
) -> None:
    """Squadrons up to the cap of the turn; outside the war only one (REV-363 to REV-365)."""
    state, escalation, count = draft.state, sure(draft.state.escalation), command.count
    player = state.players[seat]
    belligerent = seat in escalation.belligerents
    if not count:
        draft.emit(f.EscalationPassed(seat=seat, part="B"))
        return
    cap = tables.squadron_cap(state.turn)
    if player.squadrons + count > cap:
        raise Rejected("over_squadron_cap", f"This turn you may have at most {cap} Squadrons after buying.")
    if not belligerent and count > CONSTANTS.outsider_squadrons:
        raise Rejected("one_squadron_only", "You were not in the war: buy at most one Squadron.")
    price = squadron_price(player.squadrons, count, belligerent=belligerent)
    can_pay(player, price)
    draft.emit(f.SquadronsBought(seat=seat, count=count, price=price))
    settle(draft)


def take_emergency_loan(draft: Draft[State], seat: int, command: c.TakeEmergencyLoan, chance: Chance) -> None:
    """Loans +10, Treasury +8, once in an Escalation (REV-366)."""
    escalation = sure(draft.state.escalation)
    if seat in escalation.loans_used:
        raise Rejected("emergency_loan_used", "You have taken the Emergency Loan of this Escalation already.")
    loan, treasury = CONSTANTS.emergency_loan, CONSTANTS.emergency_treasury
    draft.emit(f.LoanTaken(seat=seat, loan=loan, treasury=treasury, emergency=True))
