"""The thread in which the tree grows: its first run, and those that follow."""

from __future__ import annotations

import threading

from projections.tree import grower
from projections.tree.grower import GrowerThread
from tests.waiting import PATIENCE


class Runs:
    """A grower that counts its runs."""

    def __init__(self) -> None:
        self.seen = threading.Semaphore(0)

    def run(self) -> None:
        """Count this run."""
        self.seen.release()


def test_the_tree_grows_at_once_when_a_dispatcher_begins(monkeypatch):
    """A new log has its first checkpoint then, though nothing happened; later runs wait to be asked for."""
    monkeypatch.setattr(grower, "REST_SECONDS", 10_000.0)
    monkeypatch.setattr(grower, "GROWTH_SECONDS", 0.01)
    runs = Runs()
    with GrowerThread(runs, threading.Event()) as thread:
        assert runs.seen.acquire(timeout=PATIENCE)
        assert not runs.seen.acquire(timeout=0.1)
        thread.wake()
        assert runs.seen.acquire(timeout=PATIENCE)
