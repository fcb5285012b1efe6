"""The notices of accounts on their games: a feed for each, numbered 1, 2, 3 ... without a gap.

Games tell of seats; whose they are is asked of the claims when a notice is written. Only accounts that hold a
seat, direct the game or made it are told. They are told in ids, numbers and words of ours: nothing secret,
nothing that anybody wrote.

A notice is written once: by account, type, stream and seq it is the same, however often it is written. So
nothing is told twice, and no number is ever taken back. Building them again therefore only adds what is
missing of the last 90 days, with new numbers. No webhook is called for what it adds: those were called at the
time, or were not there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Literal, LiteralString, Protocol, get_args

import msgspec
from psycopg import Connection

from events.base.timestamps import read_time
from events.rules.fact import Json, Seat
from events.store.event_log import Pool
from events.table.conduct_facts import UNDO
from events.table.game import Game
from events.table.record import Record
from projections.read_models import turns
from projections.read_models.turns import NearDeadline, Turns

DAYS = 90
"""Days for which a notice is kept."""
OWNER, DIRECTORS = -1, -2
"""The recipients that are not the holder of a seat."""

NoticeType = Literal[
    "game.your_turn",
    "game.deadline_near",
    "game.timed_out",
    "game.vacated",
    "game.begun",
    "game.finished",
    "game.offer",
    "game.paused",
    "table.stuck",
    "tournament.check_in",
    "tournament.paired",
    "tournament.round_started",
    "tournament.result",
    "tournament.dispute",
    "tournament.ruling",
    "tournament.overdue",
    "tournament.waiting",
    "tournament.finished",
    "webhook.test",
    "webhook.disabled",
    "account.recovery_changed",
]
"""The types of notices."""
TYPES: tuple[NoticeType, ...] = get_args(NoticeType)


def get_subject_kind(type_: str) -> Literal["game", "tournament", "webhook", "account"]:
    """Return the kind of thing that a notice of that type is about."""
    kind = type_.partition(".")[0]
    return kind if kind in ("tournament", "webhook", "account") else "game"  # type: ignore[return-value]


class GameNotice(msgspec.Struct, frozen=True):
    """Something that the holder of a claim is told."""

    game_id: str
    seq: int
    type: str
    to: Seat
    """A seat, OWNER or DIRECTORS."""
    claim: str
    """The claim whose holder is told; that of the game's opening for OWNER and DIRECTORS."""
    data: Json
    at: str

    @property
    def stream(self) -> str:
        """The stream that it is about."""
        return self.game_id

    @staticmethod
    def find_accounts(connection: Connection[Any], several: Sequence[GameNotice]) -> list[list[str]]:
        """Return for each notice the accounts that hold its claim now."""
        return list_accounts(
            connection,
            _ACCOUNTS,
            len(several),
            games=[one.game_id for one in several],
            claims=[one.claim for one in several],
            to=[one.to for one in several],
        )


class PendingNotice(Protocol):
    """Something that accounts are told, of a game or of a tournament."""

    @property
    def stream(self) -> str:
        """The stream that it is about."""
        ...

    @property
    def seq(self) -> int:
        """The event that led to it."""
        ...

    @property
    def type(self) -> str:
        """One of :data:`TYPES`."""
        ...

    @property
    def data(self) -> Json:
        """Ids, numbers and words of ours."""
        ...

    @property
    def at(self) -> str:
        """The time at which it happened."""
        ...

    @staticmethod
    def find_accounts(connection: Connection[Any], several: Sequence[Any]) -> list[list[str]]:
        """Return for each of several notices of this class the accounts that it concerns."""
        ...


class _NoticeCollector:
    """A collector of the notices of one batch: *before* and *after* are the game on its two sides."""

    def __init__(self, before: Game, after: Game) -> None:
        self.before, self.after = before, after
        self.found: list[GameNotice] = []

    def tell(self, type_: str, to: Seat, claim: str | None, data: Json) -> None:
        if claim is not None:
            self.found.append(
                GameNotice(self.after.id, self.after.seq, type_, to, claim, data, self.after.at)
            )

    def tell_seat(self, type_: str, seat: Seat, data: Json) -> None:
        """Tell the account that holds a seat, or held it before."""
        self.tell(
            type_, seat, self.before.claims.get(seat) or self.after.claims.get(seat), {"seat": seat, **data}
        )

    def tell_seats(self, type_: str, data: Json, *, but: Seat | None = None) -> None:
        """Tell all who hold seats, each with their own."""
        for seat in self.after.persons:
            if seat != but:
                self.tell(type_, seat, self.after.claims.get(seat), {"seat": seat, **data})

    def tell_staff(self, type_: str, data: Json) -> None:
        """Tell who directs the table, and who made it."""
        for to in (DIRECTORS, OWNER):
            self.tell(type_, to, self.after.opened, data)


