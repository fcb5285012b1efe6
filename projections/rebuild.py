"""Building the read models again from the log, and comparing them with what stood there.

One lane after the other is held. In it one game after the other is told again, compared and, where it
differs, replaced in one step. Readers never see a game without its rows, and all other lanes go on meanwhile.

Notices were told, and cannot be told otherwise: those that are missing are added, and that is all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, LiteralString

import msgspec
from psycopg import Connection

from events.store.event_log import EventLog
from projections.base.lanes import LANES
from projections.read_models import game_counts, notices
from projections.read_models.catalogue import NOTICES, PROJECTIONS, READ_MODELS, Row
from projections.runner import Rows, Runner, is_game_error, make_checkpoints, read_position, sort_names

HISTORY = "history"
"""The one read model that has no rows of archived games: their histories are told from their bundles."""
LOBBY = "lobby"
"""The one whose rows are counted."""
_PAGE = 2000
"""Games of which rows are compared with the log in one go."""
_GAMES: dict[str, LiteralString] = {
    "history": "SELECT DISTINCT game_id FROM history WHERE game_id > %s ORDER BY game_id LIMIT %s",
    "reliability": "SELECT DISTINCT game_id FROM reliability WHERE game_id > %s ORDER BY game_id LIMIT %s",
    "lobby": "SELECT game_id FROM lobby WHERE game_id > %s ORDER BY game_id LIMIT %s",
    "turn": "SELECT DISTINCT game_id FROM turn WHERE game_id > %s ORDER BY game_id LIMIT %s",
    "tournament": "SELECT tournament FROM tournament WHERE tournament > %s ORDER BY tournament LIMIT %s",
}
_KNOWN: LiteralString = "SELECT game_id::text FROM es.event WHERE game_id = ANY(%s::uuid[]) AND seq = 1"
_STRAYS: dict[str, LiteralString] = {
    "history": "DELETE FROM history WHERE game_id = ANY(%s::uuid[])",
    "reliability": "DELETE FROM reliability WHERE game_id = ANY(%s::uuid[])",
    "lobby": "DELETE FROM lobby WHERE game_id = ANY(%s::uuid[])",
    "turn": "DELETE FROM turn WHERE game_id = ANY(%s::uuid[])",
    "tournament": "DELETE FROM tournament WHERE tournament = ANY(%s::uuid[])",
}
"""Rows of games that the log does not know."""


class RebuildResult(msgspec.Struct):
    """The findings of a rebuild of one projection."""

    name: str
    rows_before: int = 0
    rows_after: int = 0
    equal: bool = True
    """True if the rows before and after are the same to the letter."""
    failed: int = 0
    """Games of which it could not tell: they are set aside, with what stood there."""


def rebuild(
    events: EventLog,
    names: Iterable[str] = PROJECTIONS,
    progress: Callable[[int], None] = lambda _events: None,
) -> list[RebuildResult]:
    """Build projections again from position 0. *progress* is told the number of events so far."""
    found = {name: RebuildResult(name) for name in names}
    with events.pool.connection() as connection:
        make_checkpoints(connection)
    done = 0
    for lane in range(LANES):
        with events.pool.connection() as connection, connection.transaction():
            games = _hold_lane(connection, Runner(events), tuple(found), lane)
            for game_id, seq in games:
                _rebuild_game(events, found, game_id, seq)
                done += seq
                progress(done)
            if LOBBY in found:
                counted = game_counts.recount_lane(connection, lane, [game_id for game_id, _ in games])
                found[LOBBY].equal = found[LOBBY].equal and counted
    with events.pool.connection() as connection:
        for name, result in found.items():
            strays = _delete_strays(connection, name) if name in _STRAYS else 0
            result.rows_before += strays
            result.equal = result.equal and not strays
    return list(found.values())


def _delete_strays(connection: Connection[Any], name: str) -> int:
    """Delete a read model's rows of games that the log does not know; return their number."""
    after, deleted, full = "00000000-0000-0000-0000-000000000000", 0, True
    while full:
        page = [str(game_id) for (game_id,) in connection.execute(_GAMES[name], (after, _PAGE))]
        known = {game_id for (game_id,) in connection.execute(_KNOWN, (page,))}
        if strays := [game_id for game_id in page if game_id not in known]:
            deleted += connection.execute(_STRAYS[name], (strays,)).rowcount
        after, full = page[-1] if page else after, len(page) == _PAGE
    return deleted


