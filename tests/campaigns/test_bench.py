"""The whole benchmark, in an empty database and in a filled one."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.ops.test_bench import check_rows

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("filled", [False, True])
def test_its_rows_have_their_names_for_ever(filled):
    """All of them, each as one JSON object a line; full and empty side by side where it is filled."""
    words = ["-m", "ops", "bench", "--quick", "--json", *(["--filled", "3000"] if filled else [])]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    check_rows([json.loads(line) for line in done.stdout.splitlines()], beside=filled)
