"""`rutter up`: the whole service on one machine, until it is told to stop.

Order of start: servers, schema, API, workers, demonstration game. Order of stop: API and workers, then the
servers. What dies in between is started again. Killed outright, Rutter leaves everything as it was: the next
start ends what the killed one left running, and finds all games.
"""

import compileall
import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import FrameType

import click
import structlog

from events.base import logging_setup
from events.base.installation import IMPORT_ROOT, qualify_name
from events.base.settings import (
    DATABASE_URL,
    REDIS_URL,
    RUTTER_BIND,
    RUTTER_DATA,
    RUTTER_ENGINES,
    RUTTER_MIGRATE_URL,
    RUTTER_ORIGIN,
    RUTTER_OWNER_MAY_SERVE,
    RUTTER_PREPARE_THRESHOLD,
    RUTTER_SIGNING_KEY,
    RUTTER_TEST_SEED,
    check_settings,
)
from events.store.connection import connect
from events.store.entropy import find_configured_seed
from events.store.pooler import is_pooled
from events.store.signing_keys import KEY_FILE
from ops.base.errors import OpsError
from ops.clients.api import ApiClient, ApiError
from ops.database.privileges import migrate_and_grant, refuse_superuser
from ops.runtime.data_folder import DISK_FULL_ERRORS
from ops.runtime.fork_client import CAN_FORK
from ops.runtime.identity import Identity, service_identity
from ops.runtime.log_files import rotate_logs
from ops.runtime.metrics_folder import VARIABLE as METRICS
from ops.runtime.metrics_folder import MetricsFolder
from ops.runtime.ports import check_port, free_port
from ops.runtime.processes import MARK, Program, StopSignals
from ops.runtime.servers import Servers
from ops.runtime.supervisor import Supervisor

ROOT = Path(__file__).resolve().parents[2]
WSGI = qualify_name("ops.server.wsgi:create_app()")
PRELOADED = ("workers.preload", "ops.server.wsgi", "ops.server.api_worker", "ops.server.parent_watch")
"""Modules that are loaded before API and workers are forked."""
PRELOADED_LIBRARIES = ("gunicorn.app.wsgiapp",)
FIRST_UNPRIVILEGED_PORT = 1024
"""The lowest port on which every user may listen."""
READY_SECONDS = 90.0
WATCH_EVERY = 0.5  # seconds between two looks at the processes
READY_EVERY = 0.2  # seconds between two looks while they start

WORKER_COMMANDS = (["dispatcher"], ["work", "ai"], ["work", "think"], ["work", "house"], ["work", "deliver"])
API_STOP_SIGNALS: StopSignals = ((signal.SIGTERM, 7), (signal.SIGKILL, 2))
# The first SIGTERM lets a worker finish its job, the second breaks the job off. Nothing is lost then: a job
# only proposes a command, and the next start finds the same decision open.
WORKER_STOP_SIGNALS: StopSignals = ((signal.SIGTERM, 3), (signal.SIGTERM, 2), (signal.SIGKILL, 2))


def run_service(
    data: Path, *, host: str, port: int, demo: bool, servers_of: Callable[[Path], Servers] = Servers
) -> None:
    """Run Rutter until Ctrl-C or SIGTERM; returns when everything is stopped.

    *servers_of* makes the servers of the folder: a soak puts proxies before them.

    Raises:
        OccupiedFolder: there is a Rutter on this data folder.
        OpsError: something outside must be put right first; the message says what.
    """
    check_settings()
    structlog.configure(logger_factory=logging_setup.make_logger)
    require_signing_key(data)
    _warn_of_test_seed()
    _check_engine_list()
    with _stop_event() as stopping, servers_of(data) as servers:
        address = _choose_address(host, port)
        _print_servers(servers)
        refuse_superuser(servers.database_url)
        migrate_and_grant(servers.addresses)
        _warn_of_pooler()
        _check_log_name(servers)
        _warn_of_one_login(servers)
        supervisor = Supervisor(servers.folder)
        try:
            start_processes(supervisor, servers, host, address)
            wait_until_ready(address, servers, supervisor, stopping)
            servers.announce(address=address)
            if not stopping.is_set():
                _print_welcome(address, servers, demo=demo)
            while not stopping.wait(WATCH_EVERY):
                watch_processes(servers, supervisor)
        finally:
            _print_line("Stopping ...")
            supervisor.stop()
    _print_line("Stopped. Everything is kept; `rutter up` continues.")


def require_signing_key(data: Path, environment: Mapping[str, str] | None = None) -> None:
    """Refuse to make a key of this host's own for a database that other hosts may serve as well.

    Raises:
        OpsError: with a sentence that says how to make one for all of them.
    """
    shared = DATABASE_URL.read(environment) and not RUTTER_SIGNING_KEY.read(environment)
    if shared and not (data / KEY_FILE).exists():
        raise OpsError(
            "There is no signing key. Hosts that share the database in DATABASE_URL must all sign with one "
            "key. Make it with `rutter keygen`, and set RUTTER_SIGNING_KEY on each host. If this database "
            f"had a key before, put it into {data / KEY_FILE}."
        )


