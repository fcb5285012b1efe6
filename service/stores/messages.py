"""The words of messages, beside the log: with their salts, readers, reports and mutes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence

import msgspec

from events.rules.fact import Seat
from events.store.event_log import Pool
from events.talk.content import SALT_BYTES, Content
from service.base.database import retry_on_disconnect
from service.base.people import Account

SAID_FIELD = "said"
"""The kind of text that a message is, beside those of :mod:`service.stores.texts`."""


class StoredMessage(msgspec.Struct, frozen=True):
    """The words of a message that were not erased, with their salt."""

    salt: bytes
    content: Content
    author: str
    """The id of the account that wrote it."""


class Messages:
    """The words of messages in the database. *talk* is the id of a talk, *cmd* that of a message in it."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def store(
        self, talk: str, cmd: str, account: Account, content: Content, readers: Mapping[Seat, str]
    ) -> StoredMessage:
        """Store a message that is about to be appended, and return it; *readers* are accounts by seat.

        A repeated request gets the message that its first time stored, whatever it says now, and its readers
        stay those of the first time.
        """
        with self._pool.connection() as connection, connection.transaction():
            connection.execute(
                "INSERT INTO es.text (game_id, cmd, field, salt, body, account_id) VALUES (%s,%s,%s,%s,%s,%s)"
                " ON CONFLICT DO NOTHING",
                (talk, cmd, SAID_FIELD, os.urandom(SALT_BYTES), content.encode().decode(), account.id),
            )
            connection.execute(
                "INSERT INTO talk_reader (game_id, cmd, seat, account_id)"
                " SELECT %s, %s, seat, reader"
                " FROM unnest(%s::smallint[], %s::uuid[]) wanted (seat, reader)"
                " ON CONFLICT DO NOTHING",
                (talk, cmd, list(readers), list(readers.values())),
            )
            rows = connection.execute(
                "SELECT cmd::text, salt, body, account_id::text FROM es.text"
                " WHERE game_id = %s AND cmd = ANY(%s::uuid[]) AND field = %s",
                (talk, [cmd], SAID_FIELD),
            ).fetchall()
        return _read_message(rows[0])

    @retry_on_disconnect
    def find(self, talk: str, cmds: Sequence[str]) -> dict[str, StoredMessage]:
        """Return by command the messages of a talk that were not erased."""
        if not cmds:
            return {}
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT cmd::text, salt, body, account_id::text FROM es.text"
                " WHERE game_id = %s AND cmd = ANY(%s::uuid[]) AND field = %s",
                (talk, list(cmds), SAID_FIELD),
            ).fetchall()
        return {row[0]: _read_message(row) for row in rows}

    @retry_on_disconnect
    def list_readers(self, talk: str, cmds: Sequence[str]) -> dict[str, dict[Seat, str]]:
        """Return by command and seat the accounts that may read the whispers among these messages."""
        found: dict[str, dict[Seat, str]] = {}
        if not cmds:
            return found
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT cmd::text, seat, account_id::text FROM talk_reader"
                " WHERE game_id = %s AND cmd = ANY(%s::uuid[])",
                (talk, list(cmds)),
            ).fetchall()
        for cmd, seat, reader in rows:
            found.setdefault(cmd, {})[seat] = reader
        return found

    @retry_on_disconnect
    def erase(self, talk: str, cmd: str) -> bool:
        """Erase the words of a message and their salt; return False where they were not there."""
        with self._pool.connection() as connection:
            erased = connection.execute(
                "DELETE FROM es.text WHERE game_id = %s AND cmd = %s AND field = %s", (talk, cmd, SAID_FIELD)
            )
        return erased.rowcount > 0

    @retry_on_disconnect
    def report(self, game_id: str, n: int, account: Account, reason: str | None) -> None:
        """Record that *account* reports message *n* of a game; its first reason stays."""
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO message_report (game_id, n, account_id, reason) VALUES (%s,%s,%s,%s)"
                " ON CONFLICT DO NOTHING",
                (game_id, n, account.id, reason),
            )

    @retry_on_disconnect
    def newest_numbers(self, talks: Iterable[str]) -> dict[str, int]:
        """Return by talk the number of its newest event, where there is one."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT game_id::text, max(seq) FROM es.event WHERE game_id = ANY(%s::uuid[])"
                " GROUP BY game_id",
                (list(talks),),
            ).fetchall()
        return dict(rows)

    @retry_on_disconnect
    def list_recent_games(self, account: Account, most: int) -> list[str]:
        """Return the games in which *account* took a seat last, at most so many, newest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT game_id::text FROM seat_claim WHERE account_id = %s AND seat >= 0"
                " GROUP BY game_id ORDER BY max(made_at) DESC LIMIT %s",
                (account.id, most),
            ).fetchall()
        return [row[0] for row in rows]


class Mutes:
    """The accounts whose messages an account does not want to read."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def mute(self, account: Account, other: str) -> None:
        """Hide the messages of *other* from *account*."""
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO mute (account_id, muted) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                (account.id, other),
            )

    @retry_on_disconnect
    def unmute(self, account: Account, other: str) -> None:
        """Show the messages of *other* to *account* again."""
        with self._pool.connection() as connection:
            connection.execute("DELETE FROM mute WHERE account_id = %s AND muted = %s", (account.id, other))

    @retry_on_disconnect
    def list_muted(self, account: Account) -> list[str]:
        """Return the accounts that *account* has muted, the newest first."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT muted::text FROM mute WHERE account_id = %s ORDER BY since DESC, muted",
                (account.id,),
            ).fetchall()
        return [row[0] for row in rows]


def _read_message(row: Sequence[object]) -> StoredMessage:
    _cmd, salt, body, author = row
    assert isinstance(salt, bytes | memoryview)  # noqa: S101 - a bytea
    return StoredMessage(bytes(salt), msgspec.json.decode(str(body), type=Content), str(author))
