"""Bots that think: whole numbers, the same move for ever, a budget that holds, no look at what is hidden."""

import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from click.testing import CliRunner

from events.rules.catalogue import find_title
from events.rules.fast_chance import FastChance
from events.titles.colonial.commands import ChooseNation
from ops.cli.bots.fit import command
from workers.bot_types import CERTAIN
from workers.bots import choose_move, find_bot, find_worth
from workers.bots.search import ERROR_TENTHS, Search, TriedCommand, is_clearly_better
from workers.bots.trials.arena import Match, play
from workers.bots.trials.fit import fit, loss, samples
from workers.bots.worth import UNFINISHED, Weights, chance_of, load_weights

TITLE = find_title("colonial")
WORTH, GUIDE = find_worth(TITLE)
WEIGHTS, DIGEST = load_weights("colonial")
UNASKED = ChooseNation("spain")
"""A command that nobody is asked for in the basic game."""


def positions(count, every=9, seats=3):
    """Positions in which somebody decides something that is thought about, and who."""
    chance = FastChance("positions")
    state = TITLE.open(seats, TITLE.Options(), chance).state
    found, number = [], 0
    while len(found) < count:
        decision = TITLE.awaited(state)[0]
        if decision.seat is None:
            given = TITLE.default(state, decision)
        else:
            if decision.kind in WORTH.searched:
                number += 1
                if number % every == 0:
                    found.append((state, decision.seat))
            given = GUIDE(TITLE, state, decision.seat, chance, 0)
        state = TITLE.decide(state, decision.seat, given, chance).state
        if not TITLE.awaited(state):
            state = TITLE.open(seats, TITLE.Options(), chance).state
    return found


def test_the_features_are_those_of_the_weights():
    """By name and in order; each as many as there are names, for every seat."""
    assert WEIGHTS.features == WORTH.names
    for state, _ in positions(3):
        rows = WORTH.features(state)
        assert len(rows) == state.seats
        assert all(len(row) == len(WORTH.names) and all(value == int(value) for value in row) for row in rows)
        assert 0 <= WORTH.progress(state) <= 1000


