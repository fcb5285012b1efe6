"""A client of our own public API, no more than the command line needs."""

import json
import urllib.error
import urllib.request
from http.client import HTTPException
from typing import Any

from ops.errors import OpsError


class ApiError(OpsError):
    """The API refused, or could not be reached; `status` is None for the latter."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Api:
    """The API at an address, as one account or as nobody.

    Args:
        address: such as `http://127.0.0.1:8000`.
        token: the bearer token of an account.
    """

    def __init__(self, address: str, token: str | None = None) -> None:
        self.address = address
        self._token = token
        # No proxy: the address is on this machine.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def signed_in(self, token: str) -> "Api":
        """The same API as the account of this token."""
        return Api(self.address, token)

    def is_ready(self) -> bool:
        """Whether the service says that it is ready to play."""
        try:
            self.get("/readyz")
        except ApiError:
            return False
        return True

    def get(self, path: str) -> Any:
        """Ask for a resource.

        Raises:
            ApiError: see the class.
        """
        return self._send("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Post JSON.

        Raises:
            ApiError: see the class.
        """
        return self._send("POST", path, body)

    def _send(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data=data, headers=headers, method=method)  # noqa: S310 - our own http address
        try:
            with self._opener.open(request, timeout=20) as answer:
                text = answer.read()
        except urllib.error.HTTPError as refusal:
            with refusal:
                reason = refusal.read()[:500].decode(errors="replace")
            raise ApiError(f"{method} {path}: {refusal.code} {reason}", refusal.code) from None
        except (OSError, HTTPException) as problem:  # also an answer that broke off in the middle
            raise ApiError(f"{method} {path}: {problem}") from None
        try:
            return json.loads(text) if text else None
        except ValueError:
            return text.decode(errors="replace")  # a health check may answer in plain words
