"""Set-up (REV-010 to REV-018)."""

from __future__ import annotations

from events.rules.steps import Draft
from events.titles.colonial_revised import facts as f
from events.titles.colonial_revised.data import (
    CARDS,
    CONSTANTS,
    RULES,
    SPACE_COUNT,
    TERRITORIES,
    TRACKS,
    WORLD,
)
from events.titles.colonial_revised.options import Options
from events.titles.colonial_revised.state import AVAILABLE, SETUP, Land, Player, State
from events.titles.colonial_revised.steps.later_phases.end_of_turn import start_turn


def blank(seats: int, options: Options) -> State:
    """The table before the first fact: everything but the order cards (REV-011 to REV-014)."""
    player = Player(
        treasury=CONSTANTS.start_treasury,
        merchant_fleets=CONSTANTS.start_merchant_fleets,
        squadrons=CONSTANTS.start_squadrons,
        privateers=(0,) * seats,
        economy=TRACKS["economy"][0],
        seafaring=TRACKS["seafaring"][0],
        navy=TRACKS["navy"][0],
        logistics=TRACKS["logistics"][0],
        diplomacy=WORLD.diplomacy_start,
        cards=(AVAILABLE,) * len(CARDS),
    )
    explored = RULES.edition.initially_explored
    return State(
        options=options,
        seats=seats,
        status=SETUP,
        turn=0,
        phase="endeavour",
        round=0,
        place=0,
        order=tuple(range(seats)),
        maintenance_paid=False,
        players=(player,) * seats,
        lands=tuple(Land(explored=place.id in explored) for place in TERRITORIES),
        piles=((),) * SPACE_COUNT,
        protected=((),) * SPACE_COUNT,
    )


def opening(draft: Draft[State], seats: int, options: Options) -> None:
    """Order cards at random; the holders of 1 and 2 discard 1 T each (REV-015, REV-016)."""
    draft.emit(f.GameBegan(seats=seats, options=options))
    order = draft.chance.deal(range(seats), seats, hidden=False)
    draft.emit(f.PlayerOrderDealt(order=order))
    for seat in order[: CONSTANTS.order_cards_that_discard]:
        draft.emit(f.TreasuryDiscarded(seat=seat, amount=1))
    start_turn(draft, 1)
