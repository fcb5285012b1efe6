"""The API as `gunicorn "ops.wsgi:create_app()"` serves it: the service, told which bots the workers have."""

from dataclasses import replace

from flask import Flask

from service import app
from service.settings import Settings
from workers.bots import bot_names


def create_app(settings: Settings | None = None) -> Flask:
    """A new application (*settings*: by default those of the environment)."""
    return app.create_app(settings or Settings.from_environment(), bot_names())


def prepare() -> None:
    """Read all titles and write the API's description, for all processes that are forked from this one.

    Nothing is connected, and no thread is begun: neither would outlive the fork.
    """
    alone = replace(Settings.from_environment(), database_url="", redis_url=None, data=None)
    create_app(alone).extensions["api"].written()
