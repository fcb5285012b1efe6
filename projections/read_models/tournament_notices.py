"""The notices of tournaments, as :mod:`projections.read_models.notices` keeps them.

Entrants and directors are named by the claims of their entry or appointment, and never by an account. The
account behind a claim is asked for when a notice is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, LiteralString

import msgspec
from psycopg import Connection

from events.rules.fact import Json
from events.store.event_log import EventLog
from events.table.record import Record
from events.tournament import schedule
from events.tournament.state import Tournament, entrant_name, number_of
from events.tournament.waiting import AwaitedStep, find_awaited
from projections.read_models.notices import list_accounts

_ACCOUNTS: LiteralString = (
    "WITH w AS (SELECT * FROM unnest(%(tournaments)s::uuid[], %(claims)s::uuid[], %(directors)s::int[])"
    " WITH ORDINALITY AS w (tournament, claim, director, n))"
    " SELECT w.n, e.account_id::text FROM w JOIN entrant e ON e.tournament = w.tournament"
    " AND e.claim = w.claim WHERE w.director IS NULL AND e.account_id IS NOT NULL"
    " UNION ALL SELECT w.n, d.account_id::text FROM w JOIN tournament_director d"
    " ON d.tournament = w.tournament AND d.claim = w.claim AND d.director IN (0, w.director)"
    " WHERE w.director IS NOT NULL AND d.account_id IS NOT NULL"
)
_TOLD = frozenset({"admission", "entrants", "pair_round", "start_round", "result", "server"})
"""The kinds of what is awaited that no other notice tells."""
_REFUSED = frozenset({"entrants", "server"})
"""The kinds that only time tells: the server's step was due, and the rules refused it."""
_READY = ("EntryClosed", "RoundClosed", "StageClosed")
"""Events after which a round may come, for which people check in."""


class TournamentNotice(msgspec.Struct, frozen=True):
    """Something that an entrant or a director of a tournament is told."""

    stream: str
    seq: int
    type: str
    claim: str
    data: Json
    at: str
    director: int | None = None
    """The director's number; None for an entrant."""

    @staticmethod
    def find_accounts(connection: Connection[Any], several: Sequence[TournamentNotice]) -> list[list[str]]:
        """Return for each notice the accounts that hold its claim now."""
        return list_accounts(
            connection,
            _ACCOUNTS,
            len(several),
            tournaments=[one.stream for one in several],
            claims=[one.claim for one in several],
            directors=[one.director for one in several],
        )


class _NoticeCollector:
    """A collector of the notices of a batch that led to *state*."""

    def __init__(self, state: Tournament, seq: int, at: str) -> None:
        self.state = state
        self.found: list[TournamentNotice] = []
        self._seq, self._at = seq, at

    def tell_entrant(self, type_: str, number: int, data: Json) -> None:
        claim = self.state.entrants[number - 1].claim
        members = {"entrant": entrant_name(number), **data}
        self.found.append(TournamentNotice(self.state.id, self._seq, type_, claim, members, self._at))

    def tell_everybody(self, type_: str, data: Json) -> None:
        """Tell all who take part, and those who run it."""
        for one in self.state.entrants:
            if one.is_playing:
                self.tell_entrant(type_, one.number, data)
        self.tell_directors(type_, data)

    def tell_directors(self, type_: str, data: Json) -> None:
        for number in self.state.directors:
            claim = self.state.appointed[number]
            members = {"director": f"d{number}", **data}
            self.found.append(
                TournamentNotice(self.state.id, self._seq, type_, claim, members, self._at, number)
            )


def make_notices(before: Tournament, after: Tournament, batch: Iterable[Record]) -> list[TournamentNotice]:
    """Return the notices of the *batch* that leads from *before* to *after*."""
    collector = _NoticeCollector(after, after.seq, after.at)
    for record in batch:
        if record.type in _FACTS:
            _FACTS[record.type](collector, msgspec.json.decode(record.envelope().data))
    known = find_awaited(before, before.at) if before.seq else []
    _notify_awaited(collector, [one for one in find_awaited(after, after.at) if one not in known])
    return collector.found


def _notify_awaited(collector: _NoticeCollector, awaited: Iterable[AwaitedStep]) -> None:
    """Tell the directors what the tournament waits for them to do, unless another notice tells it."""
    told = [msgspec.structs.asdict(one) for one in awaited if one.kind in _TOLD]
    if told:
        members = [{name: value for name, value in one.items() if value is not None} for one in told]
        collector.tell_directors("tournament.waiting", {"waits_for": members})


