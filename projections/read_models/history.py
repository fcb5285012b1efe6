"""The history: one plain sentence an event, for everybody, and another for those who know more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from psycopg import Connection, Cursor

from events.rules.fact import Seat, Who
from events.table import lifecycle_facts
from events.table.engine import fold_one
from events.table.game import Game
from events.table.record import BESIDE_FACT, COMMAND_PART, Envelope, Record, full_data, seat_of

EVERYBODY = -1
"""The viewer of a line that all may read."""
REPLACED = "This replaces the earlier answer."
"""Told after a covered answer that was given again; what the earlier one was stays covered."""


def make_sentences(game: Game, record: Record) -> dict[int, str]:
    """Return the sentences of one event by viewer; *game* is the game after it.

    A seat without a line of its own reads the one for everybody.
    """
    kind = lifecycle_facts.FACTS.get(record.type) or game.title.fact_type(record.type)
    if kind is None:
        raise KeyError(record.type)
    who, envelope = _make_naming(game), record.envelope()
    end = f" {REPLACED}" if _replaces(game, envelope) else ""

    def tell(seat: Seat | None) -> str:
        data = full_data(record.redact_for(seat), envelope)
        return kind.tell({**data, **kind.beside(data, game.state)}, who) + end

    said = {EVERYBODY: tell(None)}
    for seat in sorted({seat for name in record.parts for seat in _parse_seats(name)}):
        own = tell(seat)
        if own != said[EVERYBODY]:
            said[seat] = own
    return said


@lru_cache(1024)
def _parse_seats(audience: str) -> tuple[Seat, ...]:
    """Return the seats that know more of a fact by a hidden part; none by one that is not of the fact."""
    if audience.endswith(BESIDE_FACT):
        return ()
    return tuple(int(word[1:]) for word in audience.split("_") if word[:1] == "p" and word[1:].isdigit())


def _replaces(game: Game, envelope: Envelope) -> bool:
    """Return True if a covered answer took the place of another; *game* is the game after it."""
    seat = seat_of(envelope.by)
    sealed = envelope.by + COMMAND_PART in (envelope.hid or {})
    return sealed and seat is not None and bool(game.replaced.get(seat))


def _make_naming(game: Game) -> Who:
    if game.state is None:
        return lambda seat: f"Seat {seat}"
    title, state = game.title, game.state
    return lambda seat: title.seat_name(state, seat)


def make_rows(game: Game, record: Record) -> list[tuple[Any, ...]]:
    """Return the rows for one event: (game, seq, viewer, text); *game* is the game after it."""
    return [
        (game.id, record.seq, viewer, text) for viewer, text in sorted(make_sentences(game, record).items())
    ]


def write(connection: Connection[Any], rows: Sequence[tuple[Any, ...]]) -> None:
    """Keep sentences. An event's sentences never change, so those that stand there stay."""
    if not rows:
        return
    games, seqs, viewers, texts = map(list, zip(*rows, strict=True))
    if games.count(games[0]) < len(games):
        connection.execute(_WRITE_OF_MANY, (games, seqs, viewers, texts))
    elif len(rows) <= MOST_VALUES:
        values = ",".join(["(%s,%s,%s,%s)"] * len(rows))
        connection.execute(f"{_INSERT}VALUES {values}{_KEEP}", [value for row in rows for value in row])
    else:
        connection.execute(_WRITE_OF_ONE, (games[0], seqs, viewers, texts))


MOST_VALUES = 12
"""Most rows of a game that are written as values, as those of a command are.

A cluster plans these for one machine, at a fifth of the processor time that a query for them takes: what is
selected goes by the coordinator, and is committed in two phases.
"""
_INSERT = "INSERT INTO history (game_id, seq, viewer, text) "
_KEEP = " ON CONFLICT (game_id, seq, viewer) DO NOTHING"
_WRITE_OF_ONE = (
    f"{_INSERT}SELECT %s, seq, viewer, text FROM unnest"  # noqa: S608 - constants
    f"(%s::bigint[], %s::smallint[], %s::text[]) told (seq, viewer, text){_KEEP}"
)
"""The statement for many rows of a game, which names it: on a cluster, its machine alone has work."""
_WRITE_OF_MANY = (
    f"{_INSERT}SELECT game_id, seq, viewer, text FROM unnest"  # noqa: S608 - constants
    f"(%s::uuid[], %s::bigint[], %s::smallint[], %s::text[]) told (game_id, seq, viewer, text){_KEEP}"
)
"""The statement for several games, where the database is one machine."""


def read_rows(connection: Connection[Any], game_id: str) -> list[tuple[Any, ...]]:
    """Return the rows of a game, in order."""
    return connection.execute(
        "SELECT game_id::text, seq, viewer, text FROM history WHERE game_id = %s ORDER BY seq, viewer",
        (game_id,),
    ).fetchall()


def clear(connection: Connection[Any], game_id: str) -> None:
    """Delete the rows of a game."""
    connection.execute("DELETE FROM history WHERE game_id = %s", (game_id,))


class HistoryLine(msgspec.Struct, frozen=True):
    """One sentence of the history."""

    seq: int
    text: str


def read(cursor: Cursor[Any], game_id: str, seat: Seat | None, after: int, limit: int) -> list[HistoryLine]:
    """Return lines with seq > *after* as *seat* may read them, oldest first."""
    mine = EVERYBODY if seat is None else seat
    cursor.execute(
        "SELECT DISTINCT ON (seq) seq, text FROM history"
        " WHERE game_id = %s AND seq > %s AND viewer IN (%s, %s) ORDER BY seq, viewer DESC LIMIT %s",
        (game_id, after, EVERYBODY, mine, limit),
    )
    return [HistoryLine(seq, text) for seq, text in cursor.fetchall()]


def make_lines(game: Game, records: Iterable[Record], seat: Seat | None) -> list[HistoryLine]:
    """Return lines made on the spot, for events not projected yet; *game* is the game before them."""
    lines = []
    for record in records:
        game = fold_one(game, record)
        said = make_sentences(game, record)
        lines.append(HistoryLine(record.seq, said.get(EVERYBODY if seat is None else seat, said[EVERYBODY])))
    return lines
