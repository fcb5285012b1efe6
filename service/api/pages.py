"""The page of the games: a shell that reads from its address what to show, and the files it needs."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from functools import cache
from http import HTTPStatus
from uuid import UUID

import brotli
from flask import Blueprint, Response, request, send_from_directory
from werkzeug.exceptions import HTTPException, NotFound

from events.rules.catalogue import RulesMissing, title_ids
from events.store.archived_games import ArchiveUnavailable
from events.store.games import UnknownGame
from service.application.game_context import GameContext, load_game_context
from service.application.game_presentation import present_game_for_viewer
from service.application.joining import find_invited_game
from service.application.request_context import get_services, get_token
from service.http.problems import DATABASE_AWAY, Problem, answer_http_error
from service.http.responses import CONTENT_SECURITY_POLICY
from service.presenters import game_presenter
from service.presenters.board_picture import draw_board
from service.presenters.link_previews import (
    NO_PICTURE,
    PICTURES,
    STATIC,
    InvitationTarget,
    make_game_preview,
    make_invitation_data,
    make_invitation_preview,
)
from service.presenters.page_bundles import Bundles, join_page
from service.presenters.qr_codes import draw_code
from service.stores.seat_claims import make_viewer

blp = Blueprint("pages", __name__)
PICTURE_SECONDS = 60
"""Seconds for which the picture of a board may be kept."""
MOST_TABLES = 4096
"""The highest number of a round or a table in the address of a QR code."""
CODE_SECONDS = 86_400
"""Seconds for which a QR code may be kept."""
IMMUTABLE = "public, max-age=31536000, immutable"


GAME_PAGE = "js/table/tablepage.js"
"""The module that draws a game."""
_JOINED = (".css", ".html", ".js")
_CODINGS = ("br", "gzip")
"""The codings of the page's files, the smallest first."""


@cache
def load_bundles() -> Bundles:
    """Return the modules and styles of the page, joined into few files."""
    return join_page(
        {
            path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8")
            for path in STATIC.rglob("*")
            if path.suffix in _JOINED
        }
    )


@cache
def _load_files() -> dict[str, bytes]:
    """Return the page's files by name, compressed with gzip."""
    found = {path.relative_to(STATIC).as_posix(): path for path in STATIC.rglob("*") if path.is_file()}
    contents = {name: path.read_bytes() for name, path in sorted(found.items())}
    contents |= {name: text.encode() for name, text in load_bundles().files.items()}
    return {name: gzip.compress(content, 9, mtime=0) for name, content in contents.items()}


@cache
def get_edition() -> str:
    """Return a digest of all files of the page, which changes with them."""
    digest = hashlib.sha256()
    for name, packed in _load_files().items():
        digest.update(name.encode() + b"\0" + gzip.decompress(packed) + b"\0")
    return digest.hexdigest()[:16]


@blp.get("/")
@blp.get("/new")
@blp.get("/t")
@blp.get("/t/<id>")
@blp.get("/u/<id>")
@blp.get("/ratings")
@blp.get("/settings")
@blp.get("/titles/<id>")
def index(id: str = "") -> Response:
    """Return the page: it reads from its own address what to show. Its files are those of this edition."""
    return _make_page()


def _make_page(head: str = "") -> Response:
    """Return the page, with *head* for browsers that load it and programs that preview its address."""
    text = load_bundles().index.replace("</head>", f"{head}</head>")
    answer = Response(
        text.replace('"/static/', f'"/edition/{get_edition()}/'), content_type="text/html; charset=utf-8"
    )
    answer.headers["Cache-Control"] = "no-store"  # a page that was left is not kept beside the next
    return answer


@blp.app_errorhandler(HTTPStatus.NOT_FOUND)
def answer_unknown_address(error: HTTPException) -> Response:
    """Return the page for an address where nothing is, if a browser asks; else the problem."""
    if request.method != "GET" or request.path.startswith("/v1/") or not _is_for_people():
        return answer_http_error(error)
    answer = _make_page()
    answer.status_code = HTTPStatus.NOT_FOUND
    return answer


def _is_for_people() -> bool:
    """Return True if HTML is preferred to JSON, as browsers do for what is opened in them."""
    accepted = request.accept_mimetypes
    return accepted.quality("text/html") > accepted.quality("application/json")


@blp.get("/g/<id>")
def game_page(id: str) -> Response:
    """Return the page of a game, with a link preview and its board if everybody may see it."""
    context = _find_visible_game(id)
    preview = "" if context is None else make_game_preview(context.game, _get_origin())
    return _make_page(load_bundles().preload(GAME_PAGE) + preview)


@blp.get("/join/<id>")
def show_invitation(id: str) -> Response:
    """Return the page of an invitation to a game, with what it leads to if the invitation can be used."""
    found = find_invited_game(id, request.args.get("invitation", ""))
    if found is None:
        return _make_page(make_invitation_data(None))
    services, (game, inviter) = get_services(), found
    host, holders = services.accounts.find(inviter), services.seat_claims.holders(game)
    shown = present_game_for_viewer(services, game, game.seq, holders, make_viewer(holders, None, None))
    invited = InvitationTarget(
        shown.title, shown.version, host.name if host else None, shown.status, shown.seats, shown.options
    )
    private = shown.visibility == "private"
    preview = make_invitation_preview(game, invited, _get_origin(), private=private)
    return _make_page(preview + make_invitation_data(invited))


