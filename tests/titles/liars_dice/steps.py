"""Set-up and the one step of Liar's dice: what is asked, what may be done, what follows."""

from __future__ import annotations

from collections.abc import Iterator

from rutter.events.rules.chance import D6
from rutter.events.rules.steps import Command, Draft, Move, Rejected, Step
from rutter.events.rules.title import NoOptions, Outcome

from .facts import BidMade, CupsLifted, DiceRolled, DieLost
from .state import DICE, Bid, Count, Face, State


class MakeBid(Command, frozen=True):
    """Bid that at least so many dice under all cups show a face (LDI-03)."""

    count: Count
    face: Face


class ChallengeBid(Command, frozen=True):
    """Challenge the bid before yours: all cups are lifted (LDI-04)."""


def make_blank(seats: int, options: NoOptions) -> State:
    """Return the table before the first roll: each player has dice that nobody has rolled (LDI-01)."""
    return State(cups=((1,) * DICE,) * seats)


def opening(draft: Draft[State], seats: int, options: NoOptions) -> None:
    """Roll for the first round."""
    _roll(draft)


def _roll(draft: Draft[State]) -> None:
    """LDI-02: each die is a hidden draw of its own. How many draws there are is public."""
    for seat, cup in enumerate(draft.state.cups):
        if cup:
            faces = tuple(draft.chance.pick(D6, hidden=True) for _ in cup)
            draft.emit(DiceRolled(seat, len(faces), faces))


def make_bid(draft: Draft[State], seat: int, command: MakeBid) -> None:
    """LDI-03."""
    state, bid = draft.state, Bid(command.count, command.face)
    if bid.count > count_dice(state):
        raise Rejected("too_many_dice", "There are not so many dice: bid a smaller count, or challenge.")
    if state.bid is not None and bid <= state.bid:
        raise Rejected("bid_too_low", "Bid a greater count, or the same count and a higher face.")
    draft.emit(BidMade(seat, bid.count, bid.face))


def challenge_bid(draft: Draft[State], seat: int, command: ChallengeBid) -> None:
    """LDI-04 to LDI-06; then the next round begins, unless the game has ended."""
    state = draft.state
    if state.bid is None or state.bidder is None:
        raise Rejected("no_bid", "There is no bid to challenge: make the first one.")
    found = sum(cup.count(state.bid.face) for cup in state.cups)
    draft.emit(CupsLifted(seat, state.cups, state.bid.face, found))
    loser = state.bidder if found < state.bid.count else seat
    draft.emit(DieLost(loser, len(state.cups[loser]) - 1))
    if outcome(draft.state) is None:
        _roll(draft)


def count_dice(state: State) -> int:
    """Return the number of dice under all cups."""
    return sum(map(len, state.cups))


def list_bids(state: State, seat: int) -> Iterator[MakeBid]:
    """Yield all bids that are allowed now, the lowest first (LDI-03)."""
    for count in range(1, count_dice(state) + 1):
        for face in D6:
            if state.bid is None or Bid(count, face) > state.bid:
                yield MakeBid(count, face)


def outcome(state: State) -> Outcome | None:
    """LDI-07. The score of a player is the number of players who left before."""
    if len(state.out) < state.seats - 1:
        return None
    winner = next(seat for seat, cup in enumerate(state.cups) if cup)
    order = (*state.out, winner)
    return Outcome(
        winners=(winner,),
        places=tuple(state.seats - order.index(seat) for seat in range(state.seats)),
        scores=tuple(order.index(seat) for seat in range(state.seats)),
    )


BID = Step[State](
    kind="bid_or_challenge",
    asked=lambda state: [state.turn] if outcome(state) is None else [],
    moves=(
        Move(
            command=ChallengeBid,
            take=challenge_bid,
            may=lambda state, _seat: state.bid is not None,
            label="Challenge",
        ),
        Move(
            command=MakeBid,
            take=make_bid,
            may=lambda state, _seat: next(list_bids(state, _seat), None) is not None,
            legal=list_bids,
            label=lambda _state, _seat, command: f"{command.count} × face {command.face}",
        ),
    ),
    default=lambda state, _seat: ChallengeBid() if state.bid else MakeBid(1, 1),  # LDI-08
)
STEPS = (BID,)
