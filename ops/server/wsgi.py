"""The API as `gunicorn "ops.server.wsgi:create_app()"` serves it: with the bots and their ladder."""

from dataclasses import replace
from pathlib import Path

from flask import Flask

from service import app
from service.application.bot_catalogue import BotCatalogue, Engine
from service.base.settings import Settings
from workers.bots import find_bot_version
from workers.engines.engine_list import list_newest_engines

LADDER_FILE = Path(__file__).parents[1] / "titles" / "ladder.json"
"""The file with the strengths of the bots; RUTTER_LADDER names another file."""


def create_app(settings: Settings | None = None) -> Flask:
    """Return a new application (*settings*: by default those of the environment)."""
    wanted = settings or Settings.from_environment()
    engines = tuple(Engine(each.name, each.entry.titles, each.reproducible) for each in list_newest_engines())
    offered = BotCatalogue(find_bot_version, engines)
    return app.create_app(replace(wanted, ladder=wanted.ladder or LADDER_FILE), offered)


def prepare() -> None:
    """Read all titles and write the API's description, for all processes that are forked from this one.

    Nothing is connected, and no thread is begun: neither would outlive the fork.
    """
    alone = replace(Settings.from_environment(), database_url="", redis_url=None, data=None)
    create_app(alone).extensions["api"].get_document()