def make_notices(
    before: Game, after: Game, batch: Iterable[Record], earlier: Turns, now: Turns
) -> list[GameNotice]:
    """Return the notices of the *batch* from *before* to *after*, with the turns *earlier* and *now*."""
    collector = _NoticeCollector(before, after)
    for record in batch:
        if record.type in _FACTS:
            _FACTS[record.type](collector, msgspec.json.decode(record.envelope().data))
    if after.has_ended and not before.has_ended:
        data = {"ended_by": after.ended_by}
        collector.tell_seats("game.finished", data)
        collector.tell_staff("game.finished", data)
    for seat, turn in now.items():
        if seat not in earlier or earlier[seat].claim != turn.claim:
            collector.tell("game.your_turn", seat, turn.claim, {"seat": seat, "deadline": turn.deadline})
    return collector.found


def _notify_begun(collector: _NoticeCollector, _data: Json) -> None:
    collector.tell_seats("game.begun", {})
    collector.tell_staff("game.begun", {})


def _notify_timed_out(collector: _NoticeCollector, data: Json) -> None:
    members = ("deadline", "excused", "misses")
    collector.tell_seat("game.timed_out", data["seat"], {name: data[name] for name in members})


def _notify_vacated(collector: _NoticeCollector, data: Json) -> None:
    gone, reason = data["seat"], data["reason"]
    collector.tell_seat("game.vacated", gone, {"vacated": gone, "reason": reason})
    collector.tell_seats("game.vacated", {"vacated": gone, "reason": reason}, but=gone)
    collector.tell_staff("game.vacated", {"vacated": gone, "reason": reason})
    if reason == "fault":  # the rules refused the server's own answer
        collector.tell_staff("table.stuck", {"vacated": gone})


def _notify_offered(collector: _NoticeCollector, data: Json) -> None:
    by = int(data["by"][1:])
    offer = {"offer": data["offer"], "what": data["what"], "by": by, "until": data["until"]}
    collector.tell_seats("game.offer", offer, but=by)


def _notify_undo_offered(collector: _NoticeCollector, data: Json) -> None:
    by = int(data["by"][1:])
    offer = {"offer": data["offer"], "what": UNDO, "by": by, "until": None}
    collector.tell_seats("game.offer", offer, but=by)


def _notify_paused(collector: _NoticeCollector, data: Json) -> None:
    collector.tell_seats("game.paused", {"until": data["until"]})
    collector.tell_staff("game.paused", {"until": data["until"]})


_FACTS = {
    "TableBegun": _notify_begun,
    "SeatTimedOut": _notify_timed_out,
    "SeatVacated": _notify_vacated,
    "TableOffered": _notify_offered,
    "UndoOffered": _notify_undo_offered,
    "TablePaused": _notify_paused,
}
"""The functions that make notices of facts of the table, by their type."""


def make_deadline_notice(one: NearDeadline, at: str) -> GameNotice:
    """Make the notice that little time is left to the holder of a seat."""
    deadline = one.deadline.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    data = {"seat": one.seat, "deadline": deadline}
    return GameNotice(one.game_id, one.armed, "game.deadline_near", one.seat, one.claim, data, at)


# ------------------------------------------------------------------------------------ the notices of accounts

_ACCOUNTS: LiteralString = (
    "WITH w AS (SELECT * FROM unnest(%(games)s::uuid[], %(claims)s::uuid[], %(to)s::int[])"
    " WITH ORDINALITY AS w (game, claim, seat, n))"
    " SELECT w.n, c.account_id::text FROM w JOIN seat_claim c ON c.game_id = w.game"
    " AND c.claim = w.claim AND (c.seat >= 0) = (w.seat >= 0) WHERE w.seat >= -1 AND c.account_id IS NOT NULL"
    " UNION SELECT w.n, d.account_id::text FROM w JOIN game_director d ON d.game_id = w.game"
    " AND d.claim = w.claim WHERE w.seat = -2 AND d.account_id IS NOT NULL ORDER BY 1, 2"
)
_LOCK: LiteralString = "SELECT 1 FROM account WHERE id = ANY (%s::uuid[]) ORDER BY id FOR NO KEY UPDATE"
"""The lock of accounts, in one order: so two who lock several never wait for each other."""
_ADD: LiteralString = (
    "WITH told AS (SELECT DISTINCT ON (account, type, stream, seq) *"
    " FROM unnest(%(accounts)s::uuid[], %(types)s::text[], %(streams)s::uuid[], %(seqs)s::bigint[],"
    " %(data)s::text[], %(at)s::timestamptz[]) WITH ORDINALITY AS w (account, type, stream, seq, data, at, n)"
    " ORDER BY account, type, stream, seq, n),"
    " fresh AS (INSERT INTO notice (account_id, number, type, stream, seq, data, at)"
    " SELECT a.id, a.notices + row_number() OVER (PARTITION BY a.id ORDER BY t.n),"
    " t.type, t.stream, t.seq, t.data::json, t.at FROM told t JOIN account a ON a.id = t.account"
    " WHERE t.at > now() - make_interval(days => %(days)s) AND NOT EXISTS"
    " (SELECT FROM notice o WHERE o.account_id = t.account AND o.type = t.type AND o.stream = t.stream"
    " AND o.seq = t.seq) RETURNING account_id, number, type, stream),"
    " counted AS (UPDATE account a SET notices = f.newest FROM"
    " (SELECT account_id, max(number) AS newest FROM fresh GROUP BY account_id) f WHERE a.id = f.account_id),"
    " called AS (INSERT INTO webhook_delivery (webhook_id, account_id, number)"
    " SELECT h.id, f.account_id, f.number FROM fresh f JOIN webhook h ON h.account_id = f.account_id"
    " WHERE %(deliver)s AND h.enabled AND f.type = ANY (h.types) AND (h.game IS NULL OR h.game = f.stream)"
    " AND (h.tournament IS NULL OR h.tournament = f.stream))"
    " SELECT account_id::text, number FROM fresh ORDER BY account_id, number"
)
"""Adds what accounts have not been told: of equal notices the first. Their rows must be locked."""


