"""Both clients of the library in one form, and a service for them."""

from __future__ import annotations

import asyncio
import functools
import inspect
import json
import random
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from werkzeug.serving import make_server

from rutter.client import AsyncClient, Client, Turn
from tests.http_server import QuietHandler
from tests.waiting import PATIENCE

SEATS = [{"you": True}, {"open": True}]


class Awaited:
    """An `AsyncClient` in the form of a `Client`: each call runs an event loop until it is done."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        self.core = AsyncClient(*args, **settings)
        # In a thread of its own: a process that drives a browser has a running loop already.
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.core, name)
        return functools.partial(self._call, found) if callable(found) else found

    def _call(self, method: Callable[..., Any], *words: Any, **more: Any) -> Any:
        result = method(*words, **more)
        return self._each(result) if inspect.isasyncgen(result) else self._run(result)

    def _run(self, result: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(result, self._loop).result()

    def _each(self, items: Any) -> Iterator[Any]:
        try:
            while True:
                try:
                    item = self._run(items.__anext__())
                except StopAsyncIteration:
                    return
                yield item
        finally:
            self._run(items.aclose())

    def close(self) -> None:
        self.core.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


KINDS = {"blocking": Client, "awaited": Awaited}


class Player(threading.Thread):
    """A client that plays its games at random in a thread, and counts what was accepted."""

    def __init__(self, client: Any, game: str | None, seed: int = 0, most: int = 10_000) -> None:
        super().__init__(daemon=True)
        self.client, self.game, self.most = client, game, most
        self.random = random.Random(seed)
        self.asked: list[Turn] = []
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            self.client.play(self.choose, self.game)
        except BaseException as failure:  # noqa: BLE001 - told to the test's own thread
            self.failure = failure

    def choose(self, turn: Turn) -> Any:
        """Return a random command that the game waits for."""
        if not turn.asked:
            return None
        self.asked.append(turn)
        return self.random.choice(turn.asked)

    def finish(self) -> None:
        """Wait for the end of the game; raise what went wrong."""
        self.join(PATIENCE)
        assert not self.is_alive(), "the game goes on"
        if self.failure:
            raise self.failure


@contextmanager
def serving(app: Any) -> Iterator[tuple[str, int]]:
    """Serve an application in threads of this process; yields its address and port."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server.server_port
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def play(players: list[Player], meanwhile: Callable[[], object] = lambda: None) -> None:
    """Let all play to the end of their game."""
    for one in players:
        one.start()
    meanwhile()
    for one in players:
        one.finish()


class Script(QuietHandler):
    """A server that is not honest: it answers each path from a table, from a list one after the other."""

    answers: ClassVar[dict[str, Any]] = {}
    seen: ClassVar[list[tuple[str, dict[str, str]]]] = []
    """The paths and headers of requests."""

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        self.rfile.read(length)
        self.seen.append((self.path, dict(self.headers)))
        found = self.answers.get(self.path.partition("?")[0], (404, {}, b""))
        status, headers, body = found.pop(0) if isinstance(found, list) else found
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    do_POST = do_GET


def make_script() -> type[Script]:
    """Make a class of handlers with a table of its own."""
    return type("Handler", (Script,), {"answers": {}, "seen": []})
