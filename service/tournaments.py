"""A tournament as one request meets it: who looks, what he may do, how far he sees."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from events.base.timestamps import add_milliseconds
from events.store.replay import NoSuchEvent
from events.store.tournaments import UnknownTournament
from events.table.game import Game
from events.tournament.folding import fold
from events.tournament.settings import Aids
from events.tournament.state import Tournament
from service.accounts import Account
from service.asking import asking
from service.entrants import Part
from service.pool import patient
from service.process import Process, process
from service.wire.queries import UUID

Permission = Literal["see", "see_now", "enter", "assist", "direct"]
"""To know of it, to see it without delay, to enter it, to help running it, to run it."""


class Met(msgspec.Struct, frozen=True):
    """What a request for a tournament needs to know before it does anything."""

    state: Tournament
    """The newest state that whoever looks may know of."""
    newest: Tournament
    """The newest that there is: for requests that change it, never for what is shown."""
    account: Account | None
    part: Part
    may: frozenset[Permission]


def permissions(
    here: Process,
    account: Account | None,
    state: Tournament,
    part: Part,
    *,
    invited: bool = False,
    belongs: Callable[[Account], bool] | None = None,
) -> frozenset[Permission]:
    """What *account*, which is that *part* of it, may do with a tournament.

    *belongs* tells who is a member of the club whose tournament it is, where that is known already.
    """
    found: set[Permission] = set()
    if part.directs:
        found |= {"see", "see_now", "enter", "assist"}
        found |= {"direct"} if part.role != "assistant" else set()
    if part.entrant is not None:
        found |= {"see", "see_now"}
    if here.access.of(state) != "private":
        found |= {"see", "enter"}
    if account is not None and "enter" not in found:
        member = belongs or (lambda one: here.clubs.place(state, one) is not None)
        found |= {"see", "enter"} if invited or member(account) else set()
    return frozenset(found)


def meet(text: str, *, invited: bool = False) -> Met:
    """The tournament of that id, if whoever asks may know of it. Raises UnknownTournament, a 401 problem."""
    return met(process(), read_id(text), asking(), invited=invited)


def met(here: Process, tournament: str, account: Account | None, *, invited: bool = False) -> Met:
    """The tournament as *account* meets it. Raises UnknownTournament."""
    newest = here.tournaments.load(tournament)
    part = here.entrants.part(newest, account)
    may = permissions(here, account, newest, part, invited=invited)
    if "see" not in may:
        raise UnknownTournament(tournament)
    return Met(newest if "see_now" in may else as_seen(here, newest), newest, account, part, may)


def met_again(here: Process, before: Met, *, hinted: bool) -> Met:
    """The tournament as whoever follows it meets it now: what all of them need is read once for all.

    *hinted*: whether a hint makes us look. Raises UnknownTournament where he may not see it any more.
    """
    tournament, account = before.newest.id, before.account
    newest = here.fresh.get(
        tournament, "newest", lambda known: _grown(here, known or before.newest, hinted=hinted), hinted=hinted
    )

    def belongs(one: Account) -> bool:
        return one.id in here.fresh.get(
            tournament, "members", lambda _: here.clubs.people_of(newest), hinted=hinted
        )

    part = Part() if account is None else here.entrants.parts(newest).get(account.id, Part())
    may = permissions(here, account, newest, part, belongs=belongs)
    if "see" not in may:
        raise UnknownTournament(tournament)
    state = newest
    if "see_now" not in may and newest.settings.delay is not None:  # a moment ago nobody saw more than now
        state = here.fresh.get(tournament, "seen", lambda _: as_seen(here, newest), hinted=False)
    return Met(state, newest, account, part, may)


def _grown(here: Process, state: Tournament, *, hinted: bool) -> Tournament:
    """*state* after what the log holds by now, of which its streams read the same."""
    while records := here.tails.after(state.id, state.seq, hinted=hinted):
        state = fold(state, records)
    here.tournaments.remember(state)
    return state


def read_id(text: str) -> str:
    """*text* as an id. Raises UnknownTournament for what cannot be one."""
    if not UUID.fullmatch(text):
        raise UnknownTournament(text)
    return text.lower()


def as_seen(here: Process, state: Tournament) -> Tournament:
    """*state* as spectators see it now: up to the first result of a game whose end they may not see yet."""
    seq = visible_seq(here, state)
    return state if seq >= state.seq else here.tournaments.load(state.id, seq)


def visible_seq(here: Process, state: Tournament) -> int:
    """The newest event that spectators may see now."""
    delay = state.settings.delay
    if delay is None:
        return state.seq
    first = _first_result_after(here, state.id, add_milliseconds(here.games.now(), -delay.ms))
    return state.seq if first is None else first - 1


@patient
def _first_result_after(here: Process, tournament: str, at: str) -> int | None:
    with here.pool.connection() as connection:
        row = connection.execute(
            "SELECT min(seq) FROM es.event WHERE game_id = %s AND body::json->>'t' = 'ResultRecorded'"
            " AND body::json->>'at' > %s",
            (tournament, at),
        ).fetchone()
    return row[0] if row else None


def aids_of(here: Process, game: Game) -> Aids | None:
    """What those may use who play *game*, as its tournament settled; None for a game of none."""
    return None if game.tournament is None else here.tournaments.load(game.tournament["id"]).settings.aids


def earlier(met: Met, at: int | None) -> Tournament:
    """The tournament as somebody sees it, after event *at* (None: as it is). Raises NoSuchEvent."""
    if at is None or at == met.state.seq:
        return met.state
    if at > met.state.seq:
        raise NoSuchEvent(f"the newest event of this tournament is {met.state.seq}")
    return process().tournaments.load(met.state.id, at)
