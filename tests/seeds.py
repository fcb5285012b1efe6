"""Seeds of tests: what is drawn by lot follows from the name of the test, so that no test passes by luck.

In process the secrets and ids of games, tournaments and contributions follow from HMAC(seed, name, n). The
name is the test's, or that of the fixture of a wider scope, and n counts what it drew. A service of its own
is given :data:`SETTINGS`; its games' secrets follow from their ids, which tests choose by :func:`new_id`.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from contextlib import contextmanager

from events.store import entropy
from events.store.stream_writer import new_id
from tests.settings import RUTTER_CAMPAIGN_SEED

SEED = RUTTER_CAMPAIGN_SEED.read() or "rutter"
"""Campaigns draw another one each time."""
SETTINGS = {"RUTTER_ENV": "test", "RUTTER_TEST_SEED": SEED}
"""The environment of a service whose secrets follow from the seed."""
LONG_AGO = 1_767_225_600_000
"""Milliseconds of the first id: 2026-01-01. No id of a test lies in the future."""

__all__ = ["SETTINGS", "contribution", "draws", "new_id"]


class Draws:
    """What one test or fixture draws."""

    def __init__(self, name: str, place: int) -> None:
        self._key = hmac.digest(SEED.encode(), name.encode(), "sha256")
        self._place = place
        self._n = 0

    def secret(self, label: str, size: int) -> bytes:
        """Return secret bytes; `label` ends in the name of the secret, and the rest is counted."""
        self._n += 1
        word = b"%d/%s" % (self._n, label.rpartition("/")[2].encode())
        return hmac.digest(self._key, word, "sha256")[:size]

    def id(self) -> bytes:
        """Return the bytes of the next id; ids grow with the place of the test in its file."""
        self._n += 1
        time = LONG_AGO + self._place * 10_000 + self._n
        return time.to_bytes(6, "big") + hmac.digest(self._key, b"%d/id" % self._n, "sha256")[:10]


@contextmanager
def draws(name: str, place: int) -> Iterator[None]:
    """Let all that this process draws within follow from *name*; *place* is a line of its file."""
    mine = Draws(name, place)
    with entropy.use_source(mine.secret, mine.id):
        yield


def contribution() -> bytes:
    """Return the next contribution of a seat to the randomness: 32 bytes."""
    return entropy.draw("contribution")
