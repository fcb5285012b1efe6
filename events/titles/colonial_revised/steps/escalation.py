"""The Escalation after a war: Navy steps, then Squadrons (REV-360 to REV-366).

Seats act in reverse player order.
"""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonial_revised import commands as c
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised import words as w
from events.titles.colonial_revised.checks import can_pay
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.derived import squadron_cap
from events.titles.colonial_revised.offers import draw_percent, draw_up_to
from events.titles.colonial_revised.state import Escalation, State, require
from events.titles.colonial_revised.steps.scientist import advance, next_step
from events.titles.colonial_revised.steps.settlement import settle


def squadron_price(have: int, count: int, *, belligerent: bool) -> int:
    """Return the price of so many Squadrons (REV-364, REV-365).

    A belligerent pays 2 T from the fifth Squadron on, 1 T for earlier ones; others pay 2 T for each.
    """
    if not belligerent:
        return count * CONSTANTS.outsider_price
    numbers = range(have + 1, have + count + 1)
    fifth, dear, cheap = CONSTANTS.fifth_squadron, CONSTANTS.fifth_squadron_price, CONSTANTS.squadron_price
    return sum(dear if number >= fifth else cheap for number in numbers)


def count_most_squadrons(state: State, escalation: Escalation, seat: int) -> int:
    """Return the most Squadrons that the seat may buy, whatever they cost (REV-363, REV-364).

    The cap and the seat's part in the war limit it.
    """
    room = max(0, squadron_cap(state.turn) - state.players[seat].squadrons)
    return room if seat in escalation.belligerents else min(room, CONSTANTS.outsider_squadrons)


def navy_step(state: State, seat: int) -> int | None:
    """Return the Navy step that the seat may still buy this turn, or None (REV-361, REV-362)."""
    player = state.players[seat]
    return None if player.navy_step_bought_this_turn else next_step(player, "navy")


def has_choice(state: State, escalation: Escalation, seat: int) -> bool:
    """Return True if the seat can buy anything in this part, or take the Emergency Loan (REV-366)."""
    return seat not in escalation.loans_used or can_buy(state, escalation, seat)


def can_buy(state: State, escalation: Escalation, seat: int) -> bool:
    """Return True if the seat can buy anything in this part with what it has."""
    available = state.players[seat].spendable
    if escalation.part == "A":
        step = navy_step(state, seat)
        return step is not None and step <= available
    belligerent = seat in escalation.belligerents
    price = squadron_price(state.players[seat].squadrons, 1, belligerent=belligerent)
    return count_most_squadrons(state, escalation, seat) > 0 and price <= available


def go_on(draft: Draft[State], escalation: Escalation) -> None:
    """Skip a seat that has no choice; after part A begin part B."""
    if escalation.queue:
        word = "buy_navy_step" if escalation.part == "A" else "buy_escalation_squadrons"
        draft.emit(f.DecisionSkipped(escalation.queue[0], word, "nothing_purchasable"))
    else:
        draft.emit(f.EscalationPartStarted(part="B", order=escalation.order))


def is_over(escalation: Escalation) -> bool:
    """Return True if everybody has had their turn in both parts."""
    return escalation.part == "B" and not escalation.queue


def buy_navy_step(draft: Draft[State], seat: int, command: c.BuyNavyStep) -> None:
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


def buy_escalation_squadrons(draft: Draft[State], seat: int, command: c.BuyEscalationSquadrons) -> None:
    """Squadrons up to the cap of the turn; outside the war only one (REV-363 to REV-365)."""
    state, escalation, count = draft.state, require(draft.state.escalation), command.count
    player = state.players[seat]
    belligerent = seat in escalation.belligerents
    if not count:
        draft.emit(f.EscalationPassed(seat=seat, part="B"))
        return
    cap = squadron_cap(state.turn)
    if player.squadrons + count > cap:
        raise Rejected(
            "over_squadron_cap", f"This turn you may have {cap} Squadrons after buying: buy fewer."
        )
    _check_outsider(count, belligerent=belligerent)
    price = squadron_price(player.squadrons, count, belligerent=belligerent)
    can_pay(player, price)
    draft.emit(f.SquadronsBought(seat=seat, count=count, price=price))
    settle(draft)


def _check_outsider(count: int, *, belligerent: bool) -> None:
    """Check that a seat outside the war buys at most one Squadron (REV-364)."""
    if not belligerent and count > CONSTANTS.outsider_squadrons:
        raise Rejected("one_squadron_only", "You were not in the war: buy at most one Squadron.")


