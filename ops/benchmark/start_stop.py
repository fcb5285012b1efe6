"""The start and the stop of `rutter up`, on a data folder that has games already."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from events.base.installation import IMPORT_ROOT, qualify_name
from events.base.settings import DATABASE_URL, REDIS_URL
from ops.benchmark.rows import Row
from ops.runtime.ports import free_port

START_STOP = "start and stop of rutter up, CPU"
PATIENCE = 120.0
"""Seconds after which a start or a stop has failed."""


def measure_start_stop() -> Row:
    """Return the processor seconds of all processes from the start to the end, the first start left out."""
    with tempfile.TemporaryDirectory(prefix="rutter-bench-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)  # the servers may run as another user
        data = Path(folder) / "data"
        start_and_stop(data)  # makes the database
        before = _children_seconds()
        start_and_stop(data)
        return Row(START_STOP, _children_seconds() - before, "s", goal="<= 4")


def start_and_stop(data: Path) -> None:
    """Start Rutter on *data*, wait until it says where it is, and stop it. Raises RuntimeError."""
    environment = {k: v for k, v in os.environ.items() if k not in (DATABASE_URL.name, REDIS_URL.name)}
    words = ["up", "--data", str(data), "--port", str(free_port()), "--no-demo"]
    with subprocess.Popen(
        [sys.executable, "-m", qualify_name("ops"), *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        cwd=IMPORT_ROOT,
        env=environment,
    ) as service:
        overdue = threading.Timer(PATIENCE, service.kill)
        overdue.start()
        try:
            is_up = any("Rutter is at" in line for line in service.stdout or ())
            service.send_signal(signal.SIGTERM)
            service.communicate()
        finally:
            overdue.cancel()
    if service.returncode != 0 or not is_up:
        raise RuntimeError("`rutter up` did not start and stop. Run it by itself to see why.")


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
