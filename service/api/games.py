"""Games: making, finding, joining, beginning and looking at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from uuid import uuid4

from flask import Response
from msgspec import UNSET
from msgspec.structs import replace

from events.proof.randomness import Seed, seat_commitment
from events.rules.steps import Rejected
from events.store.games import GameCommandResult, IdentityRecorder, ReusedKey
from events.table import commit_reveal
from events.table.commands.expiry import OPEN_TABLE_MS, UNLISTED_TABLE_MS
from events.table.game import Game
from events.table.record import Record, pseudonym
from events.table.terms import account_digest
from service.api.history import list_lines_after
from service.application.authorization import check_one_seat, get_permissions, may_join_guard
from service.application.bot_capacity import check_bot_capacity
from service.application.game_context import (
    ACTING,
    GameContext,
    load_earlier_game,
    load_game_context,
    load_game_or_former_seat,
    load_visible_game,
    visible_state,
)
from service.application.game_creation import create_game_once
from service.application.game_presentation import present_game_for_viewer
from service.application.game_request import GameRequest, check_seat_key, format_repeat, read_game_request
from service.application.joining import JoinRequest, make_join_request, redeem_invitation
from service.application.queries import game_queries
from service.application.request_context import (
    READING,
    browsing_account,
    check_scopes,
    derive_command_id,
    get_services,
    read_idempotency_key,
    require_scopes,
    require_token,
    viewing_account,
)
from service.application.schemas.game_schemas import REVEAL
from service.base.people import Account
from service.base.visibility import VISIBILITIES
from service.http import query_strings
from service.http.blueprint import IDEMPOTENCY_KEY, Blueprint
from service.http.problems import Problem
from service.http.request_data import build_struct, load_request, read_body, read_json_body
from service.http.responses import (
    IMMUTABLE_HEADERS,
    PRIVATE_HEADERS,
    cut_page,
    etag_by_content,
    json_response,
    make_next_address,
    mark_replayed,
    with_etag,
)
from service.openapi import request_structs, response_structs
from service.presenters import game_presenter
from service.stores.seat_claims import ForeignSeat, MissingSeat, get_own_seats, make_viewer

blp = Blueprint("games", __name__, url_prefix="/v1", description="Create, find, join and view games.")


@blp.route("/games", methods=["POST"])
@blp.doc(operationId="create_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("NewGame", "The title, its options, and a player or bot for each seat.")
@blp.answers(
    201,
    "Game",
    "The game.",
    Location="The address of the game.",
    Idempotency_Replayed="`true` if the request had been carried out before.",
)
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_game() -> Response:
    """Create a game.

    A game without open seats and commitments begins at once. A `seed` or a `position` makes it an analysis
    game. The server salts the seed: send `repeat` from the answer to create the same game again.

    To be sure that nobody chose the randomness, choose the `id`, and commit to 32 random bytes with your
    seat. The `commitment` is SHA-256("bg/seat-commit/1" || 0x00 || id || name || 0x00 || u) in hex, with u
    the 32 bytes. See `join` for an example. The game then waits until all seats are taken and the bytes are
    revealed (`POST .../reveal`), or their time is up. With `contributions` `required` every player must
    reveal; otherwise the game is abandoned. `director_commitment` is the same without a seat, with
    "bg/director-commit/1" and no name; only you can reveal it. `beacon` adds a round of drand that is
    published after all reveals.

    - `invited` reserves seats for the accounts that their `who` names, see `join`.
    - `expires_at`: the game is abandoned if not all seats are taken by then. The default is two weeks from
      now, or half a year for games that are not public.
    - `directors` are accounts that can pause and end the game, remove players and add time, unless they play
      in it. Without directors, the creator of the game directs it.
    - `seating`: only accounts of that `reliability` can join or take over a seat: 403 `not_eligible`.
    - `clock`: in games with a clock an account holds one seat at most: 409 `already_seated`.
    - `seats`: `{"account": ID}` is reserved for that account, `{"invited": true}` for players with an
      invitation (`POST /v1/games/{id}/invitations`). In the log both are open.
    - `visibility`: everybody sees a `public` game; an `unlisted` game needs its id. A `private` game is
      visible only to its present and past players, its creator, its directors and invited people. Everybody
      else gets 404 on every endpoint.
    - `club`: the game is private to the members of the club; its managers direct it.
    - `delay`: spectators see each event `ms` milliseconds later, including the end. With `until_end` they see
      nothing of the play until the game has ended, only its players and its status.

    With an `id`, or an `Idempotency-Key`, you can repeat the request without creating a second game.
    """
    account = require_scopes("game:create")
    get_services().bans.check(account)
    body = read_json_body()
    wanted = read_game_request(
        body, get_services().bot_catalogue, beacons=get_services().settings.beacon_url is not None
    )
    if wanted.terms.clock is not None:
        check_one_seat(wanted.mine[:-1])
    _check_references(wanted, account)

    def make(*, game_id: str, command_id: str, seated: IdentityRecorder, seed: Seed | None) -> Game:
        check_bot_capacity(get_services(), (seat.bot for seat in wanted.seats))

        def write_rows() -> Mapping[int, str]:
            get_services().directors.appoint(game_id, command_id, wanted.directors)
            get_services().visibility.narrow(game_id, command_id, wanted.visibility)
            get_services().reservations.reserve(game_id, command_id, wanted.reserved)
            if wanted.club is not None:
                get_services().clubs.assign_game(game_id, command_id, wanted.club, wanted.terms.directors)
            return seated()

        return get_services().games.create(
            wanted.title,
            wanted.options,
            wanted.seats,
            game_id=game_id,
            command_id=command_id,
            terms=wanted.terms,
            seated=write_rows,
            seed=seed,
            position=wanted.position,
            waits_ms=OPEN_TABLE_MS if wanted.visibility == "public" else UNLISTED_TABLE_MS,
        )

    get_services().receipts.require_signer()
    founded = create_game_once(
        get_services(), account, ["game", body], wanted.mine, make, chosen=wanted.id, seed=wanted.seed
    )
    repeat = format_repeat(founded.seed) if founded.seed else None
    return make_created_response(founded.game, account, before=founded.before, repeat=repeat)


def _check_references(wanted: GameRequest, account: Account) -> None:
    """Check that the accounts and the club of a new game exist, and that the maker is a member. Raises."""
    for field, named in (
        ("directors", wanted.directors),
        ("seats", [one for one in wanted.reserved.values() if one]),
    ):
        unknown = get_services().directors.find_unknown_accounts(named)
        if unknown:
            raise Problem(
                409, "unknown_account", f"`{field}`: there is no account {unknown[0]}. Check the id."
            )
    if wanted.club is not None:
        get_services().clubs.get_for_member(wanted.club, account)


def make_created_response(
    game: Game, account: Account, *, before: bool, repeat: str | None = None
) -> Response:
    """Return the answer to the creation of a game."""
    answer = make_game_response(game, account, _find_opening_record(game), 201, repeat=repeat)
    answer.headers["Location"] = f"/v1/games/{game.id}"
    return mark_replayed(answer) if before else answer


def _find_opening_record(game: Game) -> Record:
    """Return the last event of the command that made *game*."""
    made = get_services().games.find_earlier(game.id, game.opened)
    assert made is not None  # noqa: S101 - a game that is there was made
    return made.last


def make_game_response(
    game: Game, account: Account, last: Record | None, status: int = 200, **more: Any
) -> Response:
    """Return a game after a request that changed it, with *more* members of the answer.

    *last* is the last event of the request. It is None if another request had done the same: then the receipt
    is for the newest event.
    """
    reading = viewing_account(game.id) is not None
    game = visible_state(game, account if reading else None)
    holders = get_services().seat_claims.holders(game)
    looks = make_viewer(holders, account, None if reading else "spectator")
    headers = {"ETag": f'"{game.seq}"', **PRIVATE_HEADERS}
    receipts = get_services().receipts
    if last is not None:
        more["receipt"] = receipts.sign_command(game.id, last)
    elif game.seq:
        more["receipt"] = receipts.sign_newest(game)
    presented = replace(present_game_for_viewer(get_services(), game, game.seq, holders, looks), **more)
    return json_response(presented, status, headers)


@blp.route("/games")
@blp.doc(operationId="list_games", security=[{}, {"token": []}])
@blp.query(query_strings.GamesQuery)
@blp.answers(200, "GamesPage", "Games, newest first.", ETag="Changes when the list changes.")
@blp.conditional
@blp.problems(400, 401, 403, 503)
def list_games(query: dict[str, Any]) -> Response:
    """Find games. The list is updated within a moment; with `mine` your newest games are always in it.

    It lists public games, and those unlisted and private games that you have a part in. For these, and for
    `mine`, your token needs `game:read`. A token for certain games lists them with `mine`.
    """
    if query["role"] is not None:
        query = {**query, "mine": True}
    if not query["mine"]:
        return make_games_response("/v1/games", browsing_account(), game_queries.GameFilter(**query))
    held = require_token()
    check_scopes(held, READING)
    wanted = game_queries.GameFilter(**query, among=held.games)
    return make_games_response("/v1/games", held.account, wanted)


def make_games_response(address: str, who: Account | None, wanted: game_queries.GameFilter) -> Response:
    """Return a page of the list of games at *address*, as *who* may see it."""
    found = game_queries.list_games(get_services(), who, replace(wanted, limit=wanted.limit + 1))
    games, is_more = cut_page(found, wanted.limit)
    more = make_next_address(address, games[-1].id) if is_more else None
    return etag_by_content(response_structs.GamesPage(games, more))


@blp.route("/games/<id>")
@blp.doc(operationId="get_game", security=[{}, {"token": []}])
@blp.query(query_strings.GameQuery)
@blp.answers(200, "Game", "The game.", ETag="The event number of the view and a digest, in quotes.")
@blp.conditional
@blp.problems(400, 401, 403, 404, 503)
def get_game(query: dict[str, Any], id: str) -> Response:
    """Return a game as you may see it, now or after any of its events (`at`).

    A view of the past has no `last`, the newest event number. Of it only names can change.

    If you have left a seat, you can still see what it knew: send `seat`, and `at` up to the event with which
    you left. Without `seat` you see what everybody sees.
    """
    context = load_game_or_former_seat(id, query["seat"])
    then = load_earlier_game(context.game, query["at"])
    holders = get_services().seat_claims.holders(then)
    newest = context.game.seq if query["at"] is None else then.seq
    shown = present_game_for_viewer(get_services(), then, newest, holders, context.viewer)
    if query["at"] is None:
        return with_etag(then.seq, shown, lasting=_strip_time(shown))
    return with_etag(then.seq, strip_current_state(shown))


def strip_current_state(then: response_structs.Game) -> response_structs.Game:
    """Return a past view without what tells of now: the newest event, and the time."""
    return replace(_strip_time(then), last=UNSET)


def _strip_time(game: response_structs.Game) -> response_structs.Game:
    """Return a view without the time, which passes though nothing changes."""
    return replace(game, clock=game.clock and replace(game.clock, now=UNSET))


def _choose_cache_headers(context: GameContext) -> Mapping[str, str]:
    """Return the cache headers of past panels: for ever, unless a spectator may still take a seat.

    Panels name nobody, but what a seat sees of them depends on who holds it.
    """
    looks_on = context.viewer.account is not None and context.viewer.seat is None
    return PRIVATE_HEADERS if looks_on and not context.game.has_ended else IMMUTABLE_HEADERS


@blp.route("/games/<id>/visibility", methods=["POST"])
@blp.doc(operationId="narrow_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body(
    "ChangeVisibility",
    "The new visibility.",
    examples={"private": {"value": {"visibility": "private"}}},
)
@blp.answers(200, "Game", "The game.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def narrow_game(id: str) -> Response:
    """Reduce the visibility of a game that you created or direct. It never increases: 409 `not_narrower`.

    Needs `game:direct`. Repeating the request changes nothing.
    """
    account = require_scopes("game:direct", game=id)
    game = load_visible_game(id, scopes=("game:direct",))
    read_idempotency_key()
    body = read_body(request_structs.ChangeVisibility)
    owner = get_services().seat_claims.owner(game) == account.id
    if not owner and "direct" not in get_permissions(get_services(), account, game):
        raise Problem(
            403, "not_a_director", "Only the creator or a director of this game may do that. Ask one of them."
        )
    now = get_services().visibility.get(game)
    if VISIBILITIES.index(body.visibility) > VISIBILITIES.index(now):
        raise Problem(
            409,
            "not_narrower",
            f"This game is {now}, and its visibility can never increase. Choose a narrower one.",
        )
    get_services().visibility.narrow(game.id, game.opened, body.visibility)
    return make_game_response(game, account, None)


@blp.route("/games/<id>/table")
@blp.doc(operationId="get_table", security=[{}, {"token": []}])
@blp.query(query_strings.TableQuery)
@blp.answers(200, "Table", "Panels to draw.", ETag="The event number of the view and a digest, in quotes.")
@blp.conditional
@blp.problems(400, 401, 403, 404, 503)
def get_table(query: dict[str, Any], id: str) -> Response:
    """Return the view as panels to draw: tables, cards, maps and tracks, the same kinds for every title.

    With `after` one request returns everything that a page redraws after an event. The legal commands then
    have their `refs`.
    """
    context = load_game_or_former_seat(id, query["seat"])
    then = load_earlier_game(context.game, query["at"])

    table = response_structs.Table(then.seq, game_presenter.get_panels(then, context.viewer.seat))
    if query["after"] is None:
        headers = PRIVATE_HEADERS if query["at"] is None else _choose_cache_headers(context)
        return with_etag(then.seq, table, headers=headers)
    current = _add_current_state(table, context, query["after"])
    return with_etag(
        then.seq, current, lasting=replace(current, game=current.game and _strip_time(current.game))
    )


def _add_current_state(
    table: response_structs.Table, context: GameContext, after: int
) -> response_structs.Table:
    """Return *table* with what else a page shows of the game as it is now."""
    holders = get_services().seat_claims.holders(context.game)
    game = replace(
        present_game_for_viewer(get_services(), context.game, context.game.seq, holders, context.viewer),
        view=None,
    )
    seats = [] if context.viewer.seat is None else [context.viewer.seat]
    decisions = game_presenter.present_decisions(
        context.game, seats, name_seats=len(context.viewer.mine) > 1, replacing=True, refs=True
    )
    own = context.viewer.seat in context.viewer.mine
    legal = decisions if own else replace(decisions, legal=[], replacements=[], undo=[])
    return replace(
        table, game=game, decisions=legal, history=list_lines_after(context, after, query_strings.MAX_LIMIT)
    )


@blp.route("/games/<id>/roster")
@blp.doc(operationId="get_roster")
@blp.answers(200, "Roster", "Your seats, and the digests that name you in the log.")
@blp.problems(400, 401, 403, 404, 503)
def get_roster(id: str) -> Response:
    """Return the digests that name you in the log at your seats, and the salts that prove it.

    The event that took the seat has the digest as `who`. It is the base64 of SHA-256 over "bg/who/1", a zero
    byte, the 16 bytes of `salt`, and `{"account": <your id>, "origin": <the server's>}` as canonical JSON.
    """
    account = require_scopes("game:read", game=id)
    context = load_game_context(id)
    if not context.viewer.mine:
        raise MissingSeat
    return json_response(
        response_structs.Roster(make_roster(context.game, context.viewer.mine, account)),
        headers=PRIVATE_HEADERS,
    )


def make_roster(game: Game, seats: Iterable[int], account: Account) -> list[response_structs.Named]:
    """Return the digests and salts of *account* at its *seats*, without those whose salt was deleted."""
    claims = {game.claims[seat] for seat in seats}
    salts = {claim: get_services().seat_claims.salts(claim, game.id).values() for claim in claims}
    return [
        response_structs.Named(seat, digest, salt.hex())
        for seat in seats
        for salt in salts[game.claims[seat]]
        if (digest := account_digest(salt, account.id, game.service)) == game.seats[seat].who
    ]


@blp.route("/games/<id>/join", methods=["POST"])
@blp.doc(operationId="join_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Join", "The seat, and optionally a commitment to your own randomness.", required=False)
@blp.answers(
    200, "Game", "The game.", Idempotency_Replayed="`true` if the request had been carried out before."
)
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def join_game(id: str) -> Response:
    """Take an open seat: by default one that is reserved for you, otherwise the lowest.

    If there is no commitment, the game begins when the last seat is taken. A `commitment` to 32 random bytes
    u is `SHA-256("bg/seat-commit/1" || 0x00 || id || name || 0x00 || u)`, in hex. Here id is the 16 bytes of
    the game's id. If the game has a seed, take the `key` in its `opening` instead. The name is `p` and the
    number of the seat in ASCII. So you must send the `seat` with a commitment. For the game
    `019a9f00-0000-7000-8000-000000000001`, seat 1 and u the bytes 00, 01, ... 1f it is
    `7c606868945d02740e60f0023a056bc87295e235a24f9fc57b6eec2e466e66cd`. Keep u, and reveal it
    (`POST .../reveal`) once all seats are taken; every seat then has at least a minute. If you send a `key`
    (Ed25519, hex), you must sign the commands of the seat.

    The log names no accounts. It holds `who`, a digest of the account with 16 random bytes of `salt`; the
    answer has both. With them you can prove that the seat was yours; once the salt is deleted, nobody can.
    Only the account of an `invited` `who` can take the seat that is reserved with it, and it must send its
    `salt`.

    A reserved seat, and any seat of a private game, needs the account that it is reserved for, or an
    `invitation`. Each player who joins with an invitation uses it once: 403 `invitation_unknown`,
    `invitation_spent`, `invitation_expired`.

    With an `Idempotency-Key` you can repeat the request without taking a second seat, or using an invitation
    twice.
    """
    account = require_scopes("game:play", game=id)
    body = read_body(request_structs.Join, required=False)
    check_seat_key(body.key)
    join = make_join_request(id, account, body)
    game = join.game
    get_services().receipts.require_signer()
    key = read_idempotency_key()
    claim = get_services().seat_claims.derive_claim_id(account, game.id, key or str(uuid4()))
    sat = key and _find_taken_seat(game, claim, body)
    if not sat:
        get_services().bans.check(account)
        join.require_may_sit()
        try:
            sat = redeem_invitation(join.invitation, claim, lambda: _take_seat(join, claim, body))
        except (Rejected, ReusedKey):
            sat = _find_taken_seat(game, claim, body)  # the same request, sent twice at once
            if not sat:
                raise
    game = get_services().advance_opening(sat.game)
    seats = [seat for seat, holds in game.claims.items() if holds == claim]
    named = next(iter(make_roster(game, seats, account)), None)
    answer = make_game_response(game, account, sat.last, who=named and named.who, salt=named and named.salt)
    return mark_replayed(answer) if sat.replayed else answer


def _find_taken_seat(game: Game, claim: str, body: request_structs.Join) -> GameCommandResult | None:
    """Return the result of the request with this claim that took a seat; None if there is none.

    Raises ReusedKey where that request asked for something else.
    """
    done = get_services().games.find_earlier(game.id, claim)
    asked: dict[str, Any] = {"commitment": body.commitment, "key": body.key}
    if body.seat is not None:
        asked["seat"] = body.seat
    if done is not None and not done.matches_data(asked):
        raise ReusedKey
    return done


def _take_seat(join: JoinRequest, claim: str, body: request_structs.Join) -> GameCommandResult:
    """Take the seat that was asked for, or the first that is open to this account."""
    game = join.game
    if body.seat is not None:
        return _take_seat_at(join, game, body.seat, claim, body)
    own = get_own_seats(get_services().seat_claims.holders(game), join.account)
    if own:
        detail = (
            f"You already hold seat {own[0]} of this game. To take another one, send its number as `seat`."
        )
        raise Problem(409, "already_seated", detail)
    kept = None
    for seat in join.list_seats():
        try:
            return _take_seat_at(join, game, seat, claim, body)
        except Rejected as refused:
            if refused.code not in ("seat_taken", "not_invited"):
                raise
            kept = refused if refused.code == "not_invited" else kept
            game = get_services().games.load(game.id)
    if kept is not None:
        raise kept
    raise Rejected(
        "seat_taken", "All seats of this game are taken. GET /v1/games?status=open lists other games."
    )


def _take_seat_at(
    join: JoinRequest, game: Game, seat: int, claim: str, body: request_structs.Join
) -> GameCommandResult:
    """Take a seat: check the rules first, then write the claim, then the event.

    So no claim is written for what the rules refuse.
    """
    account = join.account
    known_salt = None  # the salt by which the account is known already
    if body.salt is not None and seat in range(len(game.seats)) and game.terms.find_reservation(seat):
        known_salt = bytes.fromhex(body.salt)
    named = account_digest(known_salt, account.id, game.service) if known_salt else None
    allowed = may_join_guard(get_services(), account)
    allowed(game)
    commit_reveal.take_seat(game, seat, body.commitment, body.key, named)
    join.require_may_take(seat)
    salt = get_services().seat_claims.claim(claim, game.id, account, [seat], known_salt)[seat]
    return get_services().games.take_seat(
        game.id,
        seat,
        body.commitment,
        key=body.key,
        who=account_digest(salt, account.id, game.service),
        command_id=claim,
        allowed=allowed,
    )


def _begin_game(game: Game, command_id: str | None = None) -> tuple[Game, GameCommandResult | None]:
    """Take the next step to the beginning of a game; return the game and the result of this request.

    The result is None if another request had done it.
    """
    try:
        get_services().drop_boxes.prepare_beginning(get_services().games, game)
        begun = get_services().games.begin(game.id, command_id=command_id)
    except Rejected as refused:
        now = get_services().games.load(game.id)
        if refused.code != "game_not_open" or now.status == "abandoned":
            raise
        return now, None
    return get_services().advance_opening(begun.game), begun


@blp.route("/games/<id>/reveal", methods=["POST"])
@blp.doc(operationId="reveal_contribution")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Reveal", "The 32 bytes of the commitment as hex digits: those of a seat, or those without a seat.")
@blp.answers(
    200, "Game", "The game.", Idempotency_Replayed="`true` if the request had been carried out before."
)
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def reveal(id: str) -> Response:
    """Reveal the contribution to the randomness that you committed to when you joined or created the game.

    You can reveal once all seats are taken, for at least a minute. The game begins with the last reveal. If a
    director or a beacon contributes, the last reveal closes the reveals instead. Only then does the creator
    of the game send the `director_contribution`.
    """
    account = require_scopes()
    context = load_game_context(id, scopes=ACTING)
    game, body = context.newest, build_struct(load_request(read_json_body(), REVEAL), request_structs.Reveal)
    require_scopes("game:direct" if body.director_contribution is not None else "game:play", game=id)
    get_services().receipts.require_signer()
    if body.director_contribution is not None:
        done = _reveal_director(game, account, body.director_contribution)
    else:
        done = _reveal_seat(context, body)
    answer = make_game_response(get_services().advance_opening(done.game), account, done.last)
    return mark_replayed(answer) if done.replayed else answer


def _reveal_director(game: Game, account: Account, contribution: str) -> GameCommandResult:
    if get_services().seat_claims.owner(game) != account.id:
        detail = (
            "Only the creator of the game can reveal the director's contribution. Ask the creator to"
            " reveal it."
        )
        raise Problem(403, "not_a_director", detail)
    key = read_idempotency_key()
    return get_services().games.reveal_director(
        game.id, contribution, command_id=key and derive_command_id(game.id, f"director/{account.id}", key)
    )


def _reveal_seat(context: GameContext, body: request_structs.Reveal) -> GameCommandResult:
    own = context.viewer.mine
    if not own:
        raise MissingSeat
    if body.seat is not None and body.seat not in own:
        raise ForeignSeat(own)
    contribution = body.contribution or ""
    seat = _find_committed_seat(context.game, own, contribution) if body.seat is None else body.seat
    key = read_idempotency_key()
    return get_services().games.reveal(
        context.game.id, seat, contribution, command_id=key and derive_command_id(context.game.id, seat, key)
    )


def _find_committed_seat(game: Game, own: tuple[int, ...], contribution: str) -> int:
    """Return your seat whose commitment this fits; else the first that has one, to be named in a refusal."""
    made = bytes.fromhex(contribution)
    fits = [n for n in own if seat_commitment(game.key, pseudonym(n), made).hex() == game.seats[n].commitment]
    return (fits or [n for n in own if game.seats[n].commitment] or own)[0]


@blp.route("/games/<id>/start", methods=["POST"])
@blp.doc(operationId="start_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.no_body
@blp.answers(
    200, "Game", "The game.", Idempotency_Replayed="`true` if the request had been carried out before."
)
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def start_game(id: str) -> Response:
    """Begin a game whose seats are all taken. Its creator and its players can do that.

    If the game has begun, nothing happens. A game begins by itself when all contributions are there, or when
    `reveal_by_ms` has passed. From a minute after the last seat was taken, you can end the wait here.
    Contributions that are missing then count as empty, unless all are `required`.
    """
    account = require_scopes("game:play", game=id)
    game = load_visible_game(id, scopes=("game:play",))
    read_body(request_structs.Start, required=False)
    seats = get_services().seat_claims
    if seats.owner(game) != account.id and not get_own_seats(seats.holders(game), account):
        raise Problem(
            403,
            "not_a_player",
            "Only the creator and the players of a game can begin it. Wait until one of them does.",
        )
    key = read_idempotency_key()
    get_services().receipts.require_signer()
    game, begun = _begin_game(game, key and derive_command_id(game.id, f"start/{account.id}", key))
    answer = make_game_response(game, account, begun.last if begun else None)
    return mark_replayed(answer) if begun and begun.replayed else answer