def _hold_lane(
    connection: Connection[Any], runner: Runner, names: Sequence[str], lane: int
) -> list[tuple[str, int]]:
    """Hold the lane and let it catch up; return its games with their newest projected event.

    So before and after speak of the same events, whatever is appended meanwhile.
    """
    held = connection.execute(
        "SELECT name FROM es.projection WHERE lane = %s AND name = ANY(%s) ORDER BY name FOR UPDATE",
        (lane, list(names)),
    ).fetchall()
    last = connection.execute("SELECT max(position) FROM es.log WHERE lane = %s", (lane,)).fetchone()
    head = (last and last[0]) or 0
    for name in sort_names(name for (name,) in held):
        while runner.advance(connection, (name,), lane, read_position(connection, name, lane), head):
            pass
    return connection.execute(
        "SELECT game_id::text, max(seq) FROM es.log WHERE lane = %s AND position <= %s"
        " GROUP BY game_id ORDER BY game_id",
        (lane, head),
    ).fetchall()


def _rebuild_game(events: EventLog, found: dict[str, RebuildResult], game_id: str, seq: int) -> None:
    """Tell one game again up to event *seq*."""
    runner = Runner(events)
    if HISTORY in found and events.is_archived(game_id):
        found = {name: result for name, result in found.items() if name != HISTORY}
    rows = _project_game(runner, tuple(found), game_id, seq)
    with events.pool.connection() as connection:
        for name, result in found.items():
            after = rows.get(name)
            if name == NOTICES:
                _add_missing(connection, result, game_id, after)
                continue
            before = READ_MODELS[name].read_rows(connection, game_id)
            result.rows_before += len(before)
            result.rows_after += len(before if after is None else after)
            if after is None:
                result.equal = False
                result.failed += 1  # what stands there stays
                continue
            comparable = READ_MODELS[name].comparable
            result.equal = result.equal and comparable(before) == comparable(after)
            if before != after:
                _replace(connection, name, game_id, after)
            _resume(connection, name, game_id)


def _add_missing(
    connection: Connection[Any], result: RebuildResult, game_id: str, rows: list[Any] | None
) -> None:
    """Tell what was not told, without calling anybody's webhooks."""
    if rows is None:
        result.failed += 1
        return
    added = len(notices.write(connection, rows, deliver=False))
    result.rows_before += len(rows)
    result.rows_after += len(rows) + added
    result.equal = result.equal and not added
    _resume(connection, result.name, game_id)


def _resume(connection: Connection[Any], name: str, game_id: str) -> None:
    connection.execute("DELETE FROM es.parked WHERE projection = %s AND game_id = %s", (name, game_id))


def _project_game(runner: Runner, names: tuple[str, ...], game_id: str, seq: int) -> Rows:
    """Return the rows of the projections for a game; none of those that fail, for which it is parked."""
    records = runner.events.read(game_id, 0, seq)
    try:
        return runner.project_whole(names, game_id, records)
    except Exception as error:
        if not is_game_error(error):
            raise
        if len(names) == 1:
            runner.park(names[0], game_id, error)
            return {}
    return {name: rows for one in names for name, rows in _project_game(runner, (one,), game_id, seq).items()}


def _replace(connection: Connection[Any], name: str, game_id: str, rows: Sequence[Row]) -> None:
    with connection.transaction():
        READ_MODELS[name].clear(connection, game_id)
        READ_MODELS[name].write(connection, rows)