class Notice(msgspec.Struct, frozen=True):
    """Something that an account is told."""

    type: str
    stream: str
    """The game, the tournament, the webhook or the account that it is about."""
    seq: int
    data: Json
    at: datetime


def list_accounts(
    connection: Connection[Any], query: LiteralString, count: int, **columns: Sequence[Any]
) -> list[list[str]]:
    """Return the accounts of *count* notices, which *query* finds by their *columns*.

    Its rows are the number of a notice, from 1, and an account.
    """
    found: list[list[str]] = [[] for _ in range(count)]
    for number, account in connection.execute(query, columns):
        found[number - 1].append(account)
    return found


def write(
    connection: Connection[Any], several: Sequence[PendingNotice], *, deliver: bool = True
) -> list[str]:
    """Tell all whom it concerns what they have not been told, in the order of *several*, at once.

    Return an account for each new notice. *deliver*: whether their webhooks are to be called.
    """
    found: dict[int, list[str]] = {}
    for kind in dict.fromkeys(type(one) for one in several):
        numbers = [number for number, one in enumerate(several) if type(one) is kind]
        found |= zip(numbers, kind.find_accounts(connection, [several[n] for n in numbers]), strict=True)
    told = [
        (account, Notice(one.type, one.stream, one.seq, one.data, read_time(one.at)))
        for number, one in enumerate(several)
        for account in found[number]
    ]
    if not told:
        return []
    with connection.transaction():
        return [account for account, _ in _add(connection, told, deliver=deliver)]


def add(connection: Connection[Any], account: str, notice: Notice, *, deliver: bool = True) -> int | None:
    """Tell *account* of something within the transaction of *connection*.

    Returns the number of the notice, None where it was told before.
    """
    for _, number in _add(connection, [(account, notice)], deliver=deliver):
        return number
    return None


def _add(
    connection: Connection[Any], told: Sequence[tuple[str, Notice]], *, deliver: bool
) -> list[tuple[str, int]]:
    """Tell accounts of something within the transaction of *connection*; return accounts and new numbers.

    One transaction at a time for each account, so that numbers are dense and appear in their order.
    """
    accounts = [account for account, _ in told]
    connection.execute(_LOCK, (sorted(set(accounts)),))
    values = {
        "accounts": accounts,
        "types": [one.type for _, one in told],
        "streams": [one.stream for _, one in told],
        "seqs": [one.seq for _, one in told],
        "data": [msgspec.json.encode(one.data).decode() for _, one in told],
        "at": [one.at.isoformat() for _, one in told],
        "days": DAYS,
        "deliver": deliver,
    }
    return connection.execute(_ADD, values).fetchall()


def forget_old(pool: Pool) -> int:
    """Delete what was told long ago, and what is left of its deliveries; return the number of notices."""
    with pool.connection() as connection:
        return connection.execute(
            "DELETE FROM notice WHERE at < now() - make_interval(days => %s)", (DAYS,)
        ).rowcount


_STUCK: LiteralString = "SELECT game_id::text, seq, now() FROM es.failed WHERE again_at IS NULL LIMIT 200"
"""Games whose tasks were set aside."""
_MADE_BY: LiteralString = "SELECT body::json->>'cmd' FROM es.event WHERE game_id = %s AND seq = 1"
"""The claim of who made a game."""


def notify_halted(pool: Pool) -> list[str]:
    """Tell who directs games that do not go on by themselves; the accounts that have something new."""
    with pool.connection() as connection:
        stuck = connection.execute(_STUCK).fetchall()
        made = {game: connection.execute(_MADE_BY, (game,)).fetchone() for game, _, _ in stuck}
        rows = [(game, seq, by[0], at) for game, seq, at in stuck if (by := made[game])]
        return write(
            connection,
            [
                GameNotice(game_id, seq, "table.stuck", to, claim, {}, at.isoformat())
                for game_id, seq, claim, at in rows
                for to in (DIRECTORS, OWNER)
            ],
        )


def notify_deadlines(pool: Pool, now: str) -> list[str]:
    """Tell those to whom little time is left at *now*; the accounts that have something new."""
    fresh: list[str] = []
    for one in turns.find_near(pool, now):
        with pool.connection() as connection:
            fresh += write(connection, [make_deadline_notice(one, now)])
        turns.mark_warned(pool, one)
    return fresh
