"""The players of a soak: they play, insist until they are answered, and keep what was promised to them."""

import http.client
import json
import threading
import time
import uuid
from typing import Any
from urllib.parse import urlsplit

from ops.soak_service import Service

UNAVAILABLE = 503
PATIENCE = 120.0
"""Seconds after which a player gives a request up for lost."""
STUCK_AFTER = 60.0


class Notes:
    """What all players have met, together."""

    def __init__(self) -> None:
        self.acknowledged = self.lost = self.doubled = self.errors = 0
        self.longest_wait = 0.0
        self.wrong: list[str] = []
        self._lock = threading.Lock()

    def is_acknowledged(self, seconds: float) -> None:
        """A command was carried out after that many seconds."""
        with self._lock:
            self.acknowledged += 1
            self.longest_wait = max(self.longest_wait, seconds)

    def is_error(self, what: str) -> None:
        """An answer that no client should ever get."""
        with self._lock:
            self.errors += 1
        self.is_wrong(what)

    def is_wrong(self, what: str) -> None:
        """Something for the operator to read; the first twenty are kept."""
        with self._lock:
            if len(self.wrong) < 20:
                self.wrong.append(what)


class Player(threading.Thread):
    """One account that plays one title, at all seats but one, which a bot has."""

    def __init__(self, service: Service, title: str, number: int, notes: Notes) -> None:
        super().__init__(daemon=True, name=f"player of {title}")
        self._service, self._title, self._notes = service, title, notes
        self._enough = threading.Event()
        self._token: str | None = None
        self.promised: dict[str, dict[int, str]] = {}
        """Game -> seq of a command's last event -> its hash."""
        self._unanswered = 0
        self._token = self._insist("POST", "/v1/accounts", {"name": f"Captain {number}"})["token"]
        shown = self._insist("GET", f"/v1/titles/{title}")
        self._seats = max(2, shown["seats"]["min"])
        self._game = self._begin()

    @property
    def path(self) -> str:
        """Where its game is."""
        return f"/v1/games/{self._game}"

    def run(self) -> None:
        """Play until told to stop."""
        while not self._enough.is_set():
            try:
                self._move()
            except (KeyError, ValueError, TimeoutError) as problem:
                self._unanswered += 1
                self._notes.is_wrong(f"{self._title}: {problem!r}")
                self._enough.wait(1)

    def stop(self) -> None:
        """Stop after the command that is under way."""
        self._enough.set()
        self.join(PATIENCE)

    def compare(self) -> None:
        """Look for everything that was promised in the log, and for what is there twice."""
        for game, promised in self.promised.items():
            lines = self._insist("GET", f"/v1/games/{game}/audit", lines=True)
            stored = [json.loads(line) for line in lines[1:]]
            events = {line["n"]: line for line in map(_event, stored) if line}
            self._notes.lost += sum(
                events.get(seq, {}).get("hash") != digest for seq, digest in promised.items()
            )
            # Whatever I gave was insisted upon until it was answered: more of mine in the log is there twice.
            mine = {f"p{seat}" for seat in range(self._seats - 1)}
            given = {event["cmd"] for event in events.values() if event["by"] in mine}
            self._notes.doubled += max(len(given) - len(promised) - self._unanswered, 0)

    def _begin(self) -> str:
        seats: list[Any] = [{"you": True}] * (self._seats - 1) + [{"bot": "random"}]
        made = self._insist("POST", "/v1/games", {"title": self._title, "seats": seats})
        self.promised[made["id"]] = {}
        return str(made["id"])

    def _move(self) -> None:
        now = self._insist("GET", f"{self.path}/decisions")
        if not now["legal"]:
            if self._insist("GET", self.path)["status"] == "finished":
                self._game = self._begin()
            self._enough.wait(0.05)
            return
        offered = now["legal"][0]
        key, began = str(uuid.uuid4()), time.monotonic()
        body = {**offered["command"], "seat": offered["seat"]}
        answer = self._insist("POST", f"{self.path}/commands", body, key)
        if "events" in answer:
            last = answer["events"][-1]
            self.promised[self._game][last["seq"]] = last["hash"]
            self._notes.is_acknowledged(time.monotonic() - began)

    def _insist(
        self, method: str, path: str, body: Any = None, key: str | None = None, *, lines: bool = False
    ) -> Any:
        """Ask again and again until there is an answer; a refusal by the rules is one."""
        key = key or str(uuid.uuid4())
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                status, headers, content = self._send(method, path, body, key)
            except (OSError, http.client.HTTPException):
                time.sleep(0.2)
                continue
            if status < 500:
                if status == 429:
                    time.sleep(min(float(headers.get("Retry-After") or 1), 5))
                    continue
                return content.splitlines() if lines else json.loads(content)
            if status != UNAVAILABLE or "Retry-After" not in headers:
                self._notes.is_error(f"{method} {path}: {status} {content[:200]!r}")
            time.sleep(0.2)
        raise TimeoutError(f"{method} {path} was not answered in {PATIENCE:.0f} s")

    def _send(
        self, method: str, path: str, body: Any, key: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        headers = {"Content-Type": "application/json"}
        if method == "POST" and path != "/v1/accounts":
            headers["Idempotency-Key"] = key
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        connection = http.client.HTTPConnection(urlsplit(self._service.address).netloc, timeout=30)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()


def _event(line: dict[str, Any]) -> dict[str, Any]:
    """What a line of a bundle says of an event; empty for another line."""
    return {**json.loads(line["body"]), "hash": line["hash"]} if "body" in line else {}


def stuck_games(players: list[Player]) -> int:
    """How many players get no further command through within a minute, now that all is quiet."""
    before = {player: _given(player) for player in players}
    deadline = time.monotonic() + STUCK_AFTER
    while time.monotonic() < deadline:
        if all(_given(player) > count for player, count in before.items()):
            return 0
        time.sleep(0.1)
    return sum(_given(player) <= count for player, count in before.items())


def _given(player: Player) -> int:
    return sum(map(len, list(player.promised.values())))
