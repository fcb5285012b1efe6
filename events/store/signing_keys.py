"""The keys that sign receipts and checkpoints: where they lie, and which ones the database knows.

One key signs; while another takes its place both do, and verifiers who know only one ignore the other's line.
The database holds the origin, the name under which all of them sign, and what was said about each key.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec
from psycopg import Connection

from events.proof.randomness import sha
from events.store.entropy import find_configured_seed
from events.store.event_log import Pool, ReadOnly
from events.tlog.notes import SigningKey, SigningKeys

KEY_FILE = "signing.key"
MAX_KEYS = 2
"""Keys that sign at once: the one that goes and the one that comes."""
RECHECK_SECONDS = 30.0
"""Seconds after which a process asks again which of its keys are valid."""


def load_seeds(text: str | None, data: Path | None) -> tuple[bytes, ...]:
    """The seeds of the keys in *text* (64 hex digits each), else in the key file of the folder *data*.

    A file that is not there yet is made, by exactly one process; without either there is no key. Raises
    ValueError for what is no key.
    """
    if text is None and data is not None:
        text = _read_or_create_key(data / KEY_FILE)
    try:
        seeds = tuple(bytes.fromhex(word) for word in (text or "").replace(",", " ").split())
    except ValueError:
        seeds = (b"",)
    if len(seeds) > MAX_KEYS or any(len(seed) != 32 for seed in seeds):
        raise ValueError(
            f"The signing key must be 64 hex digits; at most {MAX_KEYS} of them, with a space between."
        )
    return seeds


def _read_or_create_key(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        pass
    # Written in full beside its place, then linked into it: the first link wins, and nobody reads half a key.
    draft = path.with_name(f"{path.name}.{os.getpid()}.{os.urandom(4).hex()}")
    with os.fdopen(
        os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii"
    ) as file:
        file.write(os.urandom(32).hex() + "\n")
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
    return path.read_text(encoding="ascii")


class LoggedKey(msgspec.Struct, frozen=True):
    """A key that signed, signs, or will."""

    vkey: str
    since: int
    """The size of the log of all games from which on it signs."""
    until: int | None
    """The size at which it ended; None for one that signs."""
    revoked: bool = False
    """True if it was stolen: what it signed counts only with a proof of inclusion below that size."""


_KEYS = (
    "SELECT a.vkey, CASE a.word WHEN 'first' THEN 0 ELSE"
    " (SELECT CASE l.index WHEN 0 THEN 0 ELSE l.index + 1 END FROM es.leaf l WHERE l.key = a.id) END,"
    " (SELECT min(e.size) FROM es.key e WHERE e.vkey = a.vkey AND e.word IN ('end', 'revoke')),"
    " EXISTS (SELECT FROM es.key e WHERE e.vkey = a.vkey AND e.word = 'revoke')"
    " FROM es.key a WHERE a.word IN ('first', 'add')"
    " AND a.id > (SELECT coalesce(max(o.id), 0) FROM es.key o WHERE o.word = 'old') ORDER BY a.id"
)


def list_logged_keys(connection: Connection[tuple[object, ...]]) -> list[LoggedKey]:
    """All keys that the log has told of, the oldest first; of a log that succeeded another its own only."""
    rows = connection.execute(_KEYS).fetchall()
    return [
        msgspec.convert(dict(zip(LoggedKey.__struct_fields__, row, strict=True)), LoggedKey)
        for row in rows
        if row[1] is not None
    ]


def read_origin(connection: Connection[tuple[object, ...]]) -> str | None:
    """Return the origin that the database holds; None before the first start."""
    found = connection.execute("SELECT origin FROM es.service").fetchone()
    return str(found[0]) if found and found[0] is not None else None


class Keyring:
    """The keys of this process, under the origin that the database holds.

    The first process that asks gives a new database its origin: the one that is configured, else one that
    follows from its key.
    """

    def __init__(self, pool: Pool, seeds: Sequence[bytes], origin: str | None = None) -> None:
        if origin is not None:
            SigningKey(origin, bytes(32))  # a name that keys can have, or a ValueError now
        self._pool = pool
        self._seeds = tuple(seeds)
        self._configured = origin
        self._cached: tuple[float, str, SigningKey] | None = None
        self._asking = threading.Lock()

    @property
    def origin(self) -> str:
        """The name under which the service signs, for ever. Raises :class:`ReadOnly`."""
        return self._signing_state()[0]

    @property
    def signer(self) -> SigningKey:
        """The key that signs. Raises :class:`ReadOnly` where no key of this process is one of the log's."""
        return self._signing_state()[1]

    def _signing_state(self) -> tuple[str, SigningKey]:
        cached = self._cached
        if cached is None or cached[0] < time.monotonic():
            with self._asking:
                cached = self._cached
                if cached is None or cached[0] < time.monotonic():
                    self._cached = cached = (time.monotonic() + RECHECK_SECONDS, *self._read_signing_state())
        return cached[1:]

    def _read_signing_state(self) -> tuple[str, SigningKey]:
        if not self._seeds:
            raise ReadOnly(
                "cannot_sign",
                "There is no key to sign with. Set RUTTER_SIGNING_KEY to 64 hex digits, or RUTTER_DATA to a "
                "folder for the key.",
            )
        with self._pool.connection() as connection:
            origin = self._establish_origin(connection)
            _check_test_seed(connection)
            valid = [key.vkey for key in list_logged_keys(connection) if key.until is None]
        if self._configured not in (None, origin):
            raise ReadOnly(
                "another_origin",
                f"RUTTER_ORIGIN is {self._configured}, but this database holds the log {origin}. A log never "
                f"changes its name: remove RUTTER_ORIGIN, or use another database.",
            )
        mine = {SigningKey(origin, seed).vkey: seed for seed in self._seeds}
        usable = [mine[vkey] for vkey in reversed(valid) if vkey in mine]
        if not usable:
            raise ReadOnly(
                "another_key",
                f"The log {origin} of this database belongs to another key: {' or '.join(valid) or 'none'}. "
                f"It can only be read; set RUTTER_SIGNING_KEY to that key.",
            )
        return origin, SigningKeys(origin, usable[0], usable[1:])

    def _establish_origin(self, connection: Connection[tuple[object, ...]]) -> str:
        """Return the origin of the database; give it one, with the first key, where it has none."""
        found = read_origin(connection)
        if found is None:
            wanted = self._configured or default_origin(SigningKey("rutter", self._seeds[0]).public)
            with connection.transaction():  # whose origin it is, theirs is the first key
                made = connection.execute(
                    "INSERT INTO es.service (claim_key, origin, test_seed) VALUES (%s, %s, %s)"
                    " ON CONFLICT (one) DO UPDATE"
                    " SET origin = excluded.origin, test_seed = excluded.test_seed"
                    " WHERE service.origin IS NULL RETURNING origin",
                    (os.urandom(32), wanted, _seed_fingerprint()),
                ).fetchone()
                if made:
                    vkey = SigningKey(wanted, self._seeds[0]).vkey
                    connection.execute("INSERT INTO es.key (word, vkey) VALUES ('first', %s)", (vkey,))
        return found or read_origin(connection) or ""


def _seed_fingerprint() -> bytes | None:
    """Return the fingerprint of RUTTER_TEST_SEED; None without one."""
    seeded = find_configured_seed()
    return seeded.fingerprint if seeded else None


def _check_test_seed(connection: Connection[tuple[object, ...]]) -> None:
    """Raise ReadOnly where the log was made with another RUTTER_TEST_SEED than this process has."""
    found = connection.execute("SELECT test_seed FROM es.service").fetchone()
    stored, mine = found[0] if found else None, _seed_fingerprint()
    if stored == mine:
        return
    if stored is None:
        advice = "This log was made without a test seed. Remove RUTTER_TEST_SEED."
    else:
        advice = "This log was made with a test seed. Set RUTTER_TEST_SEED to it, or use another database."
    raise ReadOnly("another_test_seed", advice)


def default_origin(public: bytes) -> str:
    """Return the name of a service that nobody named: it follows from its *public* key.

    >>> default_origin(bytes(32))
    'rutter/66687aadf862bd77'
    """
    return f"rutter/{sha(public).hex()[:16]}"
