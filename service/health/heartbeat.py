"""Signs of life of a process that answers requests: their gaps show when the service was away."""

from __future__ import annotations

import contextlib
import threading

from events.store.event_log import Pool
from projections.health import heartbeat
from service.http.problems import DATABASE_AWAY


def start_heartbeat(pool: Pool) -> None:
    """Give signs of life from now on, as long as the process is there."""
    threading.Thread(target=_run_heartbeat, args=(pool,), name="signs of life", daemon=True).start()


def _run_heartbeat(pool: Pool) -> None:
    pause = threading.Event()  # never set: nothing ends it but the process
    while True:
        with contextlib.suppress(*DATABASE_AWAY):  # that is just what will be seen
            heartbeat.beat(pool)
        pause.wait(heartbeat.BEAT_SECONDS)
