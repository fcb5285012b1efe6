"""Begins an engine: gives its limits and the network up for good, then becomes the engine.

Run as a program of its own, with the limits as JSON and the command of the engine. Nothing of the project
is imported, so that it takes a few milliseconds. Between fork and exec a process with threads could do none
of this.
"""

import ctypes
import json
import os
import resource
import signal
import sys

NEW_USER, NEW_NETWORK, NEW_IPC = 0x10000000, 0x40000000, 0x08000000
"""The namespaces of Linux's unshare(2)."""
DIE_WITH_PARENT, NO_NEW_PRIVILEGES = 1, 38
"""Options of Linux's prctl(2)."""
OPEN_FILES = 64
"""Most files that an engine has open."""
PROBE = "probe"
"""In place of the limits: only say by the exit status whether the network can be refused."""


def refuse_network() -> bool:
    """Leave every network behind, no matter who runs this; False where the system does not allow it.

    In a user namespace of its own the engine reads no memory of its parent's either.
    """
    unshare = getattr(ctypes.CDLL(None), "unshare", None)
    wanted = (NEW_USER | NEW_NETWORK | NEW_IPC, NEW_NETWORK | NEW_IPC)
    return unshare is not None and any(unshare(spaces) == 0 for spaces in wanted)


def set_limits(cpu_seconds: int, memory: int) -> None:
    """Set limits: processor time, memory and open files as given, and no file written."""
    # Between both limits the system says why it ends it: XCPU, not KILL.
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 1))
    for kind, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_NOFILE, OPEN_FILES),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))


def end_with_parent() -> None:
    """Die when the asking process dies, and gain nothing from programs that run as another user."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
        prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)


def main(words: list[str]) -> None:
    """Become the engine."""
    if words == [PROBE]:
        sys.exit(0 if refuse_network() else 1)
    limits, *command = words
    refuse_network()
    end_with_parent()
    set_limits(**json.loads(limits))
    os.execvp(command[0], command)  # noqa: S606 - the operator's own words, and no shell


if __name__ == "__main__":
    main(sys.argv[1:])
