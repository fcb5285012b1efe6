"""The log lines of a process: JSON on standard output, and never a reason to stop."""

from __future__ import annotations

import contextlib
import logging
import sys

import structlog


class StdoutLogger:
    """Writes lines to standard output; what cannot be written (a full disk, a closed terminal) is dropped."""

    def msg(self, message: str) -> None:
        """Write one line."""
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.write(message + "\n")
            sys.stdout.flush()

    log = debug = info = warn = warning = msg
    fatal = failure = err = error = critical = exception = msg


def make_logger(*_name: object) -> StdoutLogger:
    """Return the factory that structlog asks for."""
    return StdoutLogger()


def configure_logging() -> None:
    """Log lines of this process as JSON, from level INFO."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=make_logger,
        cache_logger_on_first_use=False,
    )
