"""A tournament as one request meets it: the viewer, what they may do, how far they see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from events.base.timestamps import add_milliseconds
from events.store.games import NoSuchEvent
from events.store.tournaments import UnknownTournament
from events.table.game import Game
from events.tournament.folding import fold
from events.tournament.settings import Aids
from events.tournament.state import Tournament
from service.application.container import Services
from service.application.request_context import READING, browsing_account, get_services
from service.base.database import retry_on_disconnect
from service.base.people import Account, Participation
from service.openapi.request_fields import UUID_REGEX

TournamentPermission = Literal["see", "see_now", "enter", "assist", "direct"]
"""The permissions: to know of it, to see it without delay, to enter, to help running it, to run it."""

TOURNAMENT_READING = (*READING, "tournament:enter", "tournament:direct")
"""The scopes of which a token needs one to see a tournament that is not public."""


class TournamentContext(msgspec.Struct, frozen=True):
    """The tournament and its viewer, as a request needs them before it does anything."""

    state: Tournament
    """The newest state that the viewer may know of."""
    newest: Tournament
    """The newest that there is: for requests that change it, never for what is shown."""
    account: Account | None
    part: Participation
    may: frozenset[TournamentPermission]


def get_tournament_permissions(
    services: Services,
    account: Account | None,
    state: Tournament,
    part: Participation,
    *,
    invited: bool = False,
    belongs: Callable[[Account], bool] | None = None,
) -> frozenset[TournamentPermission]:
    """Return what *account*, which is that *part* of it, may do with a tournament.

    *belongs* tells who is a member of the club whose tournament it is, where that is known already.
    """
    found: set[TournamentPermission] = set()
    if part.directs:
        found |= {"see", "see_now", "enter", "assist"}
        found |= {"direct"} if part.role != "assistant" else set()
    if part.entrant is not None:
        found |= {"see", "see_now"}
    if services.visibility.get(state) != "private":
        found |= {"see", "enter"}
    if account is not None and "enter" not in found:
        member = belongs or (lambda one: services.clubs.find_position(state, one) is not None)
        found |= {"see", "enter"} if invited or member(account) else set()
    return frozenset(found)


def load_tournament_context(
    text: str, *, scopes: tuple[str, ...] = TOURNAMENT_READING, invited: bool = False
) -> TournamentContext:
    """Load the tournament of that id, if the asking account may know of it.

    A private tournament needs a token with one of these *scopes*. Raises UnknownTournament, a 401 problem.
    """
    who = browsing_account(scopes)
    return make_tournament_context(get_services(), read_tournament_id(text), who, invited=invited)


def make_tournament_context(
    services: Services, tournament: str, account: Account | None, *, invited: bool = False
) -> TournamentContext:
    """Return the tournament as *account* meets it. Raises UnknownTournament."""
    newest = services.tournaments.load(tournament)
    part = services.tournament_people.get_participation(newest, account)
    may = get_tournament_permissions(services, account, newest, part, invited=invited)
    if "see" not in may:
        raise UnknownTournament(tournament)
    return TournamentContext(
        newest if "see_now" in may else visible_tournament(services, newest), newest, account, part, may
    )


def refresh_tournament_context(
    services: Services, before: TournamentContext, *, hinted: bool
) -> TournamentContext:
    """Load the tournament as an account that follows it meets it now; what all of them need is read once.

    *hinted*: True if a hint is the reason to look. Raises UnknownTournament where the account may not see it
    any more.
    """
    tournament, account = before.newest.id, before.account
    newest = services.hint_cache.get(
        tournament,
        "newest",
        lambda known: _load_newest(services, known or before.newest, hinted=hinted),
        hinted=hinted,
    )

    def is_member(one: Account) -> bool:
        return one.id in services.hint_cache.get(
            tournament, "members", lambda _: services.clubs.member_ids_of(newest), hinted=hinted
        )

    part = (
        Participation()
        if account is None
        else services.tournament_people.get_participations(newest).get(account.id, Participation())
    )
    may = get_tournament_permissions(services, account, newest, part, belongs=is_member)
    if "see" not in may:
        raise UnknownTournament(tournament)
    state = newest
    if "see_now" not in may and newest.settings.delay is not None:  # a moment ago nobody saw more than now
        state = services.hint_cache.get(
            tournament, "seen", lambda _: visible_tournament(services, newest), hinted=False
        )
    return TournamentContext(state, newest, account, part, may)


def _load_newest(services: Services, state: Tournament, *, hinted: bool) -> Tournament:
    """Return *state* after what the log holds by now, of which its streams read the same."""
    while records := services.event_cache.records_after(state.id, state.seq, hinted=hinted):
        state = fold(state, records)
    services.tournaments.remember(state)
    return state


def read_tournament_id(text: str) -> str:
    """Return *text* as an id. Raises UnknownTournament for what cannot be one."""
    if not UUID_REGEX.fullmatch(text):
        raise UnknownTournament(text)
    return text.lower()


def visible_tournament(services: Services, state: Tournament) -> Tournament:
    """Return *state* as spectators see it now.

    It goes up to the first result of a game whose end they may not see yet.
    """
    seq = visible_tournament_seq(services, state)
    return state if seq >= state.seq else services.tournaments.load(state.id, seq)


def visible_tournament_seq(services: Services, state: Tournament) -> int:
    """Return the newest event that spectators may see now."""
    delay = state.settings.delay
    if delay is None:
        return state.seq
    first = _find_first_result_after(services, state.id, add_milliseconds(services.games.now(), -delay.ms))
    return state.seq if first is None else first - 1


@retry_on_disconnect
def _find_first_result_after(services: Services, tournament: str, at: str) -> int | None:
    with services.pool.connection() as connection:
        row = connection.execute(
            "SELECT min(seq) FROM es.event WHERE game_id = %s AND body::json->>'t' = 'ResultRecorded'"
            " AND body::json->>'at' > %s",
            (tournament, at),
        ).fetchone()
    return row[0] if row else None


def get_allowed_aids(services: Services, game: Game) -> Aids | None:
    """Return the aids that players of *game* may use, as its tournament settled; None without one."""
    return None if game.tournament is None else services.tournaments.load(game.tournament["id"]).settings.aids


def load_earlier_tournament(context: TournamentContext, at: int | None) -> Tournament:
    """Return the tournament as the viewer sees it, after event *at* (None: as it is). Raises NoSuchEvent."""
    if at is None or at == context.state.seq:
        return context.state
    if at > context.state.seq:
        raise NoSuchEvent(f"the newest event of this tournament is {context.state.seq}")
    return get_services().tournaments.load(context.state.id, at)
