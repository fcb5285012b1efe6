"""The steady player of Colonies: it looks one step ahead and weighs what it would then hold.

Everything is measured in Credits, of which one is one victory point. The weights below are
rules of thumb: resources are worth something only while there are actions left to use them, an
import pays every year that is left, and a colonist who finds no work turns pirate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from events.rules.fact import Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command
from events.rules.title import Title
from events.titles.colonies.actions.kinds import ACTION_OF
from events.titles.colonies.actions.upgrade import UPGRADE, cost_of
from events.titles.colonies.changes import apply
from events.titles.colonies.commands import (
    AcceptColonists,
    CastVote,
    ChooseEventReward,
    DecideTiedVote,
    PassAction,
    ResolveEventEffect,
)
from events.titles.colonies.data import BOARD, TECHNOLOGIES, TECHNOLOGY, TOP_LEVEL
from events.titles.colonies.derived import (
    arrivals,
    effect_of,
    export_total,
    own_stock,
    primitive_under_way,
)
from events.titles.colonies.effects import interpreter
from events.titles.colonies.effects.actions import plainest_answers
from events.titles.colonies.parts import EffectName
from events.titles.colonies.picks import pick_greedily, rate_by_number
from events.titles.colonies.primitives import AnyPrimitive, BonusAction, Upgrade
from events.titles.colonies.state import State, sort_in_ring_order
from workers.bot_types import Bot
from workers.bots.kept.colonies.bots3.colonies_prospects import (
    RESOURCE,
    USEFUL,
    PlainActions,
    milli,
    worth,
)
from workers.bots.kept.colonies.bots3.colonies_worth import WORTH
from workers.bots.kept.colonies.bots3.search import thinkers


def best(
    state: State, seat: Seat, commands: Iterable[Command], after: Callable[[Any], State]
) -> tuple[float, Command | None]:
    """Return the command after which the position is worth most; ties: the first."""
    top: tuple[float, Command | None] = (float("-inf"), None)
    for command in commands:
        value = worth(after(command), seat)
        if value > top[0]:
            top = (value, command)
    return top


# --- actions -----------------------------------------------------------------------------------------


def _action_options(state: State, seat: Seat) -> Iterator[tuple[Command, State]]:
    kinds = [(UPGRADE, 0)] + [(ACTION_OF[t], state.levels[seat][t]) for t in TECHNOLOGIES]
    for kind, strength in kinds:
        for command in kind.plainest(state, seat, strength):
            yield command, apply(state, kind.plan(state, seat, command, strength).make_changes())


def act(state: State, seat: Seat) -> Command:
    """Return the action that leaves most."""
    top: tuple[float, Command] = (worth(state, seat), PassAction())
    for command, after in _action_options(state, seat):
        value = worth(after, seat)
        if value > top[0]:
            top = (value, command)
    return top[1]


# --- events ------------------------------------------------------------------------------------------


def _answer_primitive(
    state: State, seat: Seat, primitive: AnyPrimitive
) -> tuple[State, ResolveEventEffect | None]:
    """Return the state after the best answer to a primitive (or after the forced one)."""
    if not interpreter.asks(state, seat, primitive):
        return apply(state, interpreter.changes(state, seat, primitive, None)), None

    def answer_with(choice: ResolveEventEffect) -> State:
        return apply(state, interpreter.changes(state, seat, primitive, choice))

    _, choice = best(state, seat, _answers(state, seat, primitive), answer_with)
    answer = choice if isinstance(choice, ResolveEventEffect) else interpreter.default(state, seat, primitive)
    return answer_with(answer), answer


def _answers(state: State, seat: Seat, primitive: AnyPrimitive) -> Iterator[ResolveEventEffect]:
    """Return the answers to weigh: all that are listed; of a bonus action or an upgrade the plainest."""
    if isinstance(primitive, BonusAction | Upgrade):
        return plainest_answers(state, seat, primitive)
    return interpreter.legal(state, seat, primitive)


def gain_of(state: State, seat: Seat, effect: EffectName) -> float:
    """Return the change in the seat's worth by an effect of the current card."""
    after = state
    for primitive in effect_of(state, effect):
        after, _ = _answer_primitive(after, seat, primitive)
    return worth(after, seat) - worth(state, seat)


def vote(state: State, seat: Seat) -> Command:
    """Vote for the proposal that brings more, with spare resources if the third effect would hurt."""
    everybody = gain_of(state, seat, "all")
    official = max(gain_of(state, seat, "official"), float(BOARD.reward_credits))
    side = "yes" if official / state.seats > everybody else "no"
    spare = dict(state.stocks[seat])
    spare[state.planets[seat]] = max(0, own_stock(state, seat) - export_total(state, seat))
    count = 1 if gain_of(state, seat, "fewest") < -RESOURCE else 0
    if side == "yes" and official > 2 * RESOURCE and sum(spare.values()) > 2 * USEFUL:
        count += 2
    return CastVote(
        "yes" if side == "yes" else "no", sort_in_ring_order(pick_greedily(spare, count, rate_by_number))
    )


