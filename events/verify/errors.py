"""The three ways in which a bundle is not simply sound."""

from __future__ import annotations

from collections.abc import Sequence

from events.table.bundle import BadBundle


class CannotCheck(Exception):
    """Something that was asked for cannot be checked here: rules, a bot or a library are not at hand."""


class Equivocation(Exception):
    """Two statements of one key contradict each other.

    *evidence*: the lines of a file that shows it to anybody who knows the key (`evidence.py`).
    """

    def __init__(self, seq: int, reason: str, evidence: Sequence[bytes] = ()) -> None:
        super().__init__(f"event {seq}: {reason}")
        self.seq = seq
        self.reason = reason
        self.evidence = tuple(evidence)


__all__ = ["BadBundle", "CannotCheck", "Equivocation"]
