"""Programs that use the client library for JavaScript, and what starts them."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from pathlib import Path
from typing import Any

from tests.conftest import ROOT
from tests.tools import need
from tests.waiting import PATIENCE

PACKAGE = ROOT / "service" / "static" / "client"
"""The folder of the package."""
PLAYER = Path(__file__).with_name("player.mjs")
PRELUDE = """\
import { BadReceipt, Client, MemoryStorage, Problem, Refused, Unanswered } from "%(package)s/index.js";
import { FileStorage } from "%(package)s/files.js";
const given = JSON.parse(process.argv[1]);
const caught = async (call) => { try { await call(); return null; } catch (error) {
  return [error.constructor.name, error.code ?? "", error.message]; } };
const say = (value) => process.stdout.write(JSON.stringify(value), () => process.exit(0));
"""


def run(program: str, **given: Any) -> Any:
    """Return what a *program* says with `say`; what is *given* to it, it has by that name."""
    text = PRELUDE % {"package": PACKAGE.as_uri()} + program
    words = [need("node"), "--input-type=module", "-e", text, "--", json.dumps(given)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class JavaScriptPlayer:
    """The player as a process; `said` has its lines so far."""

    def __init__(self, address: str, folder: Path, title: str, seats: Any, **settings: Any) -> None:
        given = json.dumps({"title": title, "seats": seats, **settings})
        self._process = subprocess.Popen(
            [need("node"), str(PLAYER), address, str(folder), given],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said: list[dict[str, Any]] = []
        self._lines: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._errors = ""
        self._threads = [threading.Thread(target=each, daemon=True) for each in (self._read, self._fail)]
        for each in self._threads:
            each.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(json.loads(line))
        finally:
            self._lines.put(None)

    def _fail(self) -> None:
        assert self._process.stderr is not None
        self._errors = self._process.stderr.read()

    def listen(self) -> dict[str, Any] | None:
        """Return its next line; None at its end, which must be a good one."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(f"it says nothing more after {self.said[-2:]}") from None
        if line is None:
            code = self._process.wait(PATIENCE)
            self._threads[1].join()
            assert code == 0, self._errors
        else:
            self.said.append(line)
        return line

    def goes_on(self) -> None:
        """Wait until some more commands have been accepted, from now on."""
        while not self._lines.empty():  # what was said before
            self.listen()
        wanted = len(self.accepted) + 3
        while len(self.accepted) < wanted:
            assert self.listen() is not None, "it has ended"

    def tell(self) -> None:
        """Let it make its next move, or have it end if it waits for none."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def finish(self) -> list[dict[str, Any]]:
        """Wait for its end; return all that it said."""
        while self.listen() is not None:
            pass
        return self.said

    def discard(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        for each in self._threads:
            each.join()
        self._process.communicate(timeout=PATIENCE)

    @property
    def accepted(self) -> list[dict[str, Any]]:
        """The commands that were accepted: their games and events."""
        return [line for line in self.said if "events" in line]
