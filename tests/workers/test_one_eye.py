"""Every bot of every title sees what its seat may know and nothing else, and no clock."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from events.catalogue import find_title, title_ids
from events.fast_chance import FastChance
from events.record import BOTS, THINKERS
from workers.bots import find_bot, thought

ROOT = Path(__file__).resolve().parents[2]
FEW = 4
"""Games that a bot which thinks plays out for a move: enough to look at every candidate."""
EVERY = 7
CASES = [(title_id, name) for title_id in title_ids() for name in BOTS]


def positions(title_id, seats, count):
    """Positions of games at a table of that size in which somebody decides something, and who."""
    title, chance = find_title(title_id), FastChance(f"one eye/{seats}")
    steady = find_bot(title_id, "steady").choose
    found, number = [], 0
    while len(found) < count:
        state = title.open(seats, title.Options(), chance).state
        while len(found) < count and (waiting := title.awaited(state)):
            decision, number = waiting[0], number + 1
            seat = decision.seat
            if seat is None:
                command = title.default(state, decision)
            else:
                if number % EVERY == 0:
                    found.append((state, seat))
                known = title.imagine(state, seat, chance)
                command = steady(title, known, seat, chance, 0)
            state = title.decide(state, seat, command, chance).state
    return found


def moves(bot, title, state, seat, others=2):
    """What it does in a position, and where that is replaced by worlds that look alike to its seat."""
    worlds = [title.imagine(state, seat, FastChance(f"world {number}")) for number in range(others)]
    return [thought(title, bot, one, seat, b"seed") for one in (state, *worlds)]


@pytest.mark.parametrize(("title_id", "name"), CASES)
def test_a_world_that_looks_alike_gets_the_same_thought(title_id, name):
    """The real position replaced by an imagined one: the same move, from the same games in the mind."""
    title, bot = find_title(title_id), find_bot(title_id, name)
    bot, count = (replace(bot, budget=FEW), 3) if name in THINKERS else (bot, 12)
    for seats in (title.seats[0], title.seats[-1]):
        for state, seat in positions(title_id, seats, count):
            first, *others = moves(bot, title, state, seat)
            assert all(other == first for other in others)


@pytest.mark.slow
@pytest.mark.parametrize("title_id", title_ids())
def test_two_hundred_positions_of_each_title(title_id):
    """The same of all bots at once, in many more positions."""
    title = find_title(title_id)
    players = [find_bot(title_id, name) for name in BOTS]
    players = [replace(bot, budget=min(bot.budget, FEW)) for bot in players]
    for state, seat in positions(title_id, title.seats[len(title.seats) // 2], 200):
        for bot in players:
            first, other = moves(bot, title, state, seat, others=1)
            assert other == first


def told(title_id, name, count):
    """What a bot comes to in some positions, with its whole budget."""
    title, bot = find_title(title_id), find_bot(title_id, name)
    found = positions(title_id, title.seats[0], count)
    return repr([thought(title, bot, state, seat, b"time") for state, seat in found])


PROGRAM = "import sys\nfrom tests.workers.test_one_eye import told\nprint(told({title!r}, {name!r}, {count}))"


@pytest.mark.parametrize(
    ("title_id", "name", "count"),
    [
        ("colonial", "brisk", 2),
        pytest.param("example", "strong", 4, marks=pytest.mark.slow),
        pytest.param("colonial", "strong", 6, marks=pytest.mark.slow),
        pytest.param("colonies", "strong", 4, marks=pytest.mark.slow),
    ],
)
def test_whoever_has_less_time_thinks_the_same(title_id, name, count):
    """Whatever else the machine does: a thought ends by its budget, and looks at no clock."""
    words = [sys.executable, "-c", PROGRAM.format(title=title_id, name=name, count=count)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77"}
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        beside = subprocess.run(
            ["nice", "-n", "5", *words],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        for process in busy:
            process.kill()
            process.wait()
    assert beside.stdout.strip() == told(title_id, name, count)
