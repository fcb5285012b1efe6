"""Load of a soak: many games of bots at once, floods, and clients that never end their requests."""

import contextlib
import http.client
import socket
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import Any, Self

from redis.exceptions import RedisError
from rq import Queue

from tests.soak.notes import Notes
from tests.soak.players import Client
from tests.soak.service import Service, ServiceBehindProxies
from workers.job_queues import DUTIES

MAKERS, GAMES_EACH = 5, 30
"""Who makes games of bots alone, and how many each."""
SLOW_CLIENTS = 100
GIVEN_UP = 60.0
"""Seconds within which a header that never ends must be given up."""
FLOODERS = 4
"""Of each kind: nobody, who asks for lists; an account that sends commands which cannot be."""


class RepeatingThread(threading.Thread):
    """Something that is done again and again until the block is left."""

    def __init__(self, do: Callable[[], object], pause: float = 0.0) -> None:
        super().__init__(daemon=True)
        self._do, self._pause = do, pause
        self._enough = threading.Event()

    def run(self) -> None:
        """Do it until told to stop."""
        while not self._enough.is_set():
            self._do()
            self._enough.wait(self._pause)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        self.join(60)


class BotGames:
    """Games without people, of several owners."""

    def __init__(self, service: Service, titles: list[str], notes: Notes) -> None:
        self._makers = [Client(service, notes).sign_up(f"Maker {number}") for number in range(MAKERS)]
        self._titles = titles
        self.games: dict[str, Client] = {}

    def start(self) -> None:
        """Make them all, every maker at the same time."""
        with ThreadPoolExecutor(MAKERS) as threads:
            for made in threads.map(self._make, self._makers):
                self.games |= made

    def _make(self, maker: Client) -> dict[str, Client]:
        made = {}
        for _, title in zip(range(GAMES_EACH), cycle(self._titles), strict=False):
            least = maker.insist("GET", f"/v1/titles/{title}")["seats"]["min"]
            wish = {"title": title, "seats": [{"bot": "random"}] * least}
            made[maker.insist("POST", "/v1/games", wish)["id"]] = maker
        return made

    def read_standing(self, games: Iterable[str]) -> dict[str, int]:
        """How far those of *games* have come that have not ended."""
        shown = {game: self.games[game].insist("GET", f"/v1/games/{game}") for game in games}
        return {game: view["seq"] for game, view in shown.items() if view["status"] == "running"}


class Flood(contextlib.ExitStack):
    """Many requests at once from few clients, who care for no answer."""

    def __init__(self, service: Service, notes: Notes) -> None:
        super().__init__()
        nobody = Client(service, notes)
        somebody = nobody.sign_up("Flood")
        game = "/v1/games/00000000-0000-4000-8000-000000000000/commands"
        requests: list[tuple[Client, str, str, Any]] = [
            (nobody, "GET", "/v1/games?limit=100", None),
            (somebody, "POST", game, {"type": "no_such_command"}),
        ]
        for _ in range(FLOODERS):
            for request in requests:
                self.enter_context(RepeatingThread(lambda request=request: _ask_once(*request)))  # type: ignore[misc]


def _ask_once(client: Client, method: str, path: str, body: Any) -> None:
    with contextlib.suppress(OSError, http.client.HTTPException):
        status, headers, content = client.send(method, path, body)
        if status >= 500:
            client.note_failure(f"flood: {method} {path}", status, headers, content)


class SlowClients(threading.Thread):
    """Connections that send a header byte by byte, and never finish it."""

    def __init__(self, service: Service) -> None:
        super().__init__(daemon=True)
        self._address = ("127.0.0.1", service.port)
        self.longest = 0.0
        """Seconds until the last of them was given up."""

    def run(self) -> None:
        """Until all are given up, or should have been."""
        began = time.monotonic()
        with contextlib.ExitStack() as stack:
            lines = set()
            for _ in range(SLOW_CLIENTS):
                with contextlib.suppress(OSError):
                    line = stack.enter_context(socket.create_connection(self._address, timeout=5))
                    line.sendall(b"GET /v1/games HTTP/1.1\r\nX-Slow: ")
                    line.setblocking(False)
                    lines.add(line)
            while lines and time.monotonic() - began < GIVEN_UP + 5:
                lines = {line for line in lines if not _is_given_up(line)}
                self.longest = time.monotonic() - began
                time.sleep(0.5)


def _is_given_up(line: socket.socket) -> bool:
    """Send one byte more; whether the service has had enough."""
    try:
        line.send(b"x")
        return line.recv(4096) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


class TaskCounter(RepeatingThread):
    """Watches how many tasks lie in Redis for each worker."""

    def __init__(self, service: ServiceBehindProxies) -> None:
        super().__init__(self._look, 0.5)
        self._service = service
        self.most = 0

    def _look(self) -> None:
        # Killed, or not there yet: then nothing lies in it.
        with contextlib.suppress(RedisError, OSError), self._service.redis() as redis:
            for queues in DUTIES.values():  # one worker has each duty
                keys = [Queue(name, connection=redis) for name in queues]
                lying = sum(
                    int(redis.llen(q.key)) + int(redis.zcard(q.started_job_registry.key)) for q in keys
                )
                self.most = max(self.most, lying)
