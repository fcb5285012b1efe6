"""Each fault of `mutations.toml` is noticed by the tests of its family that `.ci/run` runs."""

import os
import shutil
import subprocess
import sys

import pytest

from tests.campaigns.mutations import ROOT, mutations

LEFT_OUT = (".git", ".venv", ".generators", "__pycache__", ".mypy_cache", ".ruff_cache", ".pytest_cache")


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the program; the folder of generators is the same."""
    folder = tmp_path_factory.mktemp("copy") / "rutter"
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*LEFT_OUT))
    return folder


@pytest.mark.parametrize("mutation", mutations(), ids=lambda mutation: mutation.name)
def test_the_fault_is_noticed(copy, mutation):
    """Exit status 1 of pytest: tests ran, and one of them failed."""
    whole = (copy / mutation.file).read_text()
    mutation.apply(copy)
    try:
        environment = {**os.environ, "PYTHONPATH": str(copy)}
        environment.pop("RUTTER_CAMPAIGN_SEED", None)  # the tests as `.ci/run` runs them
        environment.setdefault("RUTTER_GENERATORS", str(ROOT / ".generators"))
        command = [sys.executable, "-m", "pytest", "-q", "-x", "-m", "not campaign", *mutation.tests]
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)
    finally:
        (copy / mutation.file).write_text(whole)
    assert done.returncode == 1, done.stdout[-3000:]
    assert "failed" in done.stdout.splitlines()[-1], done.stdout[-3000:]
