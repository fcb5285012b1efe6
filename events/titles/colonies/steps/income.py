"""The income phase: production, and receiving colonists (§1)."""

from __future__ import annotations

from collections.abc import Iterator

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.kit.words import format_count
from events.rules.steps import Command, Draft, Move, Rejected, Step
from events.titles.colonies import words
from events.titles.colonies.commands import AcceptColonists
from events.titles.colonies.data import BOARD
from events.titles.colonies.derived import arrivals, export_total
from events.titles.colonies.facts import (
    ColonistChoiceCommitted,
    ColonistsReceived,
    Production,
    ResourcesProduced,
    TurnBegan,
)
from events.titles.colonies.sealing import Sealing, has_answered
from events.titles.colonies.state import State


def start_turn(draft: Draft[State], turn: int) -> None:
    """Begin a turn with everybody's production (CLN-027, CLN-032)."""
    draft.emit(TurnBegan(turn, draft.state.first_player or 0))
    draft.emit(ResourcesProduced(tuple(production(draft.state, seat) for seat in range(draft.state.seats))))


def production(state: State, seat: Seat) -> Production:
    """Return the four export markers, also to neutral partners, plus Industry level (CLN-032, CLN-033)."""
    exports, industry = export_total(state, seat), state.levels[seat]["industry"]
    return Production(seat, state.planets[seat], exports, industry, exports + industry)


def count_most_chosen(state: State, seat: Seat) -> int:
    """Return the number of colonists a player may reject or make citizens together (CLN-036)."""
    return min(state.levels[seat]["community"], arrivals(state))


def check(state: State, seat: Seat, command: AcceptColonists) -> None:
    """Raise Rejected above the Community level or the arrivals (CLN-036, CLN-039)."""
    chosen, level = command.reject + command.citizens, state.levels[seat]["community"]
    if chosen > level:
        raise Rejected("community_limit_exceeded", f"Reject or make citizens of at most {level} in all.")
    if chosen > arrivals(state):
        raise Rejected("arrivals_exceeded", f"Only {arrivals(state)} colonists arrive; choose among them.")


def reveal(draft: Draft[State]) -> None:
    """Carry out all choices together (CLN-037, CLN-041)."""
    state = draft.state
    coming = arrivals(state)
    for seat, answer in enumerate(state.sealed):
        if isinstance(answer, AcceptColonists):
            credits = answer.citizens * BOARD.citizen_credits
            gained = coming - answer.reject
            draft.emit(ColonistsReceived(seat, coming, answer.reject, answer.citizens, gained, credits))


def _legal(state: State, seat: Seat) -> Iterator[Command]:
    most = count_most_chosen(state, seat)
    for chosen in range(most, -1, -1):
        for reject in range(chosen + 1):
            yield AcceptColonists(reject, chosen - reject)


def _sample(state: State, seat: Seat, chance: Chance) -> Command:
    chosen = chance.pick(range(count_most_chosen(state, seat) + 1))
    reject = chance.pick(range(chosen + 1))
    return AcceptColonists(reject, chosen - reject)


def _label(state: State, _seat: Seat, command: AcceptColonists) -> str:
    taken = words.number(arrivals(state) - command.reject, "colonist")
    rejected = f", reject {command.reject}" if command.reject else ""
    citizens = command.citizens
    paid = f", {format_count(citizens, 'citizen')}: +{citizens * BOARD.citizen_credits} €" if citizens else ""
    return f"Take {taken}{rejected}{paid}"


SEALING = Sealing(
    command=AcceptColonists,
    check=check,
    cover=lambda seat, command: ColonistChoiceCommitted(seat, command.reject, command.citizens),
    reveal=reveal,
)
INCOME = Step[State](
    kind="accept_colonists",
    asked=SEALING.list_asked,
    covered=has_answered,
    default=lambda state, seat: AcceptColonists(0, count_most_chosen(state, seat)),
    sample=_sample,
    moves=(Move(command=AcceptColonists, take=SEALING.take, legal=_legal, label=_label),),
)
