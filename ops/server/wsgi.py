"""The API as `gunicorn "ops.server.wsgi:create_app()"` serves it: with the bots and their ladder."""

from dataclasses import replace
from pathlib import Path

from flask import Flask

from events.rules.catalogue import has_others, title_ids, versions
from ops.server.program_files import hash_program
from service import app
from service.base.bot_catalogue import BotCatalogue, OfferedEngine
from service.base.kept_text import KeptText
from service.base.settings import Settings
from workers.bots import find_bot_version
from workers.engines.engine_list import list_newest_engines

LADDER_FILE = Path(__file__).parents[1] / "titles" / "ladder.json"
"""The file with the strengths of the bots; RUTTER_LADDER names another file."""

DESCRIPTION_FILE = "openapi.kept"
"""The file in the data folder that has the API's description for the next start."""


def create_app(settings: Settings | None = None) -> Flask:
    """Return a new application (*settings*: by default those of the environment)."""
    wanted = settings or Settings.from_environment()
    engines = tuple(
        OfferedEngine(each.name, each.entry.titles, each.reproducible) for each in list_newest_engines()
    )
    offered = BotCatalogue(find_bot_version, engines)
    return app.create_app(replace(wanted, ladder=wanted.ladder or LADDER_FILE), offered)


def prepare() -> None:
    """Read all titles and the API's description, for all processes that are forked from this one.

    The description is written where the data folder has none of this very program. Nothing is connected, and
    no thread is begun: neither would outlive the fork.
    """
    settings = Settings.from_environment()
    api = create_app(replace(settings, database_url="", redis_url=None, data=None)).extensions["api"]
    for title_id in title_ids():
        versions(title_id)
    kept = None
    if settings.data is not None and not has_others():  # of other people's titles nobody knows all files
        kept = KeptText(settings.data / DESCRIPTION_FILE, f"{hash_program()} {api.describe_settings()}")
    api.get_document(kept)
