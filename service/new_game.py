"""Making games: rows of seats and owner first, then the log; and once only for each Idempotency-Key."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from events.game import Game
from events.games import CommandReused, new_id
from events.log import VersionConflict
from events.replay import UnknownGame
from service.accounts import Account
from service.pool import patient
from service.process import Process
from service.wire.preconditions import idempotency_key


def make_once(
    process: Process, account: Account, asked: Any, mine: Sequence[int], make: Callable[[str], Game]
) -> tuple[Game, bool]:
    """The game that *make* makes under the id that it is given, and whether it had been made before.

    *asked* is the request: the same Idempotency-Key with another one raises CommandReused.
    """
    key = idempotency_key()
    if key is None:
        return _make(process, account, new_id(), mine, make), False
    game_id = _reserve(process, account, key, asked)
    try:
        return process.games.load(game_id), True
    except UnknownGame:
        pass
    try:
        return _make(process, account, game_id, mine, make), False
    except VersionConflict:  # the same request, sent twice at once: the other one made it
        return process.games.load(game_id), True


def _make(
    process: Process, account: Account, game_id: str, mine: Sequence[int], make: Callable[[str], Game]
) -> Game:
    process.seats.found(game_id, account, mine)
    try:
        return make(game_id)
    except VersionConflict:
        raise
    except Exception:
        process.seats.dissolve(game_id)
        raise


@patient
def _reserve(process: Process, account: Account, key: str, asked: Any) -> str:
    """The game id that belongs to this key: a new one, or that of the first request."""
    digest = hashlib.sha256(msgspec.json.encode(asked, order="sorted")).digest()
    with process.pool.connection() as connection:
        row = connection.execute(
            "INSERT INTO founding (account_id, key, request, game_id) VALUES (%s,%s,%s,%s)"
            " ON CONFLICT (account_id, key) DO UPDATE SET key = EXCLUDED.key"
            " RETURNING request, game_id::text",
            (account.id, key, digest, new_id()),
        ).fetchone()
    assert row is not None  # noqa: S101 - RETURNING
    if bytes(row[0]) != digest:
        raise CommandReused
    return str(row[1])
