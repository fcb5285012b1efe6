"""A second browser, Firefox: driven by a program of its own (firefox.mjs) that takes orders line by line."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

from tests import waiting
from tests.tools import need, need_generated

PATIENCE = waiting.PATIENCE + 30
"""Seconds within which it begins, answers an order (what it waits for by itself ends sooner), and ends."""


class FirefoxError(AssertionError):
    """It could not do what it was told to, or does not answer at all; says what and what the page shows."""


class Firefox:
    """One running Firefox with one page; every order ends within a bound, if need be with the browser."""

    def __init__(self, profile: Path) -> None:
        """Starts it; without its parts the test is skipped. Raises FirefoxError where it does not come up."""
        driver = need_generated("web/node_modules/puppeteer-core").parent.parent
        script = str(Path(__file__).with_suffix(".mjs"))
        patience = str(int(waiting.PATIENCE * 1000))
        program = [need("node"), script, str(driver), need("firefox"), str(profile), patience]
        self._running = subprocess.Popen(
            program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        self._told: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()
        self._pid: int | None = None
        self._pid = self._answer("start", PATIENCE)["pid"]

    @property
    def alive(self) -> bool:
        """Whether it still takes orders."""
        return self._running.poll() is None

    def open(self, width: int = 1366, height: int = 768, **kept: str) -> None:
        """Another page; its localStorage has *kept* (a dot is written as two underscores) only."""
        self._do("open", width=width, height=height, kept={k.replace("__", "."): v for k, v in kept.items()})

    def goto(self, url: str) -> None:
        self._do("goto", url=url)

    def resize(self, width: int, height: int) -> None:
        self._do("resize", width=width, height=height)

    def evaluate(self, code: str, arg: Any = None) -> Any:
        """What the JavaScript function *code* answers in the page."""
        return self._do("evaluate", code=code, arg=arg)

    def wait(self, code: str, arg: Any = None) -> Any:
        """The same, as soon as the answer is something."""
        return self._do("wait", code=code, arg=arg)

    def rendered(self) -> None:
        """Wait until what the page has to draw again is drawn."""
        frame = "(done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))"
        self.evaluate(f"() => new Promise({frame})")

    def see(self, selector: str) -> None:
        """Wait until something of this kind is drawn."""
        self.wait("(wanted) => document.querySelector(wanted)?.getClientRects().length", selector)

    def gone(self, selector: str) -> None:
        """Wait until nothing of this kind is there."""
        self.wait("(wanted) => !document.querySelector(wanted)", selector)

    def count(self, selector: str) -> int:
        return int(self.evaluate("(wanted) => document.querySelectorAll(wanted).length", selector))

    def text(self, selector: str) -> str:
        """What the first of this kind says, as soon as there is one."""
        self.see(selector)
        return str(self.evaluate("(wanted) => document.querySelector(wanted).innerText", selector))

    def click(self, selector: str, nth: int = 0) -> None:
        """With the mouse, where it hits this element and no other."""
        self._do("click", selector=selector, nth=nth)

    def hover(self, selector: str, nth: int = 0) -> None:
        self._do("hover", selector=selector, nth=nth)

    def press(self, key: str) -> None:
        """One key, or several held at once: `Shift+ArrowLeft`."""
        self._do("press", key=key)

    def picture(self, path: Path) -> None:
        self._do("picture", path=str(path))

    def errors(self) -> list[str]:
        """Errors of scripts and of the console since the page was opened."""
        found: list[str] = self._do("errors")
        return found

    def close(self) -> None:
        """End it; what does not end by itself in time is ended by force."""
        assert self._running.stdin is not None
        with contextlib.suppress(OSError):
            self._running.stdin.close()
        try:
            self._running.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._kill()

    def _do(self, name: str, **more: Any) -> Any:
        assert self._running.stdin is not None
        try:
            self._running.stdin.write(json.dumps({"do": name, **more}) + "\n")
            self._running.stdin.flush()
        except OSError as error:
            raise FirefoxError(f"Firefox has ended before {name} {more}") from error
        return self._answer(f"{name} {more}", PATIENCE)

    def _answer(self, order: str, seconds: float) -> Any:
        try:
            line = self._told.get(timeout=seconds)
        except queue.Empty:
            self._kill()
            raise FirefoxError(f"Firefox did not answer within {seconds:.0f} seconds: {order}") from None
        if line is None:
            raise FirefoxError(f"Firefox has ended instead of answering: {order}")
        answer = json.loads(line)
        if "problem" in answer:
            raise FirefoxError(answer["problem"])
        return answer["told"]

    def _listen(self) -> None:
        assert self._running.stdout is not None
        with self._running.stdout as lines:
            for line in lines:
                self._told.put(line)
        self._told.put(None)

    def _kill(self) -> None:
        """Both the program and the browser: each leads a group of processes of its own."""
        for pid in (self._pid, self._running.pid):
            with contextlib.suppress(ProcessLookupError):
                if pid:
                    os.killpg(pid, signal.SIGKILL)
        self._running.wait()
