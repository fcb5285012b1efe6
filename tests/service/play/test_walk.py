"""The walk of one command through the files of the program, as `sys.setprofile` sees it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

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


WALKS = {
    "example": (25, 75),
    "colonial": (32, 93),
    "colonial_empires": (28, 91),
    "colonial_revised": (38, 142),
    "colonialism": (30, 86),
    "colonies": (30, 95),
}
"""By title the files of the shortest walk, and how often it changes the file."""
PARTS = {RULES: (24, 75), CORE: (11, 35)}
"""The same of Colonies with folders as one file.

With the rules as one the walk is that of every title, with the core as one that of the service.
"""


@pytest.mark.parametrize("title", WALKS)
def test_a_command_goes_a_short_way(api: Api, title: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One POST enters few files and seldom changes the file: of six commands the shortest walk counts.

    The first ones fill caches. What is looked up again now and then is not looked up again here.
    """
    for module in (append_guard, seat_claims, stream_visibility, tokens):
        monkeypatch.setattr(module, "CACHE_SECONDS", 3600.0)
    people = [api.account(f"Walker {n} of {title}") for n in range(2 if title == "example" else 3)]
    game = join_all(*people, title=title, repeat=REPEAT)
    walks = []
    for _ in range(6):
        mover = next(one for one in people if one.get(f"/v1/games/{game}/decisions")["legal"])
        command = mover.get(f"/v1/games/{game}/decisions")["legal"][0]["command"]
        walks.append(walk(lambda: mover.post(f"/v1/games/{game}/commands", command)))  # noqa: B023 - called here
    shortest = min((leave_out(entered, ASKED_OF_ANALYSES) for entered in walks), key=len)
    bounds = {(): WALKS[title]} | (PARTS if title == "colonies" else {})
    for folders, (files, changes) in bounds.items():
        entered = count_as_one(shortest, folders)
        assert set(folders[:1]) <= {*entered}
        assert len({*entered}) <= files, sorted({*entered})
        assert len(entered) <= changes, entered
