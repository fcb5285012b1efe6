"""Reading a log over HTTP (C2SP tlog-tiles), and handing cosignatures back to it.

The log may be anybody's: every answer has a limit of size and of time, and nothing leads to another address.
"""

from __future__ import annotations

import time
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException, HTTPMessage
from threading import Event
from typing import IO

from events.tlog.leaves import unpack
from events.tlog.notes import MAX_NOTE_BYTES as LARGEST_NOTE
from events.tlog.tree import WIDTH, entries_path, tile_path

IDLE_SECONDS = 10.0
"""Seconds without a byte after which an answer is given up."""
LONGEST_ANSWER_SECONDS = 60.0
"""Seconds that one answer may take in all."""
ATTEMPTS = 3
FIRST_PAUSE = 0.25
"""Seconds before the second attempt; four times as long before each further one."""
LARGEST_ENTRIES = WIDTH * (2 + 0xFFFF)
_PIECE = 65_536


class UnreachableLog(Exception):
    """The log cannot be reached or answers with something else; it may pass. The message says what."""


class MissingEntry(UnreachableLog):
    """The log answers that it has no such thing."""


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        raise UnreachableLog(
            f"{req.full_url} answers {code} and redirects. Give the address that it redirects to"
        )


class LogClient:
    """A log at its address.

    Args:
        url: such as ``https://rutter.example/log``; ``/log`` is added where it is left out.
        stop: once it is set, nothing more is asked.
    """

    def __init__(self, url: str, stop: Event) -> None:
        self.url = url.rstrip("/")
        if not self.url.endswith("/log"):
            self.url += "/log"
        self._stop = stop
        self._opener = urllib.request.build_opener(_NoRedirects)

    def checkpoint(self) -> str:
        """Return the newest signed checkpoint."""
        raw = self._get("checkpoint", LARGEST_NOTE, {"Cache-Control": "no-cache"})
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            raise UnreachableLog(f"{self.url}/checkpoint is not text") from error

    def tile(self, level: int, n: int, width: int) -> bytes:
        """Return the first *width* hashes of a tile."""
        raw = self._full_or_part(tile_path, level, n, width=width, limit=32 * WIDTH)
        if len(raw) < 32 * width:
            raise UnreachableLog(f"{self.url}/{tile_path(level, n, width)} has {len(raw)} bytes")
        return raw[: 32 * width]

    def entries(self, n: int, width: int) -> list[bytes]:
        """Return the first *width* entries of a bundle."""
        raw = self._full_or_part(entries_path, n, width=width, limit=LARGEST_ENTRIES)
        try:
            found = unpack(raw)
        except ValueError as error:
            raise UnreachableLog(f"{self.url}/{entries_path(n, width)}: {error}") from error
        if len(found) < width:
            raise UnreachableLog(f"{self.url}/{entries_path(n, width)} has {len(found)} entries")
        return found[:width]

    def deliver(self, cosignature: str) -> None:
        """Hand a cosignature to the log."""
        request = urllib.request.Request(  # noqa: S310 - http or https, as the command line has checked
            f"{self.url}/cosignature",
            data=cosignature.encode(),
            headers={"Content-Type": "text/plain; charset=utf-8"},
            method="POST",
        )
        self._send_with_retries(request, _PIECE)

    def _full_or_part(self, path: Callable[..., str], *place: int, width: int, limit: int) -> bytes:
        """Return a tile as far as it is filled; a log may keep the full one alone once there is one."""
        try:
            return self._get(path(*place, width), limit)
        except MissingEntry:
            if width == WIDTH:
                raise
            return self._get(path(*place), limit)

    def _get(self, path: str, limit: int, headers: dict[str, str] | None = None) -> bytes:
        request = urllib.request.Request(f"{self.url}/{path}", headers=headers or {})  # noqa: S310 - see above
        return self._send_with_retries(request, limit)

    def _send_with_retries(self, request: urllib.request.Request, limit: int) -> bytes:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._answer(request, limit)
            except MissingEntry:
                raise
            except UnreachableLog:
                if attempt == ATTEMPTS:
                    raise
                self._stop.wait(FIRST_PAUSE * 4**attempt)
        raise AssertionError

    def _answer(self, request: urllib.request.Request, limit: int) -> bytes:
        if self._stop.is_set():
            raise UnreachableLog("stopped")
        where = f"{request.get_method()} {request.full_url}"
        end = time.monotonic() + LONGEST_ANSWER_SECONDS
        try:
            with self._opener.open(request, timeout=IDLE_SECONDS) as answer:
                raw = b""
                while piece := answer.read1(_PIECE):
                    raw += piece
                    if len(raw) > limit:
                        raise UnreachableLog(f"{where} answers with more than {limit} bytes")
                    if time.monotonic() > end:
                        raise UnreachableLog(f"{where} takes longer than {LONGEST_ANSWER_SECONDS:.0f} s")
                return raw
        except urllib.error.HTTPError as error:
            with error:
                said = error.read(300).decode(errors="replace").strip()
            kind = MissingEntry if 400 <= error.code < 500 and error.code != 429 else UnreachableLog
            raise kind(f"{where} answers {error.code} {said!r}") from error
        except urllib.error.URLError as error:
            raise UnreachableLog(f"{where}: {error.reason}") from error
        except (OSError, HTTPException) as error:
            raise UnreachableLog(f"{where}: {type(error).__name__} {error}") from error
