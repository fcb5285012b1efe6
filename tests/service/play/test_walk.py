"""The walk of one command through the files of the program, as `sys.setprofile` sees it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median_high
from types import FrameType
from typing import Any

import msgspec
import pytest

from events.rules.fast_chance import FastChance
from ops.benchmark.core import choose_random_command
from projections.tree import append_guard
from service.stores import seat_claims, stream_visibility, tokens
from tests.service.client import Api
from tests.service.factories import join_all

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[3]
RULES = ("events/rules/", "events/titles/")
"""The rules that the command is about."""
CORE = ("events/", "projections/")
"""All that lies below the service: it decides and appends."""
COMMANDS = 41
"""The commands that people give in a game, so that one of them is the median."""
REPEAT = "d2Fsaw." + "00" * 16
"""The seed and salt of the games: they have the same draws each time."""
ASKED_OF_ANALYSES = "service/stores/stream_visibility.py"
"""A game with a seed is for analysis, and may have been put away: of no other game that is asked."""


def walk(call: Callable[[], object]) -> list[str]:
    """Return the files that *call* enters, in their order: the one before is always another one."""
    entered: list[str] = []

    def profile(frame: FrameType, event: str, _argument: Any) -> None:
        if event != "call":
            return
        path = Path(frame.f_code.co_filename)
        if ROOT in path.parents:
            name = path.relative_to(ROOT).as_posix()
            if name.split("/")[0] in ("events", "projections", "service") and entered[-1:] != [name]:
                entered.append(name)

    sys.setprofile(profile)
    try:
        call()
    finally:
        sys.setprofile(None)
    return entered


def leave_out(entered: list[str], left_out: str) -> list[str]:
    """Return a walk without one file."""
    names = [name for name in entered if name != left_out]
    return [name for name, before in zip(names, ["", *names], strict=False) if name != before]


def count_as_one(entered: list[str], folders: tuple[str, ...]) -> list[str]:
    """Return a walk in which all files of these *folders* are one."""
    names = [folders[0] if name.startswith(folders) else name for name in entered]
    return [name for name, before in zip(names, ["", *names], strict=False) if name != before]


AIM = (30, 120)
"""The most files that a command should enter, and the most changes of file."""
WALKS = {
    "example": ((21, 72), (23, 74), 12),
    "colonial": ((26, 84), (28, 105), 33),
    "colonial_empires": ((24, 82), (27, 96), 33),
    "colonial_revised": ((24, 86), (26, 99), 34),
    "colonialism": ((26, 84), (28, 96), 33),
    "colonies": ((25, 88), (28, 100), 33),
}
"""By title the files of a walk, and how often it changes the file: of the shortest one, and of the median.

Then how many of the commands keep to the aim.
"""
CACHED = (1, 5, 2)
"""Files and changes by which a median may differ, and commands that may miss the aim besides.

In a long run, tests before it leave other things in caches.
"""
PARTS = {RULES: (20, 68), CORE: (10, 29)}
"""The same of Colonies with folders as one file, of the walk that is the shortest then.

With the rules as one the walk is that of every title, with the core as one that of the service.
"""


@pytest.mark.parametrize("title", WALKS)
def test_a_command_goes_a_short_way(api: Api, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One POST enters few files and seldom changes the file.

    The same random commands are given in two games. The first one fills caches. What is looked up again now
    and then is not looked up again here.
    """
    for module in (append_guard, seat_claims, stream_visibility, tokens):
        monkeypatch.setattr(module, "CACHE_SECONDS", 3600.0)
    people = [api.account(f"Walker {n} of {title}") for n in range(2 if title == "example" else 3)]
    for post in play_at_random(people, title):
        post()
    walks = [leave_out(walk(post), ASKED_OF_ANALYSES) for post in play_at_random(people, title)]
    shortest, median, within = WALKS[title]
    more_files, more_changes, fewer = CACHED
    files, changes = [len({*entered}) for entered in walks], [len(entered) for entered in walks]
    assert median_high(files) <= median[0] + more_files, sorted(files)
    assert median_high(changes) <= median[1] + more_changes, sorted(changes)
    walked = list(zip(files, changes, strict=True))
    most_files, most_changes = AIM
    assert sum(n <= most_files and m <= most_changes for n, m in walked) >= within - fewer, walked
    bounds = {(): shortest} | (PARTS if title == "colonies" else {})
    for folders, (most_files, most_changes) in bounds.items():
        entered = min((count_as_one(names, folders) for names in walks), key=len)
        assert set(folders[:1]) <= {*entered}
        assert len({*entered}) <= most_files, sorted({*entered})
        assert len(entered) <= most_changes, entered


def play_at_random(people: Sequence[Api], title: str) -> Iterator[Callable[[], object]]:
    """Begin a game; yield its next commands, each to be given before the next is asked for."""
    game_id = join_all(*people, title=title, repeat=REPEAT)
    games, chance = people[0].app.extensions["rutter"].games, FastChance(1)
    given = 0
    while given < COMMANDS and (game := games.load(game_id)).status == "running":
        seat, command = choose_random_command(game.title, game.state, chance)
        if seat is None:
            games.command(game_id, None, command)
            continue
        body = msgspec.to_builtins(command, str_keys=True)
        yield partial(people[seat].post, f"/v1/games/{game_id}/commands", body)
        given += 1
