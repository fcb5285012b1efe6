"""My own notes to a game."""

from __future__ import annotations

from flask import Response
from msgspec import to_builtins

from events.store.games import StaleVersion
from service.accounts import Account
from service.api.blueprint import IF_NOTES, Blueprint
from service.asking import signed_in
from service.notes import LARGEST, Kept, Note, changed
from service.one_game import OneGame, check_event, meet
from service.process import process
from service.schemas import shapes
from service.wire import bodies
from service.wire.answers import json_answer, tagged
from service.wire.bodies import read_body
from service.wire.preconditions import expected_seq
from service.wire.problems import invalid

blp = Blueprint("notes", __name__, url_prefix="/v1", description="My own notes.")

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
@blp.answers(200, "NoteList", "My notes.", ETag="Their version, in quotes; `0` where there are none yet.")
@blp.problems(401, 403, 404, 503)
def get_notes(id: str) -> Response:
    """What I have noted to a game. Nobody else sees it, and it is no part of the log. Needs `game:read`."""
    met, account = _mine(id, "game:read")
    kept = process().notes.of(met.game.id, account)
    return tagged(kept.version, lambda: _told(kept))


@blp.route("/games/<id>/notes", methods=["PUT"])
@blp.doc(operationId="put_notes")
@blp.headers(IF_NOTES)
@blp.body("WriteNotes", "All that is to be noted; an empty list for nothing.", examples=EXAMPLES)
@blp.answers(200, "NoteList", "My notes as they are now.", ETag="Their version, in quotes.")
@blp.problems(400, 401, 403, 404, 412, 413, 415, 422, 503)
def put_notes(id: str) -> Response:
    """Keep these notes in place of those that I had: one to the game as a whole, one to each of its events.

    With `If-Match: "<version>"`, the ETag of what was read, nothing that was written meanwhile, such as in
    another tab, is overwritten: 412 `version_conflict`. Without it whatever stands there is replaced. At most
    200 notes of 4000 characters, together 32768. They go with my account and stand in its export. Needs
    `game:play`.
    """
    met, account = _mine(id, "game:play")
    wish = read_body(bodies.WriteNotes)
    notes = tuple(Note(one.event, one.text) for one in wish.notes)
    _check(met, notes)
    here = process().notes
    try:
        expected = expected_seq(lambda: here.of(met.game.id, account).version)
    except StaleVersion as stale:
        raise changed(stale.seq) from None
    kept = here.put(met.game.id, account, notes, expected)
    return json_answer(_told(kept), headers={"ETag": f'"{kept.version}"', "Cache-Control": "no-store"})


def _mine(id: str, scope: str) -> tuple[OneGame, Account]:
    account = signed_in(scope, game=id)
    return meet(id, scope=None), account


def _check(met: OneGame, notes: tuple[Note, ...]) -> None:
    """Raises problems: 422 for two notes to one event, or too much; 404 for an event that is not there."""
    events = [one.event for one in notes]
    if len(set(events)) < len(events):
        raise invalid({"notes": ["Send one note for each event, and one for the game as a whole."]})
    if sum(len(one.text) for one in notes) > LARGEST:
        raise invalid({"notes": [f"All notes together have {LARGEST} characters at the most."]})
    for event in events:
        if event is not None:
            check_event(met.game, event)


def _told(kept: Kept) -> shapes.NoteList:
    return shapes.NoteList(
        kept.version, [shapes.Note(**to_builtins(one)) for one in kept.notes], kept.changed_at
    )
