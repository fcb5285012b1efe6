"""Tournaments at a glance: one row each, for lists, and for the runner to find those that wait for it.

Beside what the log tells a row holds up to where the runner has looked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, LiteralString

from psycopg import Connection

from events.base.timestamps import read_time
from events.store.event_log import Pool
from events.tournament import schedule
from events.tournament.state import Tournament
from projections.read_models.stream_rows import StreamRows

COLUMNS = (
    "tournament",
    "title",
    "status",
    "seq",
    "name",
    "formats",
    "entrants",
    "most",
    "stage",
    "round",
    "created_at",
    "starts_at",
    "opened",
    "claims",
    "over",
    "delayed",
    "playing",
    "dues",
)


def make_row(state: Tournament) -> tuple[Any, ...]:
    """Return the row of a tournament, in the order of the columns."""
    settings, starts_at = state.settings, state.settings.schedule.starts_at
    return (
        state.id,
        settings.title,
        state.status,
        state.seq,
        settings.name,
        [stage.format for stage in settings.stages],
        sum(one.is_playing and not one.reserve for one in state.entrants),
        settings.entry.most,
        min(state.stage, len(settings.stages)),
        state.next_round - 1,
        read_time(state.created_at),
        read_time(starts_at) if starts_at else None,
        state.opened,
        sorted(
            {one.claim for one in state.entrants} | {state.appointed[number] for number in state.directors}
        ),
        state.over,
        settings.delay is not None,
        [table.game for _, table in schedule.tables_in_play(state)],
        [read_time(at) for at in list_due_times(state)],
    )


def list_due_times(state: Tournament) -> list[str]:
    """Return the times at which the server has something to do, or has somebody to notify."""
    if state.over:
        return []
    window = schedule.next_check_in_window(state) if state.paused is None else None
    found = (
        {at for at, _ in schedule.due_commands(state)}
        | set(schedule.round_limits(state))
        | set(window[:1] if window else ())
    )
    return sorted(found)


def write(connection: Connection[Any], rows: Sequence[tuple[Any, ...]]) -> None:
    """Put the rows of tournaments in place, each unless a newer one stands there."""
    renewed = ROWS.renew(connection, rows)
    for row in rows:
        if row[0] not in renewed:
            ROWS.add(connection, row)


ROWS = StreamRows(
    "tournament",
    COLUMNS,
    {"tournament": "text", "opened": "text", "claims": "text[]", "playing": "text[]"},
)
read_rows, clear = ROWS.read_rows, ROWS.clear

# --- what waits for the runner ---------------------------------------------------------------------------

WAITING: LiteralString = (
    "SELECT t.tournament::text, t.seq, t.looked < t.seq, t.dues, nullif(t.looked_at, '-infinity'),"
    " t.playing::text[] FROM tournament t WHERE NOT t.over"
    " AND NOT EXISTS (SELECT FROM es.frozen f WHERE f.game_id = t.tournament)"
    " AND NOT EXISTS (SELECT FROM es.failed f WHERE f.game_id = t.tournament AND f.seq >= t.seq"
    " AND (f.again_at IS NULL OR f.again_at > now() AND f.again_at <> 'infinity'))"
    " ORDER BY t.looked_at NULLS FIRST, t.created_at"
)
"""The query for tournaments that go on, without those whose step has failed since their newest event.

Beside each it tells whether its row is newer than the last look, the times at which something is due, the
time of that look, and the games that it waits for.
"""
TOURNAMENTS_AT_ONCE = 100
"""Tournaments that are looked at in one round."""


def find_waiting(pool: Pool, now: str) -> list[tuple[str, int]]:
    """Return the tournaments in which the server may have something to do at *now*; beside each its event."""
    with pool.connection() as connection:
        found = connection.execute(WAITING).fetchall()
    until = read_time(now)
    rows = [
        (name, seq, newer or any(due <= until and (looked is None or due > looked) for due in dues), games)
        for name, seq, newer, dues, looked, games in found
    ]
    playing = [game for _, _, waits, games in rows if not waits for game in games]
    over = set(find_ended_games(pool, playing))
    return [(name, seq) for name, seq, waits, games in rows if waits or not over.isdisjoint(games)][
        :TOURNAMENTS_AT_ONCE
    ]


def mark_served(pool: Pool, tournament_id: str, seq: int, at: str) -> None:
    """Note that at *at* nothing was left to do in a tournament whose newest event was *seq*."""
    with pool.connection() as connection:
        connection.execute(
            "UPDATE tournament SET looked = greatest(looked, %s), looked_at = greatest(looked_at, %s)"
            " WHERE tournament = %s",
            (seq, at, tournament_id),
        )


def find_ended_games(pool: Pool, games: Sequence[str]) -> list[str]:
    """Return those of *games* that have ended, as far as the lobby knows."""
    if not games:
        return []
    with pool.connection() as connection:
        rows = connection.execute(
            "SELECT game_id::text FROM lobby WHERE game_id = ANY(%s) AND status IN ('finished', 'abandoned')"
            " ORDER BY game_id",
            (list(games),),
        ).fetchall()
    return [game for (game,) in rows]
