"""The samples of the pages about auditing: each prints today what its page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.vectors import audit

ROOT = Path(__file__).resolve().parents[3]
PAGES = ROOT / "service" / "docs" / "pages"
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def read_samples(page: Path) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the commands of each sample on a page, with what they print."""
    for block in _BLOCK.findall(page.read_text(encoding="utf-8")):
        lines = block.replace("\\\n", "").splitlines()
        commands = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        yield commands, [line for line in lines if not line.startswith("$ ")]


SAMPLES = {page.stem: [*read_samples(page)] for page in sorted((PAGES / "audit").glob("*.md"))}
"""The samples of each page that has any."""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with all sample files, and a program `rutter` beside them."""
    made = tmp_path_factory.mktemp("audit")
    audit.unpack(made)
    program = made / "bin" / "rutter"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -P -m ops "$@"\n')
    program.chmod(0o755)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page, samples in SAMPLES.items() if samples])
def test_samples_print_what_their_page_shows(folder: Path, page: str) -> None:
    """Commands, output and exit status, to the letter; a sample may need what those before it wrote."""
    key = audit.read_key()
    environment = {
        **os.environ,
        "KEY": key,
        "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    for commands, printed in SAMPLES[page]:
        run = subprocess.run(
            ["bash", "-c", "\n".join(commands)],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert run.stdout.splitlines() == printed


def test_packed_samples_are_unpacked_first() -> None:
    """The page that names their folder says how, and its samples name files that come out."""
    told = (PAGES / "audit" / "report.md").read_text(encoding="utf-8")
    packed = {path.name for path in audit.HERE.glob("*.gz")}
    assert packed
    assert "`gunzip -k *.gz`" in told.partition("`tests/vectors/audit`")[2].partition("```")[0]
    first = told.partition("```console\n")[2].partition("\n")[0]
    files = re.findall(r"[\w.]+\.(?:ndjson|txt)", first)
    assert files
    assert set(files) <= set(audit.FILES)


def test_every_exit_status_is_explained() -> None:
    """The page about the report has a row for each exit status and each verdict."""
    told = (PAGES / "audit" / "report.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:`([A-Z ]+)`|none) \| (\d) \|", told, re.MULTILINE)
    assert {verdict for verdict, _ in rows} >= {"OK", "ABANDONED", "BAD", "INCOMPLETE", "CANNOT CHECK"}
    assert {int(status) for _, status in rows} == {0, 1, 2, 3, 4}
