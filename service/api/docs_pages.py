"""The documentation: pages by reader, their search, and the page on which the API can be tried."""

from __future__ import annotations

import hashlib
import re

from flask import Blueprint, Response, request, send_from_directory
from werkzeug.exceptions import NotFound

from service.http.responses import is_unmodified, make_cached_response, make_etag
from service.presenters import documentation

blp = Blueprint("docs", __name__)
_SERVED = (".css", ".js", ".txt")
"""The endings of the files of the site itself."""
_DOWNLOADS = (".json", ".ndjson", ".py", ".txt", ".csv", ".sh", ".html", ".mjs", ".svg", ".png", ".tar.xz")
"""The endings of files that stand beside a page and can be downloaded."""
_ADDRESS = re.compile(r"https?://([A-Za-z0-9.-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(:[0-9]{1,5})?")


@blp.get("/docs")
def docs() -> Response:
    """Return the start page of the documentation."""
    return _answer(documentation.render_start())


@blp.get("/docs/<path:name>")
def docs_file(name: str) -> Response:
    """Return a page of the documentation, or a file that pages need."""
    if name == "search.json":
        body = _insert_address(documentation.make_search_index()).encode()
        return make_cached_response(body, make_etag(body), _HEADERS)
    if name == "api":
        return _answer(documentation.render_api())
    for render in (documentation.render_html, documentation.render_door):
        try:
            return _answer(render(name))
        except KeyError:
            continue
    if name.endswith(_SERVED) and not name.startswith("pages/"):
        return send_from_directory(documentation.FOLDER, name, max_age=0)
    if name.endswith(_DOWNLOADS):
        return send_from_directory(documentation.FOLDER / "pages", name, max_age=0)
    raise NotFound


_HEADERS = {"Cache-Control": "no-cache"}


def _answer(page: str) -> Response:
    """Return a page with the server's own address in its samples."""
    body = _insert_address(page).encode()
    tag = hashlib.sha256(body).hexdigest()[:24]
    headers = {**_HEADERS, "ETag": f'"{tag}"'}
    if is_unmodified(tag):
        return Response(status=304, headers=headers)
    return Response(body, headers=headers, content_type="text/html; charset=utf-8")


def _insert_address(text: str) -> str:
    address = request.host_url.rstrip("/")
    return documentation.replace_address(text, address) if _ADDRESS.fullmatch(address) else text
