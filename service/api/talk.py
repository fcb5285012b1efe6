"""Talk at a table: messages, aloud and in whispers, and the accounts that one mutes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Response

from events.store.games import StaleVersion
from events.store.talks import TalkResult
from events.table.game import Game
from events.table.record import Record
from events.talk import bundle, phrases
from events.talk.folding import fold, read_said
from events.talk.state import Talk, initial_talk, talk_id
from service.api.titles import TITLE, find_requested_title
from service.api.transparency_log import find_following_entry, find_proof
from service.application import talk
from service.application.authorization import get_permissions
from service.application.container import Services
from service.application.game_context import ACTING, GameContext, load_game_context
from service.application.request_context import (
    choose_seat,
    execute,
    get_services,
    read_command_request,
    require_scopes,
)
from service.application.talk import Reader, Sight
from service.http import query_strings
from service.http.blueprint import ACCOUNT_ID, IDEMPOTENCY_KEY, RUTTER_SIGNATURE, Blueprint, path_parameter
from service.http.problems import Problem
from service.http.request_data import read_body
from service.http.responses import NDJSON, PRIVATE_HEADERS, etag_by_content, json_response, mark_replayed
from service.openapi import request_structs, response_structs
from service.openapi.request_fields import UUID_REGEX
from service.stores.accounts import UnknownAccount
from service.stores.seat_claims import MissingSeat

blp = Blueprint("talk", __name__, url_prefix="/v1", description="Talk at a table.")

PROVEN = 100
"""The number of the newest messages for which a bundle has proofs."""
MESSAGE = path_parameter("n", "The number of the message.", {"type": "integer", "minimum": 2})
EXAMPLES = {
    "aloud": {"value": {"text": "I will not attack you before turn 5."}},
    "whisper": {"value": {"text": "Leave India to me, and I help you in Africa.", "to": [2]}},
    "phrase": {"value": {"phrase": "stay_out", "slots": {"area": "india"}}},
}


@blp.route("/games/<id>/messages", methods=["POST"])
@blp.doc(operationId="say")
@blp.headers(IDEMPOTENCY_KEY, RUTTER_SIGNATURE)
@blp.body("NewMessage", "The words or the phrase, and the seats to whisper to.", examples=EXAMPLES)
@blp.answers(
    201,
    "MessageSaid",
    "The message, with a receipt.",
    Idempotency_Replayed="`true` if the message had been said before.",
)
@blp.problems(400, 401, 403, 404, 409, 413, 415, 422, 503)
def say(id: str) -> Response:
    """Say something at a table where you hold a seat. Needs `game:play`.

    Without `to` all who may see the game read it. With `to`, only the players who hold those seats now, and
    you: others see who whispers to whom, and when. A message is at most 500 characters in one line. The
    `talk` of the game can forbid whispers, allow only phrases of the title, or forbid talk. You can write
    until seven days after the end of the game.

    The log of the talk holds a salted digest of your words, with the newest event of the game. So anyone who
    has the words and the salt can prove that your seat said them, and after which event. If your seat has a
    `key`, sign the message: `Rutter-Signature` carries an event number n and a signature. It is over
    `bg/said/1`, a zero byte and the canonical JSON of {cmd, game, h, n, said, seat, to}.
    """
    services, account = get_services(), require_scopes("game:play", game=id)
    body = read_body(request_structs.NewMessage)
    context = load_game_context(id, scopes=ACTING)
    game, own = context.newest, context.viewer.mine
    request = read_command_request(account, game.id, lambda: game.seq)
    services.receipts.require_signer(game.id)
    if not own:
        raise MissingSeat
    services.bans.check(account)
    to, content = talk.read_recipients(body.to, own), talk.make_content(game, body)
    seat = choose_seat(own, body.seat)
    speech = talk.Speech(account, seat, to, content, request.signature)
    try:
        done: TalkResult = execute(request, f"talk/{seat}", lambda cmd: talk.say(services, game, speech, cmd))
    except StaleVersion:
        detail = "Too many players speak at once. Send the request again."
        raise Problem(503, "unavailable", detail, headers={"Retry-After": "1"}) from None
    message = talk.present_messages(services, game, [done.last], Reader(account))[0]
    receipt = services.receipts.sign_command(done.after.id, done.last)
    answer = json_response(
        response_structs.MessageSaid(message=message, receipt=receipt), 201, PRIVATE_HEADERS
    )
    return mark_replayed(answer) if done.replayed else answer


@blp.route("/games/<id>/messages")
@blp.doc(operationId="list_messages", security=[{}, {"token": []}])
@blp.query(query_strings.MessagesQuery)
@blp.answers(200, "MessagesPage", "Messages, oldest first.", ETag="Changes with the messages.")
@blp.conditional
@blp.problems(400, 401, 403, 404, 503)
def list_messages(query: dict[str, Any], id: str) -> Response:
    """Return what was said at a table, as you may read it.

    You see the words of what was said to all, and of whispers of and to seats that you held then. Spectators
    see talk with the delay of the game. Messages are numbered from 2; the first event of a talk opens it.
    """
    services, context = get_services(), load_game_context(id, query["seat"])
    page = talk.present_page(
        services,
        context.newest,
        context.game,
        get_sight(context),
        make_reader(context, query["seat"]),
        query["after"],
        query["limit"],
    )
    return etag_by_content(page)


@blp.route("/games/<id>/messages/audit")
@blp.doc(operationId="get_talk_audit", security=[{}, {"token": []}])
@blp.query(query_strings.SeatQuery)
@blp.response(200, "TalkBundleLine", content_type=NDJSON, description="The bundle, one JSON value per line.")
@blp.problems(400, 401, 403, 404, 409, 503)
def get_talk_audit(query: dict[str, Any], id: str) -> Response:
    """Return the bundle of the talk that `rutter verify` checks offline, with the words that you may read.

    It shows which seat said what to whom after which event of the game. For the newest 100 messages it also
    has proofs from the log of all games. `rutter disclose` takes one message of it for others.
    """
    services, context = get_services(), load_game_context(id, query["seat"])
    game, reader = context.newest, make_reader(context, query["seat"])
    records = talk.read_whole_talk(services, game, get_sight(context))
    if len(records) < 2:  # the first opens it
        detail = "Nothing was said at this table yet, or you cannot see it yet. Ask again later."
        raise Problem(404, "no_such_message", detail)
    signer = services.signer
    state = fold(initial_talk(records[0].envelope().game), records)
    services.receipts.require_covered(state.id, state.seq)
    proofs, follows = _list_proofs(services, context.game, state, records[1:][-PROVEN:])
    seats = () if reader.public else context.viewer.mine if reader.seat is None else (reader.seat,)
    words = talk.read_words(services, game, records, reader)
    lines = bundle.write_lines(state, records, seats, words, signer, proofs, follows)
    name = f'attachment; filename="{state.id}.ndjson"'
    return Response(lines, headers={**PRIVATE_HEADERS, "Content-Disposition": name}, content_type=NDJSON)


def _list_proofs(
    services: Services, game: Game, state: Talk, records: Sequence[Record]
) -> tuple[list[tuple[int, str]], list[tuple[int, str, str]]]:
    """Return the proofs of messages, and of the batches of the game that followed on them as it is seen."""
    proofs, follows = [], []
    for record in records:
        proof, said = find_proof(services, state.id, record.seq), read_said(record)
        if proof is None or said is None:
            continue
        proofs.append((record.seq, proof))
        follow = find_following_entry(services, game.id, said.at_event, game.seq)
        if follow is not None:
            follows.append((record.seq, *follow))
    return proofs, follows


@blp.route("/games/<id>/messages/<int:n>", methods=["DELETE"], parameters=[MESSAGE])
@blp.doc(operationId="erase_message")
@blp.response(204, description="It is erased.")
@blp.problems(401, 403, 404, 503)
def erase_message(id: str, n: int) -> Response:
    """Erase the words of a message of yours, with their salt. Needs `game:play`.

    The log keeps the digest, of which nobody can find the words. Readers may have kept them. Live streams of
    the game send the message again, with `hidden` as `erased`.
    """
    services, account = get_services(), require_scopes("game:play", game=id)
    context = load_game_context(id, scopes=ACTING)
    record = talk.require_message(services, context.newest, get_sight(context), n)
    stream = talk_id(context.newest.id)
    kept = services.messages.find(stream, [record.command_id]).get(record.command_id)
    if kept is None or kept.author != account.id:
        raise Problem(
            403, "not_your_message", "You did not write this message, or it is erased. Erase only your own."
        )
    services.messages.erase(stream, record.command_id)
    talk.announce_erased(services, context.newest, n)
    return Response(status=204)


@blp.route("/games/<id>/messages/<int:n>/report", methods=["POST"], parameters=[MESSAGE])
@blp.doc(operationId="report_message")
@blp.body(
    "ReportMessage",
    "The reason, or an empty object.",
    examples={"reason": {"value": {"reason": "It insults me."}}},
)
@blp.response(204, description="It is reported.")
@blp.problems(400, 401, 403, 404, 413, 415, 422, 503)
def report_message(id: str, n: int) -> Response:
    """Report a message whose words you can read to the operator. Needs `game:read`."""
    services, account = get_services(), require_scopes("game:read", game=id)
    body = read_body(request_structs.ReportMessage)
    context = load_game_context(id)
    record = talk.require_message(services, context.newest, get_sight(context), n)
    shown = talk.present_messages(services, context.newest, [record], make_reader(context, None))[0]
    if shown.hidden == "whisper":
        raise Problem(403, "not_your_message", "You cannot read this message. Report only what you can read.")
    services.messages.report(context.newest.id, n, account, body.reason)
    return Response(status=204)


@blp.route("/titles/<title>/phrases", parameters=[TITLE])
@blp.doc(security=[], operationId="list_phrases")
@blp.query(query_strings.TitleVersionQuery)
@blp.answers(200, "PhrasesPage", "The phrases.", ETag="Changes with the phrases.")
@blp.conditional
@blp.problems(400, 404, 503)
def list_phrases(query: dict[str, Any], title: str) -> Response:
    """Return the phrases of a title, which players can say by their ids, with the areas that fill slots."""
    found = find_requested_title(title, query["version"])
    known = phrases.load_phrases(found.id)
    offered = [response_structs.PhraseOffered(one.id, one.text, dict(one.slots)) for one in known.phrases]
    return etag_by_content(response_structs.PhrasesPage(offered, dict(phrases.list_areas(found, known))))


@blp.route("/me/mutes")
@blp.doc(operationId="list_mutes")
@blp.answers(200, "MuteList", "The accounts that you muted.")
@blp.problems(401, 403, 503)
def list_mutes() -> Response:
    """List the accounts that you muted. Needs `account:write`."""
    account = require_scopes("account:write")
    found = [response_structs.Muted(one) for one in get_services().mutes.list_muted(account)]
    return json_response(response_structs.MuteList(found), headers=PRIVATE_HEADERS)


@blp.route("/me/mutes/<account>", methods=["PUT"], parameters=[ACCOUNT_ID])
@blp.doc(operationId="mute")
@blp.response(204, description="It is muted.")
@blp.problems(401, 403, 404, 503)
def mute(account: str) -> Response:
    """Mute an account: you no longer see what it says at any table. Needs `account:write`."""
    mine = require_scopes("account:write")
    services = get_services()
    if not UUID_REGEX.fullmatch(account) or services.accounts.find(account.lower()) is None:
        raise UnknownAccount
    services.mutes.mute(mine, account.lower())
    return Response(status=204)


@blp.route("/me/mutes/<account>", methods=["DELETE"], parameters=[ACCOUNT_ID])
@blp.doc(operationId="unmute")
@blp.response(204, description="It is not muted.")
@blp.problems(401, 403, 404, 503)
def unmute(account: str) -> Response:
    """Stop muting an account. Needs `account:write`."""
    mine = require_scopes("account:write")
    if not UUID_REGEX.fullmatch(account):
        raise UnknownAccount
    get_services().mutes.unmute(mine, account.lower())
    return Response(status=204)


def get_sight(context: GameContext) -> Sight:
    """Return how much of the talk the viewer of a game sees now."""
    services, account = get_services(), context.viewer.account
    at_once = context.newest.terms.delay is None or "see_now" in get_permissions(
        services, account, context.newest
    )
    return talk.get_sight(services, context.newest, at_once=at_once)


def make_reader(context: GameContext, asked: int | str | None) -> Reader:
    """Return the reader that the viewer of a game is, who looks from the seat *asked* for."""
    seat = asked if isinstance(asked, int) else None
    return Reader(context.viewer.account, seat, public=asked == "spectator")
