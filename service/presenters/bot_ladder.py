"""The ladder of the bots, as `rutter ladder` measured it: read from its file, never computed here."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec

from service.openapi.response_structs import Ladder, LadderTable, PairResult, Rung


class _Pair(msgspec.Struct, frozen=True):
    result: PairResult


class _Table(msgspec.Struct, frozen=True):
    seats: int
    rules: int
    levels: list[Rung]
    pairs: list[_Pair]


class _File(msgspec.Struct, frozen=True):
    titles: dict[str, list[_Table]] = {}


@cache
def load_ladder(title_id: str, path: Path | None) -> Ladder:
    """Return the ladder of a title; without tables where nothing was measured, or there is no file."""
    tables = _load_file(path).titles.get(title_id, [])
    return Ladder(
        title_id,
        [
            LadderTable(table.seats, table.rules, table.levels, [pair.result for pair in table.pairs])
            for table in tables
        ],
    )


@cache
def _load_file(path: Path | None) -> _File:
    if path is None or not path.exists():
        return _File()
    return msgspec.json.decode(path.read_bytes(), type=_File)
