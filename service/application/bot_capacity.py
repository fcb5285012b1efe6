"""Room for bots that think: a thought takes seconds of a processor, so not all may sit at once."""

from __future__ import annotations

from collections.abc import Iterable

from events.rules.bot_names import THINKERS, is_thinker
from projections.health import process_registry
from projections.health.process_registry import WORKERS
from projections.read_models import work_queue
from service.application.container import Services
from service.base.database import retry_on_disconnect
from service.http.problems import Problem

RETRY_SECONDS = "60"
_THINKING_DUTY = WORKERS[1]


def check_bot_capacity(services: Services, bots: Iterable[str | None]) -> None:
    """Raise a 503 problem where one of *bots* thinks and too many like it are waited for already.

    How many may be waited for is set for each worker that thinks (`Settings.thinking_seats`). Those that sit
    already think on: nobody is sent away.
    """
    if not any(map(is_thinker, bots)) or not services.settings.thinking_seats:
        return
    waits, room = _count_waiting_seats(services)
    if waits >= room:
        names = " and ".join(f"`{name}`" for name in sorted(THINKERS))
        raise Problem(
            503,
            "thinkers_busy",
            f"All workers for thinking bots ({names}) are busy: {waits} seats wait, {room} may. Choose "
            f"`steady`, which answers at once, or try again in a minute.",
            headers={"Retry-After": RETRY_SECONDS},
        )


@retry_on_disconnect
def _count_waiting_seats(services: Services) -> tuple[int, int]:
    """Return the number of seats that wait for bots that think, and the number that may wait."""
    waits = sum(work_queue.count_thinking(services.pool).values())
    workers = sum(duty == _THINKING_DUTY for duty in process_registry.list_duties(services.pool).values())
    return waits, services.settings.thinking_seats * max(1, workers)
