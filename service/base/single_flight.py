"""Shared answers: a question that several threads ask at the same moment is answered once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from typing import Generic, TypeVar

V = TypeVar("V")


class SingleFlight(Generic[V]):
    """Answers shared by concurrent callers: those who ask the same meanwhile get one answer or error."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: dict[Hashable, Future[V]] = {}

    def do(self, key: Hashable, answer: Callable[[], V]) -> V:
        """Return what *answer* returns for *key*, or the result of a call for it that is under way."""
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
