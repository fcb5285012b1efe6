"""Games: making, finding, joining, beginning and looking at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from flask import Response, request
from msgspec import UNSET
from msgspec.structs import replace

from events.proof.randomness import Seed, seat_commitment
from events.rules.steps import Rejected
from events.store.games import CommandReused, GameCommandResult, IdentityRecorder
from events.table import commit_reveal
from events.table.commands.expiry import OPEN_TABLE_MS, UNLISTED_TABLE_MS
from events.table.game import Game
from events.table.record import Record, pseudonym
from events.table.terms import account_digest
from service import game_list, present
from service.access import WIDTH
from service.accounts import Account
from service.acting import check_one_seat, sitting_down
from service.admission import Guest, admitted, using
from service.api.blueprint import IDEMPOTENCY_KEY, Blueprint
from service.api.past import lines_after
from service.asking import asking, looking, signed_in
from service.new_game import make_once
from service.one_game import OneGame, as_seen, earlier, meet, meet_again, seen
from service.permissions import may
from service.process import process
from service.schemas import shapes
from service.seats import mine, not_a_player, not_your_seat, viewer
from service.shown_game import shown
from service.thinkers import check_room
from service.wire import bodies, queries
from service.wire.answers import FOREVER, PRIVATE, digested, json_answer, tagged
from service.wire.bodies import json_body, read_body
from service.wire.preconditions import command_id, idempotency_key, replayed
from service.wire.problems import Problem, invalid
from service.wishes import Wish, read_wish, repeat_of

blp = Blueprint("games", __name__, url_prefix="/v1", description="Making, finding and looking at games.")


@blp.route("/games", methods=["POST"])
@blp.doc(operationId="create_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("NewGame", "Title, options and who sits where.")
@blp.answers(
    201, "Game", "The game.", Location="Its address.", Idempotency_Replayed="`true` for a repetition."
)
@blp.problems(400, 401, 403, 409, 413, 415, 422, 503)
def create_game() -> Response:
    """Make a game.

    With no open seat and no commitment it begins at once. A `seed` or a `position` makes it an analysis game.
    A seed is salted: `repeat` in the answer makes the same game again.

    Whoever wants to be sure that nobody chose the luck chooses the `id` and commits to 32 random bytes with
    his seat: the `commitment` is SHA-256("bg/seat-commit/1", a zero byte, the 16 bytes of the id, `p` and the
    number of the seat, a zero byte, the 32 bytes) in hex. The game then waits until all seats are taken and
    the bytes are revealed (`POST .../reveal`), or their time is up. With `contributions` `required` everybody
    has to, and a game where somebody does not is abandoned. A `director` is the same commitment of somebody
    without a seat, with "bg/director-commit/1" and without the seat's number; a `beacon` is a round of drand
    that comes later than all of these.

    `invited` keeps seats for those whom their `who` names, see `join`. A table whose seats are not all taken
    by `expires_at` (two weeks from now, if left out; half a year, if not everybody sees it) is abandoned.
    `directors` are accounts that may pause and end the game, remove players and add time, as long as they do
    not play themselves; without any whoever makes the table may.
    With `seating` only accounts of that `reliability` may join, or take over a seat: 403 `not_eligible`.
    Where time is counted one account plays for one seat: 409 `already_seated`.
    A seat `{"account": ID}` is kept for that account, one `{"invited": true}` for whoever has an invitation
    (`POST /v1/games/{id}/invitations`); for the log both are open.
    `visibility`: a `public` game is for everybody; an `unlisted` one for whoever knows its id; a `private`
    one for those who sit or have sat in it, made or direct it, or are invited: for all others there is no
    such game at any address. The game of a `club` is private to its members; its managers direct it.
    With a `delay` those who neither play nor direct it see each event `ms` later, the end too; with
    `until_end` nothing of the play before its end, only who sits there and whether it has begun. Before they
    may see that it has begun they are told that as well.
    With an `id`, or an `Idempotency-Key`, the request can be sent again without making a second game.
    """
    account = signed_in("game:create")
    process().bans.check(account)
    body = json_body()
    wish = read_wish(body, process().offered, beacons=process().settings.beacon_url is not None)
    if wish.terms.clock is not None:
        check_one_seat(wish.mine[:-1])
    _check_named(wish, account)

    def make(*, game_id: str, command_id: str, seated: IdentityRecorder, seed: Seed | None) -> Game:
        check_room(process(), (seat.bot for seat in wish.seats))

        def written() -> Mapping[int, str]:
            process().directors.appoint(game_id, command_id, wish.directors)
            process().access.settle(game_id, command_id, wish.visibility)
            process().reservations.settle(game_id, command_id, wish.kept)
            if wish.club is not None:
                process().clubs.settle(game_id, command_id, wish.club, wish.terms.directors)
            return seated()

        return process().games.create(
            wish.title,
            wish.options,
            wish.seats,
            game_id=game_id,
            command_id=command_id,
            terms=wish.terms,
            seated=written,
            seed=seed,
            position=wish.position,
            waits_ms=OPEN_TABLE_MS if wish.visibility == "public" else UNLISTED_TABLE_MS,
        )

    process().receipts.ready()
    founded = make_once(process(), account, ["game", body], wish.mine, make, chosen=wish.id, seed=wish.seed)
    repeat = repeat_of(founded.seed) if founded.seed else None
    return created(founded.game, account, before=founded.before, repeat=repeat)


def _check_named(wish: Wish, account: Account) -> None:
    """The accounts and the club that a new game names are there, and the club is the maker's. Raises."""
    for field, named in (
        ("directors", wish.directors),
        ("seats", [one for one in wish.kept.values() if one]),
    ):
        unknown = process().directors.unknown(named)
        if unknown:
            raise Problem(409, "unknown_account", f"`{field}`: there is no account {unknown[0]}.")
    if wish.club is not None:
        process().clubs.of_member(wish.club, account)


