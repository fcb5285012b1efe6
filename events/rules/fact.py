"""A fact: something that happened, as one thing.

Its fields, which of them are secret, which random draw they show, what the fact changes and how it is
told stand in one class, so that a rule's event is read in one place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec

from events.rules.bounds import SEAT
from events.rules.draw_binding import Drawing

Json = dict[str, Any]
Seat = Annotated[int, SEAT]
"""The number of a seat: 0, 1, ... clockwise."""
Who = Callable[[Seat], str]
"""Names a seat in a sentence, such as ``the Spanish (seat 1)``."""
Telling = Callable[[Mapping[str, Any], Who], str]
"""``(data, who) -> sentence``."""
if TYPE_CHECKING:
    Told = staticmethod[[Mapping[str, Any], Who], str]
    Beside = staticmethod[[Mapping[str, Any], Any], Mapping[str, Any]]
else:  # the class itself takes no parameters before Python 3.14
    Told = staticmethod
    Beside = staticmethod
"""A telling as it stands in the class of a fact: a static method, written out or made by ``says``; what is
added to its data is a static method of ``(data, state)``."""

NOBODY: tuple[str, ...] = ()
"""The audience of a secret that no seat may know while the game runs."""


def snake(name: str) -> str:
    """``PlayEventCard`` -> ``play_event_card``.

    >>> snake("PlayEventCard")
    'play_event_card'
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _require_sentence(_data: Mapping[str, Any], _who: Who) -> str:
    raise NotImplementedError("every fact needs a sentence: tell = says(...)")


def _add_nothing(_data: Mapping[str, Any], _state: Any) -> Mapping[str, Any]:
    return {}


class Fact(msgspec.Struct, frozen=True, tag_field="type"):
    """Something that happened: the content of one event, with all random outcomes in it."""

    secrets: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Secret fields and their audiences: ``{"cards": ("seat",), "give.hand_cards": ("from_", "to")}``.

    Keys are field names as they stand in JSON, dotted for a field inside an object. Values
    are the Python names of fields of the same fact that hold the seats who may know (each
    a seat number, a tuple of them or None); :data:`NOBODY` hides the field from every seat.
    Redaction is generic: a title never filters by hand.
    """

    discloses: ClassVar[bool] = False
    """True if it can tell some seat, without a draw, what that seat could not know before.

    So does a card that leaves a hand, a sealed answer that is opened, a look at what is hidden, a choice that
    only cards in a hidden hand allow. Nothing can be taken back over such a fact.
    """

    drawn: ClassVar[Mapping[str, Drawing]] = {}
    """Public fields that show a public draw, in the order of drawing: ``{"roll": dice(D6)}``.

    The public draws of a command are used up by these fields of its facts, in order, none left and none
    lacking: so anyone can check a die against the event that shows it (`draw_binding.py`).
    """

    tell: ClassVar[Told] = staticmethod(_require_sentence)
    """The sentence of the history: ``tell = says("{seat:who} lost {amount:fortunes}.")``, or a static method
    of ``(data, who)``. *data* is the fact's JSON; secret fields that the reader may not know are absent from
    it, and the sentence must be good without them."""

    beside: ClassVar[Beside] = staticmethod(_add_nothing)
    """Additions of a history to *data*, from the table as it stands after the fact.

    They are for a sentence that says more than is recorded: only what everybody may see. The sentence must be
    good without them."""

    def fold(self, state: Any) -> Any:
        """Return the state after this fact (by default as it was): never rejects, draws, or reads a clock."""
        return state


@cache
def type_name(kind: type[msgspec.Struct]) -> str:
    """Return the name that stands in JSON for this command or fact type.

    It is asked for every event that is written, and msgspec makes the configuration again each time.

    >>> class CardPlayed(Fact, frozen=True): ...
    >>> type_name(CardPlayed)
    'CardPlayed'
    """
    return str(kind.__struct_config__.tag)


def facts_in(*modules: ModuleType) -> tuple[type[Fact], ...]:
    """Return all facts that *modules* define, in the order of their definition."""
    return tuple(
        kind
        for module in modules
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, Fact) and kind.__module__ == module.__name__
    )
