"""The titles: what can be played, and everything that a client needs to know to play it."""

from __future__ import annotations

import hashlib
from functools import cache

import msgspec
from flask import Response

from events.catalogue import find_title, title_ids
from events.title import Title
from service.api.blueprint import Blueprint
from service.process import process
from service.schemas import json_schemas, shapes
from service.wire.preconditions import not_modified
from service.wire.problems import Problem

blp = Blueprint("titles", __name__, url_prefix="/v1", description="What can be played.")
TITLE = {
    "in": "path",
    "name": "title",
    "required": True,
    "description": "The id of the title.",
    "schema": {"type": "string", "enum": list(title_ids())},
}
_KEEP = {"Cache-Control": "public, max-age=60"}


@blp.route("/titles")
@blp.doc(security=[], operationId="list_titles")
@blp.answers(200, "Titles", "All titles.")
@blp.problems(503)
def list_titles() -> Response:
    """The titles that are served."""
    return _kept(*_list(process().bots))


@blp.route("/titles/<title>", parameters=[TITLE])
@blp.doc(security=[], operationId="get_title")
@blp.answers(200, "Title", "Everything about one title.", ETag="Changes with the rules and their data.")
@blp.problems(404, 503)
def get_title(title: str) -> Response:
    """One title: options, commands and events as JSON Schemas, and its static data.

    With this and the decisions of a game a client can play it without knowing anything else.
    """
    if title not in title_ids():
        raise unknown_title()
    return _kept(*_page(title, process().bots))


def unknown_title() -> Problem:
    """There is no such title."""
    return Problem(404, "unknown_title", f"There is no such title. There are: {', '.join(title_ids())}.")


def _kept(body: bytes, tag: str) -> Response:
    headers = {"ETag": f'"{tag}"', **_KEEP}
    if not_modified(tag):
        return Response(status=304, headers=headers)
    return Response(body, headers=headers, content_type="application/json")


@cache
def _list(bots: tuple[str, ...]) -> tuple[bytes, str]:
    titles = [shapes.TitleSummary(*_summary(find_title(title_id), bots)) for title_id in title_ids()]
    return _tagged(shapes.Titles(titles, None))


@cache
def _page(title_id: str, bots: tuple[str, ...]) -> tuple[bytes, str]:
    title = find_title(title_id)
    schemas = json_schemas.title_schemas(title)
    return _tagged(
        shapes.Title(
            *_summary(title, bots),
            data_hash=title.data_hash,
            position=json_schemas.position(title),
            codes=dict(title.codes),
            board=title.board,
            **schemas,
        )
    )


def _tagged(value: msgspec.Struct) -> tuple[bytes, str]:
    body = msgspec.json.encode(value)
    return body, hashlib.sha256(body).hexdigest()[:24]


def _summary(title: Title, bots: tuple[str, ...]) -> tuple[str, str, int, shapes.SeatRange, list[str]]:
    seats = shapes.SeatRange(title.seats[0], title.seats[-1])
    return title.id, title.name, title.version, seats, list(bots)
