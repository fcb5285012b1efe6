"""Whether this process may append: not to a database that was set back, nor without a key of its log."""

from __future__ import annotations

import threading
import time

from events.log import Pool, ReadOnly
from events.signing import Keyring
from projections.tree.grow import holds
from projections.tree.log_state import LogState
from projections.tree.store import Store

KEPT_FOR = 1.0
"""Seconds for which an answer of the database is taken for the present."""
PATIENCE = 3.0
"""Seconds for which, at a start, a tree is waited for that has yet to catch up with what was signed."""

_REASON = (
    "The database was set back: a larger log was signed than it holds. Games can be read; nothing is "
    "appended or signed until the lost part is put back, from a replica or a newer backup."
)


class Standing:
    """Asked before each append; looks into the database once a second at most.

    A process that can see the log's *state* compares it with the database before its first append. *keyring*:
    None for processes that sign nothing.
    """

    def __init__(self, pool: Pool, keyring: Keyring | None = None, state: LogState | None = None) -> None:
        self._pool = pool
        self._keyring = keyring
        self._state = state
        self._asked = float("-inf")
        self._set_back = False
        self._compared = state is None
        self._comparing = threading.Lock()

    def check(self) -> None:
        """Raise :class:`ReadOnly` where nothing may be appended or signed now."""
        if self._keyring is not None:
            self._keyring.origin  # noqa: B018 - raises for a key that is not the log's
        if self.set_back():
            raise ReadOnly("database_set_back", _REASON)

    def set_back(self) -> bool:
        """Whether the database holds less, or something else, than was signed."""
        if time.monotonic() - self._asked > KEPT_FOR:
            with self._comparing:
                if not self._compared:
                    self._compared = self._agrees()
            with self._pool.connection() as connection:
                row = connection.execute("SELECT set_back FROM es.tree").fetchone()
            self._set_back = bool(row and row[0]) or not self._compared
            self._asked = time.monotonic()
        return self._set_back

    def _agrees(self) -> bool:
        """Whether the database holds what the state says; waits a moment for a tree that is catching up."""
        deadline = time.monotonic() + PATIENCE
        while True:
            signed = self._state.read() if self._state is not None else None
            if signed is None:
                return True
            with self._pool.connection() as connection:
                size = connection.execute("SELECT size FROM es.tree").fetchone()
                if size and size[0] >= signed.size:
                    return holds(Store(connection), size[0], signed)
            if time.monotonic() > deadline:
                return False
            time.sleep(0.1)
