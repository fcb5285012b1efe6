"""Fixtures that every test may use: real servers, an empty database, games, the API, the whole service.

One Postgres and one Redis for each pytest process, without fsync. A test that asks for one of these marks
the test `integration`.
"""

from __future__ import annotations

import os

# A pytest that a test starts has options of its own.
os.environ.pop("PYTEST_ADDOPTS", None)
# The example title is played by every test that plays all titles; set before the imports below ask.
os.environ.setdefault("RUTTER_EXTRA_TITLES", "tests.titles.example")

import contextlib
import gc
import itertools
import shutil
import tempfile
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import hypothesis
import psycopg
import pytest
import redis
import structlog
from flask import Flask
from psycopg import sql
from psycopg_pool import ConnectionPool

from events.store.event_log import EventLog, Pool
from events.store.games import Games
from ops.database.privileges import migrate_and_grant
from ops.runtime.data_folder import DataFolder
from ops.runtime.fork_client import CAN_FORK, ForkServerClient
from ops.runtime.launcher import PRELOADED, PRELOADED_LIBRARIES
from ops.runtime.ports import free_port
from ops.runtime.processes import ChildProcess, Launch, PidFile, Program, execute
from ops.runtime.servers import ServerAddresses, Servers
from ops.server.wsgi import create_app
from service.base.settings import Settings
from tests import seeds
from tests.again import REPETITION
from tests.installation import CODE, HOME, PYTHON, module, paths
from tests.servers import reachable_folder, start_test_servers
from tests.service.client import Api
from tests.settings import RUTTER_CAMPAIGN_SEED
from tests.waiting import PATIENCE, ClockFile, until
from workers.bots import find_bot_version

# Tracebacks as they are logged in production. By itself structlog draws all local variables, with the
# caches that they hold, which takes seconds.
structlog.configure(
    processors=[
        structlog.processors.add_log_level,
        structlog.processors.format_exc_info,
        structlog.processors.KeyValueRenderer(),
    ]
)

ROOT = Path(__file__).resolve().parent.parent

# Neither a loaded machine nor luck decides whether a test passes: the same examples each time, however slow.
hypothesis.settings.register_profile(
    "rutter",
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile("campaign", hypothesis.settings.get_profile("rutter"), derandomize=False)
hypothesis.settings.load_profile("campaign" if RUTTER_CAMPAIGN_SEED.read() else "rutter")
TEMPLATE = "rutter_template"
NUMBERS = itertools.count(1)
"""Of the databases of this process."""
LINES = 1000
"""More than a file of tests has."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[object]:
    """Spare the collector what stays until the end: thousands of tests, and the modules that they are in."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Let what a test draws by lot follow from its name; ids also from how often it has met its fixtures."""
    with seeds.draws(item.nodeid, (item.location[1] or 0) + LINES * item.stash.get(REPETITION, 0)):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Iterator[None]:
    """Let what a fixture of several tests draws follow from its own name, whichever test comes first."""
    if fixturedef.scope == "function":
        return (yield)
    parameter = getattr(request, "param_index", 0)
    with seeds.draws(f"{fixturedef.baseid}/{fixturedef.argname}/{parameter}", 0):
        return (yield)


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    """A Postgres and a Redis of this pytest process."""
    with start_test_servers(tmp_path_factory.mktemp("servers")) as running:
        yield running


@pytest.fixture(scope="session")
def template(servers: Servers) -> str:
    """The name of a migrated database that others are copied from."""
    _create(servers.owner_url, TEMPLATE, None)
    migrate_and_grant(
        ServerAddresses(
            _url(servers.database_url, TEMPLATE), _url(servers.owner_url, TEMPLATE), servers.redis_url
        )
    )
    return TEMPLATE


@pytest.fixture(scope="module")
def database(servers: Servers, template: str) -> Iterator[str]:
    """The URL of a fresh, migrated database for one test module, as the service logs in; Redis is empty."""
    with redis.Redis.from_url(servers.redis_url) as client:
        client.flushdb()  # else it would know games and accounts of other modules, whose ids may be the same
    name = f"rutter_{os.getpid()}_{next(NUMBERS)}"
    _create(servers.owner_url, name, template)
    yield _url(servers.database_url, name)
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))


@pytest.fixture(scope="module")
def owner(servers: Servers, database: str) -> str:
    """The URL of the module's database, by the login that owns the tables."""
    return _url(servers.owner_url, database.rsplit("/", 1)[1].partition("?")[0])


def _create(server: str, name: str, template: str | None) -> None:
    copied = sql.SQL(" TEMPLATE {}").format(sql.Identifier(template)) if template else sql.SQL("")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name)))
        connection.execute(sql.SQL("CREATE DATABASE {}{}").format(sql.Identifier(name), copied))


def _url(server: str, name: str) -> str:
    """The URL of another database of the same server."""
    address, mark, options = server.partition("?")
    return address.rsplit("/", 1)[0] + "/" + name + mark + options


@pytest.fixture(scope="module")
def pool(database: str) -> Iterator[Pool]:
    """Connections to the module's database."""
    connections: Pool = ConnectionPool(
        database, min_size=1, max_size=8, kwargs={"autocommit": True}, open=True, timeout=10
    )
    with connections:
        yield connections


