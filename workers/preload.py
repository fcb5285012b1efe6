"""Modules and titles that workers load before their first job, which would otherwise take longer."""

from __future__ import annotations

import structlog

from events.rules.catalogue import find_title, title_ids
from workers import connections, dispatcher, jobs, webhook_delivery, worker  # noqa: F401 - loaded before they are needed
from workers.bots import find_bot

log = structlog.get_logger()


def prepare() -> None:
    """Load every title and bot. Nothing is connected, and no thread is begun."""
    for title_id in title_ids():
        try:
            for name in find_title(title_id).bots:
                find_bot(title_id, name)
        except ImportError as error:  # only its own jobs will fail
            log.warning("title_not_loaded", title=title_id, error=repr(error))