def _notify_paired(collector: _NoticeCollector, data: Json) -> None:
    if data["round"] != collector.state.next_round:  # the rounds that follow were drawn with it
        return
    for table, pod in enumerate(data["pods"], 1):
        for seat, name in enumerate(pod):
            members = {"round": data["round"], "table": table, "seat": seat}
            collector.tell_entrant("tournament.paired", number_of(name), members)
    for name in data["byes"]:
        collector.tell_entrant("tournament.paired", number_of(name), {"round": data["round"], "bye": True})
    collector.tell_directors("tournament.paired", {"round": data["round"]})


def _notify_started(collector: _NoticeCollector, data: Json) -> None:
    for table, (game, pod) in enumerate(zip(data["games"], data["pods"], strict=True), 1):
        for seat, name in enumerate(pod):
            members = {"round": data["round"], "table": table, "seat": seat, "game": game}
            collector.tell_entrant("tournament.round_started", number_of(name), members)
    collector.tell_directors("tournament.round_started", {"round": data["round"]})


def _notify_result(collector: _NoticeCollector, data: Json) -> None:
    place = {name: data[name] for name in ("round", "table", "game")}
    table = collector.state.rounds[data["round"] - 1].tables[data["table"] - 1]
    for number in sorted({*table.entrants, *table.holders}):
        collector.tell_entrant("tournament.result", number, place)
    collector.tell_directors("tournament.result", place)


def _notify_dispute(collector: _NoticeCollector, data: Json) -> None:
    members = {name: data[name] for name in ("dispute", "round", "table")}
    collector.tell_entrant("tournament.dispute", number_of(data["by"]), members)
    collector.tell_directors("tournament.dispute", members)


def _notify_ruling(collector: _NoticeCollector, data: Json) -> None:
    collector.tell_everybody(
        "tournament.ruling", {name: data[name] for name in ("ruling", "kind", "dispute")}
    )


def _notify_finished(collector: _NoticeCollector, _data: Json) -> None:
    collector.tell_everybody("tournament.finished", {"status": collector.state.status})


_FACTS = {
    "RoundPaired": _notify_paired,
    "RoundStarted": _notify_started,
    "ResultRecorded": _notify_result,
    "DisputeRaised": _notify_dispute,
    "Ruled": _notify_ruling,
    "TournamentClosed": _notify_finished,
}
"""The functions that make notices of facts, by their type."""


def make_timed_notices(state: Tournament, now: str, events: EventLog) -> list[TournamentNotice]:
    """Return the notices that are due by time alone, after the server has done what it could.

    They tell that check-in opens, that a round lasts too long, and what keeps the server from its next step.
    """
    return [
        *_notify_check_in(state, now, events),
        *_notify_overdue(state, now, events),
        *_notify_refused(state, now),
    ]


def _notify_refused(state: Tournament, now: str) -> list[TournamentNotice]:
    collector = _NoticeCollector(state, state.seq, now)
    refused = [one for one in find_awaited(state, now, grace_ms=0) if one.kind in _REFUSED]
    _notify_awaited(collector, refused)
    return collector.found


def _notify_check_in(state: Tournament, now: str, events: EventLog) -> list[TournamentNotice]:
    window = schedule.next_check_in_window(state) if state.paused is None else None
    if window is None or not window[0] <= now < window[1]:
        return []
    collector = _NoticeCollector(state, _find_newest(state, events, *_READY), window[0])
    for one in state.entrants:
        if one.is_playing and one.checked < state.next_round:
            collector.tell_entrant(
                "tournament.check_in", one.number, {"round": state.next_round, "until": window[1]}
            )
    return collector.found


def _notify_overdue(state: Tournament, now: str, events: EventLog) -> list[TournamentNotice]:
    late = schedule.overdue_rounds(state, now)
    if not late:
        return []
    collector = _NoticeCollector(state, _find_newest(state, events, "RoundStarted"), now)
    for one in late:
        collector.tell_directors("tournament.overdue", {"round": one.number})
    return collector.found


def _find_newest(state: Tournament, events: EventLog, *types: str) -> int:
    """Return the newest event of these types: so the same is told once, whenever it is looked at."""
    return max(record.seq for record in events.read(state.id) if record.type in types)
