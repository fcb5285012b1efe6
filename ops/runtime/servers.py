"""The embedded Postgres and Redis of one data folder, watched over.

```python
with Servers(Path("/var/lib/rutter")) as servers:
    use(servers.database_url, servers.redis_url)
    servers.watch()  # now and then: starts again what has died, same address, same data
```

Where `DATABASE_URL` or `REDIS_URL` is set in the environment, that server is another's; none is started.
`RUTTER_MIGRATE_URL` is then the same database by the login that owns its tables.
"""

import contextlib
import os
import secrets
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, ClassVar, Protocol, Self

import structlog
from psycopg import Connection

from events.base.backoff import Backoff
from events.base.settings import DATABASE_URL, REDIS_URL, RUTTER_MIGRATE_URL, Setting
from events.store.connection import connect, make_pool
from events.store.event_log import Pool
from ops.base.addresses import ServerAddresses
from ops.base.errors import OLD_GAMES, OpsError
from ops.runtime.data_folder import DataFolder
from ops.runtime.embedded_postgres import EmbeddedPostgres
from ops.runtime.embedded_redis import EmbeddedRedis
from ops.runtime.identity import server_identity
from ops.runtime.ports import free_port, is_free
from ops.runtime.processes import PidFile

log = structlog.get_logger()

FIRST_PAUSE = 0.5  # seconds before a server that failed to come back is tried again
LONGEST_PAUSE = 10.0


class EmbeddedServer(Protocol):
    """The part of an embedded server that the supervisor needs to know."""

    name: str
    PASSWORDS: ClassVar[tuple[str, ...]]

    @property
    def url(self) -> str: ...  # noqa: D102 - see the classes

    @property
    def pid(self) -> int | None: ...  # noqa: D102

    def start(self) -> None: ...  # noqa: D102

    def stop(self) -> None: ...  # noqa: D102


class Servers:
    """Postgres and Redis for one data folder; starting them claims the folder.

    Args:
        data: the folder; made if it is not there.
        durable: False makes them fast and forgetful, for tests.
        environment: where `DATABASE_URL`, `RUTTER_MIGRATE_URL` and `REDIS_URL` are looked up; by default that
            of this process.
    """

    def __init__(
        self, data: Path, *, durable: bool = True, environment: Mapping[str, str] | None = None
    ) -> None:
        self.folder = DataFolder(data)
        self._durable = durable
        self._environment = os.environ if environment is None else environment
        self._embedded: dict[str, EmbeddedServer] = {}
        self._backoffs: dict[str, Backoff] = {}
        self.cleared_up: list[str] = []
        """The processes of a killed predecessor that had to be ended first."""

    @property
    def database_url(self) -> str:
        """The URL of Postgres with the login of the service."""
        return DATABASE_URL.read(self._environment) or self._get_embedded_postgres().url

    @property
    def owner_url(self) -> str:
        """The same database by the login that owns the tables.

        With `DATABASE_URL` alone there is one login for both.
        """
        if given := DATABASE_URL.read(self._environment):
            return RUTTER_MIGRATE_URL.read(self._environment) or given
        return self._get_embedded_postgres().owner_url

    @property
    def roles_are_separate(self) -> bool:
        """True if the service has a login of its own, apart from the owner of the tables."""
        return self.database_url != self.owner_url

    @property
    def addresses(self) -> ServerAddresses:
        """All of them."""
        return ServerAddresses(self.database_url, self.owner_url, self.redis_url)

    @property
    def redis_url(self) -> str:
        """The URL of Redis."""
        return REDIS_URL.read(self._environment) or self._get_embedded_server(EmbeddedRedis.name).url

    def pid(self, name: str) -> int | None:
        """Return the process id of our server `postgres` or `redis`.

        It is None if the server is not ours or does not run.
        """
        return self._embedded[name].pid if name in self._embedded else None

    def start(self) -> Self:
        """Claim the folder, clear up after a killed predecessor, and bring both servers up.

        Does nothing when they were started by this object already.

        Raises:
            OccupiedFolder: another process uses the folder.
            ServerFailure: a server does not come up.
            OpsError: the folder or the programs cannot be used.
        """
        if self.folder.is_ours:
            return self
        self.folder.prepare(server_identity())
        self.folder.lock()
        try:
            self.cleared_up = PidFile(self.folder).end_leftovers()
            self._settle()
            for server in self._embedded.values():
                server.start()
            self.announce()
        except BaseException:
            self.stop()
            raise
        return self

    def stop(self) -> None:
        """Stop what was started, the database last, and let the folder go. May be called twice."""
        if not self.folder.is_ours:
            return
        for server in reversed(self._embedded.values()):
            server.stop()
        self._embedded = {}
        self.folder.remove("run.json")
        self.folder.unlock()

    def watch(self) -> list[str]:
        """Start again every embedded server that has died; answers the names of those that are back.

        Same port, same password, same data. One that does not come back is tried again at later calls, with
        growing pauses; the reason goes to the log.
        """
        fallen = [server for server in self._embedded.values() if server.pid is None]
        return [server.name for server in fallen if self._revive(server)]

    def announce(self, **more: Any) -> None:
        """Write `run.json`: who runs here and where everything is."""
        self.folder.write(
            "run.json",
            {"pid": os.getpid(), "servers": self.addresses._asdict(), **more},
        )

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def _get_embedded_server(self, name: str) -> EmbeddedServer:
        if name not in self._embedded:
            raise OpsError(f"The embedded {name} has not been started. Call `start` first.")
        return self._embedded[name]

    def _get_embedded_postgres(self) -> EmbeddedPostgres:
        server = self._get_embedded_server(EmbeddedPostgres.name)
        assert isinstance(server, EmbeddedPostgres)  # noqa: S101 - by its name
        return server

    def _settle(self) -> None:
        """Decide which servers are ours, with the ports and passwords that this folder remembers."""
        user = server_identity()
        wanted: list[tuple[Setting[str], type[EmbeddedPostgres | EmbeddedRedis]]] = [
            (DATABASE_URL, EmbeddedPostgres),
            (REDIS_URL, EmbeddedRedis),
        ]
        remembered = self.folder.read("servers.json")
        for setting, kind in wanted:
            if not setting.read(self._environment):
                self._refuse_old(kind, remembered)
                remembered[kind.name] = _choose_address(kind, remembered.get(kind.name))
                self.folder.write("servers.json", remembered)
                self._embedded[kind.name] = kind(
                    self.folder, user, durable=self._durable, **remembered[kind.name]
                )

    def _refuse_old(self, kind: type[EmbeddedServer], remembered: dict[str, Any]) -> None:
        """Refuse a folder from before the first release: its cluster knows one role, its log another form."""
        old = set(kind.PASSWORDS) - set(remembered.get(kind.name, kind.PASSWORDS))
        if old and (self.folder.path / kind.name).exists():
            raise OpsError(
                f"The data folder {self.folder.path} {OLD_GAMES}. Choose another with --data, and keep this "
                "one for the program that made it."
            )

    def _revive(self, server: EmbeddedServer) -> bool:
        backoff = self._backoffs.setdefault(server.name, Backoff(FIRST_PAUSE, LONGEST_PAUSE))
        if backoff.is_pausing():
            return False
        try:
            server.start()
        except (OpsError, OSError) as problem:
            pause = backoff.fail()
            log.warning("server_not_back", server=server.name, reason=str(problem), next_try_seconds=pause)
            return False
        backoff.reset()
        log.warning("server_restarted", server=server.name, pid=server.pid)
        return True


