"""Programs that some tests need and that pip does not install.

Without one of them its tests are skipped, and the reason is counted at the end. Where
`RUTTER_TEST_TOOLS=required` is set, as `.ci/run` does, its absence is an error.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from tests.settings import RUTTER_GENERATORS, RUTTER_TEST_TOOLS

ROOT = Path(__file__).resolve().parent.parent
GENERATORS = RUTTER_GENERATORS.read() or ROOT / ".generators"
"""What `tests/clients/install` fills."""
PROGRAMS = {
    "chromium": ("chromium-headless-shell", "chromium", "google-chrome"),
    "firefox": ("firefox-esr", "firefox"),
    "node": ("node",),
    "pgbouncer": ("pgbouncer",),
    "kubectl": ("kubectl",),
    "curl": ("curl",),
    "java": ("java",),
}
"""The names under which each is looked for."""
OPTIONAL = {"java", "kubectl"}
"""What is dear for what it proves, or comes in no version that serves: never required."""
HOW = {
    "chromium": "apt-get install chromium",
    "firefox": "apt-get install firefox-esr",
    "node": "apt-get install nodejs npm",
    "pgbouncer": "apt-get install pgbouncer",
    "kubectl": "install kubectl",
    "curl": "apt-get install curl",
    "java": "apt-get install default-jre-headless",
}


def program(name: str) -> str | None:
    """Return the path of a program, or None; an environment variable of its name in capitals comes first."""
    named = [os.environ.get(name.upper(), ""), *PROGRAMS[name]]
    places = [f"{folder}/{each}" for each in PROGRAMS[name] for folder in ("/usr/sbin", "/usr/local/sbin")]
    return next((path for each in [*named, *places] if each and (path := shutil.which(each))), None)


def need(name: str) -> str:
    """Return the path of a program; without it, skip the test that asks, or fail it where it is required."""
    if found := program(name):
        return found
    if name in OPTIONAL:
        pytest.skip(f"{name} is not installed: {HOW[name]}")
    return lack(name, HOW[name])


def need_generated(part: str) -> Path:
    """Return a path below the folder of generators; without it skip or fail, as :func:`need` does."""
    path = GENERATORS / part
    return path if path.exists() else Path(lack(part, "tests/clients/install"))


def lack(what: str, how: str) -> str:
    """Skip the test that runs, for lack of something; fail it where tools are required."""
    told = f"{what} is not installed: {how}"
    if RUTTER_TEST_TOOLS.read() == "required":
        pytest.fail(told, pytrace=False)
    pytest.skip(told)
