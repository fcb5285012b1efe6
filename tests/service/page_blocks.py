"""Runs the blocks of a page of the documentation, in order, as a reader would.

All shell blocks of a page share one shell, all Python blocks one interpreter; a JavaScript block is a program
of its own. A block with a title, as in ```` ```python title="receiver.py" ````, is a file that the reader
saves: later blocks run it. Other languages (`text`, `console`, `json`, `html`, ...) are shown and not run.
"""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Self

import msgspec

from tests.installation import ROOT
from tests.waiting import PATIENCE

ADDRESS = "http://127.0.0.1:8000"
"""The address of the server in all pages."""
PAGES = ROOT / "service" / "docs" / "pages"
DOORS = ("play", "build", "organise", "audit", "analyse")
"""The folders of the pages whose blocks run."""
LANGUAGES = {"sh": "shell", "python": "python", "js": "javascript"}
_BLOCK = re.compile(r'^```([a-z]*)(?: title="([^"\n]+)")?\n(.*?)^```$', re.DOTALL | re.MULTILINE)
_PROBLEM = re.compile(r'"status": ?[45]\d\d')
_CODE = re.compile(r'"code": ?"([a-z_]+)"')
_PIP = """\
#!/bin/sh
# In place of an installation: what a page installs is there already, or its blocks cannot run.
exec python3 -c 'import importlib.metadata as m, sys
for name in sys.argv[2:]: m.version(name.partition("[")[0])' "$@"
"""
_INTERPRETER = """\
import os, sys, traceback
done, names = int(sys.argv.pop(1)), {"__name__": "__main__"}
sys.path[0] = os.getcwd()
for line in sys.stdin:
    try:
        path = line.rstrip("\\n")
        exec(compile(open(path, encoding="utf-8").read(), path, "exec"), names)
        said = b"done\\n"
    except BaseException:
        traceback.print_exc()
        said = b"failed\\n"
    sys.stdout.flush()
    os.write(done, said)
"""


class Block(msgspec.Struct, frozen=True):
    """A block of a page."""

    language: str
    title: str | None
    """The name of the file that it is, if it is one."""
    text: str


class BlockFailed(AssertionError):
    """A block that does not do what its page says; the message has the block and its output."""


def find_pages() -> list[str]:
    """Return the names of all pages with blocks that run, as `build/quickstart`."""
    found = [path for door in DOORS for path in sorted((PAGES / door).glob("*.md"))]
    runs = [path for path in found if any(block.language in LANGUAGES for block in read_blocks(path))]
    return [path.relative_to(PAGES).with_suffix("").as_posix() for path in runs]


def read_blocks(path: Path) -> list[Block]:
    """Return the blocks of a page, in order."""
    return [Block(*found) for found in _BLOCK.findall(path.read_text(encoding="utf-8"))]


def run_page(name: str, address: str, folder: Path) -> list[str]:
    """Run all blocks of a page against the server at *address*; return the output of each that ran.

    *folder* is empty; it becomes a checkout of links, so that what a block writes does not stay. Raises
    :class:`BlockFailed` for a block that fails, or that is refused with a code which its page does not name.
    """
    page = PAGES / f"{name}.md"
    told = page.read_text(encoding="utf-8")
    said = []
    with _Reader(folder, address) as reader:
        for number, block in enumerate(read_blocks(page)):
            if block.title:
                (folder / block.title).write_text(block.text.replace(ADDRESS, address), encoding="utf-8")
            elif block.language in LANGUAGES:
                said.append(reader.run(number, block))
                refused = _PROBLEM.search(said[-1]) and _CODE.search(said[-1])
                if refused and f"`{refused[1]}`" not in told:
                    raise BlockFailed(f"{name}: an unexpected refusal\n{block.text}\n{said[-1]}")
    return said


