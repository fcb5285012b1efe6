"""The facts of talk: it is opened, and a seat says something, of which it holds a digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from events.rules.fact import Fact, Seat, Who
from events.talk.state import Talk


class TalkOpened(Fact, frozen=True):
    """The talk at the table of a game is opened; nothing was said yet."""

    game: str
    """The id of the game."""
    first: str
    """The hash (hex) of the game's first event."""

    def fold(self, state: Talk) -> Talk:
        return replace(state, game=self.game, first=self.first)

    @staticmethod
    def tell(_data: Mapping[str, Any], _who: Who) -> str:
        """Return the sentence that tells the event."""
        return "The talk at the table is opened."


class Said(Fact, frozen=True):
    """A seat said something, aloud or to some seats. The words stand beside the log and can be erased."""

    at_event: int
    """The newest event of the game when it was said."""
    digest: str
    """The digest (base64) of the words and their salt."""
    head: str
    """The hash (hex) of event `at_event`."""
    key: str | None
    """The public key (hex) of the seat at that event; null without one."""
    seat: Seat
    """The seat that spoke."""
    to: tuple[Seat, ...] | None
    """The seats to which it was whispered; null for all who may see the game."""

    def fold(self, state: Talk) -> Talk:
        return replace(state, at_event=self.at_event, game_head=self.head)

    @staticmethod
    def tell(data: Mapping[str, Any], who: Who) -> str:
        """Return the sentence that tells the event."""
        to: tuple[Seat, ...] | None = data["to"]
        if to is None:
            return f"{who(data['seat'])} spoke."
        return f"{who(data['seat'])} whispered to {' and '.join(map(who, to))}."
