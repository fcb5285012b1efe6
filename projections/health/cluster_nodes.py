"""The machines of a Citus cluster that do not answer, and the number of game shards on them.

A machine that is down stops its own games only. Where the database is one machine nothing is asked.
"""

from __future__ import annotations

import msgspec

from events.store.machines import Machines
from projections.base.background_check import BackgroundCheck

LOOK_SECONDS = 10.0
"""Seconds between two looks at the machines while anyone wants to know."""
WAIT_SECONDS = 2.5
"""Seconds for which a caller waits for a look that is under way."""
ORDERED_SECONDS = 4.5
"""The same for a caller that has ordered it."""


class UnreachableNodes(msgspec.Struct, frozen=True):
    """The findings of the newest look."""

    nodes: tuple[str, ...] = ()
    """The machines that do not answer, `HOST:PORT` each."""
    shards: int = 0
    """The number of shards of the events that lie on them."""
    all_shards: int = 0


class ClusterNodes:
    """The looks at *machines* that readiness asks for. Safe for many threads."""

    def __init__(self, machines: Machines) -> None:
        self._machines = machines
        self._looks = BackgroundCheck("machines of the database", self._look)

    def find_unreachable(self, *, now: bool = False) -> UnreachableNodes:
        """Return the machines that do not answer, as it was found a moment ago; *now*: look again first."""
        self._looks.start_if_due(0.0 if now else LOOK_SECONDS)
        self._looks.wait(ORDERED_SECONDS if now else WAIT_SECONDS)
        known, silent = self._machines.known, self._machines.silent
        return UnreachableNodes(
            tuple(f"{machine.name}:{machine.port}" for machine in silent),
            sum(machine.shards for machine in silent),
            sum(machine.shards for machine in known),
        )

    def _look(self) -> None:
        self._machines.look()
