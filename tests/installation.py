"""What is tried from outside: the checkout; or the wheel, where RUTTER_INSTALLED is a Python that has it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.settings import RUTTER_INSTALLED

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = RUTTER_INSTALLED.read()
PYTHON = INSTALLED or sys.executable


def _place() -> Path:
    """Where the installed package is."""
    asked = [INSTALLED, "-P", "-c", "import rutter; print(rutter.__path__[0])"]
    return Path(subprocess.check_output(asked, text=True).strip())


CODE = _place() if INSTALLED else ROOT
"""The folder of the five packages."""
HOME = CODE.parent if INSTALLED else ROOT
"""From where they are imported."""


def module(name: str) -> str:
    """The name of a module of the checkout."""
    return f"rutter.{name}" if INSTALLED else name


def rutter(*words: str) -> list[str]:
    """The command `rutter`, without what the current folder may hold."""
    return [INSTALLED or sys.executable, "-P", "-m", "rutter" if INSTALLED else "ops", *words]


def paths(*more: str | None) -> dict[str, str]:
    """What of an environment says where modules are, *more* of them included."""
    return {"PYTHONPATH": os.pathsep.join(filter(None, [str(HOME), *more]))}
