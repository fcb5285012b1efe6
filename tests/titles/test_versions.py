"""Rules and data change only with a new version, and kept versions are played like the newest."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WITHOUT = [f"-pno:{plugin}" for plugin in ("cacheprovider", "schemathesis", "faker", "hypothesispytest")]
KEPT = ("tests/titles/test_battery.py", "tests/titles/test_golden.py")


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A folder with a title `landfall`, the example with version 1 kept: in version 2 a hand has 4 sails."""
    above = tmp_path_factory.mktemp("titles")
    run(above, "ops", "title", "new", "landfall", "--into", str(above), titles="")
    folder = above / "landfall"
    run(folder, "ops", "keep", "landfall")
    state = folder / "landfall/state.py"
    state.write_text(re.sub(r"DEALT = 3", "DEALT = 4", state.read_text(encoding="utf-8")), encoding="utf-8")
    run(folder, "ops", "keep", "--record", "landfall")
    run(folder, "tests.titles.golden", "landfall")
    return folder


def run(folder: Path, *words: str, status: int = 0, titles: str = "landfall") -> str:
    """What a Python program says that knows the copy beside the project's titles."""
    paths = os.pathsep.join([str(ROOT), str(folder)])
    environment = {**os.environ, "RUTTER_EXTRA_TITLES": titles, "PYTHONPATH": paths}
    environment.pop("PYTEST_ADDOPTS", None)  # they are meant for anyone who runs this test
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    said = done.stdout[-3000:] + done.stderr
    assert done.returncode == status, said
    return said


@pytest.mark.slow
def test_a_kept_version_passes_the_battery(folder):
    """Golden game with its bots, random games, views, positions: by its own rules; the next has others."""
    said = run(folder, "pytest", "-q", "-n", "0", *WITHOUT, *KEPT, "-k", "landfall_v1")
    assert int(re.findall(r"(\d+) passed", said)[-1]) > 27
    old, new = (folder / "landfall" / where / "landfall.txt" for where in ("kept/v1/golden", "golden"))
    assert old.read_text() != new.read_text()
    assert run(folder, "ops", "keep", "--check", "landfall") == "landfall: 2, 1\n"


@pytest.mark.slow
def test_a_kept_version_stands_alone(folder):
    """It imports nothing of title or kit that may change, only copies of its own, which are read-only."""
    kept = folder / "landfall" / "kept" / "v1"
    sources = sorted(kept.rglob("*.py"))
    assert {"state.py", "bot.py", "kit/words.py", "kit/values.py"} <= {
        path.relative_to(kept).as_posix() for path in sources
    }
    imported = {
        line for path in sources for line in re.findall(r"^from (\S+)", path.read_text(), re.MULTILINE)
    }
    theirs = {
        name
        for name in imported
        if name.startswith(("events.rules.kit", "rutter.events.rules.kit", "landfall"))
    }
    assert theirs
    assert all(name.startswith("landfall.kept.v1.kit") for name in theirs)
    assert all(path.stat().st_mode & 0o222 == 0 for path in sources if path.stat().st_size)


@pytest.mark.slow
def test_it_is_said_what_is_to_be_done(folder):
    """Of changed rules, of an edited kept version, and where the unchanged files are not to be had."""
    state, kept = (folder / "landfall" / where for where in ("state.py", "kept/v1/state.py"))
    before = state.read_text(encoding="utf-8")
    state.write_text(before.replace("DEALT = 4", "DEALT = 5"), encoding="utf-8")
    kept.chmod(0o644)
    kept.write_text(kept.read_text(encoding="utf-8") + "# edited\n", encoding="utf-8")
    said = run(folder, "ops", "keep", "--check", "landfall", status=1)
    assert "`rutter keep landfall`: new games get the next version" in said
    assert "The kept version 1 of landfall was changed, which is never right. Restore" in said
    assert "`rutter keep landfall --from DIR`" in run(folder, "ops", "keep", "landfall", status=1)
    assert not (folder / "landfall" / "kept" / "v2").exists()
    assert "There is no title" in run(folder, "ops", "keep", "chess", status=2)
