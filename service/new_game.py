"""Making games: first the claims of their maker, then the log, which decides; once for each key."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol
from uuid import uuid4

import msgspec

from events.game import Game
from events.games import CommandReused, new_id
from events.log import VersionConflict
from events.replay import UnknownGame
from service.accounts import Account
from service.pool import patient
from service.process import Process
from service.seats import OWNER
from service.wire.preconditions import idempotency_key


class Making(Protocol):
    """A call that makes a game under this id, by this claim; `agreed` comes before the log is written."""

    def __call__(self, *, game_id: str, command_id: str, agreed: Callable[[], None]) -> Game: ...  # noqa: D102


def make_once(
    process: Process, account: Account, asked: Any, mine: Sequence[int], make: Making
) -> tuple[Game, bool]:
    """The game that *make* makes, *account*'s with the seats *mine*, and whether it had been made before.

    *asked* is the request: the same Idempotency-Key with another one raises CommandReused.
    """
    key = idempotency_key()
    game_id = new_id() if key is None else _reserve(process, account, key, asked)
    if key is not None:
        with contextlib.suppress(UnknownGame):
            return process.games.load(game_id), True
    claim = process.seats.claim_id(account, game_id, key or str(uuid4()))
    try:
        game = make(
            game_id=game_id,
            command_id=claim,
            agreed=lambda: process.seats.claim(claim, game_id, account, (OWNER, *mine)),
        )
    except VersionConflict:  # the same request, sent twice at once: the other one made it
        return process.games.load(game_id), True
    return game, False


@patient
def _reserve(process: Process, account: Account, key: str, asked: Any) -> str:
    """The game id that belongs to this key: a new one, or that of the first request."""
    digest = hashlib.sha256(msgspec.json.encode(asked, order="sorted")).digest()
    with process.pool.connection() as connection:
        connection.execute(
            "INSERT INTO founding (account_id, key, request, game_id) VALUES (%s,%s,%s,%s)"
            " ON CONFLICT DO NOTHING",
            (account.id, key, digest, new_id()),
        )
        row = connection.execute(
            "SELECT request, game_id::text FROM founding WHERE account_id = %s AND key = %s",
            (account.id, key),
        ).fetchone()
    assert row is not None  # noqa: S101 - inserted
    if bytes(row[0]) != digest:
        raise CommandReused
    return str(row[1])
