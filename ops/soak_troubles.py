"""What is done to the service during a soak."""

import contextlib
import http.client
import json
import shutil
import socket
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ops.errors import OpsError
from ops.soak_service import Service

SLOW_CLIENTS = 100
FLOOD = 400
FULL_SECONDS = 6.0


class Trouble(NamedTuple):
    """Something that happens to a service."""

    name: str
    make: Callable[[Service], None]
    needs_small_disk: bool = False


def _kill(name: str) -> Trouble:
    return Trouble(f"kill {name}", lambda service: service.kill(name))


def _kill_supervisor(service: Service) -> None:
    """The next one clears up after it."""
    service.kill_supervisor()
    service.start()


def _slow_clients(service: Service) -> None:
    """Many connections that send a header byte by byte, and never finish it."""
    with contextlib.ExitStack() as stack:
        lines = []
        for _ in range(SLOW_CLIENTS):
            with contextlib.suppress(OSError):
                line = socket.create_connection(("127.0.0.1", service.port), timeout=2)
                lines.append(stack.enter_context(line))
        for byte in b"GET /v1/games HTTP/1.1\r\nHost":
            for line in lines:
                with contextlib.suppress(OSError):
                    line.send(bytes([byte]))
            time.sleep(0.1)


def _flood(service: Service) -> None:
    """Many requests at once from few clients, who care for no answer."""

    def ask() -> None:
        for _ in range(FLOOD // 8):
            with contextlib.suppress(OSError, http.client.HTTPException):
                connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
                connection.request("GET", "/v1/games?limit=100")
                connection.getresponse().read()
                connection.close()

    threads = [threading.Thread(target=ask, daemon=True) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _fill_the_disk(service: Service) -> None:
    """To the last byte, for a while; then it must be ready again within a minute."""
    ballast = service.disk / "ballast"
    deadline = time.monotonic() + FULL_SECONDS
    try:
        while time.monotonic() < deadline:
            with contextlib.suppress(OSError), ballast.open("ab", buffering=0) as handle:
                while handle.write(bytes(2**16)) == 2**16:
                    pass
            time.sleep(0.2)
    finally:
        ballast.unlink(missing_ok=True)
    service.wait_until_ready()


def _restore(service: Service) -> None:
    """A backup in the middle of play, restored beside, which checks every chain."""
    folder = Path(service.disk).parent / "restored"
    folder.mkdir(mode=0o711)
    try:
        made = json.loads(service.run("backup", str(folder), "--json", "--data", str(service.data)))
        found = json.loads(service.run("restore", made["file"], "--json", "--data", str(folder / "data")))
        if found["rows"]["es.event"] != made["rows"]["es.event"]:
            raise OpsError("not every event of the backup was restored")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


TROUBLES = (
    *map(_kill, ("api", "postgres", "redis", "worker-dispatcher", "worker-ai", "worker-house")),
    Trouble("kill the supervisor", _kill_supervisor),
    Trouble("slow clients", _slow_clients),
    Trouble("flood", _flood),
    Trouble("restore", _restore),
    Trouble("full disk", _fill_the_disk, needs_small_disk=True),
)
