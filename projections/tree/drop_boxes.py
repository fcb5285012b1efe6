"""Reveals that players posted to drop boxes of witnesses, collected before a game calls any missing."""

from __future__ import annotations

import hashlib
import json
import time
import urllib.request
from collections.abc import Callable, Iterable
from contextlib import suppress
from http.client import HTTPException

import structlog

from events.base.timestamps import add_milliseconds
from events.rules.steps import Rejected
from events.store.games import Games
from events.table import commit_reveal
from events.table.game import Game
from events.table.terms import MIN_REVEAL_MS
from events.tlog import drops
from events.tlog.drops import Drop
from events.tlog.notes import BadNote

ANSWER_SECONDS = 2.0
"""Seconds to wait for a drop box, while other games wait for the worker."""
SILENT_SECONDS = 30.0
"""Seconds for which one that did not answer is not asked again."""
MAX_ANSWER_BYTES = 256 * 1024
"""Bytes of its answer."""
POSTPONED_MS = 600_000
"""The time for which a game waits for a drop box that does not answer, once the reveals are due."""

log = structlog.get_logger()


class DropBoxes:
    """The drop boxes that this server collects reveals from.

    Anybody can drop anything, so a drop counts if the seat had committed to it: then it is the seat's reveal,
    whichever way it came.

    Args:
        urls: the addresses of the witnesses.
        clock: gives seconds that only rise.
    """

    def __init__(self, urls: Iterable[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._urls = tuple(urls)
        self._clock = clock
        self._silent: dict[str, float] = {}
        """By address when it was asked in vain."""

    def advance_opening(self, games: Games, game: Game) -> Game:
        """Return *game* after all that the server does by itself before it begins.

        No reveal is called missing that a drop box has, nor while one does not answer, for a while.
        """
        at = games.next_time(game)
        if commit_reveal.is_reveal_missing(game) and commit_reveal.is_due(game, at):
            game, answered = self.collect(games, game)
            if _is_postponed(game, at, answered=answered):
                return game
        return games.advance_opening(game)

    def prepare_beginning(self, games: Games, game: Game) -> None:
        """Collect the reveals of a *game* that is to begin as soon as it can.

        Raises :class:`Rejected` while a drop box does not answer.
        """
        game, answered = self.collect(games, game)
        if _is_postponed(game, games.next_time(game), answered=answered, asked=True):
            raise Rejected(
                "reveals_open",
                "A reveal is missing, and a drop box where it may lie does not answer. Try again later.",
            )

    def collect(self, games: Games, game: Game) -> tuple[Game, bool]:
        """Record the reveals of seats of *game* that are missing, as far as a drop box has them.

        Return the game after that, and True if every drop box has answered.
        """
        answered = True
        for url in self._urls if commit_reveal.is_reveal_missing(game) else ():
            found = self._ask(url, game)
            answered = answered and found is not None
            for drop in found or ():
                if commit_reveal.is_awaited_reveal(game, drop.seat, drop.contribution):
                    with suppress(Rejected):  # another process was quicker
                        games.reveal(game.id, drop.seat, drop.contribution.hex())
                    game = games.load(game.id)
        return game, answered

    def _ask(self, url: str, game: Game) -> list[Drop] | None:
        """Return what a drop box holds for *game*; None if it does not answer."""
        now = self._clock()
        if now < self._silent.get(url, now) + SILENT_SECONDS and url in self._silent:
            return None
        found = _ask_drop_box(url, game)
        if found is None:
            self._silent[url] = now
        else:
            self._silent.pop(url, None)
        return found


def _is_postponed(game: Game, at: str, *, answered: bool, asked: bool = False) -> bool:
    """Return True if *game* still waits for a drop box that has not *answered*.

    *asked*: a player of the table wants it to begin as soon as that is possible.
    """
    if answered or not commit_reveal.is_reveal_missing(game):
        return False
    due = add_milliseconds(game.full_at, MIN_REVEAL_MS) if asked else commit_reveal.next_due(game)
    return due is None or at < add_milliseconds(due, POSTPONED_MS)


def _ask_drop_box(url: str, game: Game) -> list[Drop] | None:
    """Return what a drop box holds for *game*; None if it does not answer."""
    origin = hashlib.sha256(game.service.encode()).hexdigest()
    address = f"{url.rstrip('/')}/drops/{origin}/{game.id}"
    try:
        with urllib.request.urlopen(address, timeout=ANSWER_SECONDS) as answer:  # noqa: S310 - http or https: RUTTER_WITNESSES
            text = answer.read(MAX_ANSWER_BYTES)
    except (OSError, HTTPException) as problem:
        log.warning("drop_box_not_asked", witness=url, game=game.id, reason=str(problem))
        return None
    found = []
    for line in text.splitlines():
        with suppress(BadNote, ValueError, LookupError, TypeError):
            found.append(drops.peek(json.loads(line)["note"]).drop)
    return [drop for drop in found if (drop.origin, drop.game) == (game.service, game.id)]
