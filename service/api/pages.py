"""The page, and the description of the API for people: the reference, and guides beside it."""

from __future__ import annotations

import gzip
import hashlib
import html
import mimetypes
from functools import cache
from pathlib import Path

from flask import Blueprint, Response, request, send_from_directory
from markdown_it import MarkdownIt
from werkzeug.exceptions import NotFound

from events.rules.catalogue import RulesMissing, find_title, title_ids
from events.store.archived_games import ArchiveUnavailable
from events.store.replay import UnknownGame
from events.table.game import Game
from service import present
from service.asking import token
from service.board_picture import picture
from service.one_game import OneGame, meet
from service.wire import codes
from service.wire.headers import POLICY
from service.wire.problems import AWAY, Problem

blp = Blueprint("pages", __name__)
STATIC = Path(__file__).parents[1] / "static"
DOCS = Path(__file__).parents[1] / "docs_page"
BUNDLE = Path(__file__).parents[2] / "events" / "BUNDLE.md"
GUIDES = {
    "first-game": "A first game",
    "bot": "A bot",
    "auditing": "Auditing",
    "bundle": "The audit bundle",
    "organising": "Organising",
    "errors": "Errors",
    "versions": "Versions",
}
"""By their addresses below /docs, with their names."""
_PAGE = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rutter: {name}</title>
<link rel="icon" type="image/svg+xml" href="/static/icon.svg">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<nav aria-label="Guides"><a href="/docs">Reference</a>
{others}
</nav>
<main class="guide">
{body}</main>
</body>
</html>
"""
PICTURE_KEPT = 60
"""Seconds for which the picture of a board may be kept."""
FOR_EVER = "public, max-age=31536000, immutable"


@cache
def _files() -> dict[str, bytes]:
    """The page's files, packed."""
    found = sorted(path for path in STATIC.rglob("*") if path.is_file())
    return {
        path.relative_to(STATIC).as_posix(): gzip.compress(path.read_bytes(), 9, mtime=0) for path in found
    }


@cache
def edition() -> str:
    """A word for what all files of the page say: another word, other files."""
    digest = hashlib.sha256()
    for name, packed in _files().items():
        digest.update(name.encode() + b"\0" + gzip.decompress(packed) + b"\0")
    return digest.hexdigest()[:16]


@blp.get("/")
@blp.get("/new")
@blp.get("/join/<id>")
@blp.get("/t")
@blp.get("/t/<id>")
@blp.get("/u/<id>")
@blp.get("/ratings")
@blp.get("/titles/<id>")
def index(id: str = "") -> Response:
    """The page: what it shows it reads from its own address. Its files are those of this edition."""
    return _page()


def _page(head: str = "") -> Response:
    """The page, with *head* for those who only look at its address."""
    text = (STATIC / "index.html").read_text(encoding="utf-8").replace("</head>", f"{head}</head>")
    answer = Response(
        text.replace('"/static/', f'"/edition/{edition()}/'), content_type="text/html; charset=utf-8"
    )
    answer.headers["Cache-Control"] = "no-store"  # a page that was left is not kept beside the next
    return answer


@blp.get("/g/<id>")
def game_page(id: str) -> Response:
    """The page of a game. A link to it tells what game it is and shows its board, if everybody may see it."""
    met = _seen(id)
    return _page() if met is None else _page(_told(met.game))


@blp.get("/embed/g/<id>")
def embedded(id: str) -> Response:
    """The page of a game for a frame in somebody else's page."""
    answer = game_page(id)
    answer.headers["Content-Security-Policy"] = POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
    return answer


@blp.get("/g/<id>/picture.svg")
def game_picture(id: str) -> Response:
    """The board of a game as spectators see it now."""
    met = _seen(id)
    if met is None:
        raise NotFound
    game = met.game
    drawn = picture(game.title.name, present.panels(game, None), game.title.board.get("charts", {}))
    answer = Response(drawn, content_type="image/svg+xml")
    # With a token more games can be seen, and more of them: that is nobody else's.
    answer.headers["Cache-Control"] = f"public, max-age={PICTURE_KEPT}" if token() is None else "no-store"
    return answer


def _seen(id: str) -> OneGame | None:
    """The game of that id as far as whoever asks may see it; None if he may not, or it cannot be read now."""
    try:
        return meet(id)
    except (Problem, UnknownGame, RulesMissing, ArchiveUnavailable, *AWAY):
        return None


def _told(game: Game) -> str:
    """What a link to *game* says before it is followed; nothing of how it ended."""
    seats = ", ".join(present.seat_label(game, seat) for seat in range(len(game.seats)))
    address = f"{request.host_url.rstrip('/')}/g/{game.id}"
    told = {
        "og:type": "website",
        "og:site_name": "Rutter",
        "og:title": f"{game.title.name} on Rutter",
        "og:description": f"{seats}.",
        "og:url": address,
        "og:image": f"{address}/picture.svg",
        "og:image:type": "image/svg+xml",
    }
    return "".join(
        f'  <meta property="{name}" content="{html.escape(text)}">\n' for name, text in told.items()
    )


@blp.get("/edition/<word>/<path:name>")
def file(word: str, name: str) -> Response:
    """A file of the page in an edition: it never changes, so it is asked for once."""
    packed = _files().get(name)
    if word != edition() or packed is None:
        raise NotFound
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    takes = request.accept_encodings.quality("gzip") > 0
    answer = Response(packed if takes else gzip.decompress(packed), content_type=kind)
    answer.headers["Cache-Control"] = FOR_EVER
    answer.headers["Vary"] = "Accept-Encoding"
    if takes:
        answer.headers["Content-Encoding"] = "gzip"
    return answer


@blp.get("/docs")
def docs() -> Response:
    """The API, readable: every operation can be tried."""
    return send_from_directory(DOCS, "docs.html", max_age=0)


@blp.get("/docs/<path:name>")
def docs_file(name: str) -> Response:
    """A guide, or what the reference needs to be drawn."""
    if name in GUIDES:
        return Response(guide(name), content_type="text/html; charset=utf-8")
    if name.endswith(".md"):
        raise NotFound
    return send_from_directory(DOCS, name, max_age=0)


@cache
def guide(name: str) -> str:
    """The page of a guide."""
    others = "\n".join(f'<a href="/docs/{one}">{html.escape(told)}</a>' for one, told in GUIDES.items())
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    return _PAGE.format(
        name=html.escape(GUIDES[name]), others=others, body=parser.render(text_of(name), env={})
    ).replace(' style="text-align:left"', "")


def text_of(name: str) -> str:
    """The text of a guide in Markdown."""
    if name == "bundle":
        return BUNDLE.read_text(encoding="utf-8")
    text = (DOCS / "guides" / f"{name}.md").read_text(encoding="utf-8")
    return text + code_tables() if name == "errors" else text


def code_tables() -> str:
    """Every code with the statuses that it comes with, and those of each title's rules."""
    rows = [f"| `{code}` | {', '.join(map(str, told))} |" for code, told in codes.statuses().items()]
    parts = ["\n## Codes of every address, and of the table\n", "| code | status |\n|---|---|", *rows]
    for title_id in title_ids():
        parts.append(f"\n## Refusals by the rules of {find_title(title_id).name}\n")
        parts.append(
            "All of them are 409: " + ", ".join(f"`{one}`" for one in codes.of_title(title_id)) + "."
        )
    return "\n".join(parts) + "\n"


@blp.get("/favicon.ico")
def icon() -> Response:
    """Browsers ask for it unasked."""
    return send_from_directory(STATIC, "icon.svg", max_age=3600)
