"""A worker of the API does not outlive the process that it belongs to.

The one that is killed outright tells nobody. What it leaves would hold the port, and answer with old code and
old settings beside its successor.
"""

import os
import select
import threading
import time
from typing import Any

LOOK_EVERY = 0.2  # seconds, where the system does not tell
GRACE_SECONDS = 0.8  # seconds for requests that are under way


def end_with_parent(worker: Any) -> None:
    """Make this process end within a second after its parent is gone.

    *worker* is gunicorn's; its streams are ended, and what it answers at present is answered.
    """
    parent = os.getppid()
    threading.Thread(target=_watch_parent, args=(parent, worker), name="parent", daemon=True).start()


def wait_for_end(parent: int) -> None:
    """Return when the process *parent* is no more the parent of this one."""
    try:
        watched = os.pidfd_open(parent)
    except (AttributeError, OSError):  # not Linux, or one that is old; or it has just ended
        while os.getppid() == parent:
            time.sleep(LOOK_EVERY)
        return
    try:
        if os.getppid() == parent:  # else the number may be another's by now
            select.select([watched], [], [])
    finally:
        os.close(watched)


def _watch_parent(parent: int, worker: Any) -> None:
    wait_for_end(parent)
    worker.alive = False
    hub = getattr(getattr(worker, "wsgi", None), "extensions", {}).get("hub")
    if hub is not None:
        hub.stop()
    time.sleep(GRACE_SECONDS)
    os._exit(1)  # threads of slow clients would keep it
