"""Playing: the decisions that a game waits for, and commands."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from flask import Response
from msgspec.structs import replace

from events.rules.catalogue import find_title, title_ids
from events.rules.fact import Seat
from events.rules.steps import GAME_NOT_RUNNING, Command, Rejected
from events.rules.title import Title
from events.store.games import GameCommandResult, StaleVersion, UnknownGame
from events.table.command_signatures import BadSignature
from events.table.commands import command_rules
from events.table.game import Game
from events.table.record import seat_of
from service.api import table_commands
from service.api.table_commands import InvitationInBody
from service.application.authorization import check_may_act, previous_command_seat
from service.application.container import Services
from service.application.game_context import (
    ACTING,
    GameContext,
    find_cached_context,
    load_game_context,
)
from service.application.request_context import (
    CommandRequest,
    choose_seat,
    derive_command_id,
    execute,
    explain_conflict,
    get_chosen_id,
    get_services,
    read_command_request,
    require_scopes,
)
from service.application.schemas.game_schemas import ACTING_SEAT
from service.base.people import Account, Viewer
from service.http import query_strings
from service.http.blueprint import IDEMPOTENCY_KEY, IF_MATCH, RUTTER_SIGNATURE, Blueprint
from service.http.problems import Problem, archived_problem, invalid_parameters, rejection_problem
from service.http.request_data import load_member, read_json_body, read_struct
from service.http.responses import PRIVATE_HEADERS, etag_by_content, json_response, mark_replayed
from service.openapi.json_schemas import make_title_schemas
from service.presenters import game_presenter
from service.presenters.rulebooks import find_clause
from service.stores.seat_claims import MissingSeat

blp = Blueprint("play", __name__, url_prefix="/v1", description="Playing.")

SHAPE_CODES = frozenset({"unknown_command", "invalid_parameters"})
"""Codes of refusals that hold in every state of a game."""


@blp.route("/games/<id>/decisions")
@blp.doc(operationId="get_decisions", security=[{}, {"token": []}])
@blp.query(query_strings.DecisionsQuery)
@blp.answers(
    200,
    "DecisionsPage",
    "The decisions of all seats, and your legal commands.",
    ETag="Changes with the decisions.",
)
@blp.conditional
@blp.problems(400, 401, 403, 404, 503)
def get_decisions(query: dict[str, Any], id: str) -> Response:
    """Return the decisions that the game waits for, and your legal commands, ready to post.

    A covered answer can be replaced until the last seat has answered, at most 20 times in a step.
    `replaceable` lists the seats that have answered so. With `replacements=true` you also get the commands
    that can take the place of your own answers. The log keeps each answer, and only the last one counts. All
    can see that an answer was replaced. Other players do not see what it was.

    With `refs=true` each command also names the things on `/table` that it is about, for a page on which
    people play by pointing. That takes the server several times as long.
    """
    context = load_game_context(id, query["seat"])
    seats = context.viewer.mine if query["seat"] is None else (context.viewer.seat,)
    several = len(context.viewer.mine) > 1
    shown = game_presenter.present_decisions(
        context.game,
        [s for s in seats if s is not None],
        name_seats=several,
        replacing=query["replacements"],
        refs=query["refs"],
    )
    return etag_by_content(shown)


@blp.route("/games/<id>/commands", methods=["POST"])
@blp.doc(operationId="give_command")
@blp.headers(IDEMPOTENCY_KEY, IF_MATCH, RUTTER_SIGNATURE)
@blp.query(query_strings.CommandQuery)
@blp.body(
    "Command", "A command of the game's title or of the table. Send `seat` only if you hold several seats."
)
@blp.answers(200, "Happened", "The events of the command.", ETag="The number of the last event.",
             Idempotency_Replayed="`true` if the command had been carried out before.")  # fmt: skip
@blp.problems(400, 401, 403, 404, 409, 412, 413, 415, 422, 428, 503)
def give_command(query: dict[str, Any], id: str) -> Response:
    """Give a command.

    With the header `If-Match: "<seq>"` the command counts only on that state of the game. Without it, the
    server checks the command against the newest state, so several players can answer at the same time. With
    an `Idempotency-Key` you can repeat the request: the command is carried out once, and you get the first
    answer again. A UUID (version 4 or 7, in lower case) as key becomes the command's id.

    With `decisions=true` the answer also has `decisions`, `legal` and `complete` of the seat that acted, as
    in `GET .../decisions`. So one call per move is enough. This also needs `game:read`.

    If the seat was taken with a `key`, you must sign its commands. The header
    `Rutter-Signature: <n> <base64>` carries the number of an event that you have seen, and the signature.

    Every title also has the commands of the table, whose types begin with `table_`. Players can leave
    (`table_leave`), and return to their seat while no other person holds it (`table_return`). They can
    propose something to the others and answer proposals (`table_offer`, `table_answer`). A proposal takes
    effect when all players agree; one no closes it. Players can give time to another seat (`table_add_time`),
    or take over a vacant seat (`table_seat`). They can take commands back (`table_undo`), see `undo` of the
    decisions; this needs `If-Match`. Directors who do not play in the game can pause and resume it,
    add time, remove players, and put bots on seats. They can also swap two seats before the game begins, and
    end the game. The `text` that they send with it is not part of the log and can be erased.
    """
    services, account, body = get_services(), require_scopes(), read_json_body()
    of_table = _is_table_command(body)
    accepted = _execute(services, id, account, body, decisions=query["decisions"])
    game, records = accepted.after, accepted.records
    if game.status == "open":
        services.advance_opening(game)
    last = records[-1]
    seat = seat_of(last.envelope().by)
    texts = services.texts.texts_of_records(game.id, records) if of_table else {}
    ended = None if game.seq == last.seq else False  # a command of long ago, and the game as it is now
    events = game_presenter.present_events(game, records, seat, texts, ended=ended)
    headers = {"ETag": f'"{last.seq}"', **PRIVATE_HEADERS}
    receipt = services.receipts.sign_command(game.id, last)
    happened = {"title": game.title_id, "seq": last.seq, "events": events, "receipt": receipt}
    if query["decisions"]:
        happened |= _present_next_decisions(id, seat)
    answer = json_response(happened, headers=headers)
    return mark_replayed(answer) if accepted.replayed else answer


def _is_table_command(body: dict[str, Any]) -> bool:
    """Return True if *body* is meant to be a command of the table."""
    return isinstance(body.get("type"), str) and body["type"].startswith(command_rules.PREFIX)


def _execute(
    services: Services, id: str, account: Account, body: dict[str, Any], *, decisions: bool
) -> GameCommandResult:
    """Carry out the command in *body*. Raises problems.

    Usually the cached state of the game is the newest one, so it is not read again. The log finds out when it
    takes the command. A refusal is always on the newest state.
    """
    known = None if _is_table_command(body) else find_cached_context(services, id)
    if known is not None:
        copy = dict(body)
        try:
            return _execute_in_context(
                services, known, account, copy, InvitationInBody(), decisions=decisions
            )
        except (Problem, StaleVersion, BadSignature) as refused:
            if getattr(refused, "code", None) in SHAPE_CODES:
                raise
            if services.games.load(known.game.id).seq == known.game.seq:
                raise
    invited = table_commands.take_invitation(id, body)
    context = load_game_context(id, scopes=ACTING, invited=invited.invitation is not None)
    return _execute_in_context(services, context, account, body, invited, decisions=decisions)


def _execute_in_context(
    services: Services,
    context: GameContext,
    account: Account,
    body: dict[str, Any],
    invited: InvitationInBody,
    *,
    decisions: bool,
) -> GameCommandResult:
    """Carry out a command in a loaded context. Raises problems."""
    if decisions:
        require_scopes("game:read", game=context.game.id)
    game, of_table = context.game, _is_table_command(body)
    request = read_command_request(
        account, game.id, lambda: services.games.load(game.id).seq if context.viewer.mine else game.seq
    )
    services.receipts.require_signer(game.id)
    if request.key is not None and not context.viewer.mine:
        context = _restore_former_seat(context, account, request.key)
    try:
        if of_table:
            return table_commands.give_table_command(context, request, body, invited)
        return _execute_title_command(services, context, request, body)
    except StaleVersion as stale:
        raise explain_conflict(request, stale.seq if context.viewer.mine else game.seq) from None
    except Rejected as refused:
        if refused.code == GAME_NOT_RUNNING and services.games.log.is_archived(game.id):
            raise archived_problem() from None
        raise rejection_problem(refused, find_clause(refused, game.title)) from None


def _present_next_decisions(id: str, seat: Seat | None) -> dict[str, Any]:
    """Return the decisions now, with the legal commands of *seat*, which acted, while it holds it.

    This process remembers the game after the command, so the log is not read for it. Return nothing if the
    account has left a game that it may not see any more.
    """
    try:
        context = find_cached_context(get_services(), id) or load_game_context(id)
    except UnknownGame:
        return {}
    several, own = len(context.viewer.mine) > 1, seat in context.viewer.mine
    told = game_presenter.present_decisions(
        context.game, [seat] if own and seat is not None else [], name_seats=several
    )
    return {
        "decisions_seq": told.seq,
        "decisions": told.decisions,
        "legal": told.legal,
        "replaceable": told.replaceable,
        "complete": told.complete,
        "undo": told.undo,
    }


def _restore_former_seat(context: GameContext, account: Account, key: str) -> GameContext:
    """Return *context* with the seat that gave this command before, if the account has left it since.

    So a repeated command gets its first answer. No other command is carried out: the log takes none under a
    key that it holds.
    """
    seat = previous_command_seat(get_services(), account, context.game, key)
    return context if seat is None else replace(context, viewer=replace(context.viewer, mine=(seat,)))


def _execute_title_command(
    services: Services, context: GameContext, request: CommandRequest, body: dict[str, Any]
) -> GameCommandResult:
    """Carry out a command of the title. Raises problems."""
    require_scopes("game:play", game=request.stream)
    if not context.viewer.mine:
        raise MissingSeat
    given = load_member(body, "seat", ACTING_SEAT) if "seat" in body else None
    body.pop("seat", None)
    command = read_command(context.game.title, body)
    seat = _choose_acting_seat(given, body["type"], context.viewer, context.game, request.key)

    def give(command_id: str | None) -> GameCommandResult:
        return services.games.command(
            request.stream,
            seat,
            command,
            expected=request.expected,
            signature=request.signature,
            allowed=partial(check_may_act, services, request.account, seat),
            checked=context.newest,
            command_id=command_id,
        )

    return execute(request, seat, give)


def _has_given_before(game: Game, seat: int, key: str) -> bool:
    """Return True if *seat* has given a command with this *key* before."""
    for known in (get_chosen_id(key), derive_command_id(game.id, seat, key)):
        done = known and get_services().games.find_earlier(game.id, known)
        if done and seat_of(done.last.envelope().by) == seat:
            return True
    return False


def _choose_acting_seat(given: Seat | None, kind: str, viewer: Viewer, game: Game, key: str | None) -> int:
    """Return the seat that a command of type *kind* is for: the one *given*, or the one that can give it.

    With several seats of yours it may be left out as long as only one of them can give this command. Sent
    again with its *key* the command is for the same seat as before, whichever seat could give it now.
    """
    own = viewer.mine
    if given is None and len(own) > 1:
        before = (seat for seat in own if key and _has_given_before(game, seat, key))
        if (seat := next(before, None)) is not None:
            return seat
        return choose_seat(own, None, _find_able_seats(game, own, kind))
    return choose_seat(own, given)


def _find_able_seats(game: Game, mine: Iterable[int], command: str) -> list[int]:
    """Return those of your seats that a decision lets give a command of this type now.

    Where none is asked, they are those that may replace such an answer.
    """
    if game.status != "running":
        return []
    for open_now in (game.title.decisions, game.title.replaceable):
        able = {d.seat for d in open_now(game.state) if command in d.commands}
        if found := [seat for seat in mine if seat in able]:
            return found
    return []


def read_command(title: Title[Any], body: dict[str, Any]) -> Command:
    """Read the command in *body*. Raises problems: `unknown_command`, or `invalid_parameters` by field."""
    name = body.get("type")
    if not isinstance(name, str):
        raise invalid_parameters({"type": ["Send the type of the command."]})
    kind = title.command_type(name)
    if kind is None or kind.house:
        known = ", ".join(_list_command_types(title))
        # A type of another title fits the description of the API: only this game does not know it.
        elsewhere = any(name in _list_command_types(find_title(other)) for other in title_ids())
        raise Problem(
            409 if elsewhere else 422,
            "unknown_command",
            f"{title.name} has no such command. Send one of: {known}.",
            errors={"type": [f"Must be one of: {known}."]},
        )
    return read_struct(body, kind)


def _list_command_types(title: Title[Any]) -> list[str]:
    return list(make_title_schemas(title)["commands"])
