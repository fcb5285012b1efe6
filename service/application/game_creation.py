"""Making games: first the claims of their maker, then the log, which decides; once for each key or id."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID, uuid4

import msgspec
from psycopg import Error
from psycopg_pool import PoolTimeout

from events.base.timestamps import LAST_TIME, whole_seconds
from events.proof.randomness import Seed
from events.rules.fact import Seat
from events.store.connection import ExhaustedPool
from events.store.event_log import VersionConflict
from events.store.games import IdentityRecorder, ReusedKey, UnknownGame, new_id
from events.table.game import Game
from events.table.terms import account_digest
from projections.read_models import lobby
from service.application.container import Services
from service.application.game_request import format_repeat, read_repeat
from service.application.request_context import read_idempotency_key
from service.base.database import retry_on_disconnect
from service.base.people import Account
from service.http.problems import Problem
from service.stores.request_keys import KeyedRequest, digest_request
from service.stores.seat_claims import OWNER_SEAT

"""The lead in milliseconds that the time in a client's id may have: lists of games are sorted by it."""


class GameMaker(Protocol):
    """A call that makes a game under this id, by this claim; `seated` comes before the log is written."""

    def __call__(  # noqa: D102
        self, *, game_id: str, command_id: str, seated: IdentityRecorder, seed: Seed | None
    ) -> Game: ...


class CreationResult(msgspec.Struct, frozen=True):
    """The outcome of a request to make a game."""

    game: Game
    before: bool
    """True if it had been made before."""
    seed: Seed | None
    """The seed that its randomness follows from, where that was chosen."""


class ReservedId(msgspec.Struct, frozen=True):
    """The id under which a request makes its game, or its tournament."""

    game_id: str
    seed: Seed | None
    claimed_by: str
    """The word from which the id of its claim is derived."""


def create_game_once(
    services: Services,
    account: Account,
    asked: Any,
    mine: Sequence[Seat],
    make: GameMaker,
    *,
    chosen: str | None = None,
    seed: Seed | None = None,
) -> CreationResult:
    """Make a game with *make*, once: it is *account*'s, with the seats *mine*.

    *asked* is the request: the same Idempotency-Key with another one raises ReusedKey, the same *chosen*
    id a 409 problem.
    """
    place = reserve_id(services, account, asked, chosen, seed)
    claim = services.seat_claims.derive_claim_id(account, place.game_id, place.claimed_by)
    with contextlib.suppress(UnknownGame):
        return _load_previous(services, place, claim)
    if chosen is not None:
        check_id_time(chosen)

    def claim_seats() -> Mapping[Seat, str]:
        salts = services.seat_claims.claim(claim, place.game_id, account, (OWNER_SEAT, *mine))
        return {seat: account_digest(salts[seat], account.id, services.games.origin) for seat in mine}

    try:
        game = make(game_id=place.game_id, command_id=claim, seated=claim_seats, seed=place.seed)
    except VersionConflict:  # another request was quicker: most often the same one, sent twice at once
        return _load_previous(services, place, claim)
    _add_to_lobby(services, game)
    return CreationResult(game, False, place.seed)


def _add_to_lobby(services: Services, game: Game) -> None:
    """Put *game* into the lobby, so that its maker finds it there at once.

    It stands in the log: where this cannot be done now, the projections do it in a moment.
    """
    with contextlib.suppress(Error, PoolTimeout, ExhaustedPool), services.pool.connection() as connection:
        lobby.write(connection, [lobby.make_row(game)])


@retry_on_disconnect
def _load_previous(services: Services, place: ReservedId, claim: str) -> CreationResult:
    """Return the game of that id. Raises UnknownGame, and a 409 problem where another request made it."""
    game = services.games.load(place.game_id)
    if game.opened != claim:
        raise _game_known_problem(game.id)
    return CreationResult(game, True, place.seed)


def _game_known_problem(game_id: str) -> Problem:
    return Problem(409, "game_known", f"The game {game_id} already exists. Choose a new id.")


def reserve_id(
    services: Services, account: Account, asked: Any, chosen: str | None, seed: Seed | None = None
) -> ReservedId:
    """Reserve the id of a request's stream: the *chosen* one, that of its key, or a new one.

    Raises ReusedKey where the key was sent with another request, a 409 problem where the id was.
    """
    key = read_idempotency_key()
    if key is None and chosen is None:
        return ReservedId(new_id(), seed, str(uuid4()))
    place = ReservedId(chosen or new_id(), seed, key or "")
    if key is not None:
        place = _reserve_row(services, account, key, asked, place)
    if chosen is not None:
        # A word that no header can be: so it meets nobody's Idempotency-Key.
        word = f"id {chosen}"
        try:
            place = _reserve_row(
                services, account, word, asked, msgspec.structs.replace(place, claimed_by=word)
            )
        except ReusedKey:
            raise _game_known_problem(chosen) from None
    return place


def check_id_time(chosen: str) -> None:
    """Raise a 409 problem for an id whose time is after the year 2999.

    Whatever else the clock of a client says does no harm: no list is ordered by ids.
    """
    if int.from_bytes(UUID(chosen).bytes[:6], "big") > whole_seconds(LAST_TIME) * 1000 + 999:
        raise Problem(
            409,
            "id_in_future",
            "The time in this UUIDv7 is after the year 2999. Set your clock, and make a new id.",
        )


@retry_on_disconnect
def _reserve_row(services: Services, account: Account, key: str, asked: Any, place: ReservedId) -> ReservedId:
    """Return the place that belongs to this key: *place*, or that of the first request."""
    request = KeyedRequest(account.id, key, digest_request(asked))
    repeat = format_repeat(place.seed) if place.seed else None
    with services.pool.connection() as connection:
        request.store(connection, "founding", {"game_id": place.game_id, "repeat": repeat})
        found = request.find(connection, "founding", "game_id::text, repeat")
    assert found is not None  # noqa: S101 - stored
    game_id, repeat = found
    return ReservedId(game_id, read_repeat(repeat) if repeat else place.seed, place.claimed_by)
