"""What bots think and how well they play, at length; in short in `tests/workers`."""

import os
import subprocess
import sys
from dataclasses import replace

import pytest

from events.rules.catalogue import find_title, title_ids
from tests.conftest import ROOT
from tests.titles.colonial_revised.test_thinking import second_is_better
from tests.workers.recorded_moves import TITLES as RECORDED
from tests.workers.test_arena import BOTH, beats_the_one_before, fourth_fades
from tests.workers.test_engines import compared
from tests.workers.test_jobs import BOTS, thinks_the_same_again
from tests.workers.test_one_eye import look_alike, thinks_the_same_beside_others
from tests.workers.test_thinkers import TITLES, goes_on_by_fair_play
from workers.bots import find_bot


@pytest.mark.parametrize("title_id", title_ids())
def test_two_hundred_positions_of_each_title(title_id):
    """In a world that looks alike to its seat, every bot comes to the same."""
    look_alike(title_id, 200)


@pytest.mark.parametrize(
    ("title_id", "name", "count"),
    [("example", "strong", 4), ("colonial", "strong", 6), ("colonies", "strong", 4)],
)
def test_anyone_who_has_less_time_thinks_the_same(title_id, name, count):
    """With the whole budget of the strongest level."""
    thinks_the_same_beside_others(title_id, name, count)


@pytest.mark.parametrize("title_id", title_ids())
def test_a_thousand_moves_behind_the_lines(title_id, tmp_path, monkeypatch):
    """Our own search, asked as an engine is: the same moves, each with the whole budget of its level."""
    count = 2 * -(-500 // len(title_ids()))
    budget = find_bot(title_id, "brisk").budget
    assert compared(title_id, "brisk", budget, count, tmp_path, monkeypatch) == count


@pytest.mark.parametrize("hash_seed", ["0", "1", "77"])
@pytest.mark.parametrize("title_id", RECORDED)
def test_all_recorded_moves(title_id, hash_seed):
    """The two hundred of each title, in processes whose sets and dicts have other orders."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.workers.recorded_moves", "check", title_id],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(("title_id", "name"), BOTS)
def test_same_seed_same_move(title_id, name):
    """Forty moves of each bot, by its name."""
    bot = find_bot(title_id, name)
    thinks_the_same_again(find_title(title_id), replace(bot, budget=min(bot.budget, 6)), 40)


@pytest.mark.parametrize("seats", [4, 6])
def test_the_fourth_steady_of_colonial_fades_with_no_seat(seats):
    """At a table of four, and at the largest."""
    fourth_fades(seats)


@pytest.mark.parametrize("seats", [2, 3])
def test_the_third_steady_of_colonial_beats_the_second_among_few(seats):
    """No card by which nothing can be done, money before the open sea."""
    beats_the_one_before(seats, BOTH, 240)


def test_the_second_steady_of_colonial_revised_is_better():
    """At five seats (at three in `tests/titles/colonial_revised/test_thinking.py`, a campaign too)."""
    second_is_better(5)


@pytest.mark.parametrize("title_id", TITLES)
@pytest.mark.parametrize("size", ["least", "four"])
def test_games_go_on_in_the_mind_by_fair_play(title_id, size, monkeypatch):
    """At the smallest tables and at those of four (one of them in `tests/workers/test_thinkers.py`)."""
    goes_on_by_fair_play(title_id, 4 if size == "four" else find_title(title_id).seats[0], monkeypatch)
