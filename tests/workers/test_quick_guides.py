"""What rules of thumb reckon without making a position is what the position after the command is worth."""

from __future__ import annotations

from events.rules.catalogue import find_title
from events.titles.colonial_empires.derived import empire_of
from events.titles.colonial_empires.steps.build import build_cost
from events.titles.colonial_empires.steps.revenue import revenue
from events.titles.colonies.actions.kinds import ACTION_OF
from events.titles.colonies.actions.upgrade import UPGRADE
from events.titles.colonies.changes import apply
from tests.workers.recorded_moves import positions
from workers.bots.colonial_empires_income import choose_build, compute_income
from workers.bots.colonies_prospects import PlainActions, milli

GAMES = (3, 8, 11)
"""Of the corpus: games of random players, who come to positions that nobody plans."""


def asked(title_id, kind):
    """Positions of recorded games in which a seat decides something of a kind, and the seat."""
    title = find_title(title_id)
    for game in GAMES:
        for _, state in positions(title_id, game):
            for decision in title.awaited(state):
                if decision.kind == kind:
                    yield state, decision.seat


def test_plain_actions_of_colonies():
    """Each is legal, and weighed as the position that follows from it; no upgrade is left out."""
    kinds = {kind.command: (kind, name) for name, kind in ACTION_OF.items()}
    seen = set()
    for state, seat in asked("colonies", "take_action"):
        weighed = [(int(1000 * value), make()) for value, make in PlainActions(state, seat).weigh()]
        for value, command in weighed:
            kind, name = kinds.get(type(command), (UPGRADE, None))
            strength = state.levels[seat][name] if name else 0
            after = apply(state, kind.plan(state, seat, command, strength).make_changes())
            assert value == milli(after, seat), command
            seen.add(type(command))
        upgrades = [command for _, command in weighed if type(command) is UPGRADE.command]
        assert upgrades == list(UPGRADE.every(state, seat, 0))
    assert len(seen) == len(kinds) + 1


def test_income_and_builds_of_colonial_empires():
    """The revenue of all seats, and of all legal lists the first that brings most."""
    title, built = find_title("colonial_empires"), 0
    for state, seat in asked("colonial_empires", "build"):
        for other in range(state.seats):
            assert compute_income(state, other, state.in_play) == revenue(state, other).total
        found = choose_build(state, seat, 5)
        if found is not None:
            gains = {}
            for command in title.legal(state, seat):
                in_play = list(state.in_play)
                in_play[seat] = (*in_play[seat], *command.cards)
                cost = build_cost(empire_of(state, seat), command.cards)
                gains[command.cards] = 5 * compute_income(state, seat, in_play) - cost
            assert found.cards == max(gains, key=gains.__getitem__)
            built += bool(found.cards)
    assert built > 10
