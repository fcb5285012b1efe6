"""The players of a soak: they play, insist until they are answered, and keep what was promised to them."""

from __future__ import annotations

import http.client
import json
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from events.tlog.notes import Verifier
from tests.soak.notes import Notes, Promises, compare, read_stored_events
from tests.soak.service import Service

UNAVAILABLE, TOO_MANY = 503, 429
PATIENCE = 120.0
"""Seconds after which a player gives a request up for lost."""
PACE = 0.3
"""Seconds between two moves of a player: what people may do within the limits."""


class Client:
    """An account, or nobody, that asks until it is answered."""

    def __init__(self, service: Service, notes: Notes, token: str | None = None) -> None:
        self.notes = notes
        self.token = token
        self._service = service

    def sign_up(self, name: str) -> Client:
        """A new account."""
        made = self.insist("POST", "/v1/accounts", {"name": name})
        return Client(self._service, self.notes, made["token"])

    def insist(
        self, method: str, path: str, body: Any = None, key: str | None = None, *, lines: bool = False
    ) -> Any:
        """Ask again and again until there is an answer; a refusal by the rules is one.

        Raises:
            TimeoutError: there was none.
        """
        key = key or str(uuid.uuid4())
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            try:
                status, headers, content = self.send(method, path, body, key)
            except (OSError, http.client.HTTPException):
                time.sleep(0.2)
                continue
            if status == TOO_MANY:
                time.sleep(min(float(headers.get("Retry-After") or 1), 5))
            elif status < 500:
                return content.splitlines() if lines else json.loads(content)
            else:
                self.note_failure(f"{method} {path}", status, headers, content)
                time.sleep(0.2)
        raise TimeoutError(f"{method} {path} was not answered in {PATIENCE:.0f} s")

    def note_failure(self, what: str, status: int, headers: http.client.HTTPMessage, content: bytes) -> None:
        """A 5xx: it must be a 503 that says when to come again."""
        if status == UNAVAILABLE and "Retry-After" in headers:
            self.notes.note_put_off()
        else:
            self.notes.note_error(f"{what}: {status} {content[:200]!r}")

    def send(
        self, method: str, path: str, body: Any = None, key: str | None = None
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """One request, whatever comes back."""
        headers = {"Content-Type": "application/json"}
        if method == "POST" and path != "/v1/accounts" and key:
            headers["Idempotency-Key"] = key
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        connection = http.client.HTTPConnection(urlsplit(self._service.address).netloc, timeout=30)
        try:
            connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()


def get_verifiers(client: Client) -> list[Verifier]:
    """The keys that sign the service's receipts."""
    return [Verifier.read(key["vkey"]) for key in client.insist("GET", "/v1/keys")["keys"]]


@dataclass
class Table:
    """What is played, and where."""

    title: str
    people: int
    """How many seats the player has; the one after them has a bot."""
    keys: list[Verifier]
    """Of the service: they sign receipts."""
    game: str = ""
    """The game that is played now."""


class Player(Client):
    """One account that plays one title, at all seats but one, which a bot has."""

    def __init__(
        self, service: Service, notes: Notes, token: str | None, table: Table, promised: dict[str, Promises]
    ) -> None:
        super().__init__(service, notes, token)
        self.table = table
        self.promised = promised
        """By game."""
        self.answered = 0
        """How many of their requests have been answered."""
        self.refused: Any = None
        """What was last said to a command that was offered to them and yet refused."""
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._play, name=f"player of {table.title}", daemon=True)

    @classmethod
    def sit_down(cls, service: Service, notes: Notes, title: str, name: str) -> Player:
        """A new account with a new game."""
        client = Client(service, notes).sign_up(name)
        seats = client.insist("GET", f"/v1/titles/{title}")["seats"]["min"]
        table = Table(title, max(1, seats - 1), get_verifiers(client))
        player = cls(service, notes, client.token, table, {})
        player.table.game = player.begin()
        return player

    def move_to(self, service: Service) -> Player:
        """The same player, with what was promised to them so far, at a service that was restored."""
        return Player(service, self.notes, self.token, replace(self.table), self.promises())

    def promises(self) -> dict[str, Promises]:
        """What was promised to them, as it is now."""
        return {game: promised.copy() for game, promised in list(self.promised.items())}

    @property
    def acknowledged_count(self) -> int:
        """How many commands were acknowledged to them."""
        return sum(len(promised.commands) for promised in list(self.promised.values()))

    def start(self) -> None:
        """Play until told to stop."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the command that is under way."""
        self._enough.set()
        self._thread.join(PATIENCE)

    def begin(self) -> str:
        """Make a game; its id."""
        seats: list[Any] = [{"you": True}] * self.table.people + [{"bot": "random"}]
        made = self.insist("POST", "/v1/games", {"title": self.table.title, "seats": seats})
        self.promised[made["id"]] = Promises()
        return str(made["id"])

    def compare(self, *elsewhere: dict[str, Promises]) -> None:
        """Look for everything that was promised in the log, and for what is there twice.

        *elsewhere*: what was promised to them by another service that has the same games, and may be here.
        """
        mine = frozenset(f"p{seat}" for seat in range(self.table.people))
        for game, promised in self.promised.items():
            events = read_stored_events(self.insist("GET", f"/v1/games/{game}/audit", lines=True))
            others = [known[game] for known in elsewhere if game in known]
            lost, doubled = compare(events, mine, promised, *others)
            self.notes.note_comparison(lost, doubled, f"{self.table.title}, game {game}")

    def _play(self) -> None:
        while not self._enough.is_set():
            try:
                self._move()
            except (KeyError, ValueError, TimeoutError) as problem:
                self.notes.note_wrong(f"{self.table.title}: {problem!r}")
            self._enough.wait(PACE)

    def _move(self) -> None:
        path = f"/v1/games/{self.table.game}"
        now = self._time_answer(lambda: self.insist("GET", f"{path}/decisions"))
        if not now["legal"]:
            if self.insist("GET", path)["status"] == "finished":
                self.table.game = self.begin()
            return
        offered = now["legal"][0]
        body = {**offered["command"], "seat": offered["seat"]}
        promised = self.promised[self.table.game]
        promised.unanswered += 1
        answer = self._time_answer(lambda: self.insist("POST", f"{path}/commands", body))
        if "events" in answer:
            promised.note(answer, self.table.keys)
            self.notes.note_acknowledged()
        else:
            self.refused = answer
        promised.unanswered -= 1

    def _time_answer(self, ask: Callable[[], Any]) -> Any:
        began = time.monotonic()
        answer = ask()
        self.answered += 1
        self.notes.note_wait(time.monotonic() - began)
        return answer
