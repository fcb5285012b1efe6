"""Room for bots that think: a thought takes seconds of a processor, so not all may sit at once."""

from __future__ import annotations

import math
from collections.abc import Iterable

from events.rules.bot_names import THINKERS, is_thinker
from projections.health import process_registry
from projections.health.process_registry import WORKERS
from projections.read_models import work_queue
from service.application.container import Services
from service.base.database import retry_on_disconnect
from service.http.problems import Problem

RETRY_SECONDS = "60"
THOUGHT_SECONDS = 5
"""Seconds of a processor that 95 of 100 thoughts of `strong` do not exceed."""
_THINKING_DUTY = WORKERS[1]


def check_bot_capacity(services: Services, bots: Iterable[str | None]) -> None:
    """Raise a 503 problem if there is no room for the thinking ones of *bots*.

    That is so if they are more than their workers serve, or if too many seats wait already.

    How many may be waited for is set for each worker that thinks (`Settings.thinking_seats`). Those that sit
    already think on: nobody is sent away.
    """
    asked = sum(map(is_thinker, bots))
    if not asked or not services.settings.thinking_seats:
        return
    waits, workers = _count_waiting_seats(services)
    room = services.settings.thinking_seats * workers
    if asked > room:
        raise Problem(
            503,
            "thinkers_busy",
            f"This table has {asked} seats for thinking bots, and the workers serve {room}. "
            f"Choose `steady` for some of them.",
            headers={"Retry-After": RETRY_SECONDS},
        )
    if waits >= room:
        names = " and ".join(f"`{name}`" for name in sorted(THINKERS))
        seconds = THOUGHT_SECONDS * math.ceil(waits / workers)  # until a worker is free, at the longest
        raise Problem(
            503,
            "thinkers_busy",
            f"All workers for thinking bots ({names}) are busy: {waits} seats wait, {room} may. "
            f"A new bot would wait {seconds} seconds for a move. "
            f"Choose `steady`, which answers at once, or try again in a minute.",
            headers={"Retry-After": RETRY_SECONDS},
        )


@retry_on_disconnect
def _count_waiting_seats(services: Services) -> tuple[int, int]:
    """Return the numbers of seats that wait for bots that think, and of workers for them, at least 1."""
    waits = sum(work_queue.count_thinking(services.pool).values())
    workers = sum(duty == _THINKING_DUTY for duty in process_registry.list_duties(services.pool).values())
    return waits, max(1, workers)
