"""Requests that tests send, with sensible defaults."""

from __future__ import annotations

import uuid
from typing import Any

import factory

TITLE = "colonial_empires"
"""The title that the service is tested with, where it does not matter which."""
MANY_ACCOUNTS = '[accounts]\nanonymous = "10000/hour"\n'
"""A figure of limits: tests make accounts at one address, again and again."""


class You(factory.DictFactory):
    """A seat for me."""

    you = True


class Bot(factory.DictFactory):
    """A seat for a bot."""

    bot = "steady"


class Open(factory.DictFactory):
    """A seat for anyone who comes."""

    open = True


class GameRequest(factory.DictFactory):
    """A game: for me alone at all its seats, unless said otherwise."""

    class Params:
        hotseat = 3
        analysis = factory.Trait(seed=factory.LazyFunction(lambda: uuid.uuid4().hex))
        table = factory.Trait(seats=factory.LazyAttribute(lambda o: [You(), *[Open()] * (o.hotseat - 1)]))

    title = TITLE
    options = factory.Dict({})
    seats = factory.LazyAttribute(lambda o: [You() for _ in range(o.hotseat)])


def join_all(api: Any, *others: Any, title: str = TITLE, **more: Any) -> str:
    """A running game of *api* (seat 0) and *others* (1, 2, ...): its id. *more*: members of the request."""
    request = GameRequest(title=title, seats=[You(), *[Open() for _ in others]], **more)
    game = api.post("/v1/games", request, status=201)
    for other in others:
        game = other.post(f"/v1/games/{game['id']}/join", {})
    assert game["status"] == "running"
    return str(game["id"])


def in_days(days: int) -> str:
    """A UUIDv7 that a device made whose clock stands so many days after the beginning of the year 2100."""
    milliseconds = 4_102_444_800_000 + days * 86_400_000
    time = milliseconds.to_bytes(6, "big").hex()
    return f"{time[:8]}-{time[8:]}-7{uuid.uuid4().hex[:3]}-8{uuid.uuid4().hex[:3]}-{uuid.uuid4().hex[:12]}"
