"""The recorded moves of bots are thought again: some here, all of them in `tests/campaigns/test_bots.py`."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from events.rules.bot_names import THINKERS
from tests.titles.corpus import GAMES
from tests.workers.recorded_moves import GOLDEN, MOVES, TITLES, differences, moves_of
from workers.bots import find_bot
from workers.bots.trials.arena import full_name

SAMPLE = slice(2, 6)
"""By `steady`, a former version and twice `brisk`, one of them in the golden game."""


@pytest.mark.parametrize("title_id", TITLES)
def test_some_moves(title_id):
    """The same commands, from as many games in the mind, with the same chance of each candidate."""
    assert not differences(title_id, moves_of(title_id)[SAMPLE])


@pytest.mark.parametrize("title_id", TITLES)
def test_they_are_of_all_levels_and_many_games(title_id):
    """Two hundred; the newest versions are among them, most with thought, in nearly all recorded games."""
    moves = moves_of(title_id)
    bots = Counter(move.bot for move in moves)
    assert len(moves) == MOVES
    assert {full_name(find_bot(title_id, name)) for name in ("steady", *THINKERS)} <= bots.keys()
    assert sum(count for bot, count in bots.items() if bot.partition("@")[0] in THINKERS) > MOVES // 2
    assert len({move.game for move in moves} - {GOLDEN}) >= 3 * GAMES // 4


def test_another_move_is_found():
    """A digest that differs is told, and so is a place that a game does not have."""
    move = moves_of("colonial_empires")[2]
    assert len(differences("colonial_empires", [replace(move, command="0" * 16)])) == 1
    assert "no place" in differences("colonial_empires", [replace(move, place=10**6)])[0]
