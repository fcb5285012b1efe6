"""Claims to seats that came to nothing: swept up after a while.

A claim is written before the event that names it. That event may never come, because the request was refused
or its process died. The claim then means nothing: it holds no seat, and nobody misses it.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any, LiteralString

from psycopg import Connection

from events.store.event_log import Pool

KEPT_HOURS = 1
"""Far longer than any request takes from its claim to its event."""
PAGE = 2000
"""Claims that are looked at in one go, however many there are."""
_BEGINNING = ("00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000", -2)

_PAGE: LiteralString = (
    "SELECT c.game_id::text, c.claim::text, c.seat FROM seat_claim c"
    " WHERE (c.game_id, c.claim, c.seat) > (%(game)s, %(claim)s, %(seat)s)"
    " ORDER BY c.game_id, c.claim, c.seat LIMIT %(page)s"  # as ids: by their texts no index has them
)
_OLD: LiteralString = (
    "SELECT game_id::text, claim::text, seat, coalesce(made_by, claim)::text FROM seat_claim c"
    " WHERE (c.game_id, c.claim, c.seat) > (%(game)s, %(claim)s, %(seat)s)"
    " AND (c.game_id, c.claim, c.seat) <= (%(to_game)s, %(to_claim)s, %(to_seat)s)"
    " AND c.made_at < now() - make_interval(hours => %(hours)s)"
)
_KEYS: LiteralString = (
    "SELECT game_id::text, keyed::text FROM es.event"
    " WHERE game_id = ANY(%s::uuid[]) AND keyed = ANY(%s::uuid[])"
)
"""The keys of commands among some. Most claims of a page are named by one, so few are left."""
_ARCHIVED: LiteralString = "SELECT game_id::text FROM es.archived WHERE game_id = ANY(%s::uuid[]) AND dropped"
"""The games whose events are elsewhere; their claims in vain were swept before."""
_NAMES: LiteralString = (
    "SELECT 1 FROM es.event WHERE game_id = %(game)s AND strpos(body, %(named)s) > 0 LIMIT 1"
)
_SWEEP: LiteralString = (
    "DELETE FROM seat_claim c WHERE c.game_id = %(game)s AND c.claim = %(claim)s AND c.seat = %(seat)s"
    " AND c.made_at < now() - make_interval(hours => %(hours)s)"
)
"""The statement that deletes a stray claim, which no event of its game names.

A request that makes a claim again renews its time first: so it waits for this statement, or this spares it.
An event that was appended after the look at them belongs to a claim that was renewed before.
"""


class ClaimCleanup:
    """Goes round all claims, a page at a time. Several at work do no harm."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._after = _BEGINNING
        self._lock = threading.Lock()

    def __call__(self) -> int:
        """Look at the next page; return the number of claims that were deleted."""
        with self._lock, self._pool.connection() as connection:
            game, claim, seat = self._after
            first = {"game": game, "claim": claim, "seat": seat, "hours": KEPT_HOURS}
            page = connection.execute(_PAGE, {**first, "page": PAGE}).fetchall()
            if not page:
                self._after = _BEGINNING
                return 0
            last = dict(zip(("to_game", "to_claim", "to_seat"), page[-1], strict=True))
            swept = 0
            for stray in _find_strays(connection, {**first, **last}):
                key = dict(zip(("game", "claim", "seat", "named"), stray, strict=True))
                if connection.execute(_NAMES, key).fetchone() is None:
                    swept += connection.execute(_SWEEP, {**key, "hours": KEPT_HOURS}).rowcount
            self._after = page[-1] if len(page) == PAGE else _BEGINNING
            return swept


def _find_strays(connection: Connection[Any], values: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """Return the old claims of a page that are named by no key of a command."""
    old = connection.execute(_OLD, values).fetchall()
    games = list({row[0] for row in old})
    keys = set(connection.execute(_KEYS, (games, list({row[3] for row in old}))).fetchall())
    archived = {game_id for (game_id,) in connection.execute(_ARCHIVED, (games,))}
    return [row for row in old if (row[0], row[3]) not in keys and row[0] not in archived]
