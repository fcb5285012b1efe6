"""Texts that people write beside commands: erasable, apart from the log, which has salted digests."""

from __future__ import annotations

import hmac
from collections.abc import Iterable

import msgspec

from events.proof import canonical
from events.store.event_log import Pool
from events.table.record import Record
from service.base.database import retry_on_disconnect
from service.base.people import Account, StoredText

MAX_TEXT_LENGTH = 1000
"""The most characters of a text."""
TEXT_FIELD, NAME_FIELD, DESCRIPTION_FIELD = "text", "name", "description"
"""The kinds of texts: a sentence beside a command, the name of a tournament, its description."""


class Texts:
    """The texts in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def store(
        self, game_id: str, command_id: str, account: Account, text: str, key: bytes, field: str = TEXT_FIELD
    ) -> str:
        """Store *text* for a command that is about to be given; return the digest for that command.

        The salt follows from the command's id and *key*, so that the same request leads to the same command.
        """
        salt = hmac.digest(key, f"{field}/{game_id}/{command_id}".encode(), "sha256")[:16]
        with self._pool.connection() as connection:
            connection.execute(
                "INSERT INTO es.text (game_id, cmd, field, salt, body, account_id) VALUES (%s,%s,%s,%s,%s,%s)"
                " ON CONFLICT DO NOTHING",
                (game_id, command_id, field, salt, text, account.id),
            )
        return digest_text(salt, text)

    @retry_on_disconnect
    def texts_of_records(self, game_id: str, records: Iterable[Record]) -> dict[int, str]:
        """Return by seq the texts that belong to *records* and have not been erased."""
        texts = {
            record.command_id: (record.seq, wanted)
            for record in records
            if (wanted := _find_text_digest(record))
        }
        if not texts:
            return {}
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT cmd::text, salt, body FROM es.text"
                " WHERE game_id = %s AND cmd = ANY(%s) AND field = %s",
                (game_id, list(texts), TEXT_FIELD),
            ).fetchall()
        return {
            texts[cmd][0]: body for cmd, salt, body in rows if digest_text(bytes(salt), body) == texts[cmd][1]
        }

    @retry_on_disconnect
    def texts_by_digest(self, stream: str) -> dict[str, StoredText]:
        """Return the texts of a stream that were not erased, by digest."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT salt, body FROM es.text WHERE game_id = %s", (stream,)
            ).fetchall()
        kept = [StoredText(bytes(salt), body) for salt, body in rows]
        return {digest_text(one.salt, one.text): one for one in kept}

    @retry_on_disconnect
    def names_of_streams(self, streams: Iterable[str]) -> dict[str, str]:
        """Return by digest all names that several streams have ever had."""
        with self._pool.connection() as connection:
            rows = connection.execute(
                "SELECT salt, body FROM es.text WHERE game_id = ANY(%s) AND field = %s",
                (list(streams), NAME_FIELD),
            ).fetchall()
        return {digest_text(bytes(salt), body): body for salt, body in rows}


def digest_text(salt: bytes, text: str) -> str:
    """Return the digest of a text that the log holds."""
    return canonical.part_digest(salt, canonical.encode(text))


def _find_text_digest(record: Record) -> str | None:
    """Return the digest of the text of the command in an event; None without one."""
    if b'"text":"' not in record.body:
        return None
    command = msgspec.json.decode(record.body).get("command")
    return command.get(TEXT_FIELD) if command else None
