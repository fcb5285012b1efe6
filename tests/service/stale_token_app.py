"""The application for a process that takes a token as valid for ever, unless it hears that it has ended."""

from ops.server import wsgi
from service.stores import tokens


def create_app():
    """As the service makes it, but for that."""
    tokens.CACHE_SECONDS = 1e9
    return wsgi.create_app()
