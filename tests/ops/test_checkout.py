"""In a checkout `rutter.events` is `events`: the same modules, whichever name comes first, in any folder."""

from __future__ import annotations

import importlib
import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import rutter
from tests.conftest import ROOT
from tests.installation import link_checkout

PATHS = os.pathsep.join([str(ROOT), str(ROOT / "ops/base/checkout")])
"""What `ops/environment.sh` has in PYTHONPATH."""
MODULES = (
    "events",
    "events.rules.fact",
    "events.titles.colonies",
    "ops.base.errors",
    "projections.base",
    "service.base",
    "tests.titles.table",
    "workers.bots",
)


@pytest.mark.parametrize("name", MODULES)
def test_both_names_lead_to_one_module(name):
    """By import, as an attribute of the package, and as what an import of a member finds."""
    other = importlib.import_module(f"rutter.{name}")
    assert other is importlib.import_module(name)
    assert other.__name__ == other.__spec__.name == name
    found = rutter
    for part in name.split("."):
        found = getattr(found, part)
    assert found is other


def test_the_client_has_a_name_of_its_own():
    """In the wheel it lies where this name says; here it is part of the service."""
    for name in ("", ".core", ".receipts"):
        other = importlib.import_module(f"rutter.client{name}")
        assert other is importlib.import_module(f"service.client{name}")


def test_classes_are_the_same():
    """What a title makes of `rutter.events` is what the platform asks for, pickled too."""
    from events.rules import steps
    from rutter.events.rules.steps import Command, Rejected

    assert (Command, Rejected) == (steps.Command, steps.Rejected)
    with pytest.raises(steps.Rejected):
        raise Rejected("code", "Told.")
    assert pickle.loads(pickle.dumps(Command)) is steps.Command  # noqa: S301 - ours


def test_what_is_not_there_is_not_found():
    """Neither below a package of ours nor beside; other people's packages are not lent our name."""
    for name in ("rutter.events.nothing", "rutter.msgspec", "rutter.nothing"):
        with pytest.raises(ModuleNotFoundError, match=name):
            importlib.import_module(name)


def run(folder: Path, *words: str, **settings: str) -> str:
    """What a program says that is started in *folder*."""
    strange = ("PYTHONPATH", "RUTTER_VENV")
    environment = {name: value for name, value in os.environ.items() if name not in strange}
    done = subprocess.run(
        words, cwd=folder, env={**environment, **settings}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_either_name_may_come_first(tmp_path):
    """A module that names itself by its long name while it is loaded, too."""
    program = "import rutter.events.rules.title as long, events.rules.title as short; print(long is short)"
    assert run(tmp_path, sys.executable, "-c", program, PYTHONPATH=PATHS) == "True\n"


def test_modules_are_run_by_their_long_name(tmp_path):
    """As `python -m` runs those of the wheel."""
    for name in ("rutter", "rutter.ops"):
        said = run(tmp_path, sys.executable, "-P", "-m", name, "--version", PYTHONPATH=PATHS)
        assert said == "rutter, version 0.1.0\n"


def test_a_package_of_others_is_not_taken_for_ours(tmp_path):
    """Where it comes first on the path it is named."""
    (tmp_path / "events").mkdir()
    (tmp_path / "events/__init__.py").touch()
    program = "try:\n    import rutter.events\nexcept ImportError as problem:\n    print(problem)"
    paths = os.pathsep.join([str(tmp_path), PATHS])
    assert "not Rutter's own" in run(tmp_path, sys.executable, "-P", "-c", program, PYTHONPATH=paths)


def test_the_environments_own_python_knows_the_checkout(tmp_path):
    """Once a script of `ops` has looked after the environment: from any folder, with no variable set."""
    checkout = tmp_path / "checkout"
    link_checkout(checkout)
    assert "version" in run(tmp_path, str(checkout / "ops/rutter"), "--version")
    program = "import rutter.events, events; print(rutter.events is events, rutter.__file__)"
    said = run(tmp_path, str(checkout / ".venv/bin/python"), "-P", "-c", program)
    assert said == f"True {checkout / 'ops/base/checkout/rutter.py'}\n"


def test_where_events_is_known_rutter_is_too(tmp_path):
    """With nothing but the checkout in PYTHONPATH, as a title is found in any process."""
    program = "import events.rules.title as short, rutter.events.rules.title as long; print(long is short)"
    assert run(tmp_path, sys.executable, "-c", program, PYTHONPATH=str(ROOT)) == "True\n"
