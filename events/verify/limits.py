"""The limits of a bundle. A service never makes more; a verifier refuses more before it allocates."""

FILE = 256 * 1024 * 1024
"""Bytes of a file."""
LINE = 1024 * 1024
"""Bytes of a line, its line feed included."""
EVENTS = 100_000
BODY = 256 * 1024
"""Bytes of an event's body."""
PARTS = 64
"""Hidden parts of one event."""
SEATS = 16
CHAIN = 65_536
"""L: public draws that the reverse chain provides for."""
DRAWS = 4_096
"""Draws of one command, public and hidden each, and outcomes of one draw."""
BOUND = 2**32
"""The largest bound of an outcome."""
LINES = 3 * EVENTS + 2
"""A header, a receipt, and of each event its line, a proof and a timestamp."""
