"""`rutter up` with a small stand-in for the service: starting, mending, stopping."""

import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from ops import cli
from ops.base.errors import OpsError
from ops.runtime import metrics_folder
from ops.runtime.data_folder import default_data_folder
from ops.runtime.fork_client import CAN_FORK
from ops.runtime.ports import free_port
from ops.runtime.processes import live_process
from tests import installation
from tests.acceptance.up import SETTINGS
from tests.servers import reachable_folder, ready_data
from tests.waiting import until

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[2]

SERVICE = """
import os
import psycopg
import redis
from flask import Flask, request

GAMES = {}

def prepare():
    pass

def create_app():
    app = Flask(__name__)

    @app.get("/readyz")
    def ready():
        psycopg.connect(os.environ["DATABASE_URL"], connect_timeout=2).close()
        redis.Redis.from_url(os.environ["REDIS_URL"]).ping()
        return "ok"

    @app.post("/v1/accounts")
    @app.post("/v1/me/service_accounts")
    def account():
        return {"token": "secret"}, 201

    @app.get("/v1/titles")
    def titles():
        return {"titles": [{"id": "colonies"}], "next": None}

    @app.post("/v1/games")
    def create():
        assert request.headers["Authorization"] == "Bearer secret"
        game = "joinable" if any("open" in seat for seat in request.json["seats"]) else "watchable"
        return {"id": game}, 201

    @app.get("/v1/me/turns")
    def turns():
        return {"turns": [], "next": None}

    @app.post("/v1/tournaments")
    def event():
        return {"id": "event"}, 201

    @app.post("/v1/tournaments/event/commands")
    @app.get("/v1/tournaments/event")
    def show_event():
        return {"id": "event", "over": True}

    @app.post("/v1/games/<game>/reveal")
    @app.get("/v1/games/<game>")
    def show(game):
        return {"id": game, "status": "running"}

    return app
"""
LAST_WORDS = {
    "api": "Shutting down: Master",
    "redis": "Redis is now ready to exit, bye bye...",
    "postgres": "database system is shut down",
}
"""What a server that ends by itself writes last into its log."""
WORKERS = "import signal, sys\nprint(*sys.argv[1:], flush=True)\nsignal.pause()\n"


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A checkout with our `ops` and stand-ins for the rest."""
    root = tmp_path_factory.mktemp("checkout")
    shutil.copytree(ROOT / "ops", root / "ops")  # compiled files too: that is dear
    shutil.copytree(ROOT / "events", root / "events", ignore=shutil.ignore_patterns("titles"))
    for package in ("service", "workers", "events/titles"):
        (root / package).mkdir()
        (root / package / "__init__.py").touch()
    shutil.copytree(ROOT / "service" / "client", root / "service" / "client")
    (root / "ops" / "server" / "wsgi.py").write_text(SERVICE)
    (root / "workers" / "__main__.py").write_text(WORKERS)
    (root / "workers" / "preload.py").touch()
    return root


def _hears_all() -> None:
    """Tests that are run by `nohup` begin with a signal ignored, and a service heeds that."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Rutter:
    """A `rutter up` in the background."""

    def __init__(self, root: Path, data: Path, *options: str) -> None:
        self.root, self.data, self.port = root, data, free_port()
        self.options = options

    def start(self) -> list[str]:
        """Start it; answers what it prints until it is ready."""
        self.process = self.launch()
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip())
            if line.startswith("Ctrl-C"):
                return lines
        raise AssertionError("\n".join(lines))

    def launch(self) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "ops", "up", "--port", str(self.port), "--data", str(self.data)]
        strange = {"DATABASE_URL", "REDIS_URL", "PYTHONPATH"}
        environment = {name: value for name, value in os.environ.items() if name not in strange}
        return subprocess.Popen(
            [*command, *self.options],
            cwd=self.root,
            env={**environment, **SETTINGS},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            preexec_fn=_hears_all,  # noqa: PLW1509 - there are no threads here
        )

    def stop(self, number: signal.Signals = signal.SIGTERM) -> tuple[int, str]:
        self.process.send_signal(number)
        said, _ = self.process.communicate()
        return self.process.returncode, said

    def pids(self) -> dict[str, int]:
        return {
            name: entry["pid"] for name, entry in json.loads((self.data / "roll.json").read_text()).items()
        }

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/readyz", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False


@pytest.fixture
def data(request, tmp_path) -> Path:
    """A folder that is ready to start; "new" is one that nothing is in."""
    made = {"ready": ready_data, "new": reachable_folder}[getattr(request, "param", "ready")]
    return made(tmp_path / "data")


@pytest.fixture
def rutter(root, data) -> Iterator[Rutter]:
    rutter = Rutter(root, data)
    rutter.process = None
    yield rutter
    if rutter.process:
        if rutter.process.poll() is None:
            rutter.stop()
        rutter.process.stdout.close()
    shutil.rmtree(rutter.data, ignore_errors=True)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "data"),
    [(signal.SIGINT, "new"), (signal.SIGTERM, "ready"), (signal.SIGHUP, "ready")],
    indirect=["data"],
)
def test_it_starts_says_where_it_is_and_stops_without_a_trace(rutter, number):
    said = "\n".join(rutter.start())
    assert f"http://127.0.0.1:{rutter.port}/" in said
    for path in ("/g/watchable", "/g/joinable", "/t/event"):
        assert path in said
    assert str(rutter.data / "logs") in said
    pids = rutter.pids()
    assert set(pids) - ({"fork-server"} if CAN_FORK else set()) == {
        "postgres",
        "redis",
        "api",
        "worker-dispatcher",
        "worker-ai",
        "worker-think",
        "worker-house",
        "worker-deliver",
    }
    assert ("fork-server" in pids) == CAN_FORK
    figures = Path(psutil.Process(pids["api"]).environ()[metrics_folder.VARIABLE])
    assert figures.is_dir()
    status, last_words = rutter.stop(number)
    assert status == 0
    assert "Stopped" in last_words
    assert not figures.exists()
    # None had to be ended by force, however busy the machine.
    for name, end in LAST_WORDS.items():
        assert (rutter.data / "logs" / f"{name}.log").read_text().rstrip().endswith(end), name
    assert "immediate shutdown" not in (rutter.data / "logs" / "postgres.log").read_text()
    assert not any(map(psutil.pid_exists, pids.values()))


