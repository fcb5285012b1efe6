"""Settings of the API server; see `gunicorn --help`. `rutter up` passes the rest in the environment.

Threads, not an event loop, do the work: one thread a live stream costs little (a thousand streams were
measured at about 100 MB), and the code below needs no special libraries. What only waits for slow clients is
done by the loop of `ops/server/api_worker.py`, which holds no thread for it.

Two other servers were tried in its place. granian 2.8.9 takes a sixth less CPU for a command at full speed.
But an event costs four times as much for each listener, and 29 of 71 tests of raw bytes fail: what is no
request gets no problem. waitress 3.0.2 takes a sixth more, and 403 of 500 listeners did not hear an event.
"""

import gc
import os
import resource
import signal
from importlib import import_module
from types import FrameType
from typing import Any

from events.base.installation import qualify_name
from events.base.settings import (
    RUTTER_API_PROCESSES,
    RUTTER_API_THREADS,
    RUTTER_BIND,
    WrongSetting,
    check_settings,
)

try:
    check_settings()
except WrongSetting as wrong:
    raise SystemExit(str(wrong)) from None

bind = RUTTER_BIND.read()
workers = RUTTER_API_PROCESSES.read()
worker_class = qualify_name("ops.server.api_worker.ApiWorker")
threads = RUTTER_API_THREADS.read()
worker_connections = 4000
# Longer than the usual clients keep a connection (httpx 5 s, aiohttp 15 s): the server must not close first,
# just when the next request is on its way. Each answer announces it. An idle connection holds no thread.
keepalive = 75
timeout = 60
graceful_timeout = 5
control_socket_disable = True  # one more open door that nobody uses
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - heartbeats need no disk
proc_name = "rutter-api"


def on_starting(_server: Any) -> None:
    """Refuse to serve with a login that could alter the log; then read the program once for all workers.

    Importing takes most of a worker's start, so that one which was killed is back at once; and a worker that
    wrote the API's description while it serves would keep everybody else waiting for seconds. Connections and
    threads are made by `create_app`, which each worker calls for itself.
    """
    from events.store.database_owner import require_other_role

    require_other_role()
    import_module(qualify_name("ops.server.wsgi")).prepare()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a connection is a file


def post_worker_init(worker: Any) -> None:
    """End the live streams when the worker is asked to stop; it would wait for them until its time-out.

    The application offers `app.extensions["hub"]` with a method `stop()`. Where the master is killed outright
    the worker ends by itself.
    """
    from ops.server.parent_watch import end_with_parent

    gc.collect()
    gc.freeze()  # the application stays as long as the process: it is not gone over again and again
    end_with_parent(worker)
    if "rutter" in getattr(worker.wsgi, "extensions", {}):
        from service.health import heartbeat

        heartbeat.start_heartbeat(worker.wsgi.extensions["rutter"].pool)
    hub = getattr(worker.wsgi, "extensions", {}).get("hub")
    if hub is None:
        return
    usual = signal.getsignal(signal.SIGTERM)

    def stop_streams_first(number: int, frame: FrameType | None) -> None:
        hub.stop()
        if callable(usual):
            usual(number, frame)

    signal.signal(signal.SIGTERM, stop_streams_first)


def child_exit(server: Any, worker: Any) -> None:
    """Give back the place of a worker that is gone, and let the metrics forget its gauges."""
    worker.leave_place()
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
