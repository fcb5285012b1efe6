"""The phrases of a title: sentences with slots that players can say, as data that can be translated.

They stand in ``phrases.toml`` beside the newest version of a title, and games under older versions have them
too. A slot holds a seat, or an area of the title's board.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from string import Formatter
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from events.rules import data_files
from events.rules.catalogue import find_title, package_of
from events.rules.fact import Seat
from events.rules.title import Title

FILE = "phrases.toml"
SlotKind = Literal["seat", "area"]


class Phrase(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence with slots."""

    id: Annotated[str, Meta(pattern="^[a-z][a-z0-9_]{0,39}$")]
    text: Annotated[str, Meta(max_length=160)]
    """The sentence, with each slot in braces, such as ``Leave {area} to me.``"""
    slots: dict[str, SlotKind] = {}
    """The kind of each slot, by its name."""


class PhraseList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All phrases of a title."""

    phrases: tuple[Phrase, ...] = ()
    areas: str = ""
    """The place of the areas in the title's board, with dots: a list of objects with a name."""


class BadSlots(ValueError):
    """Slots that do not fit their phrase: the message says what to send."""


@cache
def load_phrases(title_id: str) -> PhraseList:
    """Return the phrases of a title; none where it has no list."""
    package = package_of(find_title(title_id))
    try:
        found = data_files.load(package, FILE, PhraseList)
    except FileNotFoundError:
        return PhraseList()
    for phrase in found.phrases:
        named = {name for _, name, _, _ in Formatter().parse(phrase.text) if name is not None}
        if named != set(phrase.slots):
            raise ValueError(f"{title_id}: the phrase {phrase.id} has other slots than its text")
    return found


def list_areas(title: Title[Any], phrases: PhraseList) -> Mapping[str, str]:
    """Return the areas of a title's board that slots can hold: names by id."""
    if not phrases.areas:
        return {}
    place: Any = title.board
    for key in phrases.areas.split("."):
        place = place[key]
    return {str(area.get("id", area.get("key"))): str(area["name"]) for area in place}


def find_phrase(phrases: PhraseList, phrase_id: str) -> Phrase | None:
    """Return the phrase of that id; None where there is none."""
    return next((phrase for phrase in phrases.phrases if phrase.id == phrase_id), None)


def fill(
    phrase: Phrase,
    slots: Mapping[str, int | str],
    seats: Sequence[Seat],
    areas: Mapping[str, str],
    name_seat: Callable[[Seat], str],
) -> str:
    """Return the sentence of a phrase with its slots filled. Raises :class:`BadSlots`."""
    if set(slots) != set(phrase.slots):
        wanted = ", ".join(phrase.slots) or "none"
        raise BadSlots(f"This phrase has other slots. Send these: {wanted}.")
    words = {}
    for name, value in slots.items():
        if phrase.slots[name] == "seat":
            if type(value) is not int or value not in seats:
                raise BadSlots(f"The slot {name} holds a seat. Send the number of a seat of this game.")
            words[name] = name_seat(value)
        else:
            if value not in areas:
                raise BadSlots(f"The slot {name} holds an area. Send one of: {', '.join(areas)}.")
            words[name] = areas[str(value)]
    return phrase.text.format(**words)
