"""The places of the API's processes: the connections of each, and the processor that it keeps to.

All processes wait at the same door, and without a rule one of them may take every connection: the others then
have nothing to do, whatever arrives. So one that has more connections than another leaves the next to it.

With a process for each processor, each keeps to its own. Left to itself the system now and then has two of
them wait in turn for one processor while another has nothing to do.
"""

import contextlib
import mmap
import os
from functools import cache

FREE = -1
"""Stands in a place that no process has."""
MANY = 2**62
"""More connections than any process has."""
MOST_PLACES = 256
"""Processes at the same time: those of a reload begin before the former have ended."""


class WorkerPlaces:
    """The connections of each process, in memory that all of them share: made before the first one begins."""

    def __init__(self, most: int = MOST_PLACES) -> None:
        self._counts = memoryview(mmap.mmap(-1, 8 * most)).cast("q")
        for place in range(most):
            self._counts[place] = FREE

    def take(self) -> int:
        """Return a place for a new process. Raises RuntimeError if there is none left."""
        for place, count in enumerate(self._counts):
            if count == FREE:
                self._counts[place] = 0
                return place
        raise RuntimeError(f"more than {len(self._counts)} processes of one server")

    def leave(self, place: int) -> None:
        """Give back the place of a process that has ended."""
        self._counts[place] = FREE

    def __getitem__(self, place: int) -> int:
        """Return the number of connections of the process in this place."""
        return self._counts[place]

    def __setitem__(self, place: int, count: int) -> None:
        """Note the number of connections of the process in this place."""
        self._counts[place] = count

    def is_fuller(self, place: int) -> bool:
        """Return True if another process has fewer connections than the one in this place."""
        own = self._counts[place]
        return any(FREE < count < own for count in self._counts.tolist())


@cache
def find_places(parent: int) -> WorkerPlaces:
    """Return the places of the processes that *parent* starts, by its process id.

    Another parent has places of its own, also where both were forked from one program. One that was killed
    gives nothing back.
    """
    return WorkerPlaces()


def keep_to_processor(place: int, processes: int) -> None:
    """Let this process, and the threads that it makes from now on, use one processor alone.

    Only where there are as many *processes* as processors that may be used. With fewer of them, another
    program that does the same would choose the same processors.
    """
    if not hasattr(os, "sched_setaffinity"):  # only Linux has it
        return
    usable = sorted(os.sched_getaffinity(0))
    if len(usable) == processes > 1:
        with contextlib.suppress(OSError):  # a sandbox may forbid it
            os.sched_setaffinity(0, {usable[place % processes]})
