"""The application: everything put together."""

from __future__ import annotations

import mimetypes

import structlog
from flask import Flask

from events.base import logging_setup
from events.store.entropy import find_configured_seed
from service.api import (
    clubs,
    commands,
    docs_pages,
    exports,
    game_stream,
    games,
    health,
    history,
    invitations,
    notes,
    pages,
    ratings,
    signing_keys,
    talk,
    titles,
    tournament_history,
    tournament_standings,
    tournaments,
    transparency_log,
)
from service.api.account import (
    accounts,
    notifications,
    profile,
    push_subscriptions,
    tokens,
    vacations,
    webhooks,
)
from service.api.analysis import bot_advice, forks, game_reviews, positions, war_odds
from service.api.openapi_document import make_api
from service.application import throttling
from service.application.container import build_services
from service.base.bot_catalogue import BotCatalogue
from service.base.settings import Settings
from service.http import problems, request_data, responses

log = structlog.get_logger()

RESOURCES = (
    accounts, profile, tokens, vacations, notifications, webhooks, push_subscriptions, titles, games,
    invitations, clubs, commands, talk, history, positions, exports, game_stream, forks, tournaments,
    tournament_standings, tournament_history, war_odds, bot_advice, game_reviews, notes, ratings,
    signing_keys, transparency_log, health,
)  # fmt: skip


def create_app(settings: Settings, offered: BotCatalogue) -> Flask:
    """Return a new application at whose tables these bots and engines are *offered*.

    Nothing is connected before the first request, so a process may fork after this.
    """
    if not structlog.is_configured():  # else the process has chosen otherwise
        logging_setup.configure_logging()
    if find_configured_seed():
        log.warning("test_seed", why="secrets follow from RUTTER_TEST_SEED: for tests alone")
    for kind, ending in (("text/javascript", ".js"), ("image/svg+xml", ".svg"), ("text/css", ".css")):
        mimetypes.add_type(kind, ending)  # some systems map these wrongly, and `nosniff` forbids guessing
    app = Flask("service", static_folder="static", static_url_path="/static")
    app.url_map.merge_slashes = False  # an address with two slashes is another address, not a redirection
    services = build_services(settings, offered)
    app.config["MAX_CONTENT_LENGTH"] = services.limits.request.bytes
    app.extensions["rutter"] = services
    app.extensions["hub"] = services.stream_hub
    api = make_api(app, services.bot_catalogue, beacons=settings.beacon_url is not None)
    app.extensions["api"] = api
    problems.register_error_handlers(app)
    request_data.install(app, services.limits.wait)
    responses.install(app, services.request_metrics, log_requests=settings.log_requests)
    throttling.install(app, services)
    for resource in RESOURCES:
        api.register_blueprint(resource.blp)
    app.register_blueprint(pages.blp)
    app.register_blueprint(docs_pages.blp)
    services.hints.listen(services.receive_hint, services.handle_lost_hints, services.has_streams)
    return app
