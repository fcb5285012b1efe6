"""``python -m workers dispatcher`` and ``python -m workers work QUEUE``: the processes beside the API."""

from __future__ import annotations

import sys

import structlog

from events.base import logging_setup
from events.store.database_owner import require_other_role
from events.store.entropy import configured_seed
from projections.alive import DELIVER
from workers import connect, dispatcher, loading
from workers.engines.child import network_refused
from workers.engines.listed import newest
from workers.feed import DUTIES, THINK
from workers.worker import Post

log = structlog.get_logger()

USAGE = f"usage: python -m workers dispatcher | work {'|'.join(DUTIES)}"


def _know_the_engines() -> None:
    """Say which engines this worker thinks with, and what the system does not keep from them."""
    for engine in newest():
        log.info("engine_listed", engine=engine.full, reproducible=engine.reproducible)
    if newest() and not network_refused():
        log.warning("engines_have_network", why="this system lets nobody refuse it: see `rutter engines`")


def main(words: list[str]) -> int:
    """Run the process that *words* name; 2 where they name none."""
    logging_setup.configure_logging()
    require_other_role()
    if configured_seed():
        log.warning("test_seed", why="secrets follow from RUTTER_TEST_SEED: for tests alone")
    match words:
        case ["dispatcher"]:
            dispatcher.main()
        case ["work", duty] if duty in DUTIES:
            if duty != DELIVER:  # that one has to do with no game
                loading.prepare()
            if duty == THINK:
                _know_the_engines()
            Post(duty, connect.games().log.pool, connect.redis()).run()
        case _:
            sys.stderr.write(USAGE + "\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