def _warn_of_test_seed() -> None:
    """Say that secrets can be predicted, where they can. Raises WrongSetting outside of tests."""
    if find_configured_seed():
        _print_line(
            f"{RUTTER_TEST_SEED.name} is set, so all cards and dice can be predicted. Use it for tests only."
        )


def _warn_of_pooler() -> None:
    """Say that a pooler was noticed, if the settings do not name it."""
    if is_pooled() and RUTTER_PREPARE_THRESHOLD.read() is not None:
        _print_line(
            "A pooler stands before the database, so no statement is prepared. Set "
            f"{RUTTER_PREPARE_THRESHOLD.name}=none: then no process has to look for one."
        )


def _warn_of_titles(who: Identity) -> None:
    """Print the titles of others that cannot be used, as the user of the workers sees it.

    This process may be root's, so it loads no code of others.
    """
    from events.rules.catalogue import has_others  # with what titles need, and this process nothing of it

    if not has_others():
        return
    catalogue = qualify_name("events.rules.catalogue")
    told = subprocess.run(
        [sys.executable, "-c", f"from {catalogue} import list_problems as found; print(*found(), sep='\\n')"],
        check=False,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        cwd=IMPORT_ROOT,
        **who.popen_arguments(),
    )
    for problem in filter(None, told.stdout.splitlines()):
        _print_line(f"This title cannot be played: {problem}.")


def _check_engine_list() -> None:
    """Tell of a list of engines that is none at once, rather than by processes that die of it."""
    if RUTTER_ENGINES.read():
        from workers.engines.engine_list import (
            list_engines,  # with all rules, of which this process needs nothing else
        )

        list_engines()


@contextlib.contextmanager
def _stop_event() -> Iterator[threading.Event]:
    """Yield an event that is set by Ctrl-C, SIGTERM, or the closing of the terminal.

    A flag and not an exception: a server is never left half started. Only a second Ctrl-C interrupts even
    that.
    """
    stopping = threading.Event()

    def stop(number: int, frame: FrameType | None) -> None:
        if stopping.is_set() and number == signal.SIGINT:
            raise KeyboardInterrupt
        stopping.set()

    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # nohup wants to go on
        numbers.append(signal.SIGHUP)
    before = {number: signal.signal(number, stop) for number in numbers}
    try:
        yield stopping
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _choose_address(host: str, port: int) -> str:
    """Return the host and port that the API will listen on, as a URL for a browser on this machine."""
    if port:
        check_port(port, host)
    shown = "127.0.0.1" if host == "0.0.0.0" else host  # noqa: S104 - compared, not bound
    return f"http://{shown}:{port or free_port()}"


def start_processes(
    supervisor: Supervisor, servers: Servers, host: str, address: str, app: str = WSGI
) -> None:
    """Start the API (the WSGI application *app*) and the workers.

    Raises:
        OpsError: one of them cannot be started.
    """
    port = address.rpartition(":")[2]
    who = _choose_user(servers)
    _warn_of_titles(who)
    environment = _make_environment(servers, f"{host}:{port}")
    if who.uid is not None:
        environment["HOME"] = str(servers.folder.path)  # root's is closed to others
    metrics = MetricsFolder(servers.folder.path)
    supervisor.call_when_stopped(metrics.remove)
    who.own(metrics.path)
    api = {**environment, METRICS: str(metrics.path)}
    gunicorn = ["gunicorn", "-c", str(ROOT / "ops" / "server" / "gunicorn_conf.py"), app]
    only_root = who.uid is not None and int(port) < FIRST_UNPRIVILEGED_PORT
    if only_root:  # may listen there: the master stays root
        gunicorn[1:1] = ["--user", str(who.uid), "--group", str(who.gid)]
    if CAN_FORK:
        supervisor.fork_from(_make_fork_server(api, servers, who))
    master = _make_program("api", gunicorn, api, servers, API_STOP_SIGNALS, Identity() if only_root else who)
    try:
        supervisor.start(master, forked=not only_root)
        for duty in WORKER_COMMANDS:
            words = [qualify_name("workers"), *duty]
            worker = _make_program(
                f"worker-{duty[-1]}", words, environment, servers, WORKER_STOP_SIGNALS, who
            )
            supervisor.start(worker, forked=True)
    except OSError as problem:
        if problem.errno in DISK_FULL_ERRORS:
            raise
        raise OpsError(
            f"API and workers cannot be started: {problem.strerror}. Their logs are in {servers.folder.logs}."
        ) from problem


def _choose_user(servers: Servers) -> Identity:
    """Return the user for API and workers; root only if no other user can read the program."""
    who = service_identity()
    if os.geteuid() != 0:
        return who
    if who.uid is None or not _can_run_as(who) or not who.may_enter(servers.folder.path):
        _print_line(
            "API and workers run as root, because no other user can read the program. Install Python and "
            "Rutter outside of root's home, or start Rutter as an ordinary user."
        )
        return Identity()
    for package in ("events", "projections", "service", "workers", "ops"):
        compileall.compile_dir(ROOT / package, quiet=2)  # as others cannot leave the compiled files there
    servers.folder.share(who)
    return who


