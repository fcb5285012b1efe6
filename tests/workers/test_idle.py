"""Idle processes: they rest while nothing happens, and are there at once when it does."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager

import pytest

from ops.server import parent_watch
from tests.waiting import PATIENCE, until
from workers import periodic_tasks
from workers.periodic_tasks import PeriodicTask


@contextmanager
def repeating(task):
    """Do *task* in a thread of its own meanwhile."""
    stopping = threading.Event()
    thread = threading.Thread(target=task.repeat, args=(stopping,))
    thread.start()
    try:
        yield
    finally:
        stopping.set()
        task.wake()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def test_a_task_at_rest_is_done_when_it_is_woken():
    """The rest alone would be longer than this test waits."""
    done = []
    task = PeriodicTask("follow", 0.0, lambda: done.append(1), rest=100 * PATIENCE)
    with repeating(task):
        until(lambda: len(done) == 1, "the first time")
        task.wake()
        until(lambda: len(done) == 2, "the time after it was woken")


def test_a_task_that_finds_something_looks_again_without_rest():
    """There may be more than it does at a time."""
    left = [0, 1, 1]
    task = PeriodicTask("follow", 0.0, lambda: left.pop() if left else 0, rest=100 * PATIENCE)
    with repeating(task):
        until(lambda: not left, "everything is done")


def test_a_task_that_fails_is_tried_again_without_rest(monkeypatch):
    """An error says nothing of what there is to do."""
    monkeypatch.setattr(periodic_tasks, "FIRST_PAUSE", 0.001)
    tries = []

    def fail_once():
        tries.append(1)
        if len(tries) == 1:
            raise ValueError

    with repeating(PeriodicTask("follow", 0.0, fail_once, rest=100 * PATIENCE)):
        until(lambda: len(tries) == 2, "the second try")


@pytest.mark.parametrize("seconds", [0.0, 0.25, 0.5, 1.0, 2.0, 5.0])
def test_tasks_share_a_moment(monkeypatch, seconds):
    """Whenever the last time was over, the next is at a whole moment, and never later than it should be."""
    for now in (0.0, 7.3, 1234.999):
        monkeypatch.setattr(periodic_tasks.time, "monotonic", lambda now=now: now)
        pause = periodic_tasks.seconds_until_moment(seconds)
        assert 0 <= pause <= seconds
        apart = min(seconds, periodic_tasks.MOMENT_SECONDS) or 1.0
        assert not seconds or round((now + pause) / apart, 6).is_integer()


def test_tasks_of_a_moment_follow_one_another(monkeypatch):
    """At the very same time each would take a connection of its own, and plan every statement there."""
    monkeypatch.setattr(periodic_tasks.threading, "Thread", lambda **_settings: threading.Event())
    monkeypatch.setattr(threading.Event, "start", lambda _thread: None, raising=False)
    tasks = [PeriodicTask(str(number), 1.0, lambda: 0) for number in range(12)]
    periodic_tasks.start_tasks(tasks, threading.Event())
    assert len({task.after for task in tasks}) == 12
    monkeypatch.setattr(periodic_tasks.time, "monotonic", lambda: 7.3)
    dues = [7.3 + periodic_tasks.seconds_until_moment(task.every, task.after) for task in tasks]
    assert dues == sorted(dues)
    assert 8.0 <= dues[0] < dues[-1] < 8.1


def test_the_end_of_a_parent_is_told():
    """Not found by looking: a program that waits for it sleeps until then."""
    told, tell = os.pipe()
    middle = os.fork()
    if middle == 0:  # its child sees it end
        parent = os.getpid()
        if os.fork() == 0:
            parent_watch.wait_for_end(parent)
            os.write(tell, b"over")
        os._exit(0)
    os.close(tell)
    os.waitpid(middle, 0)
    assert os.read(told, 10) == b"over"
    os.close(told)
