"""The API as `gunicorn "ops.wsgi:create_app()"` serves it: the service, told which bots the workers have."""

from flask import Flask

from service import app
from service.settings import Settings
from workers.bots import bot_names


def create_app(settings: Settings | None = None) -> Flask:
    """A new application (*settings*: by default those of the environment)."""
    return app.create_app(settings or Settings.from_environment(), bot_names())