def take_emergency_loan(draft: Draft[State], seat: int, command: c.TakeEmergencyLoan) -> None:
    """Loans +10, Treasury +8, once in an Escalation (REV-366)."""
    escalation = require(draft.state.escalation)
    if seat in escalation.loans_used:
        raise Rejected(
            "emergency_loan_used",
            "You have taken the Emergency Loan of this Escalation: spend what you have.",
        )
    loan, treasury = CONSTANTS.emergency_loan, CONSTANTS.emergency_treasury
    draft.emit(f.LoanTaken(seat=seat, loan=loan, treasury=treasury, emergency=True))


# --- who decides ---------------------------------------------------------------------------------


def _who_buys(state: State) -> tuple[int, ...]:
    """Return the seat that comes next if it can buy or borrow: one after the other."""
    held = require(state.escalation)
    first = held.queue[:1]
    return first if first and has_choice(state, held, first[0]) else ()


def _may_borrow(state: State, seat: int) -> bool:
    return seat not in require(state.escalation).loans_used


TAKE_EMERGENCY_LOAN: Move[State] = Move(
    command=c.TakeEmergencyLoan,
    take=take_emergency_loan,
    may=_may_borrow,
    label=f"Emergency Loan: {CONSTANTS.emergency_loan} into Loans for {CONSTANTS.emergency_treasury} T",
)


def _affordable_step(state: State, seat: int) -> bool:
    price = navy_step(state, seat)
    return price is not None and price <= state.players[seat].spendable


def _steps(state: State, seat: int) -> Iterator[c.BuyNavyStep]:
    if _affordable_step(state, seat):
        yield c.BuyNavyStep(buy=True)
    yield c.BuyNavyStep(buy=False)


def _label_step(state: State, seat: int, command: c.BuyNavyStep) -> str:
    return (
        f"Buy a Navy step for {next_step(state.players[seat], 'navy')} T" if command.buy else "No Navy step"
    )


def _sample_step(state: State, seat: int, chance: Chance) -> Command:
    if _may_borrow(state, seat) and draw_percent(chance, 5):
        return c.TakeEmergencyLoan()
    return c.BuyNavyStep(buy=_affordable_step(state, seat) and draw_percent(chance, 50))


BUY_NAVY_STEP = Step(
    kind="buy_navy_step",
    asked=_who_buys,
    default=lambda _state, _seat: c.BuyNavyStep(buy=False),
    sample=_sample_step,
    moves=(
        Move(command=c.BuyNavyStep, take=buy_navy_step, legal=_steps, label=_label_step),
        TAKE_EMERGENCY_LOAN,
    ),
)


def _price(state: State, seat: int, count: int) -> int:
    held = state.escalation
    belligerent = held is not None and seat in held.belligerents
    return squadron_price(state.players[seat].squadrons, count, belligerent=belligerent)


def _purchases(state: State, seat: int) -> Iterator[c.BuyEscalationSquadrons]:
    for count in range(count_most_squadrons(state, require(state.escalation), seat), -1, -1):
        if _price(state, seat, count) <= state.players[seat].spendable:
            yield c.BuyEscalationSquadrons(count)


def _label_purchase(state: State, seat: int, command: c.BuyEscalationSquadrons) -> str:
    cost = _price(state, seat, command.count)
    return f"Buy {w.squadrons(command.count)} for {cost} T" if command.count else "No Squadrons"


def _sample_purchase(state: State, seat: int, chance: Chance) -> Command:
    if _may_borrow(state, seat) and draw_percent(chance, 5):
        return c.TakeEmergencyLoan()
    count = draw_up_to(chance, count_most_squadrons(state, require(state.escalation), seat))
    while _price(state, seat, count) > state.players[seat].spendable:
        count -= 1
    return c.BuyEscalationSquadrons(count)


BUY_ESCALATION_SQUADRONS = Step(
    kind="buy_escalation_squadrons",
    asked=_who_buys,
    default=lambda _state, _seat: c.BuyEscalationSquadrons(count=0),
    sample=_sample_purchase,
    moves=(
        Move(
            command=c.BuyEscalationSquadrons,
            take=buy_escalation_squadrons,
            legal=_purchases,
            label=_label_purchase,
        ),
        TAKE_EMERGENCY_LOAN,
    ),
)
