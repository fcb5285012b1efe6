"""A log of all games read over HTTP, as its public interface serves it."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any

from events.tlog import leaves
from events.tlog.tree import WIDTH, entries_path, tile_path
from ops.base.errors import OpsError

LARGEST = 32 * 1024 * 1024
"""Bytes of an answer."""


class UnavailableLog(OpsError):
    """The log cannot be read; the message says why."""


class MalformedLog(UnavailableLog):
    """The log answers with something that no log may answer with."""


class LogReader:
    """The log at *url*, which ends in ``/log`` or is completed by it."""

    def __init__(self, url: str) -> None:
        if not url.startswith(("http://", "https://")):
            raise UnavailableLog(f"{url} is not an address. It must begin with http:// or https://")
        self.url = url.rstrip("/")
        if not self.url.endswith("/log"):
            self.url += "/log"
        self.service = self.url.removesuffix("/log")
        """Where the rest of the service is."""

    def checkpoint(self) -> str:
        """Return the newest checkpoint, a note."""
        return self._get(f"{self.url}/checkpoint").decode("utf-8", "replace")

    def tile(self, level: int, n: int, width: int) -> bytes:
        """Return the hashes of a tile."""
        return self._get(f"{self.url}/{tile_path(level, n, width)}")

    def entries(self, size: int, first: int = 0) -> Iterator[bytes]:
        """Yield all entries from *first* on of a log of *size*. Raises LogAway for a wrong bundle length."""
        for n in range(first // WIDTH, -(-size // WIDTH)):
            width = min(WIDTH, size - n * WIDTH)
            try:
                found = leaves.unpack(self._get(f"{self.url}/{entries_path(n, width)}"))
            except ValueError as error:
                raise MalformedLog(f"entries {n * WIDTH}..: {error}") from None
            if len(found) != width:
                raise MalformedLog(f"entries {n * WIDTH}..: {len(found)} of {width} were served")
            yield from found[max(0, first - n * WIDTH) :]

    def json(self, path: str) -> Any:
        """Return the JSON answer of the service to *path*, below its own address."""
        try:
            return json.loads(self._get(self.service + path))
        except ValueError:
            raise UnavailableLog(f"{self.service}{path} does not answer with JSON") from None

    def _get(self, url: str) -> bytes:
        try:
            with urllib.request.urlopen(url, timeout=30) as answer:  # noqa: S310 - http or https, see above
                raw: bytes = answer.read(LARGEST + 1)
        except (OSError, HTTPException, ValueError) as problem:
            raise UnavailableLog(f"{url}: {problem}") from None
        if len(raw) > LARGEST:
            raise UnavailableLog(f"{url} answers with more than {LARGEST} bytes")
        return raw
