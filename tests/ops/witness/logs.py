"""A log of games over HTTP as an operator would run it, honest or not, and the witness as a program."""

from __future__ import annotations

import contextlib
import http.client
import io
import os
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Self

import structlog

from events.tlog import leaves, tree
from events.tlog.checkpoints import Checkpoint
from events.tlog.leaves import pack
from events.tlog.notes import SigningKey, Verifier, open_note
from events.tlog.text import b64
from ops import cli
from ops.witness import keys
from ops.witness.core import Witness
from ops.witness.folder import open_folder
from ops.witness.server import make_application, make_server
from tests.http_server import QuietHandler, QuietServer, start
from tests.waiting import PATIENCE

ROOT = Path(__file__).resolve().parents[3]
ORIGIN = "rutter.example/log"
KEY = SigningKey(ORIGIN, bytes(range(32)))


def history(games: int, moves: int, mark: bytes = b"") -> list[bytes]:
    """The entries of so many games with so many moves each, in turn."""
    found: dict[str, bytes] = {}
    entries = []
    for move in range(moves):
        for game in range(games):
            name = f"{game:032x}"
            head = tree.leaf_hash(mark + f"{game} {move}".encode())
            found[name] = leaves.make_entry(name, move + 1, head, found.get(name))
            entries.append(found[name])
    return entries


class Log:
    """A tree of entries under a key.

    Args:
        entries: what stands in it.
        key: signs its checkpoints.
    """

    def __init__(self, entries: list[bytes] | tuple[bytes, ...] = (), key: SigningKey = KEY) -> None:
        self.key = key
        self.entries = list(entries)
        self.tree = tree.MemoryTree([tree.leaf_hash(one) for one in entries])

    def extend(self, entries: list[bytes]) -> None:
        for one in entries:
            self.entries.append(one)
            self.tree.add(tree.leaf_hash(one))

    def checkpoint(self, size: int | None = None) -> str:
        """The signed note of that size (default: of all entries)."""
        size = len(self.tree) if size is None else size
        return self.key.sign(Checkpoint(self.key.name, size, self.tree.root(size)).text())

    def request(self, old: int, size: int | None = None) -> bytes:
        """What this log pushes to a witness that has cosigned size *old*."""
        size = len(self.tree) if size is None else size
        proof = tree.consistency_proof(self.tree.read, old, size) if old <= size else []
        return push(old, proof, self.checkpoint(size))


def push(old: object, proof: list[bytes], note: str) -> bytes:
    """The body of a request `add-checkpoint`."""
    return (f"old {old}\n" + "".join(f"{b64(one)}\n" for one in proof) + f"\n{note}").encode()


class LogServer:
    """A :class:`Log` at an address. What it shows may be exchanged at any time."""

    def __init__(self, log: Log, witnesses: tuple[Verifier, ...] = ()) -> None:
        self.log = log
        self.witnesses = witnesses
        self.delivered: list[str] = []
        self.asked: list[str] = []
        self.broken = 0
        """So many answers are 503 from now on."""
        self.full_tiles_only = False
        outer = self

        class Handler(QuietHandler):
            def do_GET(self):
                outer.asked.append(self.path)
                self._answer(*outer.get(self.path))

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                self._answer(*outer.post(self.path, body.decode()))

            def _answer(self, status, body):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self._server = QuietServer(Handler)
        start(self._server)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/log"

    def get(self, path: str) -> tuple[int, bytes]:
        if self.broken:
            self.broken -= 1
            return 503, b"later"
        if path == "/log/checkpoint":
            return 200, self.log.checkpoint().encode()
        try:
            level, n, width = tree.parse_path(path.removeprefix("/log/"))
        except ValueError:
            return 404, b""
        if self.full_tiles_only and width < tree.WIDTH and (n + 1) * tree.WIDTH <= len(self.log.tree):
            return 404, b"only full"
        first = n * tree.WIDTH
        if level == "entries":
            return 200, pack(self.log.entries[first : first + width])
        hashes = [self.log.tree.read(8 * int(level), i) for i in range(first, first + width)]
        return 200, b"".join(hashes)

    def post(self, path: str, note: str) -> tuple[int, bytes]:
        if path != "/log/cosignature":
            return 404, b""
        open_note(note, self.witnesses)
        self.delivered.append(note)
        return 200, b""

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def rutter(*words: object) -> subprocess.CompletedProcess[str]:
    """`rutter witness ...` in this process, until it ends."""
    given = ["rutter", "witness", *map(str, words)]
    out, err = io.StringIO(), io.StringIO()
    kept = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    before, sys.argv = sys.argv, given
    logs = structlog.get_config() if structlog.is_configured() else None
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            cli.main()
        status = 0
    except SystemExit as ended:
        status = int(ended.code or 0)
    finally:
        sys.argv = before
        structlog.reset_defaults()
        if logs:
            structlog.configure(**logs)
        for number, handler in kept.items():
            signal.signal(number, handler)
    return subprocess.CompletedProcess(given, status, out.getvalue(), err.getvalue())


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1", "NO_PROXY": "127.0.0.1"}


