"""The queue of a pool's threads, in which the thread that began to wait last gets the next task.

A pool has as many threads as it once needed at the same time. In turn all of them would work on a few
requests a second, each with caches that have long gone cold. Here one or two do it, and the others sleep.
"""

import threading
from collections import deque
from queue import Empty
from typing import Any


class _Waiter:
    """A thread that waits for a task."""

    def __init__(self) -> None:
        self.item: Any = None
        self.given = threading.Lock()
        self.given.acquire()


class LastWaiterQueue:
    """Tasks in their order, for threads in the opposite order of their waiting.

    It has the methods of `queue.SimpleQueue` that `concurrent.futures` calls.
    """

    def __init__(self) -> None:
        self._items: deque[Any] = deque()
        self._waiting: list[_Waiter] = []
        self._lock = threading.Lock()

    def put(self, item: Any) -> None:
        """Give *item* to the thread that has waited least, or keep it for the next one that asks."""
        with self._lock:
            if not self._waiting:
                self._items.append(item)
                return
            waiter = self._waiting.pop()
        waiter.item = item
        waiter.given.release()

    def get(self, block: bool = True) -> Any:
        """Return the oldest item, once there is one. Raises Empty if *block* is false and there is none."""
        with self._lock:
            if self._items:
                return self._items.popleft()
            if not block:
                raise Empty
            waiter = _Waiter()
            self._waiting.append(waiter)
        waiter.given.acquire()
        return waiter.item

    def get_nowait(self) -> Any:
        """Return the oldest item. Raises Empty if there is none."""
        return self.get(block=False)
