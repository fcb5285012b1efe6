"""``python -m tests.vectors.audit.pages`` writes the output of each sample into the pages about auditing."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.vectors import audit

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "service" / "docs" / "pages" / "audit"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_COMMAND = re.compile(r"^\$ (?:.*\\\n)*.*\n", re.MULTILINE)


def _run(folder: Path, command: str) -> str:
    """Return what a command prints in a folder with the samples."""
    environment = {
        **os.environ,
        "KEY": audit.read_key(),
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    run = subprocess.run(
        ["bash", "-c", command.removeprefix("$ ")],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return run.stdout


def main() -> None:
    """Run every sample, and write what it prints today into its page."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        audit.unpack(folder)
        program = folder / "bin" / "rutter"
        program.parent.mkdir()
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m ops "$@"\n')
        program.chmod(0o755)
        for page in sorted(PAGES.glob("*.md")):
            text = page.read_text(encoding="utf-8")

            def renew(block: re.Match[str]) -> str:
                said = "".join(f"{command}{_run(folder, command)}" for command in _COMMAND.findall(block[1]))
                return f"```console\n{said}```"

            page.write_text(_BLOCK.sub(renew, text), encoding="utf-8")


if __name__ == "__main__":
    main()
