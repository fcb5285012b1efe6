"""The application: everything put together."""

from __future__ import annotations

import mimetypes
from collections.abc import Callable
from typing import Any

import structlog
from flask import Flask, Response, request

from events.store.entropy import configured_seed
from service import access_log, deadlines, throttle
from service.api import (
    accounts,
    advice,
    clubs,
    exports,
    feeds,
    follow,
    forks,
    games,
    health,
    invitations,
    keys,
    me,
    notes,
    odds,
    pages,
    past,
    play,
    position,
    ratings,
    titles,
    tokens,
    tournament_log,
    tournament_tables,
    tournaments,
    tree,
    vacation,
    webhooks,
)
from service.api.openapi import make_api
from service.offered import Engine, Offered
from service.process import build
from service.settings import Settings
from service.wire import compression, headers, problems, requests

log = structlog.get_logger()

RESOURCES = (
    accounts, me, tokens, vacation, feeds, webhooks, titles, games, invitations, clubs, play, past, position,
    exports, follow, forks, tournaments, tournament_tables, tournament_log,
    odds, advice, notes, ratings, keys, tree, health,
)  # fmt: skip


class _Application(Flask):
    """Flask where nothing is a coroutine: it would ask that of every function, for every request."""

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """*func*, as it is."""
        return func


def create_app(settings: Settings, bots: tuple[str, ...], engines: tuple[Engine, ...] = ()) -> Flask:
    """A new application that offers the *bots* of these names, weakest first, and those *engines*.

    Nothing is connected before the first request, so a process may fork after this.
    """
    access_log.configure()
    if configured_seed():
        log.warning("test_seed", why="secrets follow from RUTTER_TEST_SEED: for tests alone")
    for kind, ending in (("text/javascript", ".js"), ("image/svg+xml", ".svg"), ("text/css", ".css")):
        mimetypes.add_type(kind, ending)  # some systems map these wrongly, and `nosniff` forbids guessing
    app = _Application("service", static_folder="static", static_url_path="/static")
    app.url_map.merge_slashes = False  # an address with two slashes is another address, not a redirection
    process = build(settings, Offered(bots, engines))
    app.config["MAX_CONTENT_LENGTH"] = process.figures.request.bytes
    app.extensions["rutter"] = process
    app.extensions["hub"] = process.hub
    api = make_api(app, process.offered.every, beacons=settings.beacon_url is not None)
    app.extensions["api"] = api
    problems.register(app)
    compression.install(app)
    headers.install(app)
    access_log.install(app, process)
    deadlines.install(app, process.figures.wait)
    requests.install(app)
    throttle.install(app, process)
    for resource in RESOURCES:
        api.register_blueprint(resource.blp)
    app.register_blueprint(pages.blp)
    app.after_request(_revalidate)
    process.hints.listen(process.heard, process.missed)
    return app


def _revalidate(answer: Response) -> Response:
    """The page's files may be kept, but are asked for again: a new version must not meet an old half."""
    if request.path.startswith(("/static/", "/docs")) and "Cache-Control" not in answer.headers:
        answer.headers["Cache-Control"] = "no-cache"
    return answer
