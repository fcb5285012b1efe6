"""Every bot of every title sees what its seat may know and nothing else, and no clock."""

import os
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from events.rules.bot_names import BOTS, THINKERS
from events.rules.catalogue import find_title, title_ids
from events.rules.fast_chance import FastChance
from workers.bots import consider, find_bot

ROOT = Path(__file__).resolve().parents[2]
FEW = 4
"""Games that a bot which thinks plays out for a move: enough to look at every candidate."""
EVERY = 7
CLOCKS = ("time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns")
CLOCKS += ("process_time", "process_time_ns", "thread_time", "thread_time_ns", "sleep")


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
    return [consider(title, bot, one, seat, b"seed") for one in (state, *worlds)]


@pytest.mark.slow
@pytest.mark.parametrize("title_id", title_ids())
def test_a_world_that_looks_alike_gets_the_same_thought(title_id):
    """The real position replaced by an imagined one: the same move, from the same games in the mind."""
    title = find_title(title_id)
    for seats in (title.seats[0], title.seats[-1]):
        found = positions(title_id, seats, 12)
        for bot in unlike([find_bot(title_id, name) for name in BOTS]):
            thinks = bot.name in THINKERS
            for state, seat in found[:2] if thinks else found:
                first, *others = moves(bot, title, state, seat, others=1 if thinks else 2)
                assert all(other == first for other in others), bot.name


def look_alike(title_id, count):
    """In so many positions, every bot comes to the same in a world that looks alike to its seat."""
    title = find_title(title_id)
    players = unlike([find_bot(title_id, name) for name in BOTS])
    for state, seat in positions(title_id, title.seats[len(title.seats) // 2], count):
        for bot in players:
            first, other = moves(bot, title, state, seat, others=1)
            assert other == first


def unlike(bots):
    """Bots that think little; of those that differ in their names alone then, one."""
    found = {}
    for bot in bots:
        few = replace(bot, budget=min(bot.budget, FEW))
        search = few.think and few.think.__self__
        same = (few.budget, few.version, few.weights, search or few.choose)
        found.setdefault(repr(same), few)
    return list(found.values())


def test_bots_that_differ_in_more_than_their_names_are_asked_each():
    """Levels of thinking are one bot where both think as little; others are not."""
    players = unlike([find_bot("colonial", name) for name in BOTS])
    assert [bot.name for bot in players] == ["random", "steady", "brisk"]


@pytest.mark.parametrize("title_id", title_ids())
def test_a_thought_looks_at_no_clock(title_id, monkeypatch):
    """Nor waits for one: so a bot that has less time thinks the same."""
    title = find_title(title_id)
    players = unlike([find_bot(title_id, name) for name in BOTS])
    found = positions(title_id, title.seats[0], 2)
    take_clocks_away(monkeypatch)
    for state, seat in found:
        for bot in players:
            consider(title, bot, state, seat, b"time")


def take_clocks_away(monkeypatch):
    """Let no clock be looked at in this thread; applications of other tests may have left threads that do."""
    thinks = threading.get_ident()

    def guarded(clock):
        def look(*words):
            assert threading.get_ident() != thinks, "a bot has looked at a clock"
            return clock(*words)

        return look

    for name in CLOCKS:
        monkeypatch.setattr(time, name, guarded(getattr(time, name)))


def test_clocks_are_taken_from_one_thread_alone(monkeypatch):
    """One that an application has left looks at them while a bot thinks."""
    seen = []

    def look():
        seen.append(getattr(time, CLOCKS[0])())

    other = threading.Thread(target=look)
    with monkeypatch.context() as patched:
        take_clocks_away(patched)
        other.start()
        other.join()
        with pytest.raises(AssertionError, match="a bot has looked at a clock"):
            look()
    assert len(seen) == 1


def told(title_id, name, count):
    """What a bot comes to in some positions, with its whole budget."""
    title, bot = find_title(title_id), find_bot(title_id, name)
    found = positions(title_id, title.seats[0], count)
    return repr([consider(title, bot, state, seat, b"time") for state, seat in found])


PROGRAM = "import sys\nfrom tests.workers.test_one_eye import told\nprint(told({title!r}, {name!r}, {count}))"


@pytest.mark.slow
def test_anyone_who_has_less_time_thinks_the_same():
    """Whatever else the machine does: a thought ends by its budget (whole ones in `tests/campaigns`)."""
    thinks_the_same_beside_others("colonial", "brisk", 2)


def thinks_the_same_beside_others(title_id, name, count):
    """In another process, with other hashes, beside one that is always busy."""
    words = [sys.executable, "-c", PROGRAM.format(title=title_id, name=name, count=count)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "77"}
    busy = subprocess.Popen(["nice", "-n", "19", sys.executable, "-c", "while True: pass"])
    try:
        beside = subprocess.run(
            ["nice", "-n", "19", *words],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        busy.kill()
        busy.wait()
    assert beside.stdout.strip() == told(title_id, name, count)
