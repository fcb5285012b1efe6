"""Private notes of an account to a game: no part of the log, and shown to nobody else."""

from __future__ import annotations

from typing import Any, LiteralString

import msgspec

from events.store.event_log import Pool
from service.base.database import format_utc, retry_on_disconnect
from service.base.people import Account
from service.base.store_error import OutdatedCopy


class Note(msgspec.Struct, frozen=True):
    """A note to an event, or (None) to the game as a whole."""

    event: int | None
    text: str


class NoteSet(msgspec.Struct, frozen=True):
    """The notes of an account to a game; *version* counts their changes."""

    version: int = 0
    notes: tuple[Note, ...] = ()
    changed_at: str | None = None


class Notes:
    """The notes in the database."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    @retry_on_disconnect
    def get(self, game_id: str, account: Account) -> NoteSet:
        """Return the notes of *account* to a game."""
        with self._pool.connection() as connection:
            row = connection.execute(
                f"SELECT {_COLUMNS} FROM note n WHERE game_id = %s AND account_id = %s",  # noqa: S608 - constants
                (game_id, account.id),
            ).fetchone()
        return _read_note_set(row) if row else NoteSet()

    def put(self, game_id: str, account: Account, notes: tuple[Note, ...], expected: int | None) -> NoteSet:
        """Replace the notes of the version *expected* by *notes*; None replaces any version.

        What stands there already is not written again, so a request may be repeated. Raises
        :class:`NotesConflict` where another version stands there.
        """
        if not self._put(game_id, account, notes, expected):
            now = self.get(game_id, account)
            if now.notes != notes:
                raise NotesConflict(now.version)
        return self.get(game_id, account)

    @retry_on_disconnect
    def _put(self, game_id: str, account: Account, notes: tuple[Note, ...], expected: int | None) -> bool:
        text = msgspec.json.encode(notes).decode()
        values = {"game": game_id, "account": account.id, "notes": text, "expected": expected}
        statement = _FIRST if expected == 0 else _ANY if expected is None else _NEXT
        with self._pool.connection() as connection:
            return connection.execute(statement, values).rowcount == 1


_INSERT: LiteralString = (
    "INSERT INTO note AS n (game_id, account_id, version, notes)"
    " VALUES (%(game)s, %(account)s, 1, %(notes)s) ON CONFLICT (game_id, account_id) DO "
)
_FIRST: LiteralString = f"{_INSERT} NOTHING"
_CHANGE: LiteralString = (
    "UPDATE SET notes = EXCLUDED.notes, version = n.version + 1, changed_at = EXCLUDED.changed_at"
)
_ANY: LiteralString = f"{_INSERT} {_CHANGE} WHERE n.notes::text <> EXCLUDED.notes::text"
_NEXT: LiteralString = (
    "UPDATE note SET notes = %(notes)s::json, version = version + 1, changed_at = now()"
    " WHERE game_id = %(game)s AND account_id = %(account)s AND version = %(expected)s"
    " AND notes::text <> %(notes)s::json::text"
)
_COLUMNS: LiteralString = f"n.version, n.notes::text, {format_utc('n.changed_at')}"


def _read_note_set(row: tuple[Any, ...]) -> NoteSet:
    version, notes, changed_at = row
    return NoteSet(version, msgspec.json.decode(notes, type=tuple[Note, ...]), changed_at)


class NotesConflict(OutdatedCopy):
    """The notes were changed meanwhile, perhaps in another tab."""

    def __init__(self, version: int) -> None:
        detail = (
            f"These notes were changed elsewhere and now have version {version}. Read them again, merge your "
            "changes, and send that version in If-Match."
        )
        super().__init__(version, detail)