def test_chances_are_shares():
    """What has not ended is worth less than a victory, and who has more Prestige has more of it."""
    for state, _ in positions(5):
        shares = WORTH.judge(WEIGHTS, state)
        assert UNFINISHED - len(shares) <= sum(shares) <= UNFINISHED < CERTAIN
    even = Weights(WORTH.names, (0,) * len(WORTH.names), (0,) * len(WORTH.names))
    assert WORTH.judge(even, state) == [UNFINISHED // 3] * 3


def test_the_end_is_what_it_is():
    """A finished game is worth all or nothing."""
    chance = FastChance("end")
    state = TITLE.open(2, TITLE.Options(), chance).state
    while waiting := TITLE.awaited(state):
        seat = waiting[0].seat
        given = TITLE.default(state, waiting[0]) if seat is None else GUIDE(TITLE, state, seat, chance, 0)
        state = TITLE.decide(state, seat, given, chance).state
    chances = [chance_of(TITLE, WORTH, WEIGHTS, state, seat) for seat in range(2)]
    assert sorted(chances) == [0, CERTAIN]


@pytest.mark.parametrize("name", ["brisk"])
def test_the_same_move_again(name):
    """The same seed gives the same move, whatever the order of hashes."""
    bot = find_bot("colonial", name)
    told = [repr(choose_move(TITLE, bot, state, seat, b"seed")) for state, seat in positions(4)]
    program = (
        "from tests.workers.test_thinking import *\n"
        f"bot = find_bot('colonial', {name!r})\n"
        "print([repr(choose_move(TITLE, bot, state, seat, b'seed')) for state, seat in positions(4)])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={"PYTHONHASHSEED": "77", "PYTHONPATH": "."},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == str(told)


def test_it_sees_what_its_seat_may_know():
    """Another world that looks the same to the seat gets the same move: nothing hidden is looked at."""
    bot = find_bot("colonial", "brisk")
    for number, (state, seat) in enumerate(positions(4)):
        other = TITLE.imagine(state, seat, FastChance(number))
        assert choose_move(TITLE, bot, state, seat, b"seed") == choose_move(TITLE, bot, other, seat, b"seed")


@pytest.mark.parametrize("budget", [1, 16, 60])
def test_the_budget_holds(budget):
    """So many games are played out in the mind and hardly more, however many candidates there are."""
    played = []

    def guide(title, state, seat, chance, more):
        return GUIDE(title, state, seat, chance, more)

    class Counted(Search):
        def judge_state(self, *known):
            played.append(1)
            return super().judge_state(*known)

    search = Counted(guide, WORTH, WEIGHTS)
    for state, seat in positions(2):
        played.clear()
        search.choose(TITLE, state, seat, FastChance("budget"), budget)
        assert len(played) <= 60 + budget + 40, "what is screened, what is played, one game for each at least"


def test_games_in_the_mind_go_on_where_rules_of_thumb_break_the_rules():
    """As for an absent player: one illegal command among thousands must not keep a bot from its move."""
    search = Search(GUIDE, WORTH, WEIGHTS, lambda *_: UNASKED)
    for state, seat in positions(2):
        thought = search.think(TITLE, state, seat, FastChance("illegal"), 12)
        assert thought.simulations >= 12
        assert TITLE.decide(state, seat, thought.command, FastChance("illegal")).facts


def test_only_what_is_clearly_better_is_preferred():
    """A better mean is not enough: neither by a hair, nor where it may be chance."""
    own = TriedCommand(0, None, [500_000] * 20)
    assert not is_clearly_better(TriedCommand(1, None, [510_000] * 20), own)
    assert is_clearly_better(TriedCommand(1, None, [530_000] * 20), own)
    assert not is_clearly_better(TriedCommand(1, None, [0, 1_100_000] * 10), own)
    doubtful = TriedCommand(1, None, [300_000, 1_100_000] * 10)
    assert is_clearly_better(doubtful, own, ERROR_TENTHS)
    assert not is_clearly_better(doubtful, own, 2 * ERROR_TENTHS)
    assert not is_clearly_better(own, own)


def test_the_weights_follow_from_the_seed(tmp_path):
    """Fitted again, the file is the same; it has learned something."""
    one, two = tmp_path / "one", tmp_path / "two"
    for out in (one, two):
        done = CliRunner().invoke(command, ["colonial", "--games", "10", "--out", str(out)])
        assert done.exit_code == 0, done.output
    assert one.read_bytes() == two.read_bytes()
    found = [
        sample for game in samples(TITLE, WORTH, GUIDE, [2], 6, "s") for sample in game if not sample.judged
    ]
    assert loss(fit(WORTH.names, found, lambda _: None), found) < 0.8
    assert loss(WEIGHTS, found) < 0.95


def test_it_is_asked_where_games_in_the_mind_end():
    """A horizon apart at least, and never at the opening, in which nothing has happened."""
    told = replace(WORTH, features=lambda state: [(WORTH.clock(state),)] * state.seats)
    opening = WORTH.clock(TITLE.open(3, TITLE.Options(), FastChance(0)).state)
    for game in samples(TITLE, told, GUIDE, [3], 3, "s"):
        clocks = [sample.rows[0][0] for sample in game if sample.judged]
        assert len(clocks) > 3
        assert clocks[0] > opening
        assert all(late >= early + WORTH.horizon for early, late in pairwise(clocks))


def test_a_title_without_a_thinking_bot_says_so():
    """Nothing is written."""
    done = CliRunner().invoke(command, ["example"])
    assert done.exit_code == 1
    assert "no thinking bot" in done.output


@pytest.mark.slow
def test_thinking_pays():
    """A tenth of the time of `strong` beats the rules of thumb by which it thinks."""
    match = Match("colonial", 2, ("brisk", "steady@2"), "s")
    assert [play(match, 0, seat).winners for seat in (0, 1)] == [(0,), (1,)]


def test_versions_of_thinking_bots_are_their_weights():
    """Other weights are another bot: a recorded move is not thought again with them."""
    assert find_bot("colonial", "strong").weights == DIGEST
    assert find_bot("colonial", "strong").budget == 10 * find_bot("colonial", "brisk").budget
