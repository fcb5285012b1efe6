"""The walk of one command through the files of the program, as `sys.setprofile` sees it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tests.service.client import Api
from tests.service.factories import join_all

pytestmark = pytest.mark.integration

ROOT = Path(__file__).resolve().parents[3]
RULES = ("events/rules/", "events/titles/")
"""The rules that the command is about."""
CORE = ("events/", "projections/")
"""All that lies below the service: it decides and appends."""


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


def count_as_one(entered: list[str], folders: tuple[str, ...]) -> list[str]:
    """Return a walk in which all files of these *folders* are one."""
    names = [folders[0] if name.startswith(folders) else name for name in entered]
    return [name for name, before in zip(names, ["", *names], strict=False) if name != before]


@pytest.mark.parametrize(
    ("title", "players", "bounds"),
    [
        ("colonies", 3, {(): (34, 103), RULES: (27, 82), CORE: (13, 38)}),
        ("example", 2, {(): (28, 83), CORE: (13, 38)}),
    ],
)
def test_a_command_goes_a_short_way(
    api: Api, title: str, players: int, bounds: dict[tuple[str, ...], tuple[int, int]]
) -> None:
    """One POST enters few files and seldom changes the file, counted one by one and with folders as one.

    With the rules as one file the walk is that of every title, with the core as one that of the service.
    """
    people = [api.account(f"Walker {n} of {title}") for n in range(players)]
    game = join_all(*people, title=title)
    walks = []
    for _ in range(6):  # the first one fills caches; what is looked up again now and then is in some of them
        mover = next(one for one in people if one.get(f"/v1/games/{game}/decisions")["legal"])
        command = mover.get(f"/v1/games/{game}/decisions")["legal"][0]["command"]
        walks.append(walk(lambda: mover.post(f"/v1/games/{game}/commands", command)))  # noqa: B023 - called here
    shortest = min(walks, key=len)
    for folders, (files, changes) in bounds.items():
        entered = count_as_one(shortest, folders)
        assert set(folders[:1]) <= {*entered}
        assert len({*entered}) <= files, sorted({*entered})
        assert len(entered) <= changes, entered