def break_tie(state: State, seat: Seat) -> Command:
    """Yes if the seat itself profits more from it."""
    cast = {v.seat: v for v in state.votes.cast} if state.votes else {}
    top = max((v.votes for v in cast.values() if v.side == "yes"), default=0)
    mine = cast.get(seat)
    wins = mine is not None and mine.side == "yes" and mine.votes == top
    yes = max(gain_of(state, seat, "official"), float(BOARD.reward_credits)) if wins else 0.0
    return DecideTiedVote("yes" if yes > gain_of(state, seat, "all") else "no")


def reward(state: State, seat: Seat) -> Command:
    """Return the effect where it is worth more than the Credits."""
    return ChooseEventReward(
        "effect" if gain_of(state, seat, "official") > BOARD.reward_credits else "credits"
    )


def answer(state: State, seat: Seat) -> Command:
    """Return the best answer to what an effect asks."""
    primitive = primitive_under_way(state)
    choice = _answer_primitive(state, seat, primitive)[1] if primitive else None
    return choice or ResolveEventEffect(decline=True)


# --- income ------------------------------------------------------------------------------------------


def receive(state: State, seat: Seat) -> Command:
    """Reject those for whom there is no work; make the others citizens."""
    most = min(state.levels[seat]["community"], arrivals(state))
    ready = [t for t in TECHNOLOGIES if _ready(state, seat, t)]
    costs = sorted(cost_of(state.levels[seat][t] + 1) for t in ready)
    work = sum(costs[:2]) + state.levels[seat]["military"]
    idle = state.colonists[seat] + arrivals(state) - work
    reject = min(most, max(0, idle)) if state.turn < BOARD.turns else 0
    return AcceptColonists(reject, most - reject)


def _ready(state: State, seat: Seat, technology: Any) -> bool:
    level = state.levels[seat][technology]
    if level >= TOP_LEVEL:
        return False
    cost, stock = cost_of(level + 1), state.stocks[seat]
    return sum(max(0, cost - stock[c]) for c in TECHNOLOGY[technology].cost) <= 2


_CHOOSERS: dict[str, Callable[[State, Seat], Command]] = {
    "accept_colonists": receive,
    "cast_vote": vote,
    "decide_tied_vote": break_tie,
    "choose_event_reward": reward,
    "resolve_event_effect": answer,
    "take_action": act,
}


def choose(title: Title[Any], state: State, seat: Seat, chance: FastChance, _budget: int) -> Command:
    """Return the steady move; what is not worth thinking about is done as an absent player does it."""
    return _choose(title, state, seat, chance, _CHOOSERS)


def _choose(
    title: Title[Any],
    state: State,
    seat: Seat,
    chance: FastChance,
    choosers: Mapping[str, Callable[[State, Seat], Command]],
) -> Command:
    decision = next(d for d in title.list_awaited_kinds(state) if d.seat == seat)
    if decision.kind == "show_fingers":
        command = title.sample(state, seat, chance)
        if command is not None:
            return command
    chooser = choosers.get(decision.kind)
    return chooser(state, seat) if chooser else title.default(state, decision)


# --- with foresight ----------------------------------------------------------------------------------

FORESEEN = 5
"""Actions after which it asks what the next one can bring."""


def act_plainly(state: State, seat: Seat) -> Command:
    """Return the best of the plain actions."""
    return PlainActions(state, seat).choose()[1]


def act_ahead(state: State, seat: Seat) -> Command:
    """Return the action that leaves most after the one that follows it in the same turn."""
    found: list[tuple[int, Command, State]] = [(milli(state, seat), PassAction(), state)]
    found += [(milli(after, seat), command, after) for command, after in _action_options(state, seat)]
    best_first = sorted(found, key=lambda each: -each[0])
    if state.action_round >= BOARD.actions:
        return best_first[0][1]

    def foresee(each: tuple[int, Command, State]) -> int:
        return PlainActions(each[2], seat).choose()[0]

    return max(best_first[:FORESEEN], key=foresee)[1]


_AHEAD: Mapping[str, Callable[[State, Seat], Command]] = {**_CHOOSERS, "take_action": act_ahead}
_PLAIN: Mapping[str, Callable[[State, Seat], Command]] = {
    "accept_colonists": receive,
    "take_action": act_plainly,
}


def choose_ahead(title: Title[Any], state: State, seat: Seat, chance: FastChance, _budget: int) -> Command:
    """Return the steady move, two actions ahead."""
    return _choose(title, state, seat, chance, _AHEAD)


def choose_plainly(title: Title[Any], state: State, seat: Seat, chance: FastChance, _budget: int) -> Command:
    """Return a fair move in a fraction of the time: how games go on in the minds of those who think."""
    return _choose(title, state, seat, chance, _PLAIN)


STEADY = Bot(name="steady", version=2, budget=0, choose=choose_ahead)
LIGHT = choose_plainly
THINKERS = thinkers("colonies", choose_ahead, WORTH, light=LIGHT)
KEPT = (Bot(name="steady", version=1, budget=0, choose=choose),)
