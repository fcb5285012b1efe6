"""The source of secret bytes: the operating system, or in tests a seed that repeats them.

With ``RUTTER_TEST_SEED`` (only beside ``RUTTER_ENV=test``) secrets follow from the seed and a label. Anyone
who knows the seed knows every card, so a database is either made with a seed or without one, for ever.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from events.base.settings import RUTTER_TEST_SEED

Source = Callable[[str, int], bytes]
"""``(label, size)``: so many bytes; the label names what they are for, such as ``<game id>/deal``."""


def system_bytes(_label: str, size: int) -> bytes:
    """Return random bytes of the operating system."""
    return os.urandom(size)


class SeededSource:
    """A source whose bytes follow from its seed and the label alone."""

    def __init__(self, seed: str) -> None:
        self._key = hashlib.sha256(seed.encode()).digest()
        self.fingerprint = hmac.digest(self._key, b"fingerprint", "sha256")
        """Tells seeds apart and reveals none."""

    def __call__(self, label: str, size: int) -> bytes:
        """Return *size* bytes, the same for the same label."""
        blocks = range(-(-size // 32))
        return b"".join(hmac.digest(self._key, b"%d/" % n + label.encode(), "sha256") for n in blocks)[:size]


def find_configured_seed(environment: Mapping[str, str] | None = None) -> SeededSource | None:
    """Return the source that the environment asks for; None for the operating system's.

    Raises:
        WrongSetting: a seed is given where no tests are run.
    """
    seed = RUTTER_TEST_SEED.read(environment)
    return SeededSource(seed) if seed else None


_source: Source | None = None
_ids: Callable[[], bytes] | None = None


def id_bytes() -> bytes:
    """Return 16 bytes for a new UUIDv7: six of the time in milliseconds, ten of the operating system."""
    return _ids() if _ids else int(time.time() * 1000).to_bytes(6, "big") + os.urandom(10)


def draw(label: str, size: int = 32) -> bytes:
    """Return *size* secret bytes for what *label* names. Raises WrongSetting."""
    return (_source or find_configured_seed() or system_bytes)(label, size)


@contextmanager
def use_source(source: Source, ids: Callable[[], bytes]) -> Iterator[None]:
    """Draw secrets from *source* and new ids from *ids* within, in this process; for tests."""
    global _source, _ids  # one source for a process, as the system's is
    before = _source, _ids
    _source, _ids = source, ids
    try:
        yield
    finally:
        _source, _ids = before
