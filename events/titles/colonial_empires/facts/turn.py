"""The turn and its phases, and the end of the game."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.rules.kit.words import format_list
from events.titles.colonial_empires.state import Phase, Result, State
from events.titles.colonial_empires.words import Data, agree, fortunes, says


class TurnBegan(Fact, frozen=True):
    """A turn begins."""

    turn: int
    lead_seat: Seat
    tell = says("Turn {turn} begins; the lead seat belongs to {lead_seat:who}.")

    def fold(self, state: State) -> State:
        return replace(state, turn=self.turn, lead_seat=self.lead_seat)


class PhaseBegan(Fact, frozen=True):
    """A phase begins for all (CEM-301)."""

    turn: int
    phase: Phase
    tell = says("The {phase:phase} Phase of turn {turn} begins.")

    def fold(self, state: State) -> State:
        return _BEGUN[self.phase](state)


def _fate(state: State) -> State:
    return replace(state, phase="fate", step=None, fate_in=tuple(range(state.seats)), fate_round=0)


def _revenue(state: State) -> State:
    return replace(state, phase="revenue", step=None, fate_in=(), fate_answers=(None,) * state.seats)


def _event(state: State) -> State:
    return replace(state, phase="event", step=None, event_index=0, italian_used=False)


def _build(state: State) -> State:
    return replace(state, phase="build", step="build")


def _trade(state: State) -> State:
    seats = state.seats
    return replace(
        state,
        phase="trade",
        step="trading",
        build_plans=(None,) * seats,
        offers_made=(0,) * seats,
        trade_finished=(False,) * seats,
    )


_BEGUN: Mapping[Phase, Callable[[State], State]] = {
    "fate": _fate,
    "revenue": _revenue,
    "event": _event,
    "build": _build,
    "trade": _trade,
}
"""The start of each phase: what the one before has left open is cleared away."""


class TurnEnded(Fact, frozen=True):
    """A turn is over (CEM-720)."""

    turn: int
    deck_count: int
    tell = says("Turn {turn} ends with {deck_count:number} in the deck.")

    def fold(self, state: State) -> State:
        nobody, none = (None,) * state.seats, (0,) * state.seats
        return replace(state, step=None, discards_due=none, discard_choices=nobody)


class GameEnded(Fact, frozen=True):
    """The final turn is over (CEM-801): treasuries and places by seat."""

    turn: int
    treasuries: dict[Seat, int]
    places: dict[Seat, int]
    winners: tuple[Seat, ...]

    @staticmethod
    def tell(data: Data, who: Who) -> str:
        winners, purses = data["winners"], data["treasuries"]
        verb = "win together" if len(winners) > 1 else "[wins|win]"
        best = fortunes(max(purses.values()))
        others = [
            seat for seat in sorted(purses, key=lambda s: (-purses[s], int(s))) if int(seat) not in winners
        ]
        rest = "; ".join(f"{who(int(seat))} [has|have] {fortunes(purses[seat])}" for seat in others)
        more = f"; {rest}" if rest else ""
        return agree(f"The game ends: {format_list(map(who, winners))} {verb} with {best}{more}.")

    def fold(self, state: State) -> State:
        places = tuple(self.places[seat] for seat in range(state.seats))
        return replace(state, phase="ended", step=None, result=Result(places, self.winners))