def _can_run_as(who: Identity) -> bool:
    """Return True if a user gets to Python, to the packages and to Rutter itself: found by trying."""
    try:
        tried = subprocess.run(
            [
                sys.executable,
                "-c",
                f"import flask, gunicorn, psycopg, {qualify_name('events.store.database_owner')}",
            ],
            check=False,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=IMPORT_ROOT,
            **who.popen_arguments(),
        )
    except OSError:
        return False
    return tried.returncode == 0


def _make_program(
    name: str,
    module: list[str],
    environment: Mapping[str, str],
    servers: Servers,
    ladder: StopSignals,
    who: Identity,
) -> Program:
    return Program(
        name=name,
        command=[sys.executable, "-m", *module],
        environment=environment,
        log=servers.folder.logs / f"{name}.log",
        ladder=ladder,
        identity=who,
        folder=IMPORT_ROOT,  # so that `import events` means ours
    )


def _make_fork_server(environment: Mapping[str, str], servers: Servers, who: Identity) -> Program:
    """Return the program from which API and workers are forked: as their user, with their settings."""
    # Each process reads the list of engines again; all else that is loaded belongs to the program.
    settings = {name: value for name, value in environment.items() if name != RUTTER_ENGINES.name}
    module = [
        qualify_name("ops.runtime.fork_server"),
        *map(qualify_name, PRELOADED),
        *PRELOADED_LIBRARIES,
    ]
    return _make_program("fork-server", module, settings, servers, WORKER_STOP_SIGNALS, who)


def _make_environment(servers: Servers, bind: str) -> dict[str, str]:
    ours = {name: value for name, value in os.environ.items() if name != RUTTER_MIGRATE_URL.name}
    if not servers.roles_are_separate:
        ours[RUTTER_OWNER_MAY_SERVE.name] = "1"
    return {
        **ours,  # without the owner's login, which no process that answers requests needs
        DATABASE_URL.name: servers.database_url,
        REDIS_URL.name: servers.redis_url,
        RUTTER_DATA.name: str(servers.folder.path),
        RUTTER_BIND.name: bind,
        MARK: str(servers.folder.path),
        "PYTHONUNBUFFERED": "1",  # a log is read while the process runs
    }


def wait_until_ready(
    address: str, servers: Servers, supervisor: Supervisor, stopping: threading.Event
) -> None:
    """Wait for `/readyz`, looking after the processes meanwhile."""
    api = ApiClient(address)
    deadline = time.monotonic() + READY_SECONDS
    while not stopping.wait(READY_EVERY):
        if api.is_ready():
            return
        if time.monotonic() > deadline:
            log = servers.folder.logs / "api.log"
            raise OpsError(
                f"The API is not ready after {READY_SECONDS:.0f} seconds. The end of its log {log}:\n"
                f"{_read_tail(log)}"
            )
        watch_processes(servers, supervisor)


def watch_processes(servers: Servers, supervisor: Supervisor) -> None:
    """Start again what has ended, keep the logs short; to be called often."""
    servers.watch()
    supervisor.watch()
    rotate_logs(servers.folder.logs)


def _check_log_name(servers: Servers) -> None:
    """Say at once what would keep everything but reading from working: that the log has another name."""
    wanted = RUTTER_ORIGIN.read()
    if not wanted:
        return
    from events.store.signing_keys import read_origin

    with connect(servers.database_url, autocommit=True) as connection:
        origin = read_origin(connection)
    if origin not in (None, wanted):
        raise OpsError(
            f"RUTTER_ORIGIN is {wanted}, but this database holds the log {origin}. A log never changes its "
            "name. Leave RUTTER_ORIGIN out, or choose another folder or database."
        )


def _warn_of_one_login(servers: Servers) -> None:
    if not servers.roles_are_separate:
        _print_line(
            "The login in DATABASE_URL owns the tables, so the server could alter the log. To prevent it, "
            "put the owner into RUTTER_MIGRATE_URL, and another role into DATABASE_URL."
        )


def _print_servers(servers: Servers) -> None:
    if servers.cleared_up:
        _print_line(f"Ended processes of an earlier start: {', '.join(servers.cleared_up)}.")
    _print_line(f"Data   {servers.folder.path}")
    _print_line(f"Logs   {servers.folder.logs}")


def _print_welcome(address: str, servers: Servers, *, demo: bool) -> None:
    """Say where to go, which is all that most people want to read."""
    _print_line(f"\nRutter is at  {address}/   (documentation: {address}/docs)")
    if demo:
        from ops.runtime.demo import open_demonstration  # with the rules

        try:
            for line in open_demonstration(
                ApiClient(address, receipts=servers.folder.path / "receipts"), servers.folder
            ):
                _print_line(line)
        except ApiError as problem:
            # The server works without it; a newcomer's first look should not end here.
            _print_line(f"The demonstration game could not be opened: {problem}. Everything else works.")
    _print_line("Ctrl-C stops everything.\n")


def _read_tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-15:]) if log.exists() else ""


def _print_line(line: str) -> None:
    """Print, even if the terminal is gone: its absence must not keep us from stopping in order."""
    with contextlib.suppress(OSError):
        click.echo(line)
