"""Log files of a bounded length, cut while the programs that write them run.

Each program writes its own log, opened for appending: so it goes on when the supervisor is gone, and on a
full disk a line is lost and nothing else. A long log is copied beside itself (`api.log.1`) and then cut in
its place, which every program survives, Postgres and Redis too, without being told; a line that is written
between the two may be lost.
"""

import contextlib
import os
import shutil
from pathlib import Path

LARGEST_LOG = 10_000_000
"""Bytes; each program has at most about twice as much on disk."""


def rotate_logs(folder: Path, largest: int | None = None) -> None:
    """Put aside what every log of the folder holds that has grown beyond *largest* bytes; never raises."""
    limit = LARGEST_LOG if largest is None else largest
    for log in folder.glob("*.log"):
        with contextlib.suppress(OSError):
            if log.stat().st_size > limit:
                rotate_log(log)


def rotate_log(log: Path) -> None:
    """Move what the log holds to `<name>.1`; where there is no room for that, drop it."""
    aside = log.with_name(log.name + ".1")
    draft = log.with_name(log.name + ".1.new")
    try:
        shutil.copyfile(log, draft)
        draft.replace(aside)
    except OSError:
        for useless in (draft, aside):
            useless.unlink(missing_ok=True)
    os.truncate(log, 0)


def read_tail(log: Path, since: int) -> str:
    """Return the last lines that *log* has got since it had *since* bytes."""
    with log.open("rb") as handle:
        handle.seek(since)
        return handle.read()[-2000:].decode(errors="replace")
