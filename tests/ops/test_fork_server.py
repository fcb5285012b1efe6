"""Processes forked from one that has loaded the program: each stands alone, and its end is heard of."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from ops.runtime.data_folder import DataFolder
from ops.runtime.fork_client import CAN_FORK, ForkServerClient
from ops.runtime.processes import MARK, ChildProcess, PidFile, Program, live_process
from ops.runtime.supervisor import Supervisor
from tests.servers import reachable_folder
from tests.waiting import until

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="processes are forked on Linux alone")
ROOT = Path(__file__).parents[2]

LOADED = """
import os
os.environ["CHANGED_BY_LOADING"] = "1"
calls = [0]

def prepare():
    calls[0] += 1
"""
SELF = """
import json, os, random, resource, secrets, signal, sys, threading, time, uuid
import loaded

def real(number):
    try:
        return os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return None

usual = [n for n in signal.valid_signals() if signal.getsignal(n) not in (signal.SIG_DFL, signal.SIG_IGN)]
print(json.dumps({
    "environment": dict(os.environ),
    "words": sys.argv[1:],
    "name": __name__,
    "session": os.getsid(0) == os.getpgid(0) == os.getpid(),
    "folder": os.getcwd(),
    "user": [os.getuid(), os.getgid(), os.getgroups()],
    "chance": [random.random(), str(uuid.uuid4()), secrets.token_hex(8)],
    "open": {n: real(n) for n in os.listdir("/proc/self/fd") if real(n) and "/fd" not in real(n)},
    "threads": len(os.listdir("/proc/self/task")),
    "handlers": [int(n) for n in usual],
    "mask": [int(n) for n in signal.pthread_sigmask(signal.SIG_BLOCK, ())],
    "zone": time.tzname[0],
    "loaded": loaded.calls[0],
    "initial": dict(pair.split("=", 1) for pair in open("/proc/self/environ").read().split("\\0") if pair),
}), flush=True)
"""
PATIENT = "import signal\nprint('working', flush=True)\nsignal.pause()\n"
ENDING = "import atexit, sys\natexit.register(print, 'last words')\nsys.exit(int(sys.argv[1]))\n"
FULL_OF_THINGS = """
import atexit, sys, threading

class Thing:
    def __del__(self):
        print("taken apart")

def work(started):
    started.set()
    threading.main_thread().join()
    sys.stdout.write("worked to the end\\n")

thing = Thing()
atexit.register(print, "last words")
started = threading.Event()
threading.Thread(target=work, args=(started,)).start()
started.wait()
"""
RAISING = "raise ValueError('a fault of its own')\n"
PARENT = (
    "import signal, subprocess, sys\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
    "print('child', child.pid, flush=True)\n"
    "signal.pause()\n"
)
FULL = """
import errno, os

def fork():
    raise OSError(errno.EAGAIN, "no room for one more process")

