"""A title in words for people who choose it, set up a table, or learn it: its ``players.toml``.

The file decides nothing, so that it can be bettered without a new version of the title.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

from events.rules.catalogue import package_of
from events.rules.data_files import read
from events.rules.title import Title
from service.openapi.response_structs import MinuteRange, OptionWords, StandingAnswer, TitleAbout

FILE = "players.toml"
ART = "art.toml"


class _About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The title in short, as the file has it."""

    sentence: str
    minutes: tuple[int, int]
    weight: Literal["light", "medium", "heavy"]


class _Option(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An option, as the file has it."""

    name: str
    effect: str
    values: Mapping[str, str] = {}


class _Standing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An answer to choose ahead, as the file has it."""

    text: str
    answers: tuple[Mapping[str, Any], ...]
    until: Literal["turn", "game"] = "turn"
    every: bool = False


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole file."""

    about: _About
    options: Mapping[str, _Option] = {}
    standing: Mapping[str, _Standing] = {}


class TitleGuide(msgspec.Struct, frozen=True):
    """The words of one title for its players."""

    about: TitleAbout | None = None
    """The title in short; None where it has no words."""
    options: Mapping[str, OptionWords] = {}
    """By option of the title its words; empty where it has none."""
    standing: tuple[StandingAnswer, ...] = ()
    """The answers that players may choose ahead, in the order of the file."""


@cache
def load_title_guide(title: Title[Any]) -> TitleGuide:
    """Return the words of a title for players; none at all where it has no file of them."""
    package = package_of(title)
    if not files(package).joinpath(FILE).is_file():
        return TitleGuide()
    found = msgspec.convert(read(package, FILE), _File)
    about = TitleAbout(found.about.sentence, MinuteRange(*found.about.minutes), found.about.weight)
    options = {
        name: OptionWords(one.name, one.effect, dict(one.values)) for name, one in found.options.items()
    }
    standing = tuple(
        StandingAnswer(key, one.text, one.until, [dict(answer) for answer in one.answers], one.every)
        for key, one in found.standing.items()
    )
    return TitleGuide(about, options, standing)


def load_art(title: Title[Any]) -> dict[str, str]:
    """Return the names of the drawings on cards of a title, by how their refs begin; none without a file."""
    package = package_of(title)
    if not files(package).joinpath(ART).is_file():
        return {}
    return msgspec.convert(read(package, ART), dict[str, str])
