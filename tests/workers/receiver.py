"""A receiver of webhooks: a server of its own, which answers as the test says and keeps what it was sent."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import NamedTuple

from tests.http_server import QuietHandler, QuietServer, start


class Received(NamedTuple):
    """One call."""

    headers: dict[str, str]
    body: bytes


class Receiver:
    """Where webhooks of a test lead; *answers* are given one after the other, the last one for ever."""

    def __init__(self, *answers: tuple[int, dict[str, str]], tls: ssl.SSLContext | None = None) -> None:
        self.answers = list(answers) or [(204, {})]
        self.calls: SimpleQueue[Received] = SimpleQueue()
        receiver = self

        class Handler(QuietHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.calls.put(Received({k.lower(): v for k, v in self.headers.items()}, body))
                status, headers = (
                    receiver.answers.pop(0) if len(receiver.answers) > 1 else receiver.answers[0]
                )
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()

        self.server = QuietServer(Handler)
        if tls is not None:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        scheme = "http" if tls is None else "https"
        self.url = f"{scheme}://127.0.0.1:{self.server.server_port}/hook?from=rutter"


@contextmanager
def receiving(*answers: tuple[int, dict[str, str]], tls: ssl.SSLContext | None = None) -> Iterator[Receiver]:
    """A receiver that runs."""
    receiver = Receiver(*answers, tls=tls)
    thread = start(receiver.server)
    try:
        yield receiver
    finally:
        receiver.server.shutdown()
        receiver.server.server_close()
        thread.join()
