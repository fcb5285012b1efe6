"""Ports that a user chooses: those that he cannot have are refused in a sentence."""

from __future__ import annotations

import os
import pwd
import socket
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.cli import rutter
from ops.errors import OpsError
from ops.ports import check_port, free_port

UNPRIVILEGED = Path("/proc/sys/net/ipv4/ip_unprivileged_port_start")
FORKS = pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
"""The child only binds a port, and ends: no lock of another thread is met."""


def as_nobody(action: Callable[[], object]) -> str:
    """What an ordinary user is told when he does it: an OpsError's sentence, else a traceback or nothing."""
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
        with pytest.raises(OpsError, match=f"Another program listens on port {port}"):
            check_port(port, "127.0.0.1")


@pytest.mark.parametrize("host", ["192.0.2.1", "nowhere.invalid"])
def test_an_address_of_another_machine_is_named(host):
    with pytest.raises(OpsError, match=f"Nobody can listen on {host} here"):
        check_port(free_port(), host)


@pytest.mark.parametrize("port", ["-1", "65536", "http"])
def test_what_is_no_port_is_a_usage_error(port, tmp_path):
    done = CliRunner().invoke(rutter, ["up", "--port", port, "--data", str(tmp_path)])
    assert done.exit_code == 2
    assert "--port" in done.output
