"""Ports on 127.0.0.1 for servers of our own."""

import errno
import random
import socket
import sys

from ops.base.errors import OpsError

# Below the range from which systems take ports for outgoing connections: nothing lands on ours by chance
# while a killed server is away for a moment.
RANGE = range(20_000, 30_000)


def is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Return True if this process could listen on the port."""
    try:
        _bind(port, host)
    except OSError:
        return False
    return True


def check_port(port: int, host: str) -> None:
    """Make sure that we can listen on a port that the operator has chosen.

    Raises:
        OpsError: we cannot; the sentence says what to do about it.
    """
    try:
        _bind(port, host)
    except PermissionError:
        raise OpsError(
            f"Only root may listen on port {port} here. Choose a port from 1024, such as --port 8000, and "
            f"put a reverse proxy on {port}. Or start as root, or allow the port for everyone: "
            f"sudo sysctl net.ipv4.ip_unprivileged_port_start={port}"
        ) from None
    except OSError as problem:
        if problem.errno == errno.EADDRINUSE:
            raise OpsError(
                f"Another program uses port {port}. Choose another, such as --port 8001, or --port 0 for any."
            ) from None
        raise OpsError(
            f"It is not possible to listen on {host} here ({problem.strerror}). Give --host an address of "
            "this machine, 127.0.0.1 or 0.0.0.0."
        ) from None


def _bind(port: int, host: str) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a lingering connection is no listener
        probe.bind((host, port))


def free_port() -> int:
    """Return a port on which nothing listens, and that nobody else is given as long as this process lives.

    Raises:
        OpsError: all are taken.
    """
    for port in random.SystemRandom().sample(RANGE, len(RANGE)):
        if _claim(port) and is_free(port):
            return port
    raise OpsError(
        f"All ports from {RANGE[0]} to {RANGE[-1]} are in use. Stop a program that uses one, and try again."
    )


_claims: dict[int, int] = {}
"""The ports that this process was given, each with the open file that keeps it to the end of the process."""


def _claim(port: int) -> bool:
    """Keep a port from other calls, in all processes of this machine; false where another has it.

    By a name that only Linux has, and forgets with the process; elsewhere nothing is claimed.
    """
    if port in _claims:
        return False
    if not sys.platform.startswith("linux"):
        return True
    claim = socket.socket(socket.AF_UNIX)
    try:
        claim.bind(f"\0rutter-port-{port}")
    except OSError:
        claim.close()
        return False
    _claims[port] = claim.detach()
    return True
