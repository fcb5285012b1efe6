"""Downloads of the exports of a server: page after page, continued where they stopped."""

from __future__ import annotations

import gzip
import json
import time
import urllib.request
from collections.abc import Iterator, Mapping
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode, urljoin, urlsplit

from ops.base.errors import OpsError

ATTEMPTS = 5
"""Failures in a row after which a download gives up."""
LONGEST_PAUSE = 60.0
"""The most seconds to wait after one of them."""
_AGAIN = (429, 502, 503, 504)
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


class _StayHere(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: a token goes to the server that was named, and to no other."""

    def redirect_request(self, *_: Any) -> None:
        """Return no request."""


class ExportDownload:
    """The exports of one server.

    Args:
        server: its address, such as `https://games.example`.
        token: the token of an account, for its private games; None without one.

    Raises:
        OpsError: the token would go over plain HTTP to another machine.
    """

    def __init__(self, server: str, token: str | None = None) -> None:
        self._server, self._token = server.rstrip("/"), token
        parts = urlsplit(server)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise OpsError(f"{server} is no address of a server. Give one such as https://games.example.")
        if token and parts.scheme != "https" and parts.hostname not in _LOOPBACK:
            raise OpsError("A token is not sent over plain HTTP. Use the address with https://.")
        self._origin = parts[:2]
        self._opener = urllib.request.build_opener(_StayHere)

    def fetch(self, what: str, query: Mapping[str, str], path: Path) -> Iterator[int]:
        """Add all lines of an export to *path*, after its last whole line; yield the lines of each page.

        Raises :class:`OpsError`.
        """
        failures = 0
        while True:
            cursor = _cut_to_last_line(path)
            after = {} if cursor is None else {"after": cursor}
            address: str | None = f"{self._server}/v1/export/{what}?{urlencode({**query, **after})}"
            try:
                while address is not None:
                    count, address = self._fetch_page(address, path)
                    failures = 0
                    yield count
                return
            except (OSError, HTTPException, EOFError) as problem:
                failures += 1
                time.sleep(_find_wait(problem, failures))

    def _fetch_page(self, address: str, path: Path) -> tuple[int, str | None]:
        """Add the lines of one page to *path*; return their number and the address of the next page."""
        headers = {"Accept-Encoding": "gzip"}
        if self._token:
            headers["Authorization"] = f"Bearer {self._token}"
        request = urllib.request.Request(address, headers=headers)  # noqa: S310 - checked when it was named
        count = 0
        with self._opener.open(request, timeout=60) as answer, path.open("ab") as file:
            text = gzip.GzipFile(fileobj=answer) if answer.headers["Content-Encoding"] == "gzip" else answer
            for line in text:
                file.write(line)
                count += 1
            link = answer.headers.get("Link", "")
        if 'rel="next"' not in link:
            return count, None
        following = urljoin(address, link[1:].partition(">")[0])
        if urlsplit(following)[:2] != self._origin:
            raise OpsError(f"The next page lies elsewhere, at {following}. Ask the operator of the server.")
        return count, following


def _find_wait(problem: Exception, failures: int) -> float:
    """Return the seconds to wait after so many failures in a row. Raises :class:`OpsError` after the last."""
    wait, reason = 2.0**failures, str(problem)
    if isinstance(problem, HTTPError):
        with problem:
            reason = f"{problem.code} {problem.read()[:500].decode(errors='replace')}"
        if problem.code not in _AGAIN:
            raise OpsError(f"The server refused the export: {reason}. Correct the request.") from None
        asked = problem.headers.get("Retry-After", "")
        wait = float(asked) if asked.isdecimal() else wait
    if failures == ATTEMPTS:
        raise OpsError(
            f"The export broke off: {reason}. Run the command again: it continues after its last line."
        ) from None
    return min(wait, LONGEST_PAUSE)


def _cut_to_last_line(path: Path) -> str | None:
    """Cut half a line off the end of a file, and return the cursor of its last line; None without one.

    Raises :class:`OpsError` if the file holds something else.
    """
    if not path.exists():
        return None
    with path.open("rb+") as file:
        end = file.seek(0, 2)
        tail, at = b"", end
        while at > 0 and tail.count(b"\n") < 2:
            at = max(0, at - (1 << 16))
            file.seek(at)
            tail = file.read(end - at)
        whole = tail[: tail.rfind(b"\n") + 1]
        if not whole:
            file.truncate(at)
            return None
        try:
            cursor: str = json.loads(whole.splitlines()[-1])["cursor"]
        except (ValueError, KeyError, TypeError):
            raise OpsError(f"{path} holds no export. Name another folder.") from None
        file.truncate(at + len(whole))
        return cursor
