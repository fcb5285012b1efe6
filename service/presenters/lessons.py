"""The guided first turn of a title: ``lesson.toml`` has its sentences, ``lesson.json`` its position.

Both decide nothing, so that they can be bettered without a new version of the title.
"""

from __future__ import annotations

from importlib.resources import files
from typing import Any

import msgspec

from events.rules.catalogue import find_title, package_of
from events.rules.data_files import load
from events.rules.title import Title
from service.openapi.response_structs import Lesson, LessonStep

FILE, POSITION = "lesson.toml", "lesson.json"


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sentences and commands, as the file has them."""

    seats: int
    steps: list[LessonStep]
    asides: list[LessonStep] = []


def has_lesson(title: Title[Any]) -> bool:
    """Return True if *title*, in its newest version, has a guided first turn."""
    folder = files(package_of(title))
    return title is find_title(title.id) and folder.joinpath(FILE).is_file()


def load_lesson(title: Title[Any]) -> Lesson:
    """Return the guided first turn of a title that has one."""
    package = package_of(title)
    told = load(package, FILE, _File)
    position = msgspec.json.decode(files(package).joinpath(POSITION).read_bytes())
    return Lesson(title.id, title.version, told.seats, position, told.steps, told.asides)


def find_meant(step: LessonStep, legal: list[Any]) -> Any | None:
    """Return the first of the *legal* commands, as JSON, that has all members of the step's command."""
    return next((told for told in legal if _has_all(told, step.command)), None)


def _has_all(told: Any, wanted: Any) -> bool:
    if isinstance(told, dict) and isinstance(wanted, dict):
        return all(name in told and _has_all(told[name], inner) for name, inner in wanted.items())
    return bool(told == wanted)
