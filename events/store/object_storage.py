"""Files in stores beside folders: whatever fsspec can speak to, by its URL.

A store is another machine, so it may be away, slow or silent: each call is made by a thread of its own and
given up when its time is over, and a store that was given up is left alone for a moment, so that nobody
else waits for it. Each call connects again: what is read here is read seldom, and connections of most stores
are no good to several threads. Logins are fsspec's own affair (its settings, or the environment): none
stands in a URL.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import urlsplit

from events.base.installation import install_command

Result = TypeVar("Result")

READ_SECONDS = 5.0
"""Seconds for one file: less than a request may take."""
WRITE_SECONDS = 60.0
SUSPEND_SECONDS = 10.0
"""Seconds for which a store is not asked again that has not answered in time."""

_suspended_until: dict[str, float] = {}
"""By store, scheme and host, until when it is left alone."""


class StorageUnavailable(Exception):
    """A file cannot be had, or not be written; the message says why, after the name of what it is about."""


def read(url: str) -> bytes:
    """Return the file at *url*. Raises :class:`StorageUnavailable`."""
    _load_driver(url)

    def get() -> bytes:
        system, path = _connect(url)
        return bytes(system.cat_file(path))

    return _run_with_timeout(url, READ_SECONDS, get)


def write(url: str, data: bytes) -> None:
    """Put *data* at *url*, whatever is there. Raises :class:`StorageUnavailable`."""
    _load_driver(url)

    def put() -> None:
        system, path = _connect(url)
        system.makedirs(path.rpartition("/")[0], exist_ok=True)
        system.pipe_file(path, data)

    _run_with_timeout(url, WRITE_SECONDS, put)


def check_url(url: str) -> None:
    """Raise :class:`StorageUnavailable` for a URL under which nothing can be kept."""
    _load_driver(url)
    _run_with_timeout(url, WRITE_SECONDS, lambda: _connect(url))


def _load_driver(url: str) -> None:
    """Load the code for the store of *url*; raise :class:`StorageUnavailable` if there is none.

    The store has no part in it, so none of its time is used up.
    """
    try:
        place = urlsplit(url)
    except ValueError:
        raise StorageUnavailable("is no URL") from None
    if "::" in url or not place.scheme:
        raise StorageUnavailable("is no URL of one store")
    if "@" in place.netloc:
        raise StorageUnavailable(
            "holds a login, and would be recorded with it; give that to fsspec by its settings, such as"
            f" FSSPEC_{place.scheme.upper()}_USERNAME and FSSPEC_{place.scheme.upper()}_PASSWORD"
        )
    try:
        from fsspec import get_filesystem_class
    except ImportError:
        raise StorageUnavailable(f"needs fsspec: {install_command('archive')}") from None
    try:
        get_filesystem_class(place.scheme)
    except ImportError as missing:  # its sentence names what to install, such as s3fs
        raise StorageUnavailable(f"needs another package: {missing}") from None
    except ValueError as unknown:
        raise StorageUnavailable(f"is of no store that fsspec knows: {unknown}") from None


def _connect(url: str) -> tuple[Any, str]:
    """Return the file system of *url*, connected again, and the path in it."""
    from fsspec.core import url_to_fs

    system, path = url_to_fs(url, skip_instance_cache=True, use_listings_cache=False)
    return system, path


def _run_with_timeout(url: str, seconds: float, action: Callable[[], Result]) -> Result:
    """Run *action* and return its result.

    Raises :class:`StorageUnavailable` where it fails, or is not done in time.
    """
    store = "{0.scheme}://{0.netloc}".format(urlsplit(url))
    if time.monotonic() < _suspended_until.get(store, 0.0):
        raise StorageUnavailable("is in a store that has not answered a moment ago")
    done: list[Result] = []
    failed: list[Exception] = []

    def act() -> None:
        try:
            done.append(action())
        except Exception as error:  # noqa: BLE001 - each store has errors of its own
            failed.append(error)

    thread = threading.Thread(target=act, name=f"store {store}", daemon=True)
    thread.start()
    thread.join(seconds)
    if done:
        return done[0]
    if not failed:
        _suspended_until[store] = time.monotonic() + SUSPEND_SECONDS
        raise StorageUnavailable(f"is in a store that has not answered for {seconds:g} s")
    error = failed[0]
    if isinstance(error, StorageUnavailable):
        raise error
    if isinstance(error, FileNotFoundError):
        raise StorageUnavailable("is not there") from error
    raise StorageUnavailable(
        f"is in a store that refuses: {type(error).__name__}: {_first_line(error)}"
    ) from error


def _first_line(error: Exception) -> str:
    with contextlib.suppress(IndexError):
        return str(error).splitlines()[0][:200]
    return "no reason given"
