"""Tasks that a process does again and again, each with an interval, a thread and errors of its own."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

import structlog
from psycopg.errors import ProgramLimitExceeded
from redis.exceptions import RedisError

from events.base.backoff import Backoff
from events.store.connection import DATABASE_AWAY
from events.store.pooler import note_pooler_error

MOMENT_SECONDS = 1.0
"""Seconds between two moments in which what is due is done together."""
APART_SECONDS = 0.004
"""Seconds between the first task of a moment and the second, and so on: one connection does for most of them.

It has prepared what they ask. At the very same time each would need one of its own.
"""
RECONNECT_PAUSE = 0.5
"""Seconds before another attempt when a server is away."""
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
"""Seconds before another attempt after any other error; doubled each time up to the longest."""

_AWAY = (*DATABASE_AWAY, RedisError, ConnectionError, TimeoutError)
_OWN_FAULTS = (ProgramLimitExceeded, BrokenPipeError)
"""Errors of these kinds that no server raises because it is away."""

log = structlog.get_logger()


def is_server_away(error: BaseException) -> bool:
    """Return True if an error says that Postgres or Redis is away: that passes, and no traceback helps.

    Every other error belongs to the task in which it was raised.
    """
    note_pooler_error(error)
    return isinstance(error, _AWAY) and not isinstance(error, _OWN_FAULTS)


def seconds_until_moment(seconds: float, after: float = 0.0) -> float:
    """Return the time until so long *after* the moment that tasks share, in *seconds* at the most.

    What is due in the same second is done together: a processor that has just worked does it cheaper than
    one that each task wakes for itself.
    """
    apart = min(seconds, MOMENT_SECONDS)
    return seconds - ((time.monotonic() - after) % apart if apart else 0.0)


class PeriodicTask:
    """Something to be done again and again.

    Args:
        name: as the log calls it.
        every: seconds between two times, at the least.
        do: does it once. It may be called at any moment and by several processes at once. An exception is
            logged, and the task tried again after a growing pause; nothing else suffers.
        longest_pause: in seconds.
        rest: seconds between two times while there is nothing to do, and nobody calls :meth:`wake`.
    """

    def __init__(
        self,
        name: str,
        every: float,
        do: Callable[[], Any],
        longest_pause: float = LONGEST_PAUSE,
        rest: float = 0.0,
    ) -> None:
        self.name = name
        self.every = every
        self.rest = max(every, rest)
        self.after = 0.0
        """Seconds after each moment at which it is done."""
        self._failed = False
        """True if it has failed since it last went well."""
        self._woken = threading.Event()
        self._do = do
        self._backoff = Backoff(FIRST_PAUSE, longest_pause)

    def attempt(self) -> Any:
        """Do it; what it answered, None after an error. Does nothing in the pause after an error."""
        if self._backoff.is_pausing():
            return None
        try:
            result = self._do()
        except Exception as error:
            self._failed = True
            if is_server_away(error):
                log.warning("server_away", task=self.name, error=type(error).__name__)
                self._backoff.hold(RECONNECT_PAUSE)
            else:
                log.exception("periodic_task_failed", task=self.name, again_in_seconds=self._backoff.fail())
            return None
        self._failed = False
        self._backoff.reset()
        return result

    def wake(self) -> None:
        """Let it be done as soon as it may: there is something new."""
        self._woken.set()

    def repeat(self, stopping: threading.Event) -> None:
        """Do it at once and then every so many seconds, until *stopping* is set.

        While it finds nothing it rests for longer.
        """
        stopping.wait(self.after)
        while not stopping.is_set():
            self._woken.clear()
            done = self.attempt()
            stopping.wait(self._backoff.seconds_left() or seconds_until_moment(self.every, self.after))
            if self.rest > self.every and not done and not self._failed:
                self._woken.wait(self.rest - self.every)


def start_tasks(tasks: Sequence[PeriodicTask], stopping: threading.Event) -> None:
    """Let each task be done in a thread of its own until *stopping* is set, one a little after the other."""
    for number, task in enumerate(tasks):
        task.after = number * APART_SECONDS
        threading.Thread(target=task.repeat, args=(stopping,), name=task.name, daemon=True).start()
