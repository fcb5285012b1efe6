"""Files of rows: lines of JSON, or Parquet with typed columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, Protocol

import msgspec

from events.base.installation import install_command
from ops.base.errors import OpsError

Kind = Literal["text", "boolean", "integer", "integers", "texts", "json"]
"""The type of a column. `json` is any value, which Parquet holds as text."""
Format = Literal["ndjson", "parquet"]
ROWS = 50_000
"""The rows of a row group: so many are in memory at the most."""


class Columns(Protocol):
    """A table that rows are added to."""

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Add rows; a column that a row lacks is null."""


class _Lines:
    """Lines of JSON, with the members that each row has."""

    def __init__(self, out: Any) -> None:
        self._out = out

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        self._out.write(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


class _Parquet:
    """A Parquet file."""

    def __init__(self, writer: Any, schema: Any, kinds: Mapping[str, Kind]) -> None:
        self._writer, self._schema, self._kinds = writer, schema, kinds
        self._rows: list[dict[str, Any]] = []

    def add(self, rows: Iterable[Mapping[str, Any]]) -> None:
        for row in rows:
            self._rows.append({name: self._cell(row.get(name), kind) for name, kind in self._kinds.items()})
            if len(self._rows) >= ROWS:
                self.flush()

    @staticmethod
    def _cell(value: Any, kind: Kind) -> Any:
        return msgspec.json.encode(value).decode() if kind == "json" and value is not None else value

    def flush(self) -> None:
        """Write the rows so far as a row group."""
        import pyarrow as pa

        if self._rows:
            self._writer.write_table(pa.Table.from_pylist(self._rows, self._schema))
            self._rows.clear()


@contextmanager
def open_writer(out: Any, form: Format, kinds: Mapping[str, Kind]) -> Iterator[Columns]:
    """Yield a table whose rows are written to the stream *out*.

    Raises :class:`OpsError` without pyarrow, where Parquet is wanted.
    """
    if form == "ndjson":
        yield _Lines(out)
        return
    try:
        import pyarrow as pa
        from pyarrow.parquet import ParquetWriter
    except ModuleNotFoundError:
        raise OpsError(
            f"pyarrow is missing, which writes Parquet. Install it with `{install_command('research')}`."
        ) from None
    types = {
        "text": pa.string(),
        "json": pa.string(),
        "boolean": pa.bool_(),
        "integer": pa.int64(),
        "integers": pa.list_(pa.int64()),
        "texts": pa.list_(pa.string()),
    }
    schema = pa.schema([(name, types[kind]) for name, kind in kinds.items()])
    with ParquetWriter(out, schema, compression="zstd") as writer:
        table = _Parquet(writer, schema, kinds)
        yield table
        table.flush()
