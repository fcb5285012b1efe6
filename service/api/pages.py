"""The page, and the description of the API for people."""

from __future__ import annotations

from pathlib import Path

from flask import Blueprint, Response, send_from_directory

blp = Blueprint("pages", __name__)
STATIC = Path(__file__).parents[1] / "static"
DOCS = Path(__file__).parents[1] / "docs_page"


@blp.get("/")
def index() -> Response:
    """The page."""
    return send_from_directory(STATIC, "index.html", max_age=0)


@blp.get("/docs")
def docs() -> Response:
    """The API, readable."""
    return send_from_directory(DOCS, "docs.html", max_age=0)


@blp.get("/docs/<path:name>")
def docs_file(name: str) -> Response:
    """What the description needs to be drawn."""
    return send_from_directory(DOCS, name, max_age=0)


@blp.get("/favicon.ico")
def icon() -> Response:
    """Browsers ask for it unasked."""
    return send_from_directory(STATIC, "icon.svg", max_age=3600)
