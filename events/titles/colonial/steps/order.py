"""The steps of the turn in the rulebook's order, those under way, one command at random, and the end."""

from __future__ import annotations

from collections.abc import Mapping

from events.rules.chance import Chance
from events.rules.fact import Seat
from events.rules.steps import Command, Step
from events.rules.title import Outcome
from events.titles.colonial.derived import colonies, loans_of, monopoly_counts, ranking, resources
from events.titles.colonial.offers import draw_percent
from events.titles.colonial.state import Exploring, Phase, Rebelling, Shipping, State
from events.titles.colonial.steps.endeavour.consent import WITHDRAW_REQUESTS, request_open
from events.titles.colonial.steps.endeavour.explorer import CIRCUMNAVIGATE, ROLL_AGAIN, SETTLE
from events.titles.colonial.steps.endeavour.merchant import ANSWER_SHIPMENT, CONTINUE_MERCHANT
from events.titles.colonial.steps.endeavour.rebel import CHOOSE_REBELLION_CASUALTIES
from events.titles.colonial.steps.endeavour.rounds import PROGRAM_CARDS
from events.titles.colonial.steps.endeavour.trader import ANSWER_GOODS_REQUEST, CONTINUE_TRADER
from events.titles.colonial.steps.endeavour.turn import END_ROUND, PLAY_CHARACTER
from events.titles.colonial.steps.endeavour.war import (
    CHOOSE_WAR_CASUALTIES,
    DECIDE_SURRENDER,
    FIGHT_YEAR,
    REROLL_SEA_DICE,
)
from events.titles.colonial.steps.gifts import TRANSFER_TREASURY
from events.titles.colonial.steps.later_phases import BUY_MERCHANT_FLEETS, BUY_SQUADRONS, DECIDE_FLAMBOYANCE
from events.titles.colonial.steps.loans import REPAY_LOAN
from events.titles.colonial.steps.nations import CHOOSE_NATION

Steps = tuple[Step[State], ...]

STEPS: Steps = (
    CHOOSE_NATION,
    PROGRAM_CARDS,
    PLAY_CHARACTER,
    ROLL_AGAIN,
    SETTLE,
    CIRCUMNAVIGATE,
    CHOOSE_REBELLION_CASUALTIES,
    CONTINUE_MERCHANT,
    ANSWER_SHIPMENT,
    CONTINUE_TRADER,
    ANSWER_GOODS_REQUEST,
    FIGHT_YEAR,
    CHOOSE_WAR_CASUALTIES,
    REROLL_SEA_DICE,
    DECIDE_SURRENDER,
    END_ROUND,
    BUY_MERCHANT_FLEETS,
    BUY_SQUADRONS,
    DECIDE_FLAMBOYANCE,
    REPAY_LOAN,
    WITHDRAW_REQUESTS,
    TRANSFER_TREASURY,
)

_PHASES: Mapping[Phase, Steps] = {
    "nation_choice": (CHOOSE_NATION, TRANSFER_TREASURY),
    "programming": (PROGRAM_CARDS, TRANSFER_TREASURY),
    "merchant_fleets": (BUY_MERCHANT_FLEETS, TRANSFER_TREASURY),
    "naval_forces": (BUY_SQUADRONS, TRANSFER_TREASURY),
    "end_of_turn": (DECIDE_FLAMBOYANCE, TRANSFER_TREASURY),
}
_EXPLORING = {"second_roll": ROLL_AGAIN, "settle": SETTLE, "circumnavigation": CIRCUMNAVIGATE}
WAR = {
    "fight": FIGHT_YEAR,
    "casualties": CHOOSE_WAR_CASUALTIES,
    "reroll": REROLL_SEA_DICE,
    "surrender": DECIDE_SURRENDER,
}
"""The step that a war waits for, by the war's own ``step``."""


def find_steps(state: State) -> Steps:
    """The steps under way."""
    if has_ended(state):
        return ()
    if state.phase == "endeavour":
        if isinstance(state.action, Exploring) and state.action.step == "roll":
            return ()  # between two events of one command: the dice are on the table
        return (_endeavour(state), REPAY_LOAN, WITHDRAW_REQUESTS, TRANSFER_TREASURY)
    return _PHASES.get(state.phase, (TRANSFER_TREASURY,))


def _endeavour(state: State) -> Step[State]:
    """Return the step that the round waits for: the active player's, or that of the players they wait for."""
    action = state.action
    if state.war is not None:
        return WAR[state.war.step]
    if action is None:
        return PLAY_CHARACTER if state.played is None else END_ROUND
    if isinstance(action, Exploring):
        return _EXPLORING[action.step]
    if isinstance(action, Rebelling):
        return CHOOSE_REBELLION_CASUALTIES
    if isinstance(action, Shipping):
        return ANSWER_SHIPMENT if request_open(state) else CONTINUE_MERCHANT
    return ANSWER_GOODS_REQUEST if request_open(state) else CONTINUE_TRADER


def sample(state: State, seat: Seat, chance: Chance) -> Command | None:
    """A random legal command, now and then a free one; None for a seat without any decision."""
    mine = [step for step in find_steps(state) if seat in step.asked(state)]
    awaited = [step for step in mine if not step.free]
    free = [step for step in mine if step.free]
    if free and (not awaited or draw_percent(chance, 3)):
        return _one(chance.pick(free), state, seat, chance)
    return _one(awaited[0], state, seat, chance) if awaited else None


def _one(step: Step[State], state: State, seat: Seat, chance: Chance) -> Command:
    """Sample by the step's own sampler, or that of its only move; without a result the default."""
    sampler = step.sample or step.moves[0].one
    return sampler(state, seat, chance) or step.default(state, seat)


# --- the end (COL-00-01, R-58) -------------------------------------------------------------------


def has_ended(state: State) -> bool:
    """Return True if nobody decides any more."""
    return state.status != "running"


def outcome(state: State) -> Outcome | None:
    """None while the game runs. The winner alone is first; at a turn limit equals share a place."""
    if state.status != "finished":
        return None
    order = ranking(state)
    marks = _marks(state)
    places = [0] * state.seats
    for index, seat in enumerate(order):
        before = order[index - 1] if index else None
        same = before is not None and marks[before] == marks[seat] and state.winner is None
        places[seat] = places[before] if same and before is not None else index + 1
    return Outcome(
        winners=tuple(seat for seat, place in enumerate(places) if place == 1),
        places=tuple(places),
        scores=tuple(player.prestige for player in state.players),
        reason="prestige" if state.winner is not None else "turn_limit",
    )


def _marks(state: State) -> tuple[tuple[int, ...], ...]:
    """Return by seat what the ranking at a turn limit compares."""
    counts = monopoly_counts(state)
    return tuple(
        (player.prestige, loans_of(player), colonies(state, seat), counts[seat], resources(state, seat))
        for seat, player in enumerate(state.players)
    )