@pytest.fixture(scope="module")
def games(pool: Pool) -> Games:
    """Games on the module's database."""
    return Games(EventLog(pool), find_bot=find_bot_version)


@pytest.fixture(scope="module")
def settings(database: str, servers: Servers, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """What the application of this module is made with."""
    data = tmp_path_factory.mktemp("data")
    return Settings(
        database,
        servers.redis_url,
        data,
        connections=16,
        streams=20,
        heartbeat=0.3,
        log_requests=False,
        limits="off",  # tests are quicker than people
    )


@pytest.fixture(scope="module")
def app(settings: Settings) -> Iterator[Flask]:
    """The application on the module's database; the read models follow it in the background."""
    made = create_app(settings)
    yield made
    made.extensions["rutter"].close()


@pytest.fixture(scope="module")
def api(app: Flask) -> Api:
    """The API as nobody; `api.account()` is somebody."""
    return Api(app)


class LiveServer:
    """The whole service as `rutter up` starts it."""

    def __init__(
        self,
        address: str,
        database_url: str,
        redis_url: str,
        children: list[ChildProcess],
        clock: ClockFile,
        launch: Launch,
    ) -> None:
        self.address = address
        self.clock = clock
        """Of the service: how far it is ahead."""
        self.database_url = database_url
        self.redis_url = redis_url
        self._children = children
        self._launch = launch

    @contextmanager
    def restarting(self) -> Iterator[None]:
        """Within it nothing answers at the address; after it another process does."""
        self._children[0].end()
        try:
            yield
        finally:
            self._children[0] = ChildProcess(self._children[0].program, self._launch)
            _wait_until_ready(self.address, self._children)


@pytest.fixture(scope="session")
def live_server(servers: Servers, template: str) -> Iterator[LiveServer]:
    """API, dispatcher and workers as processes of their own, on databases of their own.

    Also in Redis: its workers must not take the jobs of other tests, whose games they do not know.
    """
    name = f"rutter_live_{os.getpid()}"
    _create(servers.owner_url, name, template)
    database_url = _url(servers.database_url, name)
    address = f"http://127.0.0.1:{free_port()}"
    folder = reachable_folder(Path(tempfile.mkdtemp(prefix="rutter-live-")))
    folder.mkdir(exist_ok=True)
    redis_url = f"{servers.redis_url.removesuffix('/0')}/1"
    clock = ClockFile(folder / "clock")
    clock.path.chmod(0o644)
    settings = {**seeds.SETTINGS, **clock.settings}
    programs = _programs(folder, address, database_url, redis_url, settings)
    forks = ForkServerClient(programs.pop("fork-server"), PidFile(DataFolder(folder)))
    launch = forks.launch if CAN_FORK else execute
    children: list[ChildProcess] = []
    try:
        children += [ChildProcess(each, launch) for each in programs.values()]
        _wait_until_ready(address, children)
        yield LiveServer(address, database_url, redis_url, children, clock, launch)
    finally:
        for child in reversed(children):
            child.end()
        forks.end()
        shutil.rmtree(folder, ignore_errors=True)


def _programs(
    folder: Path, address: str, database_url: str, redis_url: str, settings: Mapping[str, str]
) -> dict[str, Program]:
    """Return the programs of a service by name, the API first, and the one that they are forked from."""
    environment = {
        **os.environ,
        **settings,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "RUTTER_DATA": str(folder),
        "RUTTER_BIND": address.removeprefix("http://"),
        **paths(),
        "PYTHONUNBUFFERED": "1",
        "RUTTER_LIMITS": "off",
        "RUTTER_WEBHOOKS_PRIVATE": "1",  # receivers of tests are on this machine
        "RUTTER_PUSH_CONTACT": "mailto:operator@example.org",
        "RUTTER_OWNER_MAY_SERVE": "1",  # where the tests were given one login for everything
    }
    modules = {
        "api": [
            "gunicorn",
            "-c",
            str(CODE / "ops" / "server" / "gunicorn_conf.py"),
            module("ops.server.wsgi:create_app()"),
        ],
        "dispatcher": [module("workers"), "dispatcher"],
        "ai": [module("workers"), "work", "ai"],
        "think": [module("workers"), "work", "think"],
        "house": [module("workers"), "work", "house"],
        "deliver": [module("workers"), "work", "deliver"],
        "fork-server": [module("ops.runtime.fork_server"), *map(module, PRELOADED), *PRELOADED_LIBRARIES],
    }
    return {
        name: Program(name, [PYTHON, "-m", *words], environment, folder / f"{name}.log", folder=HOME)
        for name, words in modules.items()
    }


def _wait_until_ready(address: str, children: list[ChildProcess]) -> None:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def is_ready() -> bool:
        with contextlib.suppress(OSError), opener.open(f"{address}/readyz", timeout=PATIENCE):
            return True
        return False

    with contextlib.suppress(AssertionError):
        until(is_ready, "the service is ready")
        return
    logs = "\n".join(
        f"== {child.program.name}\n{child.program.log.read_text(errors='replace')[-3000:]}"
        for child in children
    )
    raise AssertionError(f"the service does not become ready\n{logs}")
