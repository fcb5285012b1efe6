"""The checks before any parser runs: sizes, line ends, nesting."""

from __future__ import annotations

import re
from collections.abc import Iterable

from events.proof.canonical import MAX_DEPTH
from events.table.bundle import BadBundle
from events.verify import limits
from events.verify.foreign_files import check_first_line, check_line_end

# Possessive, and content with a string that never ends: so the time is linear whatever the text.
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
_PAIRS = bytes.maketrans(b"[]", b"{}")
_OTHERS = bytes(set(range(256)) - set(b"{}[]"))


def is_deeper_than(text: bytes, deepest: int = MAX_DEPTH) -> bool:
    """Return True if brackets outside strings nest deeper than *deepest* levels, or do not match."""
    if text.count(b"{") + text.count(b"[") <= deepest:
        return False
    brackets = _STRING.sub(b"", text).translate(_PAIRS, _OTHERS)
    for _ in range(deepest):
        brackets = brackets.replace(b"{}", b"")  # one level: the innermost pairs
        if not brackets:
            return False
    return True


def scan_lines(text: Iterable[bytes]) -> list[bytes]:
    """Return the lines of a file, each with its line feed.

    Raises :class:`BadBundle`, and what :func:`check_first_line` raises.
    """
    lines: list[bytes] = []
    size = 0
    for line in text:
        number = len(lines) + 1
        size += len(line)
        if number == 1:
            check_first_line(line)
        _check_line(line, number, size)
        lines.append(line)
    if not lines:
        check_first_line(b"")
    return lines


def _check_line(line: bytes, number: int, size: int) -> None:
    event = number - 1 or None
    check_line_end(line, number)
    if len(line) > limits.LINE:
        raise BadBundle(event, f"line {number} is longer than {limits.LINE} bytes")
    if size > limits.FILE:
        raise BadBundle(event, f"the file is larger than {limits.FILE} bytes")
    if number > limits.LINES:
        raise BadBundle(None, f"the file has more than {limits.LINES} lines")
    if not line.endswith(b"\n") or line.count(b"\n") != 1:
        raise BadBundle(event, f"line {number} does not end in one line feed")
    if not line.startswith(b"{"):
        raise BadBundle(event, f"line {number} is damaged: it is not an object")
    if is_deeper_than(line):
        raise BadBundle(event, f"line {number} is damaged: brackets nested too deep, or not in pairs")