class _Reader:
    """Somebody who follows a page: a folder, a shell, an interpreter of Python, and node."""

    def __init__(self, folder: Path, address: str) -> None:
        self._folder, self._address = folder, address
        self._programs: dict[str, _Program] = {}
        for entry in ROOT.iterdir():
            if not entry.name.startswith("."):
                (folder / entry.name).symlink_to(entry)
        (folder / ".venv").symlink_to(sys.prefix)  # the environment of the checkout that the page speaks of
        tools = folder / ".tools"
        tools.mkdir()
        (tools / "pip").write_text(_PIP)
        (tools / "pip").chmod(0o755)
        (tools / "interpreter.py").write_text(_INTERPRETER)
        path = os.pathsep.join([str(tools), str(Path(sys.executable).parent), os.environ["PATH"]])
        self._environment = {
            **os.environ,
            "PATH": path,
            "HOME": str(folder),
            "NO_PROXY": "*",
            "PYTHONUNBUFFERED": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
            "RUTTER_VENV": sys.prefix,
        }

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        for program in self._programs.values():
            program.end()

    def run(self, number: int, block: Block) -> str:
        """Run a block; return what it prints."""
        kind = LANGUAGES[block.language]
        path = self._folder / ".tools" / f"{number}.{'mjs' if kind == 'javascript' else block.language}"
        path.write_text(block.text.replace(ADDRESS, self._address), encoding="utf-8")
        if kind == "javascript":
            with self._start(["node", str(path)], "") as program:
                program.wait_for_exit(block)
                return program.read_output()
        if kind not in self._programs:
            self._programs[kind] = self._start(*_COMMANDS[kind])
        program = self._programs[kind]
        program.say(f". {path} </dev/null; echo done >&$DONE\n" if kind == "shell" else f"{path}\n")
        program.wait_for_block(block)
        return program.read_output()

    def _start(self, words: Sequence[str], first: str) -> _Program:
        tools = self._folder / ".tools"
        return _Program([word.format(tools=tools) for word in words], first, self._folder, self._environment)


_COMMANDS = {
    "shell": (["bash", "-e"], "trap 'echo failed >&$DONE' EXIT\n"),
    "python": (["python3", "{tools}/interpreter.py", "$DONE"], ""),
}
"""By kind the words of its program, and what that is told first."""


class _Program:
    """A program that runs blocks and says on a pipe of its own when it has done so."""

    def __init__(self, words: Sequence[str], first: str, folder: Path, environment: dict[str, str]) -> None:
        self._done, told = os.pipe()
        self._log = folder / ".tools" / f"{Path(words[0]).name}.log"
        self._read = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [word.replace("$DONE", str(told)) for word in words],
                cwd=folder,
                env={**environment, "DONE": str(told)},
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=[told],
                start_new_session=True,  # so that what it leaves in the background ends with it
            )
        os.close(told)
        if first:
            self.say(first)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.end()

    def say(self, line: str) -> None:
        """Write a line for the program."""
        assert self._process.stdin is not None
        self._process.stdin.write(line.encode())
        self._process.stdin.flush()

    def wait_for_block(self, block: Block) -> None:
        """Wait until the program has run *block*. Raises :class:`BlockFailed`."""
        ready, _, _ = select.select([self._done], [], [], PATIENCE)
        said = os.read(self._done, 100) if ready else b"nothing"
        if said != b"done\n":
            raise BlockFailed(f"{said.decode().strip() or 'died'}:\n{block.text}\n{self.read_output()}")

    def wait_for_exit(self, block: Block) -> None:
        """Wait until the program has ended by itself, and well. Raises :class:`BlockFailed`."""
        if self._process.wait(PATIENCE) != 0:
            raise BlockFailed(f"failed:\n{block.text}\n{self.read_output()}")

    def read_output(self) -> str:
        """Return what the program has printed since this was asked last."""
        text = self._log.read_bytes()
        new, self._read = text[self._read :], len(text)
        return new.decode(errors="replace")

    def end(self) -> None:
        """End the program, and what it has left in the background."""
        os.close(self._done)
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(PATIENCE)
