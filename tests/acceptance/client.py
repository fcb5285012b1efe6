"""An HTTP client on one connection that stays open, and a reader of live streams. Nothing but the standard
library: what these tests say of the service, they say of it as a stranger meets it.
"""

from __future__ import annotations

import contextlib
import http.client
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self
from urllib.parse import urlsplit

from tests.waiting import PATIENCE, each_look

PROBLEM = "application/problem+json"
GONE = (OSError, http.client.HTTPException)
"""What a request meets whose server has died."""


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of a problem; fails for anything that is none."""
        assert self.headers.get("content-type") == PROBLEM, (self.status, self.headers, self.body[:500])
        problem = self.json
        assert problem["status"] == self.status
        assert problem["detail"].strip(), "a problem says what to do"
        return str(problem["code"])


class Client:
    """The service at *address*, as the account of *token* or as nobody. For one thread."""

    def __init__(self, address: str, token: str | None = None, account: dict[str, Any] | None = None) -> None:
        self.address = address
        self.token = token
        self.me = account or {}
        self.sent = 0
        self._connection: http.client.HTTPConnection | None = None

    def account(self, name: str) -> Client:
        """A client of a new account."""
        made = self.call("POST", "/v1/accounts", {"name": name}, status=201)
        return Client(self.address, made["token"], made["account"])

    def again(self) -> Client:
        """The same account on a connection of its own, for another thread."""
        return Client(self.address, self.token, self.me)

    def send(self, method: str, path: str, body: Any = ..., **headers: str) -> Answer:
        """One request, whatever is answered. Names of headers are written with ``_`` for ``-``."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        data = None
        if body is not ...:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            given.setdefault("Content-Type", "application/json")
        if self.token:
            given.setdefault("Authorization", f"Bearer {self.token}")
        self.sent += 1
        if method != "GET":
            self.close()  # a POST never meets a connection that was idle, which the server may just be ending
        for last in (False, True):
            fresh = self._connection is None
            try:
                return self._exchange(method, path, data, given)
            except GONE:
                self.close()
                # The server ends connections that were idle; only then the request is sent a second time.
                if fresh or last or method != "GET":
                    raise
        raise AssertionError

    def _exchange(self, method: str, path: str, data: bytes | None, headers: dict[str, str]) -> Answer:
        if self._connection is None:
            self._connection = http.client.HTTPConnection(urlsplit(self.address).netloc, timeout=PATIENCE)
        self._connection.request(method, path, data, headers)
        got = self._connection.getresponse()
        shown = {name.lower(): value for name, value in got.getheaders()}
        answer = Answer(got.status, shown, got.read())
        if got.will_close:
            self.close()
        return answer

    def close(self) -> None:
        """Let the connection go."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def call(self, method: str, path: str, body: Any = ..., *, status: int = 200, **headers: str) -> Any:
        """One request that must be answered with *status*; its JSON."""
        answer = self.send(method, path, body, **headers)
        assert answer.status == status, f"{method} {path} {body}: {answer.status} {answer.text[:2000]}"
        return answer.json

    def get(self, path: str) -> Any:
        """GET, 200."""
        return self.call("GET", path)

    def post(self, path: str, body: Any = ..., **settings: Any) -> Any:
        """POST, 200 unless said otherwise."""
        return self.call("POST", path, body, **settings)

    def insist(self, path: str, body: Any, key: str, status: Any = 200) -> Answer:
        """POST with an Idempotency-Key again and again until it is answered, as a careful client does.

        *status*: the one, or the several, that are an answer.
        """
        wanted = status if isinstance(status, tuple) else (status,)
        for _ in each_look(f"POST {path} is answered"):
            with contextlib.suppress(*GONE):
                answer = self.send("POST", path, body, Idempotency_Key=key)
                if answer.status in wanted:
                    return answer
                assert answer.status == 503, f"{answer.status} {answer.text[:1000]}"
                assert answer.code, "it is a problem"
        raise AssertionError

    def patiently(self, path: str) -> Any:
        """GET until it is answered with 200; anything but 503 or a dead connection is wrong."""
        for _ in each_look(f"GET {path} is answered"):
            with contextlib.suppress(*GONE):
                answer = self.send("GET", path)
                if answer.status == 200:
                    return answer.json
                assert answer.status == 503, f"{answer.status} {answer.text[:1000]}"
        raise AssertionError


class Stream:
    """A live stream, message by message: ``(event, id, data)``."""

    def __init__(self, client: Client, path: str, **headers: str) -> None:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if client.token:
            given["Authorization"] = f"Bearer {client.token}"
        self._connection = http.client.HTTPConnection(urlsplit(client.address).netloc, timeout=PATIENCE)
        self._connection.request("GET", path, headers=given)
        self._answer = self._connection.getresponse()
        assert self._answer.status == 200, self._answer.read()[:500]
        assert self._answer.getheader("Content-Type", "").startswith("text/event-stream")
        self.text = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._answer.close()
        self._connection.close()

    def __iter__(self) -> Iterator[tuple[str, str | None, Any]]:
        """Messages, until the server ends the stream. Comments are left out."""
        fields: dict[str, str] = {}
        for raw in self._answer:
            line = raw.decode().rstrip("\n")
            self.text += line + "\n"
            if line:
                name, _, value = line.partition(":")
                fields[name] = value.removeprefix(" ")
            else:
                if "event" in fields:
                    yield fields["event"], fields.get("id"), json.loads(fields["data"])
                fields = {}

    def events(self, until: int) -> list[Any]:
        """Events up to seq *until*; each carries its seq as id."""
        found: list[Any] = []
        for event, identity, data in self:
            if event == "event":
                assert identity == str(data["seq"])
                found.append(data)
                if data["seq"] >= until:
                    return found
        raise AssertionError(f"the stream ended before event {until}")


def without_proofs(bundle: bytes) -> bytes:
    """*bundle* up to its receipt: a proof that the log of all games holds it changes as the log grows."""
    return b"".join(
        line for line in bundle.splitlines(keepends=True) if not line.startswith(b'{"kind":"proof"')
    )


def events_of(bundle: bytes) -> list[Any]:
    """The lines of the events of *bundle*."""
    lines = [json.loads(line) for line in bundle.splitlines()]
    return [line for line in lines if line["kind"] == "event"]
