"""A cache of answers that many streams need at the same moment: each is asked for once per hint.

An answer from after the last hint about a stream or an account is as new as that hint. Streams that no hint
has woken believe an answer for a moment only: a hint may have been lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import msgspec

from events.base.bounded_cache import BoundedCache
from service.base.single_flight import SingleFlight
from service.streaming import event_cache

V = TypeVar("V")
MAX_ENTRIES = 1000
"""The number of answers that are kept."""


class _Entry(msgspec.Struct, frozen=True):
    """A cached answer."""

    value: Any
    told: int
    """The count of hints by the time it was asked for."""
    at: float


class HintCache:
    """Answers that the streams of one process share.

    Args:
        told: counts hints; for a word it rises with each hint, and never falls.
    """

    def __init__(self, told: Callable[[str], int]) -> None:
        self._told = told
        self._kept: BoundedCache[_Entry] = BoundedCache(MAX_ENTRIES)
        self._asking: SingleFlight[_Entry] = SingleFlight()

    def get(
        self,
        word: str,
        what: Hashable,
        ask: Callable[[V | None], V],
        *,
        hinted: bool,
        believed: float | None = None,
    ) -> V:
        """Return *what* of the stream or account that *word* names, as new as the last hint.

        *ask* is given the previous answer, if that is known. *hinted* is True if a hint makes us look.
        Otherwise an answer is believed for *believed* seconds (None: TRUST_SECONDS). Raises what *ask* does.
        """
        seconds = event_cache.TRUST_SECONDS if believed is None else believed
        key, told = (word, what), self._told(word)
        while True:
            kept = self._kept.get(key)
            if kept is None or kept.told < told or not (hinted or time.monotonic() - kept.at < seconds):
                kept = self._asking.do(key, lambda: self._ask(word, what, ask))
            if kept.told >= told:  # else another asked before the hint that woke us
                value: V = kept.value
                return value

    def _ask(self, word: str, what: Hashable, ask: Callable[[Any], Any]) -> _Entry:
        told, at, before = self._told(word), time.monotonic(), self._kept.get((word, what))
        answer = _Entry(ask(before.value if before else None), told, at)
        self._kept.put((word, what), answer)
        return answer
