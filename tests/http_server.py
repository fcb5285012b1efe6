"""HTTP servers that tests stand beside the service: other logs, witnesses, relays, receivers and origins."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


class QuietHandler(BaseHTTPRequestHandler):
    """A handler of requests that writes no line for each of them."""

    def log_message(self, *_: Any) -> None:
        """Say nothing."""


class QuietServer(ThreadingHTTPServer):
    """A server on a free port whose clients may hang up or be killed at any moment."""

    daemon_threads = True

    def __init__(self, handler: Callable[..., BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Report what a handler raises, but not a client that is gone: that is its right."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def start(server: QuietServer) -> threading.Thread:
    """Serve in a thread of its own, which ends with ``server.shutdown()``."""
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    return thread


@contextmanager
def serving(handler: Callable[..., BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server that runs as long as the block does."""
    server = QuietServer(handler)
    thread = start(server)
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Files(QuietHandler, SimpleHTTPRequestHandler):
    """A handler that serves files."""


def serving_files(folder: Path) -> AbstractContextManager[str]:
    """The address of a server of that folder, without anything behind it."""
    return serving(partial(_Files, directory=str(folder)))