os.fork = fork
"""
MODULES = {
    "full": FULL,
    "loaded": LOADED,
    "itself": SELF,
    "patient": PATIENT,
    "ending": ENDING,
    "things": FULL_OF_THINGS,
    "raising": RAISING,
    "parental": PARENT,
}


@pytest.fixture
def folder(tmp_path) -> Iterator[DataFolder]:
    place = reachable_folder(tmp_path / "data")
    place.mkdir(exist_ok=True)
    place.chmod(0o755)
    folder = DataFolder(place)
    folder.logs.mkdir()
    for name, text in MODULES.items():
        (place / f"{name}.py").write_text(text)
    return folder


@pytest.fixture
def server(folder) -> Iterator[ForkServerClient]:
    server = ForkServerClient(server_program(folder), PidFile(folder))
    yield server
    server.end()


@pytest.fixture
def supervisor(folder) -> Iterator[Supervisor]:
    supervisor = Supervisor(folder, first_pause=0.01)
    supervisor.fork_from(server_program(folder))
    yield supervisor
    supervisor.stop()


def environment(folder: DataFolder, **more: str) -> dict[str, str]:
    return {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": f"{ROOT}:{folder.path}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        MARK: str(folder.path),
        **more,
    }


def server_program(folder: DataFolder) -> Program:
    command = [sys.executable, "-m", "ops.runtime.fork_server", "loaded"]
    return Program(
        name="fork-server",
        command=command,
        environment=environment(folder),
        log=folder.logs / "fork-server.log",
        ladder=((signal.SIGTERM, 0.05), (signal.SIGKILL, 10)),
        folder=ROOT,
    )


def program(folder: DataFolder, module: str, *words: str, name: str = "worker", **more: str) -> Program:
    return Program(
        name=name,
        command=[sys.executable, "-m", module, *words],
        environment=environment(folder, **more),
        log=folder.logs / f"{name}.log",
        ladder=((signal.SIGTERM, 10), (signal.SIGKILL, 10)),
        folder=folder.path,
    )


def said(folder: DataFolder, name: str = "worker") -> str:
    """What a process has printed, once its last line is whole: it may write a line in parts."""

    def lines() -> str:
        log = folder.logs / f"{name}.log"
        text = log.read_text() if log.exists() else ""
        return text if text.endswith("\n") else ""

    return until(lines, f"{name} has spoken")


def entry(folder: DataFolder, name: str) -> int:
    return int(folder.read(PidFile.FILE)[name]["pid"])


def ended(child: ChildProcess) -> int:
    until(lambda: not child.alive, "the process has ended")
    status = child.exit_status
    assert status is not None
    return status


def test_each_process_has_what_it_was_given_and_nothing_of_another(server, folder):
    """Environment, words, folder, log, session; what was loaded is there, and was loaded once."""
    for name in ("one", "two"):
        child = ChildProcess(program(folder, "itself", name, "word", name=name, ONLY=name), server.launch)
        assert ended(child) == 0
    shown = {name: json.loads(said(folder, name)) for name in ("one", "two")}
    for name, told in shown.items():
        assert told["environment"] == environment(folder, ONLY=name), "the server's own changes are not there"
        assert told["words"] == [name, "word"]
        assert told["name"] == "__main__"
        assert told["session"]
        assert told["folder"] == str(folder.path)
        assert told["user"] == [os.getuid(), os.getgid(), os.getgroups()]
        assert told["loaded"] == 1
    assert (folder.logs / "fork-server.log").read_text() == ""


def test_a_process_inherits_no_connection_no_thread_no_handler_and_no_chance(server, folder):
    for name in ("one", "two"):
        ended(ChildProcess(program(folder, "itself", name=name), server.launch))
    one, two = (json.loads(said(folder, name)) for name in ("one", "two"))
    for name, told in (("one", one), ("two", two)):
        log = str(folder.logs / f"{name}.log")
        assert told["open"] == {"0": os.devnull, "1": log, "2": log}
        assert told["threads"] == 1
        ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN  # as a shell has it in the background
        assert told["handlers"] == ([] if ignored else [signal.SIGINT])  # Python's own
        assert told["mask"] == []
    assert all(first != second for first, second in zip(one["chance"], two["chance"], strict=True))


def test_the_time_zone_is_that_of_its_own_environment(server, folder):
    ended(ChildProcess(program(folder, "itself", TZ="XYZ-3"), server.launch))
    assert json.loads(said(folder))["zone"] == "XYZ"


def test_the_system_shows_the_mark_of_the_data_folder(server, folder):
    """By which a successor finds what no roll names."""
    ended(ChildProcess(program(folder, "itself"), server.launch))
    assert json.loads(said(folder))["initial"][MARK] == str(folder.path)


def test_the_system_shows_the_name_of_the_program(server, folder):
    child = ChildProcess(program(folder, "patient", name="worker-dispatcher"), server.launch)
    assert Path(f"/proc/{child.pid}/comm").read_text() == "worker-dispatch\n"
    child.end()


@pytest.mark.parametrize("status", [0, 3])
def test_the_exit_status_is_heard_and_last_words_are_written(server, folder, status):
    child = ChildProcess(program(folder, "ending", str(status)), server.launch)
    assert ended(child) == status
    assert said(folder) == "last words\n"


def test_a_process_finishes_its_threads_and_is_not_taken_apart(server, folder):
    """To take it apart would copy the memory that it shares with the others."""
    child = ChildProcess(program(folder, "things", PYTHONUNBUFFERED=""), server.launch)
    assert ended(child) == 0
    assert said(folder).splitlines() == ["worked to the end", "last words"]


def test_a_fault_is_told_in_the_log_of_its_own_process(server, folder):
    child = ChildProcess(program(folder, "raising"), server.launch)
    assert ended(child) == 1
    assert "ValueError: a fault of its own" in said(folder)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_process_is_told_by_its_signal(server, folder, number):
    child = ChildProcess(program(folder, "patient"), server.launch)
    assert child.exit_status is None
    child.send(number)
    assert ended(child) == -number


def test_the_id_of_a_dead_process_is_free_only_when_the_supervisor_has_heard(server, folder):
    """So no signal reaches a stranger to whom the system gave the id."""
    child = ChildProcess(program(folder, "patient"), server.launch)
    os.kill(child.pid, signal.SIGKILL)
    until(lambda: psutil.Process(child.pid).status() == psutil.STATUS_ZOMBIE, "the process is dead")
    ended(child)
    until(lambda: not psutil.pid_exists(child.pid), "it is collected")


def test_what_cannot_be_forked_is_an_error_and_the_next_one_starts(server, folder):
    """A folder that is not there stands for all that may fail before the program begins."""
    with pytest.raises(OSError, match=os.strerror(errno.ENOENT)) as failed:
        ChildProcess(replace(program(folder, "patient"), folder=folder.path / "missing"), server.launch)
    assert failed.value.errno == errno.ENOENT
    child = ChildProcess(program(folder, "patient"), server.launch)
    assert child.alive
    child.end()


def test_a_system_without_room_for_one_more_process_is_told_as_such(folder):
    base = server_program(folder)
    server = ForkServerClient(replace(base, command=[*base.command, "full"]), PidFile(folder))
    with pytest.raises(OSError, match=os.strerror(errno.EAGAIN)):
        ChildProcess(program(folder, "patient"), server.launch)
    server.end()


def test_a_fork_server_that_does_not_come_up_is_told_with_its_log(folder):
    server = ForkServerClient(replace(server_program(folder), command=["false"]), PidFile(folder))
    with pytest.raises(OSError, match=r"the fork server ended, see .*fork-server\.log"):
        ChildProcess(program(folder, "patient"), server.launch)
    server.end()


def test_a_module_that_cannot_be_loaded_keeps_the_others_from_nothing(folder):
    """What is wrong with it stands in the log; who needs it says so in their own."""
    base = server_program(folder)
    server = ForkServerClient(replace(base, command=[*base.command, "raising", "missing"]), PidFile(folder))
    child = ChildProcess(program(folder, "itself"), server.launch)
    assert ended(child) == 0
    log = said(folder, "fork-server")
    assert "ValueError: a fault of its own" in log
    assert "No module named 'missing'" in log
    server.end()


def test_it_ends_with_its_supervisors_word_and_stands_in_the_roll_until_then(folder):
    server = ForkServerClient(server_program(folder), PidFile(folder))
    ChildProcess(program(folder, "patient"), server.launch).end()
    pid = entry(folder, "fork-server")
    assert live_process(pid)
    server.end()
    assert not psutil.pid_exists(pid)
    assert folder.read(PidFile.FILE) == {}


def test_a_killed_process_of_a_supervisor_is_forked_again_from_the_same_server(supervisor, folder):
    supervisor.start(program(folder, "patient"), forked=True)
    first, server = supervisor.pid("worker"), entry(folder, "fork-server")
    os.kill(first, signal.SIGKILL)
    until(
        lambda: (supervisor.watch(), supervisor.pid("worker") not in (None, first))[1], "it is started again"
    )
    assert entry(folder, "fork-server") == server
    assert psutil.Process(supervisor.pid("worker")).ppid() == server


def test_what_a_killed_process_leaves_in_its_session_is_ended(supervisor, folder):
    supervisor.start(program(folder, "parental"), forked=True)
    orphan, first = int(said(folder).split()[1]), supervisor.pid("worker")
    os.kill(first, signal.SIGKILL)
    until(
        lambda: (supervisor.watch(), supervisor.pid("worker") not in (None, first))[1], "it is started again"
    )
    assert live_process(orphan) is None


def test_with_a_killed_fork_server_all_is_started_again_from_another(supervisor, folder):
    """None of the old processes is left, nor what they have started."""
    for name in ("one", "two"):
        supervisor.start(program(folder, "parental", name=name), forked=True)
    orphans = [int(said(folder, name).split()[1]) for name in ("one", "two")]
    before, server = supervisor.pids(), entry(folder, "fork-server")
    os.kill(server, signal.SIGKILL)
    until(
        lambda: (
            supervisor.watch(),
            len(supervisor.pids()) == 2 and set(supervisor.pids()).isdisjoint(before),
        )[1],
        "both are started again",
    )
    assert not any(live_process(pid) for pid in [*before, *orphans])
    assert entry(folder, "fork-server") != server
    assert {psutil.Process(pid).ppid() for pid in supervisor.pids()} == {entry(folder, "fork-server")}


def test_a_supervisor_that_stops_leaves_no_process_and_no_name(supervisor, folder):
    for name in ("one", "two"):
        supervisor.start(program(folder, "parental", name=name), forked=True)
        said(folder, name)
    pids = [*supervisor.pids(), entry(folder, "fork-server")]
    supervisor.stop()
    assert not any(map(psutil.pid_exists, pids))
    assert folder.read(PidFile.FILE) == {}


SUPERVISOR = """
import signal, sys
from tests.ops.test_fork_server import DataFolder, Path, Supervisor, program, server_program
folder = DataFolder(Path(sys.argv[1]))
supervisor = Supervisor(folder)
supervisor.fork_from(server_program(folder))
supervisor.start(program(folder, "parental"), forked=True)
print("started", flush=True)
signal.pause()
"""


@pytest.fixture
def killed(folder) -> list[int]:
    """A supervisor that was killed; the fork server, its process, and what that has started."""
    supervisor = subprocess.Popen(
        [sys.executable, "-c", SUPERVISOR, str(folder.path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with supervisor:
        assert supervisor.stdout.readline() == "started\n"
        supervisor.kill()
    return [entry(folder, "fork-server"), entry(folder, "worker"), int(said(folder).split()[1])]


def test_the_processes_of_a_killed_supervisor_run_on_and_the_fork_server_ends_with_the_last(killed, folder):
    server, worker, orphan = killed
    assert all(map(live_process, killed))
    os.kill(worker, signal.SIGKILL)
    until(lambda: live_process(server) is None, "the fork server has ended")
    assert live_process(orphan), "its parent left it, and the next start finds it"
    assert PidFile(folder).end_leftovers() == ["worker"]
    assert live_process(orphan) is None


def test_a_successor_of_a_killed_supervisor_ends_the_fork_server_too(killed, folder):
    """With its processes it ends by itself; stopped by somebody, it is ended by its name."""
    os.kill(killed[0], signal.SIGSTOP)
    assert PidFile(folder).end_leftovers() == ["worker", "fork-server"]
    assert not any(map(live_process, killed))


def test_a_successor_finds_forked_processes_by_their_mark(killed, folder):
    (folder.path / PidFile.FILE).unlink()
    assert PidFile(folder).end_leftovers() == [f"{len(killed)} processes without a name"]
    assert not any(map(live_process, killed))
