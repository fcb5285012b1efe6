"""Ports that a user chooses: those that they cannot have are refused in a sentence."""

from __future__ import annotations

import os
import pwd
import socket
import subprocess
import sys
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.base.errors import OpsError
from ops.cli import rutter
from ops.runtime import ports
from ops.runtime.ports import check_port, free_port, is_free

ROOT = Path(__file__).parents[2]
UNPRIVILEGED = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
FORKS = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
"""The child only binds a port, and ends: no lock of another thread is met."""


def as_nobody(action: Callable[[], object]) -> str:
    """What an ordinary user is told when they do it: an OpsError's sentence, else a traceback or nothing."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                nobody = pwd.getpwnam("nobody")
                os.setgroups([])
                os.setgid(nobody.pw_gid)
                os.setuid(nobody.pw_uid)
            action()
        except OpsError as told:
            os.write(write, str(told).encode())
        except BaseException:  # noqa: BLE001 - told to the parent
            os.write(write, traceback.format_exc().encode())
        finally:
            os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as said:
        text = said.read().decode()
    os.waitpid(child, 0)
    return text


@FORKS
def test_a_port_of_root_is_refused_to_others_in_a_sentence():
    """It says who may have it, and what else there is."""
    if not UNPRIVILEGED.exists() or int(UNPRIVILEGED.read_text()) <= 80:
        pytest.skip("here everybody may listen on port 80")
    said = as_nobody(lambda: check_port(80, "127.0.0.1"))
    assert said.startswith("Only root may listen on port 80 here.")
    assert "--port 8000" in said
    assert "ip_unprivileged_port_start=80" in said


@FORKS
def test_an_ordinary_port_is_everybodys():
    assert as_nobody(lambda: check_port(free_port(), "127.0.0.1")) == ""


def test_a_taken_port_is_told_from_one_that_is_not_allowed():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(OpsError, match=f"Another program uses port {port}"):
            check_port(port, "127.0.0.1")


def _can_be_given(port: int) -> bool:
    """Return True if no process of this machine listens on a port or was given it."""
    claimed = ports._claim(port)
    if claimed:
        os.close(ports._claims.pop(port))
    return claimed and is_free(port)


@pytest.fixture
def three_ports(monkeypatch) -> Iterator[range]:
    """The only ports that may be given, of which none is taken."""
    held = ports._claims.keys()
    starts = (start for start in range(25_000, 30_000) if not held & {start, start + 1, start + 2})
    monkeypatch.setattr(ports, "_claims", {})
    few = next(
        range(start, start + 3) for start in starts if all(map(_can_be_given, range(start, start + 3)))
    )
    monkeypatch.setattr(ports, "RANGE", few)
    yield few
    for claim in ports._claims.values():
        os.close(claim)


def test_a_port_is_given_once_though_nobody_listens_there_yet(three_ports):
    """Between the choice and the first listener another process may ask."""
    assert {free_port() for _ in three_ports} == set(three_ports)
    with pytest.raises(OpsError, match="All ports from"):
        free_port()


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="only Linux has names that end with a process"
)
def test_another_process_is_given_other_ports(three_ports):
    """And those of a process that has ended."""
    ours = free_port()
    asked = (
        f"from ops.runtime import ports; ports.RANGE = {three_ports!r}; "
        "print(ports.free_port(), ports.free_port())"
    )
    for _ in range(2):
        told = subprocess.run(
            [sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout
        assert {int(word) for word in told.split()} == set(three_ports) - {ours}


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_of_another_machine_is_named(host):
    with pytest.raises(OpsError, match=f"not possible to listen on {host} here"):
        check_port(free_port(), host)


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_what_is_no_port_is_a_usage_error(port, tmp_path):
    done = CliRunner().invoke(rutter, ["up", "--port", port, "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert "--port" in done.output