@pytest.mark.whole
def test_whatever_is_killed_is_started_again(rutter):
    rutter.start()
    before = rutter.pids()
    for pid in before.values():
        os.kill(pid, signal.SIGKILL)
    until(lambda: set(rutter.pids().values()).isdisjoint(before.values()), "all are started again")
    until(rutter.is_ready, "it is ready again")


def children(pid: int) -> list[int]:
    return [child.pid for child in psutil.Process(pid).children(recursive=True)]


@pytest.mark.slow
def test_after_a_killed_master_of_the_api_nothing_old_answers(rutter):
    """Its workers would hold the port for a while, with the settings of before."""
    rutter.start()
    master = rutter.pids()["api"]
    workers = children(master)
    assert workers
    os.kill(master, signal.SIGKILL)
    until(lambda: rutter.pids()["api"] != master, "the API is started again")
    assert not any(live_process(pid) for pid in workers)
    until(rutter.is_ready, "it is ready again")


@pytest.mark.slow
def test_after_a_killed_rutter_the_next_one_cleans_up_and_finds_the_demonstration(rutter):
    """Also where the master of the API is killed and the roll lacks it: its workers still hold the port."""
    rutter.start()
    known = (rutter.data / "demo.json").read_text()
    orphans = rutter.pids()
    master = orphans["api"]
    workers = children(master)
    rutter.process.kill()
    rutter.process.communicate()
    os.kill(master, signal.SIGKILL)
    roll = rutter.data / "roll.json"
    roll.write_text(json.dumps({k: v for k, v in json.loads(roll.read_text()).items() if k != "api"}))
    said = rutter.start()
    assert said[0].startswith("Ended processes of an earlier start: ")
    assert set(orphans.values()).isdisjoint(rutter.pids().values())
    assert not any(live_process(pid) for pid in [*orphans.values(), *workers])
    assert (rutter.data / "demo.json").read_text() == known
    assert rutter.is_ready()


@pytest.mark.slow
def test_a_second_one_says_what_is_in_its_way(rutter, root, tmp_path):
    """The first, if it is on the same folder; a taken port, if it is on another."""
    rutter.start()
    second = rutter.launch()
    said, _ = second.communicate()
    assert second.returncode == 1
    assert f"runs already on {rutter.data}" in said
    assert f"http://127.0.0.1:{rutter.port}" in said
    other = Rutter(root, reachable_folder(tmp_path / "other"))
    other.port = rutter.port
    third = other.launch()
    said, _ = third.communicate()
    assert third.returncode == 1
    assert f"Another program uses port {rutter.port}" in said
    assert not (other.data / "run.json").exists()
    shutil.rmtree(other.data)
    assert rutter.is_ready()


def test_a_foreign_package_named_events_is_noticed(monkeypatch, tmp_path):
    (tmp_path / "events").mkdir()
    (tmp_path / "events" / "__init__.py").touch()
    monkeypatch.delitem(sys.modules, "events", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(OpsError, match="`import events` would load"):
        cli.check_packages()


def test_the_data_folder_can_be_chosen_by_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("RUTTER_DATA", str(tmp_path / "here"))
    assert default_data_folder() == tmp_path / "here"


def test_an_ordinary_user_without_a_home_gets_a_folder_of_their_own(monkeypatch):
    monkeypatch.delenv("RUTTER_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", "relative/is/ignored")
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    assert default_data_folder() == Path("/var/tmp/rutter-4711")  # noqa: S108


def test_a_test_seed_is_for_tests(tmp_path):
    """Elsewhere nothing is started with one."""
    said = refused_start(tmp_path / "data", {"RUTTER_TEST_SEED": "1", "RUTTER_ENV": ""})
    assert "set RUTTER_ENV=test as well, or take it away" in said


def test_a_wrong_setting_is_told_of_before_anything_starts(tmp_path):
    """Also one that another process reads than `rutter up`."""
    said = refused_start(tmp_path / "data", {"RUTTER_STREAMS": "many"})
    assert said == "rutter: RUTTER_STREAMS is 'many'; it takes a whole number from 0.\n"


def refused_start(data: Path, settings: dict[str, str]) -> str:
    """What `rutter up` says that does not start with these settings."""
    environment = {**os.environ, **installation.paths(), **settings}
    words = installation.rutter("up", "--data", str(data), "--no-demo")
    done = subprocess.run(words, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert not data.exists()
    return done.stderr


@pytest.mark.parametrize(
    "words",
    [["-m", "workers", "dispatcher"], ["-m", "gunicorn", "-c", "ops/server/gunicorn_conf.py", "none"]],
)
def test_processes_that_are_started_alone_refuse_a_wrong_setting(words):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RUTTER_STREAMS": "many"}
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "RUTTER_STREAMS is 'many'; it takes a whole number from 0.\n"
