"""Whom the processes of `rutter up` run as, when root starts it."""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from ops.runtime.identity import server_identity, service_identity
from tests.acceptance.table import Table
from tests.acceptance.up import RutterUp
from tests.conftest import ROOT
from tests.servers import reachable_folder

pytestmark = [pytest.mark.integration, pytest.mark.slow]


@contextlib.contextmanager
def python_for_all() -> Iterator[str]:
    """This interpreter, at a place where every user gets to it."""
    program = Path(sys.executable).resolve()
    if service_identity().may_enter(program.parent):
        yield sys.executable
        return
    with tempfile.TemporaryDirectory(prefix="rutter-python-") as folder:
        place = Path(folder) / "python"
        place.mkdir()
        Path(folder).chmod(0o755)
        done = subprocess.run(["mount", "--bind", sys.base_prefix, place], capture_output=True, check=False)
        if done.returncode:
            pytest.skip("this Python lies where only root may go, and nothing can be mounted here")
        try:
            yield str(place / program.relative_to(Path(sys.base_prefix).resolve()))
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)


@pytest.fixture
def rutter(tmp_path, monkeypatch) -> Iterator[RutterUp]:
    if os.geteuid() != 0 or service_identity().uid is None:
        pytest.skip("only root can start programs as somebody else")
    packages = sysconfig.get_path("purelib")
    if not service_identity().may_enter(ROOT) or not service_identity().may_enter(Path(packages)):
        pytest.skip("the checkout or its packages lie where only root may go")
    with python_for_all() as program:
        monkeypatch.setattr(sys, "executable", program)
        # A shared libpython is looked for where this one was built, where only root may go.
        monkeypatch.setenv("LD_LIBRARY_PATH", str(Path(program).parents[1] / "lib"))
        running = RutterUp(reachable_folder(tmp_path / "data"), more_path=packages)
        yield running
        running.discard()


def test_nothing_but_the_supervisor_runs_as_root(rutter):
    """Servers as one user, API and workers as another: neither reads what belongs to the other."""
    rutter.data.mkdir(mode=0o700, exist_ok=True)
    key = rutter.data / "signing.key"
    key.write_text("ab" * 32)
    key.chmod(0o600)  # root's, as an operator who restores a backup puts it there
    rutter.start()
    table = Table(rutter.address)
    assert table.plays()
    processes, servants = service_identity().uid, server_identity().uid
    assert 0 not in (processes, servants)
    assert processes != servants
    wanted = {"postgres": servants, "redis": servants, "api": processes}
    wanted |= {f"worker-{duty}": processes for duty in ("dispatcher", "ai", "think", "house", "deliver")}
    for name, user in wanted.items():
        leader = psutil.Process(rutter.pid(name))
        for process in [leader, *leader.children(recursive=True)]:
            assert set(process.uids()) == {user}, name
    status = key.stat()
    assert (status.st_uid, stat.S_IMODE(status.st_mode)) == (processes, 0o600)
    for name in ("servers.json", "roll.json", "run.json"):
        status = (rutter.data / name).stat()
        assert (status.st_uid, stat.S_IMODE(status.st_mode)) == (0, 0o600)
    assert rutter.data.stat().st_mode & stat.S_ISVTX, "nobody removes what another has put there"
    assert rutter.stop() == 0
