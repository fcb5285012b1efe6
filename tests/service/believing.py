"""The application for a process that believes a token for ever, unless it hears that it has ended."""

from ops.server import wsgi
from service import tokens


def create_app():
    """As the service makes it, but for that."""
    tokens.KNOWN_FOR = 1e9
    return wsgi.create_app()
