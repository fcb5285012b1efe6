"""A client of our own public API, no more than the command line needs."""

import json
import re
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any

from ops.base.errors import OpsError
from service.client.receipts import ReceiptStore, load_pinned_keys

_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_GAME = re.compile(f"/v1/games/{_UUID.pattern}")


class ApiError(OpsError):
    """The API refused, or could not be reached; `status` is None for the latter."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ApiClient:
    """The API at an address, as one account or as nobody.

    Args:
        address: such as `http://127.0.0.1:8000`.
        token: the bearer token of an account.
        receipts: the folder where the service's keys and receipts are kept; None keeps none.
    """

    def __init__(self, address: str, token: str | None = None, receipts: Path | None = None) -> None:
        self.address = address
        self._token = token
        self._receipts = receipts
        self._keeper: ReceiptStore | None = None
        # No proxy: the address is on this machine.
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def as_account(self, token: str) -> "ApiClient":
        """Return the same API as the account of this token."""
        return ApiClient(self.address, token, self._receipts)

    def is_ready(self) -> bool:
        """Return True if the service says that it is ready to play."""
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
        answer = self._send("GET", path, None)
        if _GAME.fullmatch(path):
            self._check(lambda keeper, game: keeper.check_view(game, answer["last"]), path)
        return answer

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Post JSON.

        Raises:
            ApiError: see the class.
        """
        answer = self._send("POST", path, body)
        if isinstance(answer, dict) and "receipt" in answer:
            self._check(
                lambda keeper, game: keeper.keep(game, answer["receipt"], first=True),
                answer.get("id") or path,
            )
        return answer

    def _check(self, check: Callable[[ReceiptStore, str], object], place: str) -> None:
        """Hold an answer against the receipts that are kept; *place* is the game's id or a path with it."""
        if self._receipts is None:
            return
        try:
            if self._keeper is None:
                keys = load_pinned_keys(
                    self._receipts, self.address, lambda: self._send("GET", "/v1/keys", None)
                )
                self._keeper = ReceiptStore(keys, self._receipts)
            found = _UUID.search(place)
            check(self._keeper, found[0] if found else place)
        except ValueError as problem:
            raise ApiError(f"{place}: {problem}") from None

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
