"""Throw-away Postgres and Redis for tests: real ones, without fsync, one pair for each pytest worker.

```python
@pytest.fixture(scope="session")
def servers(tmp_path_factory):
    with start_test_servers(tmp_path_factory.mktemp("servers")) as servers:
        yield servers
```
"""

import atexit
import fcntl
import functools
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from events.base.settings import DATABASE_URL
from ops.database.privileges import migrate_and_grant
from ops.runtime.data_folder import DataFolder
from ops.runtime.identity import server_identity
from ops.runtime.ports import free_port
from ops.runtime.servers import Servers

_shared: list[Path] = []
"""The folder of a run of several processes, for what is made once for all of them."""


def share(folder: Path) -> None:
    """Look for ready clusters in this *folder*, which is deleted when the run ends; make them there."""
    folder.chmod(0o755)  # servers run as another user
    _shared[:] = [folder]


class ThrowAwayServers(Servers):
    """Servers whose folder goes with them."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        super().__init__(folder, **{"durable": False, **settings})
        self._own_folder = folder

    def discard(self) -> None:
        """Stop the servers and delete what they held."""
        self.stop()
        shutil.rmtree(self._own_folder, ignore_errors=True)

    def __exit__(self, *_: object) -> None:
        self.discard()


def reachable_folder(root: Path) -> Path:
    """`root`, or a folder elsewhere where the user of the servers cannot get there.

    pytest's folders are closed to others; a test run by root has servers that run as `nobody`.
    """
    if server_identity().may_enter(root.parent):
        return root
    return Path(tempfile.mkdtemp(prefix="rutter-test-"))


def start_test_servers(root: Path, **settings: Any) -> ThrowAwayServers:
    """A running Postgres and Redis of this test process, in or near the folder `root`.

    `DATABASE_URL` and `REDIS_URL` are obeyed as everywhere: with them set, the tests use those servers.
    """
    folder = reachable_folder(root / f"servers-{os.getpid()}")
    if not DATABASE_URL.read(settings.get("environment")):
        with_cluster(folder)
    return ThrowAwayServers(folder, **settings).start()


def with_cluster(data: Path, *, migrated: bool = False) -> Path:
    """Give the folder *data* a Postgres cluster, copied from one made once a run; return the folder.

    Initialising one takes as long as everything else that most tests do. Port and passwords are noted as
    `Servers` does it; with *migrated* the schema is there as well.
    """
    made = _cluster(migrated)
    folder = DataFolder(data)
    folder.prepare(server_identity())
    shutil.copytree(made / "postgres", data / "postgres", copy_function=_copy)
    for place in (data / "postgres", *(data / "postgres").rglob("*")):
        server_identity().own(place)
    known = DataFolder(made).read("servers.json")["postgres"]
    folder.write("servers.json", {"postgres": {**known, "port": free_port()}})
    return data


def _copy(source: str, target: str) -> str:
    shutil.copyfile(source, target)
    shutil.copymode(source, target)
    return target


@functools.cache
def _cluster(migrated: bool) -> Path:
    """Return a folder with a cluster that nothing runs on."""
    if not _shared:
        folder = Path(tempfile.mkdtemp(prefix="rutter-clusters-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        share(folder)
    data = _shared[0] / ("migrated" if migrated else "empty")
    made = data.with_suffix(".made")
    with data.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process may be making it
        if not made.exists():
            _make_cluster(data, migrated)
            made.touch()
    return data


def _make_cluster(data: Path, migrated: bool) -> None:
    if migrated:
        with_cluster(data)
    with Servers(data, durable=False, environment={}) as servers:
        if migrated:
            migrate_and_grant(servers.addresses)


def ready_data(data: Path) -> Path:
    """Return a data folder that is ready to start: at *data*, or where the servers' user can get to."""
    return with_cluster(reachable_folder(data), migrated=True)
