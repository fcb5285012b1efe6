"""A client of the application without a network: accounts, JSON, whatever tests need to say shortly."""

from __future__ import annotations

import json
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from projections.runner import Runner
from tests.service import examples


class Api:
    """The API as one account (or nobody)."""

    def __init__(self, app: Flask, token: str | None = None, account: dict[str, Any] | None = None) -> None:
        self.app = app
        self.token = token
        self.me = account or {}
        self._client = app.test_client()

    def account(self, name: str = "Ada", **more: str) -> Api:
        """A new account's API."""
        made = self.call("POST", "/v1/accounts", {"name": name, **more}, status=201)
        return Api(self.app, made["token"], made["account"])

    def again(self) -> Api:
        """The same account on another client (one client serves one thread)."""
        return Api(self.app, self.token, self.me)

    def send(self, method: str, path: str, body: Any = ..., **headers: str) -> TestResponse:
        """One request; header names are written with ``_`` for ``-``."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            given.setdefault("Authorization", f"Bearer {self.token}")
        # The same of all requests: tests compare whole answers, and a problem names its request.
        given.setdefault("X-Request-ID", "0" * 32)
        data = None
        if body is not ...:
            data = body if isinstance(body, bytes) else json.dumps(body).encode()
            given.setdefault("Content-Type", "application/json")
        answer = self._client.open(path, method=method, data=data, headers=given)
        examples.note(self.app, method, body, answer)
        return answer

    def call(self, method: str, path: str, body: Any = ..., *, status: int = 200, **headers: str) -> Any:
        """One request that must be answered with *status*; its JSON."""
        answer = self.send(method, path, body, **headers)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text[:2000]}"
        return answer.get_json(force=True) if answer.data else None

    def get(self, path: str, **settings: Any) -> Any:
        """GET, 200."""
        return self.call("GET", path, **settings)

    def post(self, path: str, body: Any = ..., **settings: Any) -> Any:
        """POST, 200 unless said otherwise."""
        return self.call("POST", path, body, **settings)

    def refused(self, method: str, path: str, body: Any = ..., **headers: str) -> tuple[int, str]:
        """Status and code of a problem; checks that it is one in every respect."""
        answer = self.send(method, path, body, **headers)
        return check_problem(answer)

    def project(self) -> None:
        """Bring the read models up to date, as the dispatcher does."""
        log = self.app.extensions["rutter"].games.log
        log.sequence()
        runner = Runner(log)
        while runner.step():
            pass


def check_problem(answer: TestResponse) -> tuple[int, str]:
    """Status and code of an answer that must be a problem (RFC 9457)."""
    assert 400 <= answer.status_code < 500 or answer.status_code == 503, (
        f"{answer.status_code} {answer.text[:1000]}"
    )
    assert answer.content_type == "application/problem+json", answer.content_type
    problem = answer.get_json(force=True)
    assert problem["status"] == answer.status_code
    assert {"type", "title", "status", "detail", "code"} <= set(problem)
    assert problem["detail"].strip(), "a problem says what to do"
    return answer.status_code, problem["code"]
