"""Settling goes by its grounds alone, for it is left out where they are those of the last time."""

from itertools import pairwise

import pytest
from msgspec.structs import replace

from events.rules.fast_chance import FastChance
from events.rules.steps import Draft
from events.titles.colonial_revised.data import CONSTANTS
from events.titles.colonial_revised.state import Standing
from events.titles.colonial_revised.steps import settlement
from tests.titles.colonial_revised.test_invariants import GAMES, played

APART = 40
"""Moments between two that are compared: by then nearly everything is another."""


def settle(state):
    """Return the facts of settling *state*, whatever was settled before."""
    settlement._Settled.grounds = ()
    draft = Draft(state, FastChance(1))
    settlement.settle(draft)
    return draft.facts


def take_grounds(state, other):
    """Return *state* with the grounds of *other*, as `_list_grounds` lists them."""
    lands, piles, progress, missions, players = settlement._list_grounds(other)
    names = ("steps_bought", "missions_placed", "war_pp", "empire_achieved", "loans", "standing")
    return replace(
        state,
        lands=lands,
        piles=piles,
        progress_award_holder=progress,
        missions_award_holder=missions,
        players=tuple(
            replace(mine, **dict(zip(names, theirs, strict=True)))
            for mine, theirs in zip(state.players, players, strict=True)
        ),
    )


@pytest.mark.parametrize(("seats", "seed"), GAMES)
def test_positions_with_the_same_grounds_settle_alike(seats, seed):
    """REV-090: nothing but the grounds decides what is due; all points are due here."""
    moments = played(seats, seed)[::APART]
    settled = set()
    for state, other in pairwise(moments):
        if any(settlement.compute_net_pp(player) >= CONSTANTS.win_pp for player in other.players):
            break  # the end tells of all that there is
        due = replace(other, players=tuple(replace(player, standing=Standing()) for player in other.players))
        facts = settle(due)
        settled |= {type(fact).__name__ for fact in facts}
        assert settle(take_grounds(state, due)) == facts
    assert {"PrestigeChanged", "MonopolyGained"} <= settled, settled
