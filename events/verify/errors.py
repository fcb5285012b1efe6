"""The four ways in which a bundle is not simply sound."""

from __future__ import annotations

from collections.abc import Sequence

from events.table.bundle import BadBundle


class UncheckableClaim(Exception):
    """Something that was asked for cannot be checked here: rules, a bot or a library are missing."""


class UnreadableFile(Exception):
    """A file that is no audit file as it was sent; the message says what it is instead, and what to do."""


def cannot_import(error: ImportError) -> UncheckableClaim:
    """Return what is said of a module that cannot be imported here: the file is not to blame for that."""
    if error.name is None:
        return UncheckableClaim(f"a module cannot be imported here: {error}")
    return UncheckableClaim(
        f"it needs the module {error.name}, which cannot be imported here. Install it, such as by pip"
    )


class Equivocation(Exception):
    """Two statements of one key contradict each other.

    *evidence*: the lines of a file that shows it to anybody who knows the key (`evidence.py`).
    """

    def __init__(self, seq: int, reason: str, evidence: Sequence[bytes] = ()) -> None:
        super().__init__(f"event {seq}: {reason}")
        self.seq = seq
        self.reason = reason
        self.evidence = tuple(evidence)


__all__ = ["BadBundle", "Equivocation", "UncheckableClaim", "UnreadableFile", "cannot_import"]
