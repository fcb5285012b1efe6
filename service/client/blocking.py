"""The client for programs that wait for each answer: the same coroutines, which here never suspend."""

import functools
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import AbstractContextManager
from typing import Any, Concatenate, ParamSpec, TypeVar, Unpack

from .answers import Turn
from .core import AsyncClient, OnTurn, Settings

P = ParamSpec("P")
T = TypeVar("T")


class _Core(AsyncClient):
    """Waits in the thread of the caller, in place of an event loop."""

    async def _io(self, work: Callable[[], T]) -> T:
        return work()

    async def _sleep(self, seconds: float) -> None:
        time.sleep(seconds)  # noqa: ASYNC251 - there is no loop

    async def _ask(self, on_turn: OnTurn, turn: Turn) -> Any:
        return on_turn(turn)


def _finish(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that never suspends, and return its result."""
    try:
        work.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise TypeError("a blocking client cannot await: use AsyncClient")


def _call(
    function: Callable[Concatenate[AsyncClient, P], Coroutine[Any, Any, T]],
) -> Callable[Concatenate["Client", P], T]:
    """Return the method that blocks in place of being awaited."""

    @functools.wraps(function)
    def call(client: "Client", /, *args: P.args, **settings: P.kwargs) -> T:
        return _finish(function(client.core, *args, **settings))

    return call


def _each(
    function: Callable[Concatenate[AsyncClient, P], AsyncGenerator[T, None]],
) -> Callable[Concatenate["Client", P], Generator[T, None, None]]:
    """Return the method that blocks in place of an asynchronous iterator."""

    @functools.wraps(function)
    def each(client: "Client", /, *args: P.args, **settings: P.kwargs) -> Generator[T, None, None]:
        items = function(client.core, *args, **settings)
        try:
            while True:
                try:
                    item = _finish(items.__anext__())
                except StopAsyncIteration:
                    return
                yield item
        finally:
            _finish(items.aclose())

    return each


class Client(AbstractContextManager["Client"]):
    """An account at a server, for programs that wait for each answer. Safe for use by many threads.

    The arguments are those of `AsyncClient`, as are the methods; `core` is the one that does the work.
    """

    def __init__(self, server: str, token: str | None = None, **settings: Unpack[Settings]) -> None:
        self.core: AsyncClient = _Core(server, token, **settings)

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def token(self) -> str | None:
        """The token of the account."""
        return self.core.token

    def close(self) -> None:
        """Let all connections go."""
        self.core.close()

    request = _call(AsyncClient.request)
    read = _call(AsyncClient.read)
    sign_up = _call(AsyncClient.sign_up)
    create = _call(AsyncClient.create)
    join = _call(AsyncClient.join)
    reveal = _call(AsyncClient.reveal)
    look = _call(AsyncClient.look)
    at = _call(AsyncClient.at)
    act = _call(AsyncClient.act)
    play = _call(AsyncClient.play)
    games = _each(AsyncClient.games)
    follow = _each(AsyncClient.follow)
    news = _each(AsyncClient.news)
    stream = _each(AsyncClient.stream)
