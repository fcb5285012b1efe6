"""Clients of Redis: of one server, or of whichever server some Sentinels say is the master now."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from redis import Redis
from redis.sentinel import Sentinel

SENTINEL = "+sentinel"
PORT = 26379
"""The port at which a Sentinel listens if nothing else is said."""


class BadRedisUrl(ValueError):
    """No address of Redis; the message says what is wrong."""


def redis_client(url: str, **settings: Any) -> Redis:
    """Return a client that connects when it is used.

    Args:
        url: `redis://`, `rediss://` (TLS; `?ssl_ca_certs=FILE` names whom to trust) or `unix://` for one
            server; `redis+sentinel://[[user]:password@]HOST[:PORT][,HOST...]/MASTER[/DB]` for the master of
            that name, `rediss+sentinel://` with TLS to Sentinels and servers. `?sentinel_password=` and
            `?sentinel_username=` are for the Sentinels, user and password for the servers.
        settings: of every connection, to the Sentinels too.

    Raises:
        NotAnAddress: *url* names no host, no master, or no number where one belongs.
    """
    scheme = urlsplit(url).scheme
    if not scheme.endswith(SENTINEL):
        return Redis.from_url(url, **settings)
    return _connect_by_sentinels(url, {**settings, **({"ssl": True} if scheme.startswith("rediss") else {})})


def _connect_by_sentinels(url: str, settings: dict[str, Any]) -> Redis:
    parts = urlsplit(url)
    login, _, hosts = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    master, _, database = parts.path.strip("/").partition("/")
    if not master or not hosts:
        raise BadRedisUrl("An address of Sentinels is redis+sentinel://HOST[:PORT][,HOST...]/MASTER[/DB].")
    if database and not database.isdecimal():
        raise BadRedisUrl(f"{database!r} is no number of a database of Redis.")
    said = dict(parse_qsl(parts.query))
    sentinel_login = {name: said.pop(f"sentinel_{name}", None) for name in ("username", "password")}
    sentinels = Sentinel(  # type: ignore[no-untyped-call]
        [_parse_host(one) for one in hosts.split(",")],
        sentinel_kwargs={**settings, **said, **_parse_login(sentinel_login)},
        **settings,
        **said,
    )
    login_of_servers = {"username": unquote(user) or None, "password": unquote(password) or None}
    client: Redis = sentinels.master_for(  # type: ignore[no-untyped-call]
        master, db=int(database or 0), **_parse_login(login_of_servers)
    )
    return client


def _parse_login(login: dict[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in login.items() if value}


def _parse_host(text: str) -> tuple[str, int]:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host:
        raise BadRedisUrl(f"{text!r} is no HOST[:PORT] of a Sentinel.")
    return host, port or PORT
