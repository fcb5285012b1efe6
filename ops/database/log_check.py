"""The check of a database's contents: every chain, hidden part, position and signature.

It reads the tables as they are, knows no rules of a title, and needs one transaction that sees one moment.
Of archived games the database holds the first event and the last, and which bundle ends with that: so much is
checked. What is in the bundles, `rutter audit` checks.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec
from psycopg import Connection

from events.proof import canonical
from events.tlog.leaves import log_name
from events.tlog.tree import MemoryTree, leaf_hash
from ops.base.errors import OpsError

PAGE = 2000
"""Rows that are held in memory at once."""


class DamagedLog(OpsError):
    """The log is not what it was when it was written; the message names the first place."""


@dataclass(frozen=True)
class LogCheck:
    """The counts of a database in which everything was in order."""

    games: int
    events: int
    hidden: int
    """Hidden parts, each of which opens the digest in its event."""
    checkpoint: int | None
    """The size of the newest signed checkpoint, whose tree is the stored one; None if there is none."""
    archived: int = 0
    """Games whose events lie in bundles, beside those that are counted."""


Moved = dict[str, int]
"""Archived games, each with the number of its last event."""


class _Body(msgspec.Struct):
    game: str
    n: int
    hid: dict[str, str] | None = None


_BODY = msgspec.json.Decoder(_Body)


def check_log(connection: Connection[Any], step: Callable[[int], None] = lambda _: None) -> LogCheck:
    """Check everything; *step* is told how many rows of `es.event` and `es.secret` were looked at.

    Raises:
        Unsound: something is missing, doubled or altered.
    """
    moved = _check_archived(connection)
    games, events, digests = _check_chains(connection, moved, step)
    hidden = _check_hidden(connection, step)
    if hidden != digests:
        raise DamagedLog(f"{digests - hidden} hidden parts of events are missing.")
    _check_positions(connection, events, sum(max(last - 2, 0) for last in moved.values()))
    return LogCheck(games, events, hidden, _check_checkpoint(connection, moved), len(moved))


def rows_to_check(connection: Connection[Any]) -> int:
    """Return about the number of steps that :func:`check_log` will tell of."""
    return sum(estimate_rows(connection, table) for table in ("es.event", "es.secret"))


def estimate_rows(connection: Connection[Any], table: str) -> int:
    """Return about the number of rows of a table."""
    row = connection.execute(
        "SELECT greatest(reltuples, pg_relation_size(oid) / 400)::bigint FROM pg_class"
        " WHERE oid = to_regclass(%s)",
        [table],
    ).fetchone()
    return int(row[0]) if row else 0


def _check_archived(connection: Connection[Any]) -> Moved:
    """Check the archived games: the first and last event of each are there, and the last is the bundle's."""
    if _fetch_row(connection, "SELECT to_regclass('es.archived')::text") == (None,):
        return {}
    moved: Moved = {}
    for game_id, last, whole in connection.execute(
        "SELECT a.game_id::text, a.last, f.seq IS NOT NULL AND e.seq IS NOT NULL FROM es.archived a"
        " LEFT JOIN es.event f ON f.game_id = a.game_id AND f.seq = 1"
        " LEFT JOIN es.event e ON e.game_id = a.game_id AND e.seq = a.last AND e.hash = a.head"
        " WHERE a.dropped"
    ):
        if not whole:
            raise DamagedLog(f"Game {game_id}: it is archived, but its first or its last event is missing.")
        moved[game_id] = last
    return moved


def _check_chains(
    connection: Connection[Any], moved: Moved, step: Callable[[int], None]
) -> tuple[int, int, int]:
    """Hash every event of every game again; (games, events, digests of hidden parts)."""
    games = events = digests = 0
    game, seq, head, unproven = "", 0, b"", False
    with connection.cursor(name="events") as rows:
        rows.itersize = PAGE
        rows.execute("SELECT game_id::text, seq, body, hash FROM es.event ORDER BY game_id, seq")
        for game_id, n, text, stored in rows:
            if game_id != game:
                _require_hash(game, seq, unproven=unproven)
                game, seq, head = game_id, 0, canonical.genesis(game_id)
                games += 1
            seq += 1
            body = text.encode()
            head = canonical.link(head, body)
            unproven = stored is None
            if seq > 1 and game_id in moved:
                seq, head = moved[game_id], bytes(stored or b"")  # what comes before it is in the bundle
            if n != seq:
                raise DamagedLog(f"Game {game_id}: event {seq} is missing.")
            if not unproven and head != bytes(stored):
                raise DamagedLog(f"Game {game_id}: event {n} does not match its hash.")
            decoded = _BODY.decode(body)
            if (decoded.game, decoded.n) != (game_id, n):
                raise DamagedLog(f"Game {game_id}: event {n} stands in the place of another event.")
            digests += len(decoded.hid or ())
            events += 1
            step(1)
    _require_hash(game, seq, unproven=unproven)
    return games, events, digests


def _require_hash(game: str, seq: int, *, unproven: bool) -> None:
    """Refuse a game whose last event has no hash: nothing would show that its end was altered."""
    if unproven:
        raise DamagedLog(f"Game {game}: its last event, {seq}, has no hash.")


