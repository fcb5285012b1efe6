"""The event phase: the vote, and the first player's word in a tie (§2)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import prod

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.words import format_count
from events.rules.steps import Command, Draft, Move, Step
from events.titles.colonies import words
from events.titles.colonies.checks import check_stock
from events.titles.colonies.commands import CastVote, DecideTiedVote
from events.titles.colonies.data import COLOURS
from events.titles.colonies.facts import (
    MotionCarried,
    TiedVoteDecided,
    VoteCommitted,
    VotesRevealed,
    VoteTied,
)
from events.titles.colonies.parts import Side, Vote
from events.titles.colonies.picks import pick_greedily, random_pick, rate_by_number
from events.titles.colonies.primitives import Colour
from events.titles.colonies.sealing import Sealing, has_answered
from events.titles.colonies.state import State, player_order, sort_in_ring_order
from events.titles.colonies.steps.effects import resolve

LISTED = 300
"""Of so many votes all are listed, more than one answer of the service has not: with five resources of each
colour there are 15,552."""
SIDES: tuple[Side, Side] = ("no", "yes")


def check(state: State, seat: Seat, command: CastVote) -> None:
    """Raise Rejected unless the resources are of one's own stock, or none (CLN-043)."""
    check_stock(state.stocks[seat], command.resources)


def reveal(draft: Draft[State]) -> None:
    """Reveal all votes and spend the resources; the larger sum carries (CLN-046, CLN-049, CLN-051)."""
    state = draft.state
    cast = tuple(_vote(state, seat, a) for seat, a in enumerate(state.sealed) if isinstance(a, CastVote))
    yes = sum(vote.votes for vote in cast if vote.side == "yes")
    no = sum(vote.votes for vote in cast if vote.side == "no")
    draft.emit(VotesRevealed(cast, yes, no))
    if yes == no:
        draft.emit(VoteTied(state.first_player or 0))
    else:
        carry(draft, "yes" if yes > no else "no")


def _vote(state: State, seat: Seat, answer: CastVote) -> Vote:
    """Return the Influence level plus one vote for each resource (CLN-044)."""
    influence, resources = state.levels[seat]["influence"], sort_in_ring_order(answer.resources)
    return Vote(seat, answer.side, resources, influence, influence + sum(resources.values()))


def list_affected(state: State, side: Side) -> tuple[Seat, ...]:
    """Return the seats with most yes votes, or fewest of any kind, in player order (CLN-054, CLN-058)."""
    cast = state.votes.cast if state.votes else ()
    if side == "yes":
        counts = {vote.seat: vote.votes for vote in cast if vote.side == "yes"}
        wanted = max(counts.values(), default=0)
    else:
        counts = {vote.seat: vote.votes for vote in cast}
        wanted = min(counts.values(), default=0)
    return tuple(seat for seat in player_order(state) if counts.get(seat) == wanted)


def carry(draft: Draft[State], side: Side) -> None:
    """Carry the motion and begin its effects."""
    draft.emit(MotionCarried(side, list_affected(draft.state, side)))
    resolve(draft)


def decide_tie(draft: Draft[State], seat: Seat, command: DecideTiedVote) -> None:
    """Carry the motion that the first player decides on, whatever they voted themselves (CLN-052)."""
    draft.emit(TiedVoteDecided(seat, command.side))
    carry(draft, command.side)


def _ways(state: State, seat: Seat) -> int:
    return 2 * prod(count + 1 for count in state.stocks[seat].values())


def _legal(state: State, seat: Seat) -> Iterator[Command]:
    """Yield all votes, or each number of votes with the most numerous resources, and each single colour."""
    stock = state.stocks[seat]
    if _ways(state, seat) <= LISTED:
        spent = sorted(product(*(range(stock[c] + 1) for c in COLOURS)), key=sum)
        options = [sort_in_ring_order(dict(zip(COLOURS, counts, strict=True))) for counts in spent]
    else:
        options = _main_spendings(stock)
    for resources in options:
        for side in SIDES:
            yield CastVote(side, resources)


def _main_spendings(stock: dict[Colour, int]) -> list[dict[Colour, int]]:
    most = min(sum(stock.values()), 30)
    options = [sort_in_ring_order(pick_greedily(stock, number, rate_by_number)) for number in range(most + 1)]
    for colour in COLOURS:
        options += [{colour: number} for number in range(1, min(stock[colour], 12) + 1)]
    return list({tuple(option.items()): option for option in options}.values())


def _complete(state: State, seat: Seat) -> bool:
    return _ways(state, seat) <= LISTED


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    stock = state.stocks[seat]
    resources = random_pick(stock, chance.pick(range(min(sum(stock.values()), 5) + 1)), chance)
    return CastVote(chance.pick(SIDES), resources)


def _label(state: State, seat: Seat, command: CastVote) -> str:
    votes = _vote(state, seat, command).votes
    spent = f", spend {words.resources(command.resources)}" if command.resources else ""
    return f"Vote {command.side} ({format_count(votes, 'vote')}){spent}"


def _tie_label(_state: State, _seat: Seat, command: DecideTiedVote) -> str:
    proposal = "official" if command.side == "yes" else "alternative"
    return f"Decide {command.side}: the {proposal} proposal is carried"


SEALING = Sealing(
    command=CastVote,
    check=check,
    cover=lambda seat, command: VoteCommitted(seat, command.side, sort_in_ring_order(command.resources)),
    reveal=reveal,
)
VOTE = Step[State](
    kind="cast_vote",
    asked=SEALING.list_asked,
    covered=has_answered,
    default=lambda _state, _seat: CastVote("no", {}),
    sample=_sample,
    moves=(Move(command=CastVote, take=SEALING.take, legal=_legal, complete=_complete, label=_label),),
)
TIE = Step[State](
    kind="decide_tied_vote",
    asked=lambda state: (state.first_player or 0,),
    default=lambda _state, _seat: DecideTiedVote("no"),
    sample=lambda _state, _seat, chance: DecideTiedVote(chance.pick(SIDES)),
    moves=(
        Move(
            command=DecideTiedVote,
            take=decide_tie,
            legal=lambda _state, _seat: map(DecideTiedVote, SIDES),
            label=_tie_label,
        ),
    ),
)
