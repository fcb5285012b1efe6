"""Options and arguments that several commands have."""

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from events.base.timestamps import FarTime, read_day_or_time
from events.tlog.notes import Verifier
from events.tlog.text import parse_decimal, unhex
from events.tlog.weak_keys import is_weak_key
from ops.runtime.data_folder import default_data_folder

data_option = click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    default=default_data_folder,
    show_default="RUTTER_DATA, /var/lib/rutter for root, ~/.local/share/rutter otherwise",
    help="The folder of the database and all other data.",
)
jobs_option = click.option(
    "--jobs", type=click.IntRange(1), default=1, show_default=True, help="The number of processes."
)
FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)


class LogKeyParam(click.ParamType[Any]):
    """A log key: its vkey, or 64 hex digits, which then get the name of the log in the file."""

    name = "vkey or hex"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the key, or its bytes alone."""
        try:
            return _read_raw_key(value) if "+" not in value else Verifier.read(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _read_raw_key(value: str) -> bytes:
    raw = unhex(value, 32)
    if is_weak_key(raw):
        raise ValueError("a key of small order, for which anybody can sign")
    return raw


class TimeParam(click.ParamType[datetime]):
    """A day in UTC, or a time in RFC 3339."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the time, or the beginning of the day."""
        try:
            return read_day_or_time(value)
        except FarTime:
            self.fail("Give a day or a time from the years 2000 to 2999.", param, ctx)
        except ValueError:
            told = f"{value!r} is no time. Give a day or a time, such as 2026-03-01 or 2026-03-01T12:00:00Z."
            self.fail(told, param, ctx)


class RevokedKeyParam(click.ParamType[Any]):
    """``VKEY@SIZE``."""

    name = "vkey@size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the key, and the size of the log from which the key is not trusted."""
        vkey, _, size = value.rpartition("@")
        try:
            return Verifier.read(vkey), parse_decimal(size)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class SuccessorParam(click.ParamType[Any]):
    """``OLD=NEW``."""

    name = "vkey=vkey"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return both keys."""
        old, _, new = value.partition("=")
        try:
            return Verifier.read(old), Verifier.read(new)
        except ValueError as error:
            self.fail(str(error), param, ctx)
