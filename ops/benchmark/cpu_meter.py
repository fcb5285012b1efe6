"""The processor time of the whole service: every process of it, and whatever these have started."""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from statistics import median

import msgspec
import psutil
import psycopg

_OWED = (
    "SELECT EXISTS (SELECT FROM es.fresh) OR EXISTS (SELECT FROM es.projection p WHERE EXISTS"
    " (SELECT FROM es.log l WHERE l.lane = p.lane AND l.position > p.position))"
    " OR (SELECT position FROM es.tree) < (SELECT size FROM es.sequencer)"
    " OR (SELECT position FROM rating_state) < (SELECT size FROM es.sequencer)"
)
"""A query that returns true if work that follows from appended events is still to be done."""
FIRST_TASKS, IDLE_SPAN = 3, 2
"""The time before idling is measured, and that of each span over which it is, by that of each rate.

Tasks come as rarely as every few seconds, and the first of each costs more.
"""
IDLE_SPANS = 3
"""The spans of which the middle one counts: in another, a rare task or Postgres may be at work."""
LONGEST_DEBT = 120.0
"""Seconds after which a process that has not caught up is no longer waited for."""


class CpuTime(msgspec.Struct):
    """Processor time in seconds, without what the service spends when nobody asks for anything."""

    seconds: float = 0.0


class CpuMeter:
    """Measures the processes *roots* and their descendants; a child that has ended counts with its parent."""

    def __init__(self, roots: Callable[[], list[int]], database_url: str, seconds: float) -> None:
        self._roots = roots
        self._database_url = database_url
        self.settle()
        time.sleep(max(1.0, FIRST_TASKS * seconds))
        self._idle = median(self._measure_span(max(1.0, IDLE_SPAN * seconds)) for _ in range(IDLE_SPANS))

    @property
    def idle(self) -> float:
        """Processor seconds a second of a service that nobody asks for anything."""
        return self._idle

    def _measure_span(self, seconds: float) -> float:
        """Return the processor time that the service takes in a second, measured over so many *seconds*."""
        before, began = self._total(), time.perf_counter()
        time.sleep(seconds)
        return (self._total() - before) / (time.perf_counter() - began)

    def _total(self) -> float:
        return sum(_cpu_seconds(process) for root in self._roots() for process in _process_tree(root))

    def settle(self) -> None:
        """Wait until the service owes nothing."""
        deadline = time.monotonic() + LONGEST_DEBT
        with psycopg.connect(self._database_url, autocommit=True) as connection:
            while connection.execute(_OWED).fetchone() == (True,) and time.monotonic() < deadline:
                time.sleep(0.1)

    @contextmanager
    def measure(self) -> Iterator[CpuTime]:
        """Measure the time spent in the block, and after it until all that follows is done."""
        spent = CpuTime()
        self.settle()
        before, began = self._total(), time.perf_counter()
        yield spent
        self.settle()
        took = time.perf_counter() - began
        spent.seconds = max(0.0, self._total() - before - self._idle * took)


def _process_tree(root: int) -> list[psutil.Process]:
    try:
        process = psutil.Process(root)
        return [process, *process.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def _cpu_seconds(process: psutil.Process) -> float:
    """Return the processor time of a process, and that of its children that have ended.

    The system counts in steps of ten milliseconds, which is more than many processes take in a row of the
    bench. The clock of the process itself counts nanoseconds; only Linux has it.
    """
    try:
        times = process.cpu_times()
        own = time.clock_gettime(_find_clock(process.pid))
    except (psutil.NoSuchProcess, OSError):  # it has ended
        return 0.0
    return float(own + times.children_user + times.children_system)


def _find_clock(process_id: int) -> int:
    """Return the clock of the processor time of a process. Raises ProcessLookupError if there is none."""
    clock = ctypes.c_int()
    if error := _LIBC.clock_getcpuclockid(process_id, ctypes.byref(clock)):
        raise ProcessLookupError(error, os.strerror(error))
    return clock.value


_LIBC = ctypes.CDLL(None)
