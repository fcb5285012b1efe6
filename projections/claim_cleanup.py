"""Claims to seats that came to nothing: swept up after a while.

A claim is written before the event that names it. That event may never come, because the request was refused
or its process died. The claim then means nothing: it holds no seat, and nobody misses it.
"""

from __future__ import annotations

import threading
from typing import LiteralString

from events.store.event_log import Pool

KEPT_HOURS = 1
"""Far longer than any request takes from its claim to its event."""
PAGE = 2000
"""Claims that are looked at in one go, however many there are."""
_BEGINNING = ("00000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-000000000000", -2)

_SWEEP: LiteralString = (
    "WITH page AS MATERIALIZED (SELECT game_id, claim, seat, made_at, coalesce(made_by, claim) AS named"
    " FROM seat_claim"
    " WHERE (game_id, claim, seat) > (%(game)s, %(claim)s, %(seat)s)"
    " ORDER BY game_id, claim, seat LIMIT %(page)s),"
    " old AS (SELECT now() - make_interval(hours => %(hours)s) AS at),"
    " stray AS MATERIALIZED (SELECT p.* FROM page p, old WHERE p.made_at < old.at AND NOT EXISTS"
    " (SELECT FROM es.event e WHERE e.game_id = p.game_id AND e.keyed = p.named)"
    # Of an archived game the events are elsewhere, and claims in vain were swept before.
    " AND NOT EXISTS (SELECT FROM es.archived a WHERE a.game_id = p.game_id AND a.dropped)),"
    " swept AS (DELETE FROM seat_claim c USING stray s, old"
    " WHERE c.game_id = s.game_id AND c.claim = s.claim AND c.seat = s.seat AND c.made_at < old.at"
    " AND NOT EXISTS (SELECT FROM es.event e WHERE e.game_id = s.game_id"
    " AND strpos(e.body, s.named::text) > 0) RETURNING 1)"
    " SELECT game_id::text, claim::text, seat, (SELECT count(*) FROM swept), (SELECT count(*) FROM page)"
    " FROM page ORDER BY page.game_id DESC, page.claim DESC, page.seat DESC LIMIT 1"
)
"""The statement that deletes the stray claims of a page.

Claims are mostly found by the keys of commands; only for the few that are not, events are read.

A request that makes a claim again renews its time first: so it waits for this statement, or this spares it.
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
            row = connection.execute(
                _SWEEP, {"game": game, "claim": claim, "seat": seat, "page": PAGE, "hours": KEPT_HOURS}
            ).fetchone()
            if row is None:
                self._after = _BEGINNING
                return 0
            *last, swept, seen = row
            self._after = (str(last[0]), str(last[1]), int(last[2])) if seen == PAGE else _BEGINNING
            return int(swept)
