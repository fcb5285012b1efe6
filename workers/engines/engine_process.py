"""An engine as a child process: what is said to it, what is heard from it, and when that is over.

It is begun again for each move, so that what one seat told it is unknown when it plays for another. It has
its own limits (:mod:`workers.engines.sandbox`); whatever it does, there is an answer in the end, or a
:class:`MissingMove`.
"""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Self, TypeVar

import msgspec
from msgspec import Meta

from workers.bot_types import CERTAIN, MissingMove
from workers.engines import sandbox
from workers.engines.engine_list import Engine

LINE = 1 << 20
"""Most bytes of a line that an engine says."""
OVERRUN = 2
"""The factor over its budget of processor time at which an engine is killed."""
CLOCK_FACTOR = 5
"""Seconds of the clock for each such second, because others may want the processor as well."""
_CHUNK = 1 << 16

L = TypeVar("L")


class Greeting(msgspec.Struct, frozen=True, tag="hello", tag_field="type"):
    """The first line of an engine."""

    name: str
    version: int
    sha256: str


class BestMove(msgspec.Struct, frozen=True, tag="best", tag_field="type"):
    """Its answer to `go`."""

    command: dict[str, Any]
    simulations: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """The amount of thinking, in the engine's own unit."""
    value: Annotated[int, Meta(ge=0, le=CERTAIN)] | None = None
    """Its chance to win, of a million; null where it does not say."""


class EngineProcess:
    """A conversation with an engine, to be used in ``with``; all of it raises :class:`MissingMove`.

    Args:
        engine: which.
        moves: about how many positions it will be asked, each with its processor time.
        quiet: whether what it says on its standard error is thrown away.
    """

    def __init__(self, engine: Engine, *, moves: int = 1, quiet: bool = True) -> None:
        self._engine = engine
        self._seconds = OVERRUN * engine.entry.cpu_seconds
        limits = {"cpu_seconds": self._seconds * moves, "memory": engine.entry.memory_mb << 20}
        self._process = subprocess.Popen(
            [sys.executable, "-IS", sandbox.__file__, json.dumps(limits), *engine.entry.command],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if quiet else None,
            cwd=engine.folder,
            env=_make_environment(engine),
            bufsize=0,
            start_new_session=True,
        )
        assert self._process.stdin is not None  # noqa: S101 - both are pipes
        assert self._process.stdout is not None  # noqa: S101
        self._in, self._out = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._in, False)
        self._heard = b""
        self._until = 0.0
        self._greeted = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self._kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def ask(self, *messages: Mapping[str, Any]) -> BestMove:
        """Send *messages*, the last of which is `go`, and return the engine's answer."""
        self._until = time.monotonic() + self._seconds * CLOCK_FACTOR
        if not self._greeted:
            self._greet()
        said = b"".join(msgspec.json.encode(message) + b"\n" for message in messages)
        return self._read(self._exchange_line(said), BestMove)

    def _greet(self) -> None:
        hello, entry = self._read(self._exchange_line(b""), Greeting), self._engine.entry
        greeting, wanted = (
            (hello.name, hello.version, hello.sha256),
            (entry.name, entry.version, entry.sha256),
        )
        if greeting != wanted:
            raise MissingMove(f"it says that it is {greeting}, not {wanted}")
        self._greeted = True

    def _read(self, line: bytes, kind: type[L]) -> L:
        try:
            return msgspec.json.decode(line, type=kind)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise MissingMove(f"its line is no {kind.__name__.lower()}: {error}") from None

    def _exchange_line(self, said: bytes) -> bytes:
        """Return its next line, after it has heard *said*."""
        with selectors.DefaultSelector() as ready:
            ready.register(self._out, selectors.EVENT_READ)
            if said:
                ready.register(self._in, selectors.EVENT_WRITE)
            while b"\n" not in self._heard:
                left = self._until - time.monotonic()
                if left <= 0:
                    raise MissingMove(f"no answer for {self._seconds * CLOCK_FACTOR} seconds")
                for key, _ in ready.select(left):
                    if key.fd == self._out:
                        self._hear()
                        continue
                    said = self._say(said)
                    if not said:
                        ready.unregister(self._in)
        line, _, rest = self._heard.partition(b"\n")
        if said or rest:
            raise MissingMove("it speaks before it is asked")
        self._heard = b""
        return line

    def _say(self, said: bytes) -> bytes:
        """Write as much as the engine takes now, and return the rest; empty if it no longer listens."""
        try:
            return said[os.write(self._in, said[:_CHUNK]) :]
        except BlockingIOError:
            return said
        except BrokenPipeError:
            return b""  # its end will be heard

    def _hear(self) -> None:
        chunk = os.read(self._out, _CHUNK)
        if not chunk:
            raise MissingMove(self._find_reason())
        self._heard += chunk
        if len(self._heard) > LINE:
            raise MissingMove(f"its line is longer than {LINE} bytes")

    def _find_reason(self) -> str:
        """Kill the engine, and return the reason for its silence."""
        status = self._kill()
        if status == -signal.SIGXCPU:
            return f"it thought for more than {self._seconds} seconds of processor time"
        return f"it ended with status {status}"

    def _kill(self) -> int:
        """End it and whatever it has begun; of one that has ended already the status is still told."""
        if self._process.returncode is None:
            try:
                os.killpg(self._process.pid, signal.SIGKILL)
            except (ProcessLookupError, PermissionError):
                self._process.kill()
        return self._process.wait()


def _make_environment(engine: Engine) -> dict[str, str]:
    """Return an environment with nothing of ours, in which there are addresses and keys."""
    usual = {"PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}
    return {**usual, **engine.entry.environment}


@cache
def is_network_refused() -> bool:
    """Return True if engines have no network on this system."""
    words = [sys.executable, "-IS", str(Path(sandbox.__file__)), sandbox.PROBE]
    return subprocess.run(words, check=False, stderr=subprocess.DEVNULL).returncode == 0