@contextlib.contextmanager
def find_or_start_servers(data: Path) -> Iterator[ServerAddresses]:
    """Yield the URLs of Postgres and Redis for a short command.

    They are those of the Rutter that runs on this folder, or our own.

    Raises:
        OpsError: see `Servers.start`.
    """
    folder = DataFolder(data)
    if folder.is_in_use():
        running = folder.read("run.json")
        if "servers" not in running:
            raise OpsError(f"Rutter is starting on {folder.path}. Try again in a moment.")
        yield ServerAddresses(**running["servers"])
        return
    with Servers(data) as servers:
        yield servers.addresses


@contextlib.contextmanager
def open_connection(data: Path) -> Iterator[Connection[tuple[Any, ...]]]:
    """Open a connection to the database of *data* as the service, each statement for itself.

    Raises:
        OpsError: see `Servers.start`.
    """
    with (
        find_or_start_servers(data) as addresses,
        connect(addresses.database, autocommit=True) as connection,
    ):
        yield connection


@contextlib.contextmanager
def open_pool(data: Path, most: int) -> Iterator[Pool]:
    """Open a pool of at most so many connections to the database of *data* as the service.

    Raises:
        OpsError: see `Servers.start`.
    """
    with find_or_start_servers(data) as addresses:
        connect(addresses.database).close()  # a pool would try for long, and not say what is wrong
        with make_pool(addresses.database, most) as pool:
            yield pool


def _choose_address(kind: type[EmbeddedServer], remembered: dict[str, Any] | None) -> dict[str, Any]:
    """Return port and passwords: the remembered ones, or a new port where the old one is taken."""
    known = remembered or {}
    passwords = {name: known.get(name) or secrets.token_urlsafe(24) for name in kind.PASSWORDS}
    port = known["port"] if known and is_free(known["port"]) else free_port()
    return {"port": port, **passwords}
