"""``python -m tests.tree.growing DATABASE STATE``: a nursery of processes that number and sign.

Each line on its input starts one, whose process id it answers. Forked, so that a kill costs no new imports.
"""

import os
import sys
from pathlib import Path

from psycopg_pool import ConnectionPool

from events.store.event_log import EventLog
from events.store.signing_keys import Keyring
from projections.tree.grower import Grower
from projections.tree.log_state import LogState
from tests.tree.conftest import ORIGIN, SEED


def work(database, state):
    """Number and sign, without a pause."""
    with ConnectionPool(database, kwargs={"autocommit": True}, min_size=1, max_size=2, open=False) as pool:
        log = EventLog(pool)
        grower = Grower(pool, Keyring(pool, [SEED], ORIGIN), LogState(Path(state)))
        while True:
            log.sequence(7)
            grower.run()


def main(database, state):
    for _ in sys.stdin:
        child = os.fork()
        if not child:
            os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # the parent's answers are alone on its output
            work(database, state)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
