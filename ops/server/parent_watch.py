"""A worker of the API does not outlive the process that it belongs to.

The one that is killed outright tells nobody. What it leaves would hold the port, and answer with old code and
old settings beside its successor.
"""

import os
import threading
import time
from typing import Any

LOOK_EVERY = 0.2  # seconds
GRACE = 0.8  # seconds for requests that are under way


def end_with_parent(worker: Any) -> None:
    """Make this process end within a second after its parent is gone.

    *worker* is gunicorn's; its streams are ended, and what it answers just now is answered.
    """
    parent = os.getppid()
    threading.Thread(target=_watch_parent, args=(parent, worker), name="parent", daemon=True).start()


def _watch_parent(parent: int, worker: Any) -> None:
    while os.getppid() == parent:
        time.sleep(LOOK_EVERY)
    worker.alive = False
    hub = getattr(getattr(worker, "wsgi", None), "extensions", {}).get("hub")
    if hub is not None:
        hub.stop()
    time.sleep(GRACE)
    os._exit(1)  # threads of slow clients would keep it