def _get_origin() -> str:
    return request.host_url.rstrip("/")


@blp.get("/embed/g/<id>")
def show_embedded_game_page(id: str) -> Response:
    """Return the page of a game for a frame in another site's page."""
    answer = game_page(id)
    answer.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    )
    return answer


@blp.get("/titles/<id>/picture.png")
def title_picture(id: str) -> Response:
    """Return the picture of a title for previews of links: the same for all its games."""
    name = id if f"{PICTURES}/{id}.png" in _load_files() else NO_PICTURE
    if id not in title_ids():
        raise NotFound
    return send_from_directory(STATIC / PICTURES, f"{name}.png", max_age=PICTURE_SECONDS)


@blp.get("/g/<id>/picture.svg")
def game_picture(id: str) -> Response:
    """Return the board of a game as spectators see it now."""
    context = _find_visible_game(id)
    if context is None:
        raise NotFound
    game = context.game
    drawn = draw_board(
        game.title.name, game_presenter.get_panels(game, None), game.title.board.get("charts", {})
    )
    answer = Response(drawn, content_type="image/svg+xml")
    # With a token more games can be seen, and more of them: no other request gets that.
    answer.headers["Cache-Control"] = (
        f"public, max-age={PICTURE_SECONDS}" if get_token() is None else "no-store"
    )
    return answer


@blp.get("/t/<uuid:id>/code.svg")
def tournament_code(id: UUID) -> Response:
    """Return a QR code that leads to the page of a tournament. It tells nothing of the tournament."""
    return _make_code(f"/t/{id}")


@blp.get("/t/<uuid:id>/<int:round>/<int:table>/code.svg")
def table_code(id: UUID, round: int, table: int) -> Response:
    """Return a QR code that leads to a table of a tournament. It can be printed before the round starts."""
    if max(round, table) > MOST_TABLES:
        raise NotFound
    return _make_code(f"/t/{id}?round={round}&table={table}")


def _make_code(path: str) -> Response:
    answer = Response(draw_code(_get_origin() + path), content_type="image/svg+xml")
    answer.headers["Cache-Control"] = f"public, max-age={CODE_SECONDS}"
    return answer


def _find_visible_game(id: str) -> GameContext | None:
    """Return the game of that id as the viewer may see it; None if they may not, or it cannot be read now."""
    try:
        return load_game_context(id)
    except (Problem, UnknownGame, RulesMissing, ArchiveUnavailable, *DATABASE_AWAY):
        return None


@blp.get("/edition/<word>/<path:name>")
def file(word: str, name: str) -> Response:
    """Return a file of the page in an edition: it never changes, so it is asked for once."""
    if word != get_edition() or name not in _load_files():
        raise NotFound
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    coding = next((each for each in _CODINGS if request.accept_encodings.quality(each) > 0), None)
    answer = Response(_pack(name, coding), content_type=kind)
    answer.headers["Cache-Control"] = IMMUTABLE
    answer.headers["Vary"] = "Accept-Encoding"
    if coding:
        answer.headers["Content-Encoding"] = coding
    return answer


@cache
def _pack(name: str, coding: str | None) -> bytes:
    """Return a file of the page in one of the codings of HTTP, None for as it is."""
    packed = _load_files()[name]
    if coding == "gzip":
        return packed
    plain = gzip.decompress(packed)
    return brotli.compress(plain) if coding == "br" else plain


@blp.get("/worker.js")
def worker() -> Response:
    """Return the worker that keeps the frame of the page. Its text changes with the edition of the page."""
    text = (STATIC / "worker.js").read_text(encoding="utf-8")
    answer = Response(
        text.replace('EDITION = ""', f'EDITION = "{get_edition()}"', 1), content_type="text/javascript"
    )
    answer.headers["Cache-Control"] = "no-cache"  # a browser asks for a new release at every visit
    return answer


@blp.get("/offline")
def offline() -> Response:
    """Return the page that stands in for every other one where there is no network."""
    text = (STATIC / "offline.html").read_text(encoding="utf-8")
    text = text.replace('"/static/', f'"/edition/{get_edition()}/')
    answer = Response(text, content_type="text/html; charset=utf-8")
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@blp.get("/manifest.webmanifest")
def manifest() -> Response:
    """Return the description with which a browser installs the page as an app."""
    text = (STATIC / "manifest.webmanifest").read_text(encoding="utf-8")
    answer = Response(
        text.replace('"/static/', f'"/edition/{get_edition()}/'), content_type="application/manifest+json"
    )
    answer.headers["Cache-Control"] = "no-cache"
    return answer


@blp.get("/favicon.ico")
def icon() -> Response:
    """Return the icon, which browsers ask for by themselves."""
    return send_from_directory(STATIC, "icon.svg", max_age=3600)