def _check_hidden(connection: Connection[Any], step: Callable[[int], None]) -> int:
    """Open the digest of every hidden part; how many there are."""
    found = 0
    with connection.cursor(name="hidden") as rows:
        rows.itersize = PAGE
        rows.execute(
            "SELECT s.game_id::text, s.seq, s.audience, s.salt, s.body, e.body"
            " FROM es.secret s LEFT JOIN es.event e ON e.game_id = s.game_id AND e.seq = s.seq"
        )
        for game_id, seq, audience, salt, part, body in rows:
            digests = (_BODY.decode(body.encode()).hid if body is not None else None) or {}
            if digests.get(audience) != canonical.part_digest(bytes(salt), part.encode()):
                raise DamagedLog(f"Game {game_id}: the hidden part of event {seq} does not match its digest.")
            found += 1
            step(1)
    return found


def _check_positions(connection: Connection[Any], here: int, gone: int) -> None:
    """Check that each event has exactly one position or waits in the outbox, and no position is left out.

    *here* are in the database, *gone* are those that archived games have in their bundles alone.
    """
    events = here + gone
    numbered, newest, size = _fetch_row(
        connection,
        "SELECT (SELECT count(*) FROM es.log), (SELECT coalesce(max(position), 0) FROM es.log),"
        " (SELECT size FROM es.sequencer)",
    )
    if not numbered == newest == size:
        raise DamagedLog(
            f"The order of all events has gaps: there are {numbered} positions, but the newest is {size}."
        )
    (waiting,) = _fetch_row(connection, "SELECT coalesce(sum(seq - first + 1), 0)::bigint FROM es.fresh")
    (apart,) = _fetch_row(
        connection,
        "SELECT count(*) FROM (SELECT game_id, seq FROM es.log UNION ALL"
        " SELECT game_id, generate_series(first, seq) FROM es.fresh) p"
        " FULL JOIN es.event e ON e.game_id = p.game_id AND e.seq = p.seq"
        " WHERE e.seq IS NULL OR p.seq IS NULL",
    )
    if apart != gone or numbered + waiting != events:
        raise DamagedLog(f"The order of all events has {numbered + waiting} of {events} events.")
    (astray,) = _fetch_row(
        connection,
        "SELECT count(*) FROM (SELECT seq,"
        " lag(seq, 1, 0::bigint) OVER (PARTITION BY game_id ORDER BY position) AS before FROM es.log) p"
        " WHERE seq <> before + 1",
    )
    if astray:
        raise DamagedLog(
            f"{astray} events come before earlier ones of their games in the order of all events."
        )


def _check_checkpoint(connection: Connection[Any], moved: Moved) -> int | None:
    """Compare the newest signed root with the stored leaves, and these with the events they stand for."""
    if _fetch_row(connection, "SELECT to_regclass('es.checkpoint')::text") == (None,):
        return None
    newest = connection.execute("SELECT size, root FROM es.checkpoint ORDER BY size DESC LIMIT 1").fetchone()
    if newest is None:
        return None
    size, root = int(newest[0]), bytes(newest[1])
    leaves = MemoryTree()
    with connection.cursor(name="leaves") as rows:
        rows.itersize = PAGE
        rows.execute("SELECT entry FROM es.leaf WHERE index < %s ORDER BY index", [size])
        for (entry,) in rows:
            leaves.add(leaf_hash(bytes(entry)))
    if len(leaves) != size or leaves.root() != root:
        raise DamagedLog(f"The log of all games does not match its signed checkpoint of size {size}.")
    _check_leaves(connection, size, moved)
    return size


def _check_leaves(connection: Connection[Any], size: int, moved: Moved) -> None:
    """Check that each entry of a game names the hash that its event has; of archived ones the last."""
    named = {
        bytes.fromhex(log_name(str(game))): game
        for (game,) in connection.execute("SELECT game_id FROM es.event WHERE seq = 1")
    }
    with connection.cursor(name="entries") as rows:
        rows.itersize = PAGE
        rows.execute("SELECT name, n, entry FROM es.leaf WHERE index < %s AND name IS NOT NULL", [size])
        while page := rows.fetchmany(PAGE):
            games: list[uuid.UUID | None] = [named.get(bytes(name)) for name, _, _ in page]
            heads = connection.execute(
                "SELECT e.hash FROM unnest(%s::uuid[], %s::bigint[]) WITH ORDINALITY w (game_id, seq, place)"
                " LEFT JOIN es.event e ON e.game_id = w.game_id AND e.seq = w.seq ORDER BY place",
                (games, [n for _, n, _ in page]),
            ).fetchall()
            for (_, n, entry), game, (head,) in zip(page, games, heads, strict=True):
                if head is None and n < moved.get(str(game), 0):
                    continue
                if head is None or f'"h":"{bytes(head).hex()}"'.encode() not in bytes(entry):
                    raise DamagedLog(f"Event {n} of game {game} does not match the log of all games.")


def _fetch_row(connection: Connection[Any], query: Any) -> tuple[Any, ...]:
    row = connection.execute(query).fetchone()
    assert row is not None  # noqa: S101 - aggregates and the row that is always there
    return tuple(row)
