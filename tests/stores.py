"""A store beside folders that runs here: an FTP server, which fsspec speaks to without another package."""

from __future__ import annotations

import ftplib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ops.runtime.ports import free_port
from tests.waiting import PATIENCE, until

NAME, WORD = "archivist", "a word of its own"


class FtpServer:
    """An FTP server over *folder*, which can be ended and begun again at the same address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Of a place in it, without the login."""
        return f"ftp://127.0.0.1:{self.port}/bundles"

    def begin(self) -> None:
        """Returns when it answers."""
        self._child = subprocess.Popen(
            [
                *(sys.executable, "-m", "pyftpdlib", "-i", "127.0.0.1", "-p", str(self.port), "-w"),
                *("-d", str(self.folder), "-u", NAME, "-P", WORD),
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(self._answers, "the server answers")

    def _answers(self) -> bool:
        try:
            with ftplib.FTP() as client:  # noqa: S321 - on this machine
                client.connect("127.0.0.1", self.port, timeout=PATIENCE)
                client.login(NAME, WORD)
                return True
        except OSError:
            assert self._child is not None
            assert self._child.poll() is None, "the server ended"
            return False

    def end(self) -> None:
        """Nobody answers at its address."""
        if self._child is not None:
            self._child.kill()
            self._child.wait()


@contextmanager
def ftp_server(folder: Path) -> Iterator[FtpServer]:
    """A server over *folder*."""
    server = FtpServer(folder)
    server.begin()
    try:
        yield server
    finally:
        server.end()


def log_in(monkeypatch) -> None:
    """The login as an operator gives it: by the settings of fsspec."""
    from fsspec.config import conf

    monkeypatch.setitem(conf, "ftp", {"username": NAME, "password": WORD})
