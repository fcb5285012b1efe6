"""The addresses of Postgres and Redis, for every part that connects to them."""

from typing import NamedTuple


class ServerAddresses(NamedTuple):
    """URLs of the database and of Redis."""

    database: str
    """The database, as the service logs in."""
    owner: str
    """The same database, by the login that owns the tables."""
    redis: str
