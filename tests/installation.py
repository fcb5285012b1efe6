"""What is tried from outside: the checkout; or the wheel, where RUTTER_INSTALLED is a Python that has it."""

from __future__ import annotations

import os
import site
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

from tests.settings import RUTTER_INSTALLED

ROOT = Path(__file__).resolve().parents[1]
INSTALLED = RUTTER_INSTALLED.read()
PYTHON = INSTALLED or sys.executable


def _place() -> Path:
    """Where the installed package is."""
    asked = [INSTALLED, "-P", "-c", "import rutter; print(rutter.__path__[0])"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return Path(subprocess.check_output(asked, env=environment, text=True).strip())


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


def link_checkout(folder: Path) -> None:
    """Make *folder* a checkout of links to this one, so that what a test writes there does not stay.

    Its environment is one of its own, with the libraries of this one: scripts and pages run as they stand.
    """
    folder.mkdir(exist_ok=True)
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (folder / entry.name).symlink_to(entry)
    environment = folder / ".venv"
    venv.create(environment, symlinks=True)
    base = {"base": str(environment), "platbase": str(environment)}
    libraries = Path(sysconfig.get_path("purelib", "venv", base)) / "libraries.pth"
    libraries.write_text("\n".join(site.getsitepackages()), encoding="utf-8")
    lock = (ROOT / "requirements-dev.lock").read_bytes()
    stamp = subprocess.run(["cksum"], input=lock, capture_output=True, check=True).stdout
    (environment / "rutter.stamp").write_bytes(stamp)
