"""What many ask at the same moment is answered once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

V = TypeVar("V")


class SingleFlight(Generic[V]):
    """Whoever asks while the same is being asked gets that answer, or that error."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[Hashable, Future[V]] = {}

    def do(self, key: Hashable, answer: Callable[[], V]) -> V:
        """What *answer* answers for *key*, perhaps to another who began to ask a moment ago."""
        with self._lock:
            under_way = self._asked.get(key)
            if under_way is None:
                mine = self._asked[key] = Future()
        if under_way is not None:
            return under_way.result()
        try:
            found = answer()
        except BaseException as error:
            self._take_future(key).set_exception(error)
            raise
        self._take_future(key).set_result(found)
        return mine.result()

    def _take_future(self, key: Hashable) -> Future[V]:
        with self._lock:
            return self._asked.pop(key)
