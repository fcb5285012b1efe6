"""``python -m workers dispatcher`` and ``python -m workers work QUEUE``: the processes beside the API."""

from __future__ import annotations

import sys

import structlog

from events.base import logging_setup
from events.base.settings import WrongSetting, check_settings
from events.store.database_owner import require_other_role
from events.store.entropy import find_configured_seed
from projections.health.process_registry import WORKERS
from workers import connections, dispatcher, preload
from workers.engines.engine_list import list_newest_engines
from workers.engines.engine_process import is_network_refused
from workers.job_queues import DUTIES, THINK
from workers.webhook_delivery import DeliveryProcess
from workers.worker import WorkerProcess

log = structlog.get_logger()

USAGE = f"usage: python -m workers dispatcher | work {'|'.join(WORKERS)}"


def _log_engines() -> None:
    """Say which engines this worker thinks with, and what the system does not keep from them."""
    for engine in list_newest_engines():
        log.info("engine_listed", engine=engine.full, reproducible=engine.reproducible)
    if list_newest_engines() and not is_network_refused():
        log.warning("engines_have_network", why="this system cannot refuse it: see `rutter engines`")


def main(words: list[str]) -> int:
    """Run the process that *words* name; 1 where a setting is wrong or missing, 2 where they name none."""
    logging_setup.configure_logging()
    try:
        check_settings()
        return _run(words)
    except (WrongSetting, connections.MissingSetting) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return 1


def _run(words: list[str]) -> int:
    """Run the process that *words* name until it ends; 2 where they name none."""
    require_other_role()
    if find_configured_seed():
        log.warning("test_seed", why="secrets follow from RUTTER_TEST_SEED: use it for tests only")
    match words:
        case ["dispatcher"]:
            dispatcher.main()
        case ["work", "deliver"]:
            DeliveryProcess(connections.open_pool(6)).run()
        case ["work", duty] if duty in DUTIES:
            preload.prepare()
            if duty == THINK:
                _log_engines()
            WorkerProcess(duty, connections.get_games().log.pool, connections.connect_redis()).run()
        case _:
            sys.stderr.write(USAGE + "\n")
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
