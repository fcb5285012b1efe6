"""Squadrons are bought (COL-04-19)."""

from __future__ import annotations

from events.rules.fact import Seat
from events.rules.steps import Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.commands import BuySquadrons
from events.titles.colonial.derived import list_acting
from events.titles.colonial.draft import Draft
from events.titles.colonial.state import State
from events.titles.colonial.steps.later_phases.purchases import find_most, label, limit, open_phase


def buy_squadrons(draft: Draft, seat: Seat, command: BuySquadrons) -> None:
    """Buy Squadrons, at most as many as the Navy allows (COL-04-19)."""
    allowed = limit(draft.state, seat, "naval_forces")
    if command.amount > allowed:
        raise Rejected(
            "too_many_squadrons", f"Your Navy allows {allowed} Squadrons a turn; buy at most that."
        )
    checks.can_pay(draft.state.players[seat], command.amount)
    draft.emit(f.SquadronsBought(seat, command.amount, allowed))
    open_phase(draft, "naval_forces", seat)


BUY_SQUADRONS = Step[State](
    kind="buy_squadrons",
    asked=list_acting,
    moves=(
        Move(
            command=BuySquadrons,
            take=buy_squadrons,
            legal=lambda state, seat: (
                BuySquadrons(amount) for amount in range(find_most(state, seat, "naval_forces"), -1, -1)
            ),
            label=lambda _state, _seat, command: label(command.amount, "Squadron"),
            sample=lambda state, seat, chance: BuySquadrons(
                chance.pick(range(find_most(state, seat, "naval_forces") + 1))
            ),
        ),
    ),
    default=lambda _state, _seat: BuySquadrons(0),
)
