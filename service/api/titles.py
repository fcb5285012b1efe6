"""The titles that can be played, with everything that a client needs to play them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from flask import Response, request

from events.rules.catalogue import find_title, title_ids, versions
from events.rules.title import Title
from service.application.request_context import get_services
from service.base.bot_catalogue import BotCatalogue
from service.http import query_strings
from service.http.blueprint import Blueprint, path_parameter
from service.http.problems import Problem
from service.http.responses import SHORT_CACHE_HEADERS, is_unmodified, make_cached_response, make_etag
from service.openapi import json_schemas, problem_codes, response_structs
from service.presenters.bot_ladder import load_ladder
from service.presenters.chart_paths import shorten_charts
from service.presenters.lessons import has_lesson, load_lesson
from service.presenters.link_previews import has_picture
from service.presenters.rulebooks import load_rulebook
from service.presenters.title_guide import load_art, load_title_guide

blp = Blueprint("titles", __name__, url_prefix="/v1", description="The titles that you can play.")
TITLE = path_parameter("title", "The id of the title.", {"type": "string", "enum": list(title_ids())})
HTML, MARKDOWN, JSON = "text/html", "text/markdown", "application/json"
_TEXT = {"type": "string"}
_TAG = {"ETag": {"description": "Changes with the text.", "schema": _TEXT}}
_OTHER_FORMS = {MARKDOWN: {"schema": _TEXT}, JSON: {"schema": {"$ref": "#/components/schemas/Rules"}}}
_POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none';"
    " frame-ancestors 'self'"
)
"""A text needs no scripts: nothing in it can do anything."""


@blp.route("/titles")
@blp.doc(security=[], operationId="list_titles")
@blp.answers(200, "TitlesPage", "All titles.", ETag="Changes when the titles change.")
@blp.conditional
@blp.problems(503)
def list_titles() -> Response:
    """List the titles that this server offers."""
    return make_cached_response(*_encode_titles(get_services().bot_catalogue))


@blp.route("/titles/<title>", parameters=[TITLE])
@blp.doc(security=[], operationId="get_title")
@blp.query(query_strings.TitleVersionQuery)
@blp.answers(200, "Title", "Everything about one title.", ETag="Changes with the rules and their data.")
@blp.conditional
@blp.problems(400, 404, 503)
def get_title(query: dict[str, Any], title: str) -> Response:
    """Return one title: options, commands and events as JSON Schemas, and its static data.

    With this and the decisions of a game, a client can play any title. A game names the `version` of its
    rules. Older versions stay as long as games use them.
    """
    return make_cached_response(
        *_encode_title(
            find_requested_title(title, query["version"]), get_services().bot_catalogue.names_for_title(title)
        )
    )


@blp.route("/titles/<title>/display", parameters=[TITLE])
@blp.doc(security=[], operationId="get_title_display")
@blp.query(query_strings.TitleVersionQuery)
@blp.answers(
    200,
    "TitleDisplay",
    "All that it takes to draw a game of the title.",
    ETag="Changes with the rules and their data.",
)
@blp.conditional
@blp.problems(400, 404, 503)
def get_title_display(query: dict[str, Any], title: str) -> Response:
    """Return the part of a title that a page needs to draw a game: maps, hints and clauses.

    It is a third of the whole title or less. The shapes of maps are those of `board.charts`, rounded to a
    fifth of a unit.
    """
    return make_cached_response(*_encode_display(find_requested_title(title, query["version"])))


@blp.route("/titles/<title>/lesson", parameters=[TITLE])
@blp.doc(security=[], operationId="get_lesson")
@blp.answers(200, "Lesson", "The guided first turn.", ETag="Changes with the guided first turn.")
@blp.conditional
@blp.problems(404)
def get_lesson(title: str) -> Response:
    """Return the guided first turn of a title, under the newest version of its rules.

    Make a game from `position` with bots at all seats but yours. Then give the commands of `steps` one after
    another. Where a step does not fit yet, one of `asides` does. `lesson` of the title says if there is one.
    """
    found = find_requested_title(title, None)
    if not has_lesson(found):
        raise Problem(
            404, "no_lesson", f"{found.name} has no guided first turn. Make a game with bots in its place."
        )
    return make_cached_response(*_encode_lesson(found))


@blp.route("/titles/<title>/rules", parameters=[TITLE])
@blp.doc(security=[], operationId="get_rules")
@blp.query(query_strings.TitleVersionQuery)
@blp.response(200, _TEXT, content_type=HTML, description="The rules.", headers=_TAG)
@blp.doc(responses={200: {"content": _OTHER_FORMS}})
@blp.conditional
@blp.problems(400, 404, 503)
def get_rules(query: dict[str, Any], title: str) -> Response:
    """Return the rules of the title as a page with an anchor for each clause, such as `#COL-22-07`.

    With `Accept: text/markdown` you get the source of the page, with `application/json` a list of clauses.
    The `clause` of a refusal (409) is the address of the clause behind it, if it is known.
    """
    wanted = find_requested_title(title, query["version"])
    book = load_rulebook(wanted)
    if book is None:
        raise Problem(
            404, "no_rules", f"The server has no text of the rules of {wanted.name}. Ask the operator for it."
        )
    forms = {HTML: book.html, MARKDOWN: book.markdown, JSON: book.json}
    form = request.accept_mimetypes.best_match(forms, HTML)
    # What is kept under an ETag is one form: each has its own.
    tag = f"{book.tag}-{form.partition('/')[2]}"
    headers = {
        "ETag": f'"{tag}"',
        "Vary": "Accept",
        **SHORT_CACHE_HEADERS,
        "Content-Security-Policy": _POLICY,
    }
    if is_unmodified(tag):
        return Response(status=304, headers=headers)
    charset = "" if form == JSON else "; charset=utf-8"
    return Response(forms[form], headers=headers, content_type=form + charset)


@blp.route("/titles/<title>/ladder", parameters=[TITLE])
@blp.doc(security=[], operationId="get_ladder")
@blp.answers(200, "Ladder", "The strength of the bots.", ETag="Changes with the measurements.")
@blp.conditional
@blp.problems(404)
def get_ladder(title: str) -> Response:
    """Return the strength of the levels of a title's bots, measured by whole games between them.

    For each number of seats it has points above `random` with their interval, and the results of each pair.
    The measurements come from `rutter ladder`. You can play the deals of a pair again with `rutter arena`.
    """
    if title not in title_ids():
        raise unknown_title_problem()
    return make_cached_response(*_encode_ladder(title, get_services().settings.ladder))


def find_requested_title(title_id: str, version: int | None) -> Title[Any]:
    """Return the title of a request, by default in its newest version. Raises 404 problems."""
    if title_id not in title_ids():
        raise unknown_title_problem()
    there = versions(title_id)
    found = next((title for title in there if version in (None, title.version)), None)
    if found is None:
        known = ", ".join(str(title.version) for title in there)
        raise Problem(
            404, "unknown_version", f"There is no such version of {there[0].name}. Send one of: {known}."
        )
    return found


def unknown_title_problem() -> Problem:
    """Return the 404 problem: there is no such title."""
    return Problem(404, "unknown_title", f"There is no such title. Send one of: {', '.join(title_ids())}.")


@cache
def _encode_titles(offered: BotCatalogue) -> tuple[bytes, str]:
    titles = [
        response_structs.TitleSummary(*_make_summary(find_title(title_id), offered.names_for_title(title_id)))
        for title_id in title_ids()
    ]
    return _encode_with_etag(response_structs.TitlesPage(titles, None))


@cache
def _encode_ladder(title_id: str, path: Path | None) -> tuple[bytes, str]:
    return _encode_with_etag(load_ladder(title_id, path))


@cache
def _encode_lesson(title: Title[Any]) -> tuple[bytes, str]:
    return _encode_with_etag(load_lesson(title))


@cache
def _encode_title(title: Title[Any], bots: tuple[str, ...]) -> tuple[bytes, str]:
    schemas = json_schemas.make_title_schemas(title)
    return _encode_with_etag(
        response_structs.Title(
            *_make_summary(title, bots),
            data_hash=title.data_hash,
            position=json_schemas.make_position_schema(title),
            codes=dict(title.codes),
            refusals=list(problem_codes.get_title_codes(title.id)),
            board=title.board,
            guide=list(title.pointing.guide),
            clauses={begins: list(ends) for begins, ends in title.pointing.clauses.items()},
            option_words=dict(load_title_guide(title).options),
            **schemas,
        )
    )


@cache
def _encode_display(title: Title[Any]) -> tuple[bytes, str]:
    return _encode_with_etag(
        response_structs.TitleDisplay(
            title.id,
            title.name,
            title.version,
            charts=msgspec.convert(
                shorten_charts(title.board.get("charts", {})), dict[str, response_structs.Chart]
            ),
            guide=list(title.pointing.guide),
            clauses={begins: list(ends) for begins, ends in title.pointing.clauses.items()},
            art=load_art(title),
            standing=list(load_title_guide(title).standing),
        )
    )


def _encode_with_etag(value: msgspec.Struct) -> tuple[bytes, str]:
    body = msgspec.json.encode(value)
    return body, make_etag(body)


def _make_summary(
    title: Title[Any], bots: tuple[str, ...]
) -> tuple[
    str,
    str,
    int,
    response_structs.SeatRange,
    list[str],
    list[int],
    response_structs.TitleAbout | None,
    bool,
    bool,
]:
    seats = response_structs.SeatRange(title.seats[0], title.seats[-1])
    there = [one.version for one in versions(title.id)]
    about = load_title_guide(title).about
    taught, drawn = has_lesson(title), has_picture(title.id)
    return title.id, title.name, title.version, seats, list(bots), there, about, taught, drawn
