"""A seat's turn in a round: one Character or none (COL-04-07 to COL-04-12).

With Loans the turn ends only by command.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Move, Rejected, Step
from events.titles.colonial import checks
from events.titles.colonial import facts as f
from events.titles.colonial.checks import Draft
from events.titles.colonial.commands import EndRound, ForfeitRound
from events.titles.colonial.data import CARDS
from events.titles.colonial.offers import draw_percent
from events.titles.colonial.state import (
    State,
    find_revealed_card,
    list_acting,
    usable_again,
    usable_characters,
)
from events.titles.colonial.steps.endeavour.ambassador import AMBASSADOR
from events.titles.colonial.steps.endeavour.conqueror import CONQUEROR
from events.titles.colonial.steps.endeavour.explorer import EXPLORER
from events.titles.colonial.steps.endeavour.financier import FINANCIER
from events.titles.colonial.steps.endeavour.governor import GOVERNOR
from events.titles.colonial.steps.endeavour.merchant import MERCHANT
from events.titles.colonial.steps.endeavour.missionary import MISSIONARY
from events.titles.colonial.steps.endeavour.rebel import REBEL
from events.titles.colonial.steps.endeavour.rounds import end
from events.titles.colonial.steps.endeavour.scientist import SCIENTIST
from events.titles.colonial.steps.endeavour.sovereign import SOVEREIGN
from events.titles.colonial.steps.endeavour.trader import TRADER
from events.titles.colonial.steps.endeavour.viceroy import VICEROY
from events.titles.colonial.steps.loans import may_repay, sample_repayment

PLAYS: Mapping[str, Move[State]] = {
    "explorer": EXPLORER,
    "conqueror": CONQUEROR,
    "viceroy": VICEROY,
    "ambassador": AMBASSADOR,
    "sovereign": SOVEREIGN,
    "rebel": REBEL,
    "merchant": MERCHANT,
    "governor": GOVERNOR,
    "trader": TRADER,
    "financier": FINANCIER,
    "scientist": SCIENTIST,
    "missionary": MISSIONARY,
}
"""The move of each Character."""


def forfeit_round(draft: Draft, seat: Seat, command: ForfeitRound) -> None:
    """Forfeit the round (COL-04-09)."""
    checks.check_active(draft.state, seat)
    if draft.state.played is not None:
        raise Rejected("action_in_progress", "A Character is being played; finish it first.")
    draft.emit(f.RoundForfeited(draft.state.round, seat))
    end(draft, seat)


FORFEIT = Move[State](command=ForfeitRound, take=forfeit_round, label="Forfeit the round", own_words=True)


def _list_usable(state: State, seat: Seat) -> Iterator[Move[State]]:
    """Yield the moves of the Characters on the seat's card that it may use, then to forfeit."""
    yield from (PLAYS[name] for name in usable_characters(state, seat))
    yield FORFEIT


def _sample_play(state: State, seat: Seat, chance: Chance) -> Command | None:
    """One of the two Characters if it can do anything, else the other."""
    if may_repay(state, seat) and draw_percent(chance, 25):
        return sample_repayment(state, seat, chance)
    if draw_percent(chance, 3):
        return None
    for name in chance.deal(CARDS[find_revealed_card(state, seat) or ""].characters, 2):
        if usable_again(state.players[seat], name):
            command = PLAYS[name].one(state, seat, chance)
            if command is not None:
                return command
    return None


PLAY_CHARACTER = Step[State](
    kind="play_character",
    asked=list_acting,
    moves=(*PLAYS.values(), FORFEIT),
    choice=_list_usable,
    default=lambda _state, _seat: ForfeitRound(),
    sample=_sample_play,
)


def end_round(draft: Draft, seat: Seat, command: EndRound) -> None:
    """End the seat's turn in the round (COL-04-12)."""
    checks.check_active(draft.state, seat)
    if draft.state.played is None:
        raise Rejected("no_action_taken", "Play a Character or forfeit the round.")
    if draft.state.action or draft.state.war:
        raise Rejected("action_in_progress", "Finish the Character play first.")
    end(draft, seat)


def _sample_end(state: State, seat: Seat, chance: Chance) -> Command:
    if may_repay(state, seat) and draw_percent(chance, 60):
        return sample_repayment(state, seat, chance)
    return EndRound()


END_ROUND = Step[State](
    kind="end_round",
    asked=list_acting,
    moves=(Move(command=EndRound, take=end_round, label="End the round", own_words=True),),
    default=lambda _state, _seat: EndRound(),
    sample=_sample_end,
)
