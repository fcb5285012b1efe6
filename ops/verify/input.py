"""Input of the commands that check bundles, and the exit statuses that they end with."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import click

from events.tlog.policy import BadPolicy, Policy
from events.tlog.text import escape_controls
from events.verify import BadBundle, Equivocation, UncheckableClaim, UnreadableFile, limits
from events.verify.errors import cannot_import

GOOD, BAD, UNREADABLE, UNCHECKED, EQUIVOCATION = range(5)
"""Exit statuses; 2 is click's own as well, for wrong usage."""
LARGEST_POLICY = 1024 * 1024
"""Bytes of a policy."""


class ExitStatusReporter:
    """Ends the program with the exit status, and the one line on stderr, that a verdict deserves.

    Args:
        out: where evidence of an equivocation is written, if anywhere.
    """

    def __init__(self, out: Path | None) -> None:
        self._out = out

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, BadBundle):
            _exit_with(BAD, f"BAD: {error}")
        if isinstance(error, UnreadableFile):
            _exit_with(UNREADABLE, f"CANNOT READ: {error}")
        if isinstance(error, UncheckableClaim):
            _exit_with(UNCHECKED, f"CANNOT CHECK: {error}")
        if isinstance(error, ImportError):
            _exit_with(UNCHECKED, f"CANNOT CHECK: {cannot_import(error)}")
        if isinstance(error, Equivocation):
            if self._out is not None:
                self._out.write_bytes(b"".join(error.evidence))
            _exit_with(EQUIVOCATION, f"EQUIVOCATION: {error}")


def _exit_with(status: int, said: str) -> NoReturn:
    click.echo(escape_controls(said), err=True)
    sys.exit(status)


def open_input(file: Path) -> Any:
    """Return *file*, or standard input for ``-``, as a stream of bytes to be used in ``with``."""
    return click.open_file(str(file), "rb")


def read_lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a file; of one that is longer than any may be only so much that this is seen."""
    while line := stream.readline(limits.LINE + 1):
        yield line


def read_policy(file: Path | None) -> Policy | None:
    """Return the policy in *file*. Raises click's error for what is none."""
    if file is None:
        return None
    try:
        with open_input(file) as stream:
            text = stream.read(LARGEST_POLICY + 1)
        if len(text) > LARGEST_POLICY:
            raise BadPolicy(f"it is longer than {LARGEST_POLICY} bytes")
        return Policy(
            text.decode("latin-1")
        )  # every byte is a character; those that are no ASCII are refused
    except (ValueError, OSError) as error:
        raise click.BadParameter(escape_controls(str(error)), param_hint="--policy") from None


def show_progress(done: int, of: int) -> None:
    """Show the number of events that the rules have gone through, on a terminal."""
    if sys.stderr.isatty() and (done == of or done % 200 == 0):
        click.echo(f"\r{done} of {of} events, {100 * done // of} %", nl=done == of, err=True)
