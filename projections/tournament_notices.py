"""What people are told of their tournaments, as :mod:`projections.notices` keeps it.

Entrants and directors are named by the claims of their entry or appointment, and never by an account: whose
claim that is, is asked when a notice is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, LiteralString

import msgspec
from psycopg import Connection

from events.rules.fact import Json
from events.store.event_log import EventLog
from events.table.record import Record
from events.tournament import schedule
from events.tournament.state import Tournament, entrant_name, number_of

_ENTRANT: LiteralString = (
    "SELECT account_id::text FROM entrant WHERE tournament = %s AND claim = %s AND account_id IS NOT NULL"
)
_DIRECTOR: LiteralString = (
    "SELECT account_id::text FROM tournament_director"
    " WHERE tournament = %s AND claim = %s AND director IN (0, %s) AND account_id IS NOT NULL"
)
_READY = ("EntryClosed", "RoundClosed", "StageClosed")
"""Events after which a round may come, for which people check in."""


class ToldOf(msgspec.Struct, frozen=True):
    """Something that an entrant or a director of a tournament is told."""

    stream: str
    seq: int
    type: str
    claim: str
    data: Json
    at: str
    director: int | None = None
    """His number; None for an entrant."""

    def accounts(self, connection: Connection[Any]) -> list[str]:
        """Who holds the claim now."""
        if self.director is None:
            rows = connection.execute(_ENTRANT, (self.stream, self.claim))
        else:
            rows = connection.execute(_DIRECTOR, (self.stream, self.claim, self.director))
        return [account for (account,) in rows]


class _Teller:
    """What a batch that led to *state* tells."""

    def __init__(self, state: Tournament, seq: int, at: str) -> None:
        self.state = state
        self.found: list[ToldOf] = []
        self._seq, self._at = seq, at

    def entrant(self, type_: str, number: int, data: Json) -> None:
        claim = self.state.entrants[number - 1].claim
        told = {"entrant": entrant_name(number), **data}
        self.found.append(ToldOf(self.state.id, self._seq, type_, claim, told, self._at))

    def everybody(self, type_: str, data: Json) -> None:
        """Tell all who take part, and those who run it."""
        for one in self.state.entrants:
            if one.is_playing:
                self.entrant(type_, one.number, data)
        self.directors(type_, data)

    def directors(self, type_: str, data: Json) -> None:
        for number in self.state.directors:
            claim = self.state.appointed[number]
            told = {"director": f"d{number}", **data}
            self.found.append(ToldOf(self.state.id, self._seq, type_, claim, told, self._at, number))


def told(after: Tournament, batch: Iterable[Record]) -> list[ToldOf]:
    """What the *batch* that leads to *after* tells."""
    teller = _Teller(after, after.seq, after.at)
    for record in batch:
        if record.type in _FACTS:
            _FACTS[record.type](teller, msgspec.json.decode(record.envelope().data))
    return teller.found


def _paired(teller: _Teller, data: Json) -> None:
    if data["round"] != teller.state.next_round:  # the rounds that follow were drawn with it
        return
    for table, pod in enumerate(data["pods"], 1):
        for seat, name in enumerate(pod):
            told = {"round": data["round"], "table": table, "seat": seat}
            teller.entrant("tournament.paired", number_of(name), told)
    for name in data["byes"]:
        teller.entrant("tournament.paired", number_of(name), {"round": data["round"], "bye": True})
    teller.directors("tournament.paired", {"round": data["round"]})


def _started(teller: _Teller, data: Json) -> None:
    for table, (game, pod) in enumerate(zip(data["games"], data["pods"], strict=True), 1):
        for seat, name in enumerate(pod):
            told = {"round": data["round"], "table": table, "seat": seat, "game": game}
            teller.entrant("tournament.round_started", number_of(name), told)
    teller.directors("tournament.round_started", {"round": data["round"]})


def _result(teller: _Teller, data: Json) -> None:
    place = {name: data[name] for name in ("round", "table", "game")}
    table = teller.state.rounds[data["round"] - 1].tables[data["table"] - 1]
    for number in sorted({*table.entrants, *table.holders}):
        teller.entrant("tournament.result", number, place)
    teller.directors("tournament.result", place)


def _dispute(teller: _Teller, data: Json) -> None:
    told = {name: data[name] for name in ("dispute", "round", "table")}
    teller.entrant("tournament.dispute", number_of(data["by"]), told)
    teller.directors("tournament.dispute", told)


def _ruling(teller: _Teller, data: Json) -> None:
    teller.everybody("tournament.ruling", {name: data[name] for name in ("ruling", "kind", "dispute")})


def _finished(teller: _Teller, _data: Json) -> None:
    teller.everybody("tournament.finished", {"status": teller.state.status})


_FACTS = {
    "RoundPaired": _paired,
    "RoundStarted": _started,
    "ResultRecorded": _result,
    "DisputeRaised": _dispute,
    "Ruled": _ruling,
    "TournamentClosed": _finished,
}
"""What is told of facts, by their type."""


def timely(state: Tournament, now: str, events: EventLog) -> list[ToldOf]:
    """What the time tells by itself: that one can check in, that a round lasts too long."""
    return [*_check_in(state, now, events), *_overdue(state, now, events)]


def _check_in(state: Tournament, now: str, events: EventLog) -> list[ToldOf]:
    window = schedule.next_check_in_window(state) if state.paused is None else None
    if window is None or not window[0] <= now < window[1]:
        return []
    teller = _Teller(state, _newest(state, events, *_READY), window[0])
    for one in state.entrants:
        if one.is_playing and one.checked < state.next_round:
            teller.entrant("tournament.check_in", one.number, {"round": state.next_round, "until": window[1]})
    return teller.found


def _overdue(state: Tournament, now: str, events: EventLog) -> list[ToldOf]:
    late = schedule.overdue_rounds(state, now)
    if not late:
        return []
    teller = _Teller(state, _newest(state, events, "RoundStarted"), now)
    for one in late:
        teller.directors("tournament.overdue", {"round": one.number})
    return teller.found


def _newest(state: Tournament, events: EventLog, *types: str) -> int:
    """The newest event of these types: so the same is told once, whenever it is looked at."""
    return max(record.seq for record in events.read(state.id) if record.type in types)
