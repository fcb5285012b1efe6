"""A memory of bounded size."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

V = TypeVar("V")


class BoundedCache(Generic[V]):
    """A small map that forgets what was put into it longest ago. Safe for use by many threads.

    A read changes nothing and takes no lock: each command reads ten of these.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[Hashable, V] = OrderedDict()
        self._lock = threading.Lock()
        self.get: Callable[[Hashable], V | None] = self._entries.get
        """Returns the value kept under a key, or None."""

    def put(self, key: Hashable, value: V) -> None:
        """Keep *value*, as the newest."""
        with self._lock:
            self._entries[key] = value
            self._entries.move_to_end(key)
            if len(self._entries) > self._size:
                self._entries.popitem(last=False)

    def forget(self, key: Hashable) -> None:
        """Drop what is kept under *key*."""
        with self._lock:
            self._entries.pop(key, None)

    def clear(self) -> None:
        """Drop everything."""
        with self._lock:
            self._entries.clear()
