"""The queue of the threads that answer requests: as few work at a time as keep the processors busy.

Threads that work at the same time take Python's lock from each other several times a request, and each time
the processor changes over. One after the other they answer a tenth more commands. So a request waits for the
one before it, but for `TURN_SECONDS` at most: that may be a stream. Where requests wait and processors idle,
as where a slow disk takes the commits, more are answered at a time.

The thread that began to wait last gets the next task. A pool has as many threads as it once needed at the
same time. In turn all of them would work on a few requests a second, each with caches that have gone cold.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from queue import Empty
from typing import Any

import psutil

TURN_SECONDS = 0.02
"""Seconds after which others no longer wait for a task that is not done."""
SPAN_SECONDS = 0.25
"""Seconds over which the idle time of the processors is measured."""
IDLE, BUSY = 0.1, 0.03
"""The shares of idle time above which more tasks are done at a time, and below which fewer are."""
MOST_AT_A_TIME = 64


class IdleMeter:
    """Measures the share of idle time of this machine's processors."""

    def __init__(self) -> None:
        self._began = 0.0
        self._idle = self._all = 0.0

    def measure(self) -> float | None:
        """Return the share, 0 to 1, if a span is just over. To be called again and again."""
        now = time.monotonic()
        lasted = now - self._began
        if lasted < SPAN_SECONDS:
            return None
        times = psutil.cpu_times()
        idle, total = times.idle + getattr(times, "iowait", 0.0), sum(times[:8])
        spent, self._all = total - self._all, total
        idled, self._idle = idle - self._idle, idle
        self._began = now
        return idled / spent if lasted < 2 * SPAN_SECONDS and spent > 0 else None


class _Waiter:
    """A thread that waits for a task."""

    def __init__(self, thread: int) -> None:
        self.thread = thread
        self.item: Any = None
        self.given = threading.Lock()
        self.given.acquire()


class ThreadQueue:
    """Tasks in their order, for threads in the opposite order of their waiting.

    It has the methods of `queue.SimpleQueue` that `concurrent.futures` calls. The item None, which tells a
    thread to end, waits for no other.

    Args:
        measure_idle: returns the share of time, 0 to 1, that processors idle; None if it is not known now.
    """

    def __init__(self, measure_idle: Callable[[], float | None]) -> None:
        self._measure_idle = measure_idle
        self._items: deque[Any] = deque()
        self._waiting: list[_Waiter] = []
        self._lock = threading.Lock()
        self._began: dict[int, float] = {}
        """When the threads for which others wait began their tasks."""
        self.most = 1
        """The number of threads for which others wait."""

    @property
    def is_waited_for(self) -> bool:
        """True if a task waits."""
        return bool(self._items)

    def put(self, item: Any) -> None:
        """Give *item* to a thread, or keep it until one may begin it."""
        with self._lock:
            if self._waiting and (item is None or len(self._began) < self.most):
                self._give(item)
            else:
                self._items.append(item)

    def get(self, block: bool = True) -> Any:
        """Return the oldest item, once this thread may begin it.

        Raises Empty if *block* is false and there is none that it may begin.
        """
        thread = threading.get_ident()
        with self._lock:
            self._began.pop(thread, None)
            if self._items and (len(self._began) < self.most or self._items[0] is None):
                return self._begin(thread, self._items.popleft())
            if not block:
                raise Empty
            waiter = _Waiter(thread)
            self._waiting.append(waiter)
        waiter.given.acquire()
        return waiter.item

    def get_nowait(self) -> Any:
        """Return the oldest item. Raises Empty if there is none that this thread may begin."""
        return self.get(block=False)

    def relieve(self) -> None:
        """Let tasks begin that have waited long enough. To be called again and again while any waits."""
        if not self._items:
            return
        idle = self._measure_idle()
        with self._lock:
            if idle is not None and idle > IDLE:
                self.most = min(2 * self.most, MOST_AT_A_TIME)
            elif idle is not None and idle < BUSY:
                self.most = max(1, self.most // 2)
            late = time.monotonic() - TURN_SECONDS
            self._began = {thread: began for thread, began in self._began.items() if began > late}
            self._give_waiting()

    def step_aside(self) -> None:
        """Let others wait no longer for this thread: what it does from now on may never end."""
        with self._lock:
            if self._began.pop(threading.get_ident(), None) is not None:
                self._give_waiting()

    def _give_waiting(self) -> None:
        while self._items and self._waiting and len(self._began) < self.most:
            self._give(self._items.popleft())

    def _give(self, item: Any) -> None:
        waiter = self._waiting.pop()
        waiter.item = self._begin(waiter.thread, item)
        waiter.given.release()

    def _begin(self, thread: int, item: Any) -> Any:
        if item is not None:
            self._began[thread] = time.monotonic()
        return item
