"""Ports on 127.0.0.1 for servers of our own."""

import random
import socket

# Below the range from which systems take ports for outgoing connections: nothing lands on ours by chance
# while a killed server is away for a moment.
RANGE = range(20_000, 30_000)


def is_free(port: int, host: str = "127.0.0.1") -> bool:
    """Whether nothing listens on the port."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a lingering connection is no listener
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A port on which nothing listens."""
    choice = random.SystemRandom()
    return next(port for port in iter(lambda: choice.choice(RANGE), None) if is_free(port))