def created(game: Game, account: Account, *, before: bool, repeat: str | None = None) -> Response:
    """The answer to the creation of a game."""
    answer = show(game, account, _opened(game), 201, repeat=repeat)
    answer.headers["Location"] = f"/v1/games/{game.id}"
    return replayed(answer) if before else answer


def _opened(game: Game) -> Record:
    """The last event of the command that made *game*."""
    made = process().games.find_earlier(game.id, game.opened)
    assert made is not None  # noqa: S101 - a game that is there was made
    return made.last


def show(game: Game, account: Account, last: Record | None, status: int = 200, **more: Any) -> Response:
    """A game after a request that changed it, with *more* members of the answer.

    *last* is the last event that the request led to, None where another request had done it already: then the
    receipt is for the newest event.
    """
    reading = looking(game.id) is not None
    game = as_seen(game, account if reading else None)
    holders = process().seats.holders(game)
    looks = viewer(holders, account, None if reading else "spectator")
    headers = {"ETag": f'"{game.seq}"', **PRIVATE}
    receipts = process().receipts
    if last is not None:
        more["receipt"] = receipts.of(game.id, last)
    elif game.seq:
        more["receipt"] = receipts.newest(game)
    told = replace(shown(process(), game, game.seq, holders, looks), **more)
    return json_answer(told, status, headers)


@blp.route("/games")
@blp.doc(operationId="list_games", security=[{}, {"token": []}])
@blp.query(queries.Lobby)
@blp.answers(200, "GamesPage", "Games, newest first.", ETag="Changes with them.")
@blp.kept
@blp.problems(400, 401, 503)
def list_games(query: dict[str, Any]) -> Response:
    """Find games. The list follows the log within a moment; with `mine` it has what I have just made.

    It has what is public, and of unlisted and private games those with which I have to do.
    """
    if query["role"] is not None:
        query = {**query, "mine": True}
    who = signed_in() if query["mine"] else asking()
    return games_page("/v1/games", who, game_list.Filter(**query))


