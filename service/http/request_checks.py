"""Checks of every request, before its route sees it."""

from __future__ import annotations

import re

from flask import Flask, request
from werkzeug.exceptions import NotFound

from service.http.problems import Problem, invalid_parameters

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~%!$&'()*+,;=-]+)(:[0-9]{0,5})?")


def install(app: Flask) -> None:
    """Refuse requests to *app* that could be understood in two ways."""
    app.before_request(_check_request)


def _check_request() -> None:
    _refuse_without_host()
    _refuse_odd_paths()
    _refuse_parameters_twice()


def _refuse_without_host() -> None:
    """Refuse a request without a usable Host: HTTP/1.1 requires one (RFC 9112, 3.2)."""
    host = request.environ.get("HTTP_HOST")
    old = request.environ.get("SERVER_PROTOCOL") == "HTTP/1.0"
    if not (host is None and old) and not _HOST.fullmatch(host or ""):
        raise Problem(
            400,
            "malformed_request",
            "The Host header is missing or wrong. Send the name of this server in it.",
        )


def _refuse_odd_paths() -> None:
    """Refuse a NUL in an address: it reaches neither the file system nor the database."""
    if "\0" in request.path or "\ufffd" in request.path:
        raise NotFound


def _refuse_parameters_twice() -> None:
    for name, values in request.args.lists():
        if len(values) > 1:
            raise invalid_parameters({name: ["Send this parameter only once."]}, status=400)
