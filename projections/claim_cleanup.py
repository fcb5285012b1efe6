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

_PAGE: LiteralString = (
    "SELECT c.game_id::text, c.claim::text, c.seat FROM seat_claim c"
    " WHERE (c.game_id, c.claim, c.seat) > (%(game)s, %(claim)s, %(seat)s)"
    " ORDER BY c.game_id, c.claim, c.seat LIMIT %(page)s"  # as ids: by their texts no index has them
)
_STRAYS: LiteralString = (
    "SELECT c.game_id::text, c.claim::text, c.seat, coalesce(c.made_by, c.claim)::text FROM seat_claim c"
    " LEFT JOIN es.event e ON e.game_id = c.game_id AND e.keyed = coalesce(c.made_by, c.claim)"
    # Of an archived game the events are elsewhere, and claims in vain were swept before.
    " LEFT JOIN es.archived a ON a.game_id = c.game_id AND a.dropped"
    " WHERE (c.game_id, c.claim, c.seat) > (%(game)s, %(claim)s, %(seat)s)"
    " AND (c.game_id, c.claim, c.seat) <= (%(to_game)s, %(to_claim)s, %(to_seat)s)"
    " AND c.made_at < now() - make_interval(hours => %(hours)s) AND e.game_id IS NULL AND a.game_id IS NULL"
)
"""The claims of a page that are named by no key of a command. Most are named, so few are left."""
_SWEEP: LiteralString = (
    "DELETE FROM seat_claim c WHERE c.game_id = %(game)s AND c.claim = %(claim)s AND c.seat = %(seat)s"
    " AND c.made_at < now() - make_interval(hours => %(hours)s) AND NOT EXISTS"
    " (SELECT FROM es.event e WHERE e.game_id = c.game_id AND strpos(e.body, %(named)s) > 0)"
)
"""The statement that deletes a stray claim, unless an event of its game names it.

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
            first = {"game": game, "claim": claim, "seat": seat, "hours": KEPT_HOURS}
            page = connection.execute(_PAGE, {**first, "page": PAGE}).fetchall()
            if not page:
                self._after = _BEGINNING
                return 0
            last = dict(zip(("to_game", "to_claim", "to_seat"), page[-1], strict=True))
            strays = connection.execute(_STRAYS, {**first, **last}).fetchall()
            swept = 0
            for stray in strays:
                key = dict(zip(("game", "claim", "seat", "named"), stray, strict=True))
                swept += connection.execute(_SWEEP, {**key, "hours": KEPT_HOURS}).rowcount
            self._after = page[-1] if len(page) == PAGE else _BEGINNING
            return swept