def games_page(address: str, who: Account | None, wanted: game_list.Filter) -> Response:
    """A page of the list of games at *address*, as *who* may see it."""
    games = game_list.page(process(), who, replace(wanted, limit=wanted.limit + 1))
    more = None
    if len(games) > wanted.limit:
        games = games[:-1]
        given = {k: v for k, v in request.args.items() if k != "after"}
        more = f"{address}?" + urlencode({**given, "after": games[-1].id})
    return digested(shapes.GamesPage(games, more))


@blp.route("/games/<id>")
@blp.doc(operationId="get_game", security=[{}, {"token": []}])
@blp.query(queries.Look)
@blp.answers(200, "Game", "The game.", ETag="The seq of the view, in quotes.")
@blp.kept
@blp.problems(400, 401, 403, 404, 503)
def get_game(query: dict[str, Any], id: str) -> Response:
    """A game as I may see it, now or after any of its events (`at`).

    A view of the past never changes and may be kept for ever; it lacks `last`, which tells of now.

    Who has left a seat of it sees what that seat knew then: with `seat`, and `at` up to the event with which
    he left; without `seat` he sees what everybody does.
    """
    met = meet_again(id, query["seat"])
    then = earlier(met.game, query["at"])
    holders = process().seats.holders(then)
    if query["at"] is None:
        return tagged(
            then.seq,
            lambda: shown(process(), then, met.game.seq, holders, met.viewer),
            settled=then.state is not None or then is met.newest,
        )
    return tagged(
        then.seq, lambda: past(shown(process(), then, then.seq, holders, met.viewer)), headers=_kept(met)
    )


def past(then: shapes.Game) -> shapes.Game:
    """A game as it was, without what tells of now: the newest event, and the time."""
    clock = then.clock and replace(then.clock, now=UNSET)
    return replace(then, last=UNSET, clock=clock)


def _kept(met: OneGame) -> Mapping[str, str]:
    """How a view of the past may be kept: for ever, unless whoever looks on may sit down and know more."""
    looks_on = met.viewer.account is not None and met.viewer.seat is None
    return PRIVATE if looks_on and not met.game.has_ended else FOREVER


