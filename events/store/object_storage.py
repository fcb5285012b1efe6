"""Files in stores beside folders: whatever fsspec can speak to, by its URL.

A store is another machine, so it may be away, slow or silent: each call is made by a thread of its own and
given up when its time is over, and a store that was given up is left alone for a moment, so that nobody
else waits for it. Logins are fsspec's own affair (its settings, or the environment): none stands in a URL.

Connections are kept for a moment, and each is lent to one call at a time: those of most stores are no good to
several threads. A store may close one meanwhile, which shows at the next call: then that call connects again,
once. The bytes of a file are never sent twice.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from events.base.installation import install_command

Result = TypeVar("Result")

READ_SECONDS = 5.0
"""Seconds for one file: less than a request may take."""
WRITE_SECONDS = 60.0
SUSPEND_SECONDS = 10.0
"""Seconds for which a store is not asked again that has not answered in time."""

KEEP_SECONDS = 30.0
"""Seconds for which a connection is kept that nobody uses: firewalls forget it silently after minutes."""
MOST_KEPT = 8
"""Idle connections of all stores that are kept at the most."""

_suspended_until: dict[str, float] = {}
"""By store, scheme and host, until when it is left alone."""


class StorageUnavailable(Exception):
    """A file cannot be had, or not be written; the message says why, after the name of what it is about."""


class _Kept(NamedTuple):
    """A file system that nobody uses now, with its connection."""

    store: str
    process: int
    """The one that connected: a fork shares no connection."""
    since: float
    system: Any


class _IdleSystems:
    """The file systems that are kept, the newest last. Safe for many threads."""

    def __init__(self) -> None:
        self._kept: list[_Kept] = []
        self._lock = threading.Lock()

    def take(self, store: str) -> Any:
        """Return the file system of *store* that was used last; None where none is kept."""
        with self._lock:
            fresh = time.monotonic() - KEEP_SECONDS
            self._kept = [one for one in self._kept if one.since > fresh and one.process == os.getpid()]
            for place in reversed(range(len(self._kept))):
                if self._kept[place].store == store:
                    return self._kept.pop(place).system
        return None

    def keep(self, store: str, system: Any) -> None:
        """Keep *system* for the next call to *store*."""
        with self._lock:
            self._kept.append(_Kept(store, os.getpid(), time.monotonic(), system))
            del self._kept[:-MOST_KEPT]

    def forget(self, store: str) -> None:
        """Keep none of *store*."""
        with self._lock:
            self._kept = [one for one in self._kept if one.store != store]


_IDLE = _IdleSystems()


def read(url: str) -> bytes:
    """Return the file at *url*. Raises :class:`StorageUnavailable`."""
    _load_driver(url)
    return _run_with_timeout(
        url, READ_SECONDS, lambda: _ask_store(url, lambda system, path: bytes(system.cat_file(path)))
    )


def write(url: str, data: bytes) -> None:
    """Put *data* at *url*, whatever is there. Raises :class:`StorageUnavailable`.

    The folder comes first: on that a connection shows that is closed, before any byte of the file is sent.
    """
    _load_driver(url)

    def make_folder(system: Any, path: str) -> None:
        system.makedirs(path.rpartition("/")[0], exist_ok=True)

    def put(system: Any, path: str) -> None:
        system.pipe_file(path, data)

    _run_with_timeout(url, WRITE_SECONDS, lambda: _ask_store(url, make_folder, put))


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
    """Return the file system of *url*, newly connected, and the path in it."""
    from fsspec.core import url_to_fs

    system, path = url_to_fs(url, skip_instance_cache=True, use_listings_cache=False)
    return system, path


def _ask_store(
    url: str, repeatable: Callable[[Any, str], Result], once: Callable[[Any, str], Result] | None = None
) -> Result:
    """Do *repeatable* and then *once* with the file system of *url*; return the result of the last.

    Where a kept connection fails, *repeatable* is done again with a new one.
    """
    from fsspec.core import strip_protocol

    store = _get_store(url)
    system = _IDLE.take(store)
    if system is not None:
        try:
            path = strip_protocol(url)
            result = repeatable(system, path)
        except FileNotFoundError:  # so it has answered
            _IDLE.keep(store, system)
            raise
        except Exception:  # noqa: BLE001 - each store has errors of its own; a new connection tells whose it is
            system = None
    if system is None:
        system, path = _connect(url)
        result = repeatable(system, path)
    if once is not None:
        result = once(system, path)
    _IDLE.keep(store, system)
    return result


def _get_store(url: str) -> str:
    return "{0.scheme}://{0.netloc}".format(urlsplit(url))


def _run_with_timeout(url: str, seconds: float, action: Callable[[], Result]) -> Result:
    """Run *action* and return its result.

    Raises :class:`StorageUnavailable` where it fails, or is not done in time.
    """
    store = _get_store(url)
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
        _IDLE.forget(store)  # whatever made one silent made all of them
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
