"""The query strings that the API takes."""

from __future__ import annotations

import re
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from events.canonical import LARGEST
from service.names import HANDLE

MOST = 1000
"""Most items of a page."""
USUAL = 200


def _nothing() -> None:
    """The default of what need not be given; as a function it does not show up as ``default: null``."""


class Whole(fields.Integer):
    """A whole number in plain digits (`.0` behind it is forgiven: some clients write integers so)."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,16}(\.0)?", value):
            raise self.make_error("invalid", input=value)
        return int(value.removesuffix(".0"))


class Flag(fields.Boolean):
    """``true`` or ``false``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise ma.ValidationError("Say true or false.")
        return bool(value == "true")


class SeatOrSpectator(fields.Field[Any]):
    """A seat number, or the word ``spectator``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> int | str:
        if value == "spectator":
            return "spectator"
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,2}(\.0)?", value):
            raise ma.ValidationError("Give the number of one of your seats, or spectator.")
        return int(value.removesuffix(".0"))


class GameId(fields.Field[Any]):
    """A UUID in its usual form."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> str:
        if not isinstance(value, str) or not UUID.fullmatch(value):
            raise ma.ValidationError("Give the id of a game.")
        return value.lower()


UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def _whole(low: int, high: int, description: str, **settings: Any) -> Whole:
    return Whole(validate=validate.Range(low, high), metadata={"description": description}, **settings)


class Query(ma.Schema):
    """Unknown parameters are refused: a misspelt one would silently show something else."""

    class Meta:
        """See the class."""

        unknown = ma.RAISE


class _Seat(Query):
    seat = SeatOrSpectator(
        load_default=_nothing,
        metadata={
            "description": "Which of my seats looks (default: my lowest), or `spectator` for the public view."
        },
    )


class Look(_Seat):
    """Looking at a game."""

    at = _whole(1, LARGEST, "As it was after this event (default: the newest).", load_default=_nothing)


class OwnSeat(_Seat):
    """Only the seat."""


class Page(_Seat):
    """A part of the log."""

    after = _whole(0, LARGEST, "Only what came after this event.", load_default=0)
    limit = _whole(1, MOST, "Most items of the answer.", load_default=USUAL)


class Follow(_Seat):
    """A live stream."""

    after = _whole(0, LARGEST, "Begin after this event; `Last-Event-ID` wins over it.", load_default=_nothing)


class Lobby(Query):
    """A list of games."""

    status = fields.String(
        load_default=_nothing,
        validate=validate.OneOf(["open", "running", "finished", "abandoned"]),
        metadata={"description": "Only games of this status."},
    )
    title = fields.String(load_default=_nothing, metadata={"description": "Only games of this title."})
    mine = Flag(load_default=False, metadata={"description": "Only games where I sit (needs a token)."})
    seat_free = Flag(
        load_default=False,
        metadata={"description": "Only games that have begun and where somebody may take over a seat."},
    )
    limit = _whole(1, MOST, "Most items of the answer.", load_default=50)
    after = GameId(
        load_default=_nothing, metadata={"description": "Only games older than this one (see `next`)."}
    )


class Version(Query):
    """One version of a title."""

    version = _whole(1, LARGEST, "That version (default: the newest).", load_default=_nothing)


class Moment(Query):
    """A game at one of its events."""

    at = _whole(1, LARGEST, "As it was after this event (default: the newest).", load_default=_nothing)


class Called(Query):
    """A handle."""

    handle = fields.String(
        required=True,
        validate=validate.Regexp(
            HANDLE.removesuffix("$") + r"\Z", error="A handle is such as vasco_da-gama."
        ),
        metadata={"description": "The handle of the account.", "pattern": HANDLE},
    )


class Consistency(Query):
    """Two sizes of the log of all games."""

    old = _whole(0, LARGEST, "How many entries the smaller log has.", required=True)
    new = _whole(0, LARGEST, "How many entries the larger log has.", required=True)


class ProofOf(Query):
    """An event of a game."""

    n = _whole(1, LARGEST, "The event, the last of a command.", required=True)


class OddsQuery(_Seat):
    """The odds of a war."""

    target = _whole(0, 99, "The seat to be attacked.", required=True)
    simulations = _whole(1, 5000, "How many wars to simulate.", load_default=400)


FORMS: dict[type, dict[str, Any]] = {
    SeatOrSpectator: {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 99}, {"const": "spectator"}]},
    GameId: {"type": "string", "format": "uuid"},
}
"""How the API description shows the parameters that are more than a number or a word."""