@blp.route("/games/<id>/visibility", methods=["POST"])
@blp.doc(operationId="narrow_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Narrow", "Who may see it from now on.", examples={"private": {"value": {"visibility": "private"}}})
@blp.answers(200, "Game", "The game.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def narrow_game(id: str) -> Response:
    """Let fewer people see a game: whoever made or directs it may. It cannot be widened: 409 `not_narrower`.

    Needs `game:direct`. Sent again it changes nothing more.
    """
    account = signed_in("game:direct", game=id)
    game = seen(id)
    idempotency_key()
    wish = read_body(bodies.Narrow)
    owner = process().seats.owner(game) == account.id
    if not owner and "direct" not in may(process(), account, game):
        raise Problem(403, "not_a_director", "Only who made or directs this game may do that.")
    now = process().access.of(game)
    if WIDTH.index(wish.visibility) > WIDTH.index(now):
        raise Problem(409, "not_narrower", f"This game is {now}, and who was kept out stays out.")
    process().access.settle(game.id, game.opened, wish.visibility)
    return show(game, account, None)


@blp.route("/games/<id>/table")
@blp.doc(operationId="get_table", security=[{}, {"token": []}])
@blp.query(queries.Refresh)
@blp.answers(200, "Table", "Panels to draw.", ETag="The seq of the view, in quotes.")
@blp.kept
@blp.problems(400, 401, 403, 404, 503)
def get_table(query: dict[str, Any], id: str) -> Response:
    """The view, laid out for a page: tables, cards, maps, tracks; the same kinds for every title.

    With `after` one request tells a page all that it draws anew when something has happened.
    """
    met = meet_again(id, query["seat"])
    then = earlier(met.game, query["at"])

    def laid_out() -> shapes.Table:
        return shapes.Table(then.seq, present.panels(then, met.viewer.seat))

    if query["after"] is None:
        return tagged(then.seq, laid_out, headers=PRIVATE if query["at"] is None else _kept(met))
    return json_answer(_refreshed(laid_out(), met, query["after"]), headers=PRIVATE)


def _refreshed(table: shapes.Table, met: OneGame, after: int) -> shapes.Table:
    """*table* with what else a page shows of the game as it is now."""
    holders = process().seats.holders(met.game)
    game = replace(shown(process(), met.game, met.game.seq, holders, met.viewer), view=None)
    seats = [] if met.viewer.seat is None else [met.viewer.seat]
    decisions = present.decisions(met.game, seats, name_seats=len(met.viewer.mine) > 1)
    own = met.viewer.seat in met.viewer.mine
    legal = decisions if own else replace(decisions, legal=[])
    return replace(table, game=game, decisions=legal, history=lines_after(met, after, queries.MOST))


@blp.route("/games/<id>/roster")
@blp.doc(operationId="get_roster")
@blp.answers(200, "Roster", "My seats, as the log names me there.")
@blp.problems(400, 401, 403, 404, 503)
def get_roster(id: str) -> Response:
    """How the log names me at my seats, and the salts with which I can prove it to whomever I show them.

    `who` stands in the event that took the seat. It is the base64 of SHA-256 over "bg/who/1", a zero byte,
    the 16 bytes of `salt`, and `{"account": <my id>, "origin": <the service's>}` as canonical JSON.
    """
    account = signed_in("game:read", game=id)
    met = meet(id)
    if not met.viewer.mine:
        raise not_a_player()
    return json_answer(shapes.Roster(roster(met.game, met.viewer.mine, account)), headers=PRIVATE)


def roster(game: Game, seats: Iterable[int], account: Account) -> list[shapes.Named]:
    """How the log names *account* at these seats of his; those whose salt was deleted are left out."""
    claims = {game.claims[seat] for seat in seats}
    salts = {claim: process().seats.salts(claim, game.id).values() for claim in claims}
    return [
        shapes.Named(seat, told, salt.hex())
        for seat in seats
        for salt in salts[game.claims[seat]]
        if (told := account_digest(salt, account.id, game.service)) == game.seats[seat].who
    ]


@blp.route("/games/<id>/join", methods=["POST"])
@blp.doc(operationId="join_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Join", "Which seat; a commitment to one's own randomness, which is wise.", required=False)
@blp.answers(200, "Game", "The game.", Idempotency_Replayed="`true` for a repetition.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def join_game(id: str) -> Response:
    """Sit down at an open seat (by default the lowest, before others one that is kept for me).

    When the last seat is taken and nobody has committed to a contribution, the game begins. A `commitment`
    to 32 random bytes u is, in hex, SHA-256("bg/seat-commit/1" || 0x00 || id || name || 0x00 || u): id is the
    16 bytes of the game's id (of a game with a seed those of the `key` of its `opening`), name is `p` and the
    number of the seat in ASCII. So it needs a `seat` that is named. For the game
    `019a9f00-0000-7000-8000-000000000001`, seat 1 and u the bytes 00, 01, ... 1f it is
    `7c606868945d02740e60f0023a056bc87295e235a24f9fc57b6eec2e466e66cd`.
    Keep u, and reveal it (`POST .../reveal`) once all seats are taken; every seat then has a minute at least.
    With a `key` of its own (Ed25519, hex) the seat's commands must be signed.

    The log names nobody: it holds `who`, a digest of the account with 16 random bytes of `salt`, which the
    answer tells. Whoever shows both can prove that he sat here; once the salt is deleted nobody can. A seat
    that was made with an `invited` `who` is taken by its account only, with the `salt` that it was told.

    A seat that is kept for somebody, and any seat of a private game, is taken by whom it is kept for, or with
    an `invitation`. That is used once by each who sits down with it: 403 `invitation_unknown`,
    `invitation_spent`, `invitation_expired`.

    With an `Idempotency-Key` the request can be sent again without taking a second seat, or using an
    invitation twice.
    """
    account = signed_in("game:play", game=id)
    wish = read_body(bodies.Join, required=False)
    guest = admitted(id, account, wish)
    game = guest.game
    process().receipts.ready()
    key = idempotency_key()
    claim = process().seats.claim_id(account, game.id, key or str(uuid4()))
    sat = key and _sat(game, claim, wish)
    if not sat:
        process().bans.check(account)
        guest.insist_on_sitting()
        try:
            sat = using(guest.held, claim, lambda: _sit(guest, claim, wish))
        except (Rejected, CommandReused):
            sat = _sat(game, claim, wish)  # the same request, sent twice at once
            if not sat:
                raise
    game = process().games.advance_opening(sat.game)
    seats = [seat for seat, holds in game.claims.items() if holds == claim]
    named = next(iter(roster(game, seats, account)), None)
    answer = show(game, account, sat.last, who=named and named.who, salt=named and named.salt)
    return replayed(answer) if sat.replayed else answer


def _sat(game: Game, claim: str, wish: bodies.Join) -> GameCommandResult | None:
    """How this claim took a seat, if it has. Raises CommandReused where that was another request's."""
    done = process().games.find_earlier(game.id, claim)
    asked: dict[str, Any] = {"commitment": wish.commitment, "key": wish.key}
    if wish.seat is not None:
        asked["seat"] = wish.seat
    if done is not None and not done.matches_data(asked):
        raise CommandReused
    return done


def _sit(guest: Guest, claim: str, wish: bodies.Join) -> GameCommandResult:
    """Take the seat that was wished for, or the first that is open to this account."""
    game = guest.game
    if wish.seat is not None:
        return _sit_at(guest, game, wish.seat, claim, wish)
    own = mine(process().seats.holders(game), guest.account)
    if own:
        detail = f"You sit at seat {own[0]} of this game. Name a `seat` to take another one as well."
        raise Problem(409, "already_seated", detail)
    kept = None
    for seat in guest.seats():
        try:
            return _sit_at(guest, game, seat, claim, wish)
        except Rejected as refused:
            if refused.code not in ("seat_taken", "not_invited"):
                raise
            kept = refused if refused.code == "not_invited" else kept
            game = process().games.load(game.id)
    if kept is not None:
        raise kept
    raise Rejected("seat_taken", "All seats of this game are taken. GET /v1/games?status=open lists others.")


def _sit_at(guest: Guest, game: Game, seat: int, claim: str, wish: bodies.Join) -> GameCommandResult:
    """The rules first, lest a claim be written for what they refuse; then the claim, then the event."""
    account = guest.account
    told = None  # the salt by which the account is known already
    if wish.salt is not None and seat in range(len(game.seats)) and game.terms.reserved_for(seat):
        told = bytes.fromhex(wish.salt)
    named = account_digest(told, account.id, game.service) if told else None
    allowed = sitting_down(process(), account)
    allowed(game)
    commit_reveal.take_seat(game, seat, wish.commitment, wish.key, named)
    guest.insist_on_seat(seat)
    salt = process().seats.claim(claim, game.id, account, [seat], told)[seat]
    return process().games.take_seat(
        game.id,
        seat,
        wish.commitment,
        key=wish.key,
        who=account_digest(salt, account.id, game.service),
        command_id=claim,
        allowed=allowed,
    )


def _begin(game: Game, command_id: str | None = None) -> tuple[Game, GameCommandResult | None]:
    """The game after the next that leads to its beginning; how this request did it, None if another had."""
    try:
        begun = process().games.begin(game.id, command_id=command_id)
    except Rejected as refused:
        now = process().games.load(game.id)
        if refused.code != "game_not_open" or now.status == "abandoned":
            raise
        return now, None
    return process().games.advance_opening(begun.game), begun


@blp.route("/games/<id>/reveal", methods=["POST"])
@blp.doc(operationId="reveal_contribution")
@blp.headers(IDEMPOTENCY_KEY)
@blp.body("Reveal", "The 32 bytes that were committed to, as hex digits: a seat's, or the `director`'s.")
@blp.answers(200, "Game", "The game.", Idempotency_Replayed="`true` for a repetition.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def reveal(id: str) -> Response:
    """Open the contribution to the randomness that I committed to when I joined, or made the game.

    That is taken when all seats are taken, and at least until a minute later. With the last one the game
    begins, or, where a director or a beacon contributes, the reveals are closed. Only then whoever made the
    game opens the `director`'s contribution.
    """
    account = signed_in()
    met = meet(id, scope=None)
    game, wish = met.newest, read_body(bodies.Reveal)
    signed_in("game:direct" if wish.director is not None else "game:play", game=id)
    if (wish.contribution is None) == (wish.director is None):
        raise invalid({"contribution": ["Send the contribution of a seat, or that of the director."]})
    process().receipts.ready()
    if wish.director is not None:
        done = _reveal_director(game, account, wish.director)
    else:
        done = _reveal_seat(met, wish)
    answer = show(process().games.advance_opening(done.game), account, done.last)
    return replayed(answer) if done.replayed else answer


def _reveal_director(game: Game, account: Account, contribution: str) -> GameCommandResult:
    if process().seats.owner(game) != account.id:
        detail = "The director's contribution is opened by whoever made the game."
        raise Problem(403, "not_a_director", detail)
    key = idempotency_key()
    return process().games.reveal_director(
        game.id, contribution, command_id=key and command_id(game.id, f"director/{account.id}", key)
    )


def _reveal_seat(met: OneGame, wish: bodies.Reveal) -> GameCommandResult:
    own = met.viewer.mine
    if not own:
        raise not_a_player()
    if wish.seat is not None and wish.seat not in own:
        raise not_your_seat(own)
    contribution = wish.contribution or ""
    seat = _committed_to(met.game, own, contribution) if wish.seat is None else wish.seat
    key = idempotency_key()
    return process().games.reveal(
        met.game.id, seat, contribution, command_id=key and command_id(met.game.id, seat, key)
    )


def _committed_to(game: Game, own: tuple[int, ...], contribution: str) -> int:
    """The seat of mine whose commitment this fits; else the first that has one, for a refusal to speak of."""
    made = bytes.fromhex(contribution)
    fits = [n for n in own if seat_commitment(game.key, pseudonym(n), made).hex() == game.seats[n].commitment]
    return (fits or [n for n in own if game.seats[n].commitment] or own)[0]


@blp.route("/games/<id>/start", methods=["POST"])
@blp.doc(operationId="start_game")
@blp.headers(IDEMPOTENCY_KEY)
@blp.no_body
@blp.answers(200, "Game", "The game.", Idempotency_Replayed="`true` for a repetition.")
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def start_game(id: str) -> Response:
    """Begin a game whose seats are all taken: its creator, or whoever sits in it.

    Harmless once it has begun. That happens by itself as soon as nothing is awaited any more; who does not
    want to wait for a contribution as long as was settled (`reveal_by_ms`) may ask for it here, a minute
    after the last seat was taken. What is not revealed by then counts as empty, unless all are `required`.
    """
    account = signed_in("game:play", game=id)
    game = seen(id)
    read_body(bodies.Start, required=False)
    seats = process().seats
    if seats.owner(game) != account.id and not mine(seats.holders(game), account):
        raise Problem(403, "not_a_player", "Only who created a game or sits in it may begin it.")
    key = idempotency_key()
    process().receipts.ready()
    game, begun = _begin(game, key and command_id(game.id, f"start/{account.id}", key))
    answer = show(game, account, begun.last if begun else None)
    return replayed(answer) if begun and begun.replayed else answer
