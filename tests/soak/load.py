"""Load of a soak: many games of bots at once, floods, and clients that never end their requests."""

import contextlib
import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from typing import Any, Self

from redis.exceptions import RedisError
from rq import Queue

from tests.http_server import QuietHandler, QuietServer, start
from tests.soak.notes import Notes
from tests.soak.players import Client
from tests.soak.service import Service, ServiceBehindProxies
from workers.job_queues import DUTIES

MAKERS, GAMES_EACH = 5, 30
"""Who makes games of bots alone, and how many each."""
SLOW_CLIENTS = 100
GIVEN_UP = 60.0
"""Seconds within which a header that never ends must be given up."""
WEBHOOKS, LARGEST = 10, 240_000
"""Of a neighbour: the most webhooks of an account, and characters of a position."""
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


class Neighbour(contextlib.ExitStack):
    """One account that does, again and again, what costs a service the most."""

    def __init__(self, service: Service, notes: Notes, titles: list[str]) -> None:
        super().__init__()
        self._notes = notes
        silent = self.enter_context(socket.create_server(("127.0.0.1", 0), backlog=512))
        someone = Client(service, notes)
        requests: list[tuple[Client, str, str, Any]] = [
            *((someone.sign_up("Neighbour"), *request) for request in _list_tournaments()),
            *((someone.sign_up("Neighbour"), *request) for request in _list_positions(someone, titles)),
            *_list_calls(someone.sign_up("Neighbour"), silent.getsockname()[1]),
        ]
        for request in requests:
            self.enter_context(RepeatingThread(lambda request=request: _ask_once(*request), 0.2))  # type: ignore[misc]


def _list_tournaments() -> list[tuple[str, str, Any]]:
    """Return requests for tournaments whose times lie at the ends of the calendar."""
    ladder = {
        "title": "colonial_empires",
        "table": {"size": 2, "least": 2},
        "stages": [{"format": "ladder", "period_ms": 86_400_000}],
        "tie_breaks": ["wins"],
    }
    ends = ("9999-12-31T23:59:59Z", "2999-12-31T23:59:59Z", "0001-01-01T00:00:00Z")
    return [("POST", "/v1/tournaments", {**ladder, "schedule": {"starts_at": end}}) for end in ends]


def _list_positions(somebody: Client, titles: list[str]) -> list[tuple[str, str, Any]]:
    """Return requests for games from positions that are as large as a request may be."""
    maker, found = somebody.sign_up("Neighbour"), []
    for title in titles:
        least = maker.insist("GET", f"/v1/titles/{title}")["seats"]["min"]
        wish = {"title": title, "seats": [{"you": True}] * least, "seed": "00"}
        game = maker.insist("POST", "/v1/games", wish)
        told = maker.insist("GET", f"/v1/games/{game['id']}/position")
        if "position" in told:
            body = {name: told[name] for name in ("title", "version", "options")}
            swollen = {**body, "position": _swell(told["position"]), "seats": wish["seats"]}
            found.append(("POST", "/v1/games", swollen))
    return found


def _swell(position: dict[str, Any]) -> dict[str, Any]:
    """Return a position whose longest list repeats until a request may hardly be larger."""
    lists = [value for value in _walk(position) if isinstance(value, list) and value]
    if lists:
        longest = max(lists, key=len)
        part = list(longest)
        longest += part * ((LARGEST - len(json.dumps(position))) // len(json.dumps(part)))
    return position


def _walk(value: Any) -> Iterator[Any]:
    yield value
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from _walk(part)


def _list_calls(owner: Client, port: int) -> list[tuple[Client, str, str, Any]]:
    """Return requests for calls to webhooks that never answer."""
    calls: list[tuple[Client, str, str, Any]] = []
    for number in range(WEBHOOKS):
        made = owner.insist("POST", "/v1/me/webhooks", {"url": f"http://127.0.0.1:{port}/{number}"})
        calls.append((owner, "POST", f"/v1/me/webhooks/{made['id']}/test", None))
    return calls


class CallTimer(RepeatingThread):
    """An account whose webhook answers at once: how long its calls take to come."""

    def __init__(self, service: Service, notes: Notes) -> None:
        super().__init__(self._call, 1.0)
        self.longest = 0.0
        """Seconds from the request for a call to the call."""
        self._came = threading.Event()
        came = self._came

        class Handler(QuietHandler):
            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(204)
                self.end_headers()
                came.set()

        self._server = QuietServer(Handler)
        self._thread = start(self._server)
        self._owner = Client(service, notes).sign_up("Friend")
        url = f"http://127.0.0.1:{self._server.server_port}/"
        self._hook = self._owner.insist("POST", "/v1/me/webhooks", {"url": url})["id"]

    def _call(self) -> None:
        self._came.clear()
        began = time.monotonic()
        self._owner.insist("POST", f"/v1/me/webhooks/{self._hook}/test")
        self._came.wait(GIVEN_UP)
        self.longest = max(self.longest, time.monotonic() - began)

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


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
