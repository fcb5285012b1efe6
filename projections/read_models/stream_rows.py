"""Tables with one row a stream, which a newer event replaces and an older one never does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from psycopg import Connection

Row = tuple[Any, ...]


class StreamRows(msgspec.Struct, frozen=True):
    """One such table. All its words are constants of the projection that owns it."""

    table: str
    columns: Sequence[str]
    """The first of them is the stream's id, and one is `seq`: of the newest event that the row knows."""
    casts: Mapping[str, str]
    """The types as which some columns are read, so that a row reads as it was written."""
    also: str = ""
    """The further SQL assignments that a newer event makes."""
    documents: Sequence[str] = ()
    """The columns that hold JSON, in a row as text."""

    def renew(self, connection: Connection[Any], rows: Sequence[Row], alike: Sequence[str] = ()) -> set[str]:
        """Put each row in the place of an older one of its stream that has the same in the columns *alike*.

        One statement does it for all. Returns the streams that had such a row.
        """
        stream, *others = self.columns
        sets = ", ".join(f"{column} = n.{column}" for column in others)
        older = " AND ".join(["t.seq < n.seq", *(f"t.{column} = n.{column}" for column in alike)])
        statement = (
            f"UPDATE {self.table} t SET {sets}{self.also}"  # noqa: S608 - constants
            # The planner takes such a function for a hundred rows, and would read the whole table for them.
            f" FROM (SELECT * FROM json_populate_recordset(NULL::{self.table}, %s) LIMIT %s) n"
            f" WHERE t.{stream} = n.{stream} AND {older} RETURNING t.{stream}::text"
        )
        told = msgspec.json.encode([self._describe(row) for row in rows]).decode()
        return {renewed for (renewed,) in connection.execute(statement, (told, len(rows)))}

    def _describe(self, row: Row) -> dict[str, Any]:
        """Return a row by columns, for JSON."""
        members = dict(zip(self.columns, row, strict=True))
        for column in self.documents:
            if members[column] is not None:
                members[column] = msgspec.Raw(members[column].encode())
        return members

    def add(self, connection: Connection[Any], row: Row, **more: Any) -> bool:
        """Write *row*, with the columns of *more*, unless there is one.

        Returns True if it was written.
        """
        columns = (*self.columns, *more)
        statement = (
            f"INSERT INTO {self.table} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"  # noqa: S608 - constants
            f" ON CONFLICT ({self.columns[0]}) DO NOTHING"
        )
        return connection.execute(statement, (*row, *more.values())).rowcount > 0

    def read_rows(self, connection: Connection[Any], stream: str) -> list[Row]:
        """Return the row of a stream, if there is one."""
        columns = (
            f"{column}::{self.casts[column]}" if column in self.casts else column for column in self.columns
        )
        statement = f"SELECT {', '.join(columns)} FROM {self.table} WHERE {self.columns[0]} = %s"  # noqa: S608 - constants
        return connection.execute(statement, (stream,)).fetchall()

    def clear(self, connection: Connection[Any], stream: str) -> None:
        """Delete the row of a stream."""
        statement = f"DELETE FROM {self.table} WHERE {self.columns[0]} = %s"  # noqa: S608 - constants
        connection.execute(statement, (stream,))
