"""Your own notes to a game."""

from __future__ import annotations

from flask import Response
from msgspec import to_builtins

from events.store.games import StaleVersion
from service.application.game_context import GameContext, check_event, load_game_context
from service.application.request_context import get_services, read_expected_seq, require_scopes
from service.base.people import Account
from service.base.text_limits import MAX_NOTES_LENGTH
from service.http.blueprint import IF_MATCH_NOTES, Blueprint
from service.http.problems import invalid_parameters
from service.http.request_data import read_body
from service.http.responses import json_response, make_versioned_response
from service.openapi import request_structs, response_structs
from service.stores.notes import Note, NotesConflict, NoteSet

blp = Blueprint("notes", __name__, url_prefix="/v1", description="Your own notes.")

EXAMPLES = {
    "two": {
        "value": {
            "notes": [
                {"text": "Ada never trades cotton."},
                {"event": 41, "text": "Here I should have built the road."},
            ]
        }
    },
    "none": {"value": {"notes": []}},
}


@blp.route("/games/<id>/notes")
@blp.doc(operationId="get_notes")
@blp.answers(
    200, "NoteList", "Your notes.", ETag="The version of the notes, in quotes; `0` if there are none yet."
)
@blp.problems(401, 403, 404, 503)
def get_notes(id: str) -> Response:
    """Return your notes on a game. Only you see them; they are not part of the log. Needs `game:read`."""
    context, account = _load_own_context(id, "game:read")
    kept = get_services().notes.get(context.game.id, account)
    return make_versioned_response(kept.version, _present_notes(kept))


@blp.route("/games/<id>/notes", methods=["PUT"])
@blp.doc(operationId="put_notes")
@blp.headers(IF_MATCH_NOTES)
@blp.body("WriteNotes", "All your notes on the game; an empty list for none.", examples=EXAMPLES)
@blp.answers(200, "NoteList", "Your notes as they are now.", ETag="The version of the notes, in quotes.")
@blp.problems(400, 401, 403, 404, 412, 413, 415, 422, 503)
def put_notes(id: str) -> Response:
    """Replace your notes on a game: at most one on the whole game, and one on each of its events.

    With `If-Match: "<version>"`, the ETag of the notes that you read, you cannot overwrite later notes, such
    as those of another tab: 412 `version_conflict`. Without it, the notes are replaced in any case. You can
    have 200 notes of 4000 characters, together 32768. They are deleted with your account, and its export has
    them. Needs `game:play`.
    """
    context, account = _load_own_context(id, "game:play")
    body = read_body(request_structs.WriteNotes)
    notes = tuple(Note(one.event, one.text) for one in body.notes)
    _check_notes(context, notes)
    store = get_services().notes
    try:
        expected = read_expected_seq(lambda: store.get(context.game.id, account).version)
    except StaleVersion as stale:
        raise NotesConflict(stale.seq) from None
    kept = store.put(context.game.id, account, notes, expected)
    return json_response(
        _present_notes(kept), headers={"ETag": f'"{kept.version}"', "Cache-Control": "no-store"}
    )


def _load_own_context(id: str, scope: str) -> tuple[GameContext, Account]:
    account = require_scopes(scope, game=id)
    return load_game_context(id, scopes=(scope,)), account


def _check_notes(context: GameContext, notes: tuple[Note, ...]) -> None:
    """Raise problems: 422 for two notes to one event, or too much text; 404 for an unknown event."""
    events = [one.event for one in notes]
    if len(set(events)) < len(events):
        raise invalid_parameters(
            {"notes": ["Send one note for each event, and one for the game as a whole."]}
        )
    if sum(len(one.text) for one in notes) > MAX_NOTES_LENGTH:
        raise invalid_parameters(
            {"notes": [f"Send at most {MAX_NOTES_LENGTH} characters in all notes together."]}
        )
    for event in events:
        if event is not None:
            check_event(context.game, event)


def _present_notes(kept: NoteSet) -> response_structs.NoteList:
    return response_structs.NoteList(
        kept.version, [response_structs.Note(**to_builtins(one)) for one in kept.notes], kept.changed_at
    )
