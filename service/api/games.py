"""Games: making, finding, joining, beginning and looking at them."""

from __future__ import annotations

from functools import partial
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from flask import Response, request
from msgspec.structs import replace

from events import opening
from events.game import Game
from events.games import Accepted, CommandReused
from events.record import Record
from events.steps import Rejected
from service import game_list, present
from service.accounts import Account
from service.api.blueprint import IDEMPOTENCY_KEY, Blueprint
from service.asking import asking, signed_in
from service.new_game import make_once
from service.one_game import earlier, meet, read_game_id
from service.process import process
from service.schemas import shapes
from service.seats import mine, not_a_player, not_your_seat, viewer
from service.wire import bodies, queries
from service.wire.answers import PRIVATE, json_answer, tagged
from service.wire.bodies import json_body, read_body
from service.wire.preconditions import command_id, idempotency_key, replayed
from service.wire.problems import Problem
from service.wishes import read_wish, repeat_of

blp = Blueprint("games", __name__, url_prefix="/v1", description="Making, finding and looking at games.")


@blp.route("/games", methods=["POST"])
@blp.doc(operationId="create_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("NewGame", "Title, options and who sits where.")
@blp.answers(
    201, "Game", "The game.", Location="Its address.", Idempotency_Replayed="`true` for a repetition."
)
@blp.problems(400, 401, 409, 413, 415, 422, 503)
def create_game() -> Response:
    """Make a game.

    With no open seat it begins at once. A `seed` or a `position` makes it an analysis game. A seed is
    salted: `repeat` in the answer makes the same game again.
    With an `Idempotency-Key` the request can be sent again without making a second game.
    """
    account = signed_in()
    body = json_body()
    wish = read_wish(body, process().bots)

    make = partial(
        process().games.create,
        wish.title,
        wish.options,
        wish.seats,
        seed=wish.seed,
        position=wish.position,
    )
    process().receipts.ready()
    game, before = make_once(process(), account, ["game", body], wish.mine, make)
    repeat = repeat_of(wish.seed) if wish.seed and not before else None
    return created(game, account, before=before, repeat=repeat)


def created(game: Game, account: Account, *, before: bool, repeat: str | None = None) -> Response:
    """The answer to the creation of a game."""
    answer = show(game, account, _opened(game), status=201, repeat=repeat)
    answer.headers["Location"] = f"/v1/games/{game.id}"
    return replayed(answer) if before else answer


def _opened(game: Game) -> Record:
    """The last event of the command that made *game*."""
    made = process().games.earlier(game.id, game.opened)
    assert made is not None  # noqa: S101 - a game that is there was made
    return made.last


def show(
    game: Game, account: Account, last: Record | None, status: int = 200, *, repeat: str | None = None
) -> Response:
    """A game after a request that changed it: *last* is the last event that the request led to.

    None where another request had done it already: then the receipt is for the newest event.
    """
    holders = process().seats.holders(game)
    looks = viewer(holders, account, None)
    headers = {"ETag": f'"{game.seq}"', **PRIVATE}
    receipts = process().receipts
    receipt = receipts.newest(game) if last is None else receipts.of(game.id, last)
    shown = replace(present.game(game, game.seq, holders, looks), repeat=repeat, receipt=receipt)
    return json_answer(shown, status, headers)


@blp.route("/games")
@blp.doc(operationId="list_games", security=[{}, {"token": []}])
@blp.query(queries.Lobby)
@blp.answers(200, "Games", "Games, newest first.")
@blp.problems(400, 401, 503)
def list_games(query: dict[str, Any]) -> Response:
    """Find games. The list follows the log within a moment."""
    who = signed_in() if query["mine"] else asking()
    wanted = game_list.Filter(**{**query, "limit": query["limit"] + 1})
    games = game_list.page(process(), who, wanted)
    more = None
    if len(games) > query["limit"]:
        games = games[:-1]
        given = {k: v for k, v in request.args.items() if k != "after"}
        more = "/v1/games?" + urlencode({**given, "after": games[-1].id})
    return json_answer(shapes.Games(games, more), headers=PRIVATE)


@blp.route("/games/<id>")
@blp.doc(operationId="get_game", security=[{}, {"token": []}])
@blp.query(queries.Look)
@blp.answers(200, "Game", "The game.", ETag="The seq of the view, in quotes.")
@blp.problems(400, 401, 403, 404, 503)
def get_game(query: dict[str, Any], id: str) -> Response:
    """A game as I may see it, now or after any of its events (`at`)."""
    met = meet(id, query["seat"])
    then = earlier(met.game, query["at"])
    return tagged(
        then.seq,
        lambda: present.game(then, met.game.seq, met.holders, met.viewer),
        settled=query["at"] is None,
    )


@blp.route("/games/<id>/table")
@blp.doc(operationId="get_table", security=[{}, {"token": []}])
@blp.query(queries.Look)
@blp.answers(200, "Table", "Panels to draw.", ETag="The seq of the view, in quotes.")
@blp.problems(400, 401, 403, 404, 503)
def get_table(query: dict[str, Any], id: str) -> Response:
    """The view, laid out for a page: tables, cards, maps, tracks; the same kinds for every title."""
    met = meet(id, query["seat"])
    then = earlier(met.game, query["at"])
    return tagged(then.seq, lambda: shapes.Table(then.seq, present.panels(then, met.viewer.seat)))


@blp.route("/games/<id>/join", methods=["POST"])
@blp.doc(operationId="join_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Join", "Which seat; a commitment to one's own randomness if one likes.", required=False)
@blp.answers(200, "Game", "The game.", Idempotency_Replayed="`true` for a repetition.")
@blp.problems(400, 401, 404, 409, 413, 415, 422, 503)
def join_game(id: str) -> Response:
    """Sit down at an open seat (by default the lowest).

    When the last seat is taken and nobody has committed to a contribution, the game begins.
    With an `Idempotency-Key` the request can be sent again without taking a second seat.
    """
    account = signed_in()
    game = process().games.load(read_game_id(id))
    wish = read_body(bodies.Join, required=False)
    process().receipts.ready()
    key = idempotency_key()
    claim = process().seats.claim_id(account, game.id, key or str(uuid4()))
    sat = key and _sat(game, claim, wish)
    if not sat:
        try:
            sat = _sit(game, claim, account, wish)
        except (Rejected, CommandReused):
            sat = _sat(game, claim, wish)  # the same request, sent twice at once
            if not sat:
                raise
    game = sat.game
    if game.status == "open" and all(s.taken and not s.commitment for s in game.seats):
        game, _ = _begin(game)
    answer = show(game, account, sat.last)
    return replayed(answer) if sat.replayed else answer


def _sat(game: Game, claim: str, wish: bodies.Join) -> Accepted | None:
    """How this claim took a seat, if it has. Raises CommandReused where that was another request's."""
    done = process().games.earlier(game.id, claim)
    asked = {"commitment": wish.commitment, "key": wish.key} | (
        {} if wish.seat is None else {"seat": wish.seat}
    )
    if done is not None and not done.says(asked):
        raise CommandReused
    return done


def _sit(game: Game, claim: str, account: Account, wish: bodies.Join) -> Accepted:
    """Take the seat that was wished for, or the lowest that is open."""
    if wish.seat is not None:
        return _sit_at(game, wish.seat, claim, account, wish)
    own = mine(process().seats.holders(game), account)
    if own:
        detail = f"You sit at seat {own[0]} of this game. Name a `seat` to take another one as well."
        raise Problem(409, "already_seated", detail)
    for seat in range(len(game.seats)):
        try:
            return _sit_at(game, seat, claim, account, wish)
        except Rejected as refused:
            if refused.code != "seat_taken":
                raise
            game = process().games.load(game.id)
    raise Rejected("seat_taken", "All seats of this game are taken. GET /v1/games?status=open lists others.")


def _sit_at(game: Game, seat: int, claim: str, account: Account, wish: bodies.Join) -> Accepted:
    """The rules first, lest a claim be written for what they refuse; then the claim, then the event."""
    opening.take_seat(game, seat, wish.commitment, wish.key)
    process().seats.claim(claim, game.id, account, [seat])
    return process().games.take_seat(game.id, seat, wish.commitment, key=wish.key, command_id=claim)


def _begin(game: Game, command_id: str | None = None) -> tuple[Game, Accepted | None]:
    """The game, begun, and how this request did it: None where another one had."""
    try:
        begun = process().games.begin(game.id, command_id=command_id)
    except Rejected as refused:
        if refused.code != "game_not_open":
            raise
        return process().games.load(game.id), None
    return begun.game, begun


@blp.route("/games/<id>/reveal", methods=["POST"])
@blp.doc(operationId="reveal_contribution")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Reveal", "The bytes that were committed to, as hex digits.")
@blp.answers(200, "Game", "The game.", Idempotency_Replayed="`true` for a repetition.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def reveal(id: str) -> Response:
    """Open the contribution to the randomness that I committed to when I joined."""
    account = signed_in()
    met = meet(id)
    wish = read_body(bodies.Reveal)
    own = met.viewer.mine
    if not own:
        raise not_a_player()
    if wish.seat is not None and wish.seat not in own:
        raise not_your_seat(own)
    committed = [n for n in own if met.game.seats[n].commitment]
    seat = wish.seat if wish.seat is not None else (committed or own)[0]
    key = idempotency_key()
    process().receipts.ready()
    done = process().games.reveal(
        met.game.id, seat, wish.contribution, command_id=key and command_id(met.game.id, seat, key)
    )
    answer = show(done.game, account, done.last)
    return replayed(answer) if done.replayed else answer


@blp.route("/games/<id>/start", methods=["POST"])
@blp.doc(operationId="start_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Start", "Nothing, or an empty object.", required=False)
@blp.answers(200, "Game", "The game.", Idempotency_Replayed="`true` for a repetition.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def start_game(id: str) -> Response:
    """Begin a game whose seats are all taken: its creator, or whoever sits in it.

    Harmless once it has begun.

    Contributions that were committed to and not revealed by then count as empty.
    """
    account = signed_in()
    game = process().games.load(read_game_id(id))
    read_body(bodies.Start, required=False)
    seats = process().seats
    if seats.owner(game) != account.id and not mine(seats.holders(game), account):
        raise Problem(403, "not_a_player", "Only who created a game or sits in it may begin it.")
    key = idempotency_key()
    process().receipts.ready()
    game, begun = _begin(game, key and command_id(game.id, f"start/{account.id}", key))
    answer = show(game, account, begun.last if begun else None)
    return replayed(answer) if begun and begun.replayed else answer
