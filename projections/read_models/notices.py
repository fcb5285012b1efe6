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

    def accounts(self, connection: Connection[Any]) -> list[str]:
        """Return the accounts that hold the claim now."""
        asked = {"game": self.game_id, "claim": self.claim, "to": self.to}
        return [account for (account,) in connection.execute(_ACCOUNTS, asked)]


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

    def accounts(self, connection: Connection[Any]) -> list[str]:
        """Return the accounts that it concerns."""
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
    "SELECT account_id::text FROM seat_claim WHERE game_id = %(game)s AND claim = %(claim)s"
    " AND (seat >= 0) = (%(to)s >= 0) AND %(to)s >= -1 AND account_id IS NOT NULL"
    " UNION SELECT account_id::text FROM game_director WHERE game_id = %(game)s AND claim = %(claim)s"
    " AND %(to)s = -2 AND account_id IS NOT NULL ORDER BY 1"
)
_LOCK: LiteralString = "SELECT 1 FROM account WHERE id = %s FOR NO KEY UPDATE"
_INSERT: LiteralString = (
    "INSERT INTO notice (account_id, number, type, stream, seq, data, at)"
    " SELECT id, notices + 1, %(type)s::text, %(stream)s::uuid, %(seq)s, %(data)s::json, %(at)s FROM account"
    " WHERE id = %(account)s::uuid AND %(at)s > now() - make_interval(days => %(days)s) AND NOT EXISTS"
    " (SELECT FROM notice WHERE account_id = %(account)s::uuid AND type = %(type)s::text"
    " AND stream = %(stream)s::uuid AND seq = %(seq)s) RETURNING number"
)
_COUNT: LiteralString = "UPDATE account SET notices = %s WHERE id = %s"
_DELIVER: LiteralString = (
    "INSERT INTO webhook_delivery (webhook_id, account_id, number)"
    " SELECT id, account_id, %(number)s FROM webhook WHERE account_id = %(account)s::uuid AND enabled"
    " AND %(type)s::text = ANY (types) AND (game IS NULL OR game = %(stream)s::uuid)"
    " AND (tournament IS NULL OR tournament = %(stream)s::uuid)"
)


class Notice(msgspec.Struct, frozen=True):
    """Something that an account is told."""

    type: str
    stream: str
    """The game, the tournament, the webhook or the account that it is about."""
    seq: int
    data: Json
    at: datetime


def write(
    connection: Connection[Any], several: Sequence[PendingNotice], *, deliver: bool = True
) -> list[str]:
    """Tell all whom it concerns what they have not been told; the accounts that have something new.

    *deliver*: whether their webhooks are to be called.
    """
    fresh: list[str] = []
    for one in several:
        notice = Notice(one.type, one.stream, one.seq, one.data, read_time(one.at))
        for account in one.accounts(connection):
            with connection.transaction():
                if add(connection, account, notice, deliver=deliver) is not None:
                    fresh.append(account)
    return fresh


def add(connection: Connection[Any], account: str, notice: Notice, *, deliver: bool = True) -> int | None:
    """Tell *account* of something within the transaction of *connection*.

    Returns the number of the notice, None where it was told before. One at a time for each account, so that
    numbers are dense and appear in their order.
    """
    connection.execute(_LOCK, (account,))
    values = {
        "account": account,
        "type": notice.type,
        "stream": notice.stream,
        "seq": notice.seq,
        "data": msgspec.json.encode(notice.data).decode(),
        "at": notice.at,
        "days": DAYS,
    }
    row = connection.execute(_INSERT, values).fetchone()
    if row is None:
        return None
    connection.execute(_COUNT, (row[0], account))
    if deliver:
        connection.execute(_DELIVER, {**values, "number": row[0]})
    return int(row[0])


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