def make_witness(state: Path, name: str = "organiser.example/w1") -> Verifier:
    """A new witness; its cosigner."""
    made = rutter("init", "--name", name, "--state", state)
    assert made.returncode == 0, made.stderr
    return Verifier.read(made.stdout.splitlines()[0])


class Program:
    """`rutter witness ...` that runs on.

    Args:
        words: of the command line.
        before: Python that runs in the process before the command.
    """

    def __init__(self, *words: object, before: str = "") -> None:
        line = f"import sys\n{before}\nsys.argv[0] = 'rutter'\nfrom ops.cli import main\nmain()"
        start = ["-c", line] if before else ["-m", "ops"]
        self.process = subprocess.Popen(
            [sys.executable, "-P", *start, "witness", *map(str, words)],
            cwd=ROOT,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def line(self) -> str:
        """The next line that it prints; "" at its end."""
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def end(self) -> int:
        """Ask it to end; its exit code."""
        self.process.terminate()
        self.process.communicate(timeout=PATIENCE)
        return self.process.returncode

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)


class Asked:
    """A witness at an address."""

    address: str

    def post(self, body: bytes, path: str = "/add-checkpoint") -> tuple[int, str, str]:
        """Status, text and content type of the answer."""
        return self._ask(urllib.request.Request(self.address + path, data=body, method="POST"))  # noqa: S310 - our own

    def get(self, path: str) -> tuple[int, str, str]:
        return self._ask(urllib.request.Request(self.address + path))  # noqa: S310 - our own

    def _ask(self, request: urllib.request.Request) -> tuple[int, str, str]:
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode(), answer.headers["Content-Type"]
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode(), error.headers["Content-Type"]


class Within(Asked):
    """What `rutter witness serve` serves, by a thread of this process, with the time that a test sets."""

    def __init__(self, state: Path, *logs: str, now: Callable[[], float]) -> None:
        made, folder = keys.load_keys(state), open_folder(state)
        folder.bind("serve")
        pinned = [Verifier.read(log) for log in logs]
        witness = Witness(folder, made.cosigner, pinned, now)
        app = make_application(witness, folder, {log.name for log in pinned}, made.drop, now)
        self._server = make_server(app, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{self._server.port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()


class Serving(Program, Asked):
    """`rutter witness serve` and its address."""

    def __init__(self, state: Path, *logs: str, before: str = "") -> None:
        words = [word for log in logs for word in ("--log", log)]
        super().__init__("serve", "--port", 0, "--state", state, *words, before=before)
        while " serves on http://" not in (said := self.line()):
            assert said, f"ended with {self.process.wait(PATIENCE)}"
        self.address = said.split()[-1]


GONE = (OSError, http.client.HTTPException)
"""What a request to a killed witness ends in."""
