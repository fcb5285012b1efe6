"""The query strings that the API takes."""

from __future__ import annotations

import re
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate

from events.base.timestamps import FarTime, format_time, read_day_or_time
from events.proof.canonical import MAX_INTEGER
from events.rules.bot_names import THINKERS
from service.base.display_names import HANDLE_PATTERN
from service.openapi import response_structs
from service.openapi.request_fields import UUID_REGEX, PlainSchema

MAX_LIMIT = 1000
"""Most items of a page."""
DEFAULT_LIMIT = 200
TURN_CURSOR = r"([0-9]{1,18}|never)_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}_[0-9]{1,2}"
"""The place at which a page of awaited seats ends: the deadline in microseconds, the game, the seat."""


def _get_no_default() -> None:
    """Return None, the default of what need not be given.

    As a function it does not show up as ``default: null``.
    """


class WholeNumber(fields.Integer):
    """A whole number in plain digits (`.0` behind it is forgiven: some clients write integers so)."""

    default_error_messages = {"invalid": "Must be a whole number."}  # noqa: RUF012 - marshmallow's form

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> int:
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,16}(\.0)?", value):
            raise self.make_error("invalid", input=value)
        return int(value.removesuffix(".0"))


class Flag(fields.Boolean):
    """``true`` or ``false``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> bool:
        if value not in ("true", "false"):
            raise ma.ValidationError("Send true or false.")
        return bool(value == "true")


class SeatOrSpectator(fields.Field[Any]):
    """A seat number, or the word ``spectator``."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> int | str:
        if value == "spectator":
            return "spectator"
        if not isinstance(value, str) or not re.fullmatch(r"[0-9]{1,2}(\.0)?", value):
            raise ma.ValidationError("Send the number of one of your seats, or `spectator`.")
        return int(value.removesuffix(".0"))


class Name(fields.String):
    """A name that is looked for as it stands: any text that a database can compare with."""

    def __init__(self, description: str) -> None:
        super().__init__(
            load_default=_get_no_default,
            validate=validate.Regexp(r"[^\0]*\Z", error="Remove the NUL character."),
            metadata={"description": description, "pattern": response_structs.NO_NUL},
        )


class GameId(fields.Field[Any]):
    """A UUID in its usual form."""

    thing = "a game"

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> str:
        if not isinstance(value, str) or not UUID_REGEX.fullmatch(value):
            raise ma.ValidationError(f"Send the id of {self.thing}, a UUID.")
        return value.lower()


class AccountId(GameId):
    """The id of an account."""

    thing = "an account"


def _make_whole_number(low: int, high: int, description: str, **settings: Any) -> WholeNumber:
    return WholeNumber(validate=validate.Range(low, high), metadata={"description": description}, **settings)


def _make_limit(default: int = DEFAULT_LIMIT) -> WholeNumber:
    return _make_whole_number(1, MAX_LIMIT, "The most items in the answer.", load_default=default)


def _make_after(description: str) -> WholeNumber:
    return _make_whole_number(0, MAX_INTEGER, description, load_default=0)


def _make_stream_start(item: str) -> WholeNumber:
    description = f"Begin after this {item}. `Last-Event-ID` takes precedence."
    return _make_whole_number(0, MAX_INTEGER, description, load_default=_get_no_default)


class Query(PlainSchema):
    """Unknown parameters are refused: a misspelt one would silently show something else."""

    class Meta:
        """See the class."""

        unknown = ma.RAISE


class _SeatQuery(Query):
    seat = SeatOrSpectator(
        load_default=_get_no_default,
        metadata={
            "description": "The seat of yours that looks (default: your lowest), or `spectator` for the"
            " public view."
        },
    )


class GameQuery(_SeatQuery):
    """Looking at a game."""

    at = _make_whole_number(
        1, MAX_INTEGER, "The state after this event (default: the newest).", load_default=_get_no_default
    )


class TableQuery(GameQuery):
    """Looking at the table, and at what has changed since."""

    after = _make_whole_number(
        0,
        MAX_INTEGER,
        "Also return the game, its decisions, and the history after this event.",
        load_default=_get_no_default,
    )


class SeatQuery(_SeatQuery):
    """Only the seat."""


class DecisionsQuery(_SeatQuery):
    """Reading the decisions."""

    replacements = Flag(
        load_default=False,
        metadata={"description": "Also return the commands that can take the place of your covered answers."},
    )
    refs = Flag(
        load_default=False,
        metadata={
            "description": "Also return what a page needs to play by pointing: `refs`, `ordered` and"
            " `bot_next` of each command."
        },
    )


class CommandQuery(Query):
    """Giving a command."""

    decisions = Flag(
        load_default=False,
        metadata={
            "description": "Also return the decisions that the game then waits for, and the legal"
            " commands of your seat."
        },
    )


class LogQuery(_SeatQuery):
    """A part of the log."""

    after = _make_after("Only entries after this event.")
    limit = _make_limit()


class StreamQuery(_SeatQuery):
    """A live stream."""

    after = _make_stream_start("event")
    presence = Flag(
        load_default=False,
        metadata={
            "description": "Also send `presence`, and count this stream in it. Without it nobody learns that"
            " you have the game open."
        },
    )


class MessagesQuery(_SeatQuery):
    """A part of the talk at a table."""

    after = _make_after("Only messages with a higher number.")
    limit = _make_limit()


class NoticesQuery(Query):
    """A part of an account's notices."""

    after = _make_after("Only items with a higher number.")
    limit = _make_limit()


class DeliveriesQuery(NoticesQuery):
    """Calls of a webhook."""

    status = fields.String(
        load_default=_get_no_default,
        validate=validate.OneOf(["waiting", "delivered", "dead"]),
        metadata={"description": "Only calls of this status."},
    )


class AccountStreamQuery(Query):
    """The live stream of an account."""

    after = _make_stream_start("notice")
    legal = Flag(
        load_default=False,
        metadata={
            "description": "Also send `turn` after each command that leaves a decision to one of your seats."
        },
    )


class TurnsQuery(Query):
    """Seats that are awaited."""

    limit = _make_limit()
    after = fields.String(
        load_default=_get_no_default,
        validate=validate.Regexp(TURN_CURSOR + r"\Z", error="Send the address that `next` gives."),
        metadata={
            "description": "The place to continue from, as `next` has it.",
            "pattern": f"^{TURN_CURSOR}$",
        },
    )


class GamePageQuery(Query):
    """A part of a list of games."""

    limit = _make_limit(50)
    after = GameId(
        load_default=_get_no_default, metadata={"description": "Only games older than this one (see `next`)."}
    )


class GamesQuery(GamePageQuery):
    """A list of games."""

    status = fields.String(
        load_default=_get_no_default,
        validate=validate.OneOf(["open", "running", "finished", "abandoned"]),
        metadata={
            "description": "Only games of this status. `abandoned` means that they ended without a result."
            " They are also `finished`, except those that never began."
        },
    )
    title = Name("Only games of this title.")
    mine = Flag(
        load_default=False,
        metadata={"description": "Only games that you play, created or direct (needs a token)."},
    )
    player = AccountId(
        load_default=_get_no_default,
        metadata={"description": "Only games in which this account holds a seat."},
    )
    role = fields.String(
        load_default=_get_no_default,
        validate=validate.OneOf(["seat", "owner", "director"]),
        metadata={"description": "Only games in which you have this role. It implies `mine`."},
    )
    seat_free = Flag(
        load_default=False,
        metadata={"description": "Only games that have begun and have a seat that can be taken over."},
    )
    forked_from = GameId(
        load_default=_get_no_default, metadata={"description": "Only analysis games forked from this game."}
    )


class Time(fields.Field[Any]):
    """A day in UTC, or a time in RFC 3339."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **_kwargs: Any) -> str:
        try:
            return format_time(read_day_or_time(str(value)))
        except FarTime:
            raise ma.ValidationError("Send a day or a time from the years 2000 to 2999.") from None
        except ValueError:
            told = "Send a day or a time, such as 2026-03-01 or 2026-03-01T12:00:00Z. Write + as %2B."
            raise ma.ValidationError(told) from None


_LEAP = r"2([0-9](0[48]|[2468][048]|[13579][26])|[048]00)-02-29"
_MONTHS = (
    r"(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31"  # 1 to 28, 30, 31
)
_DAY = rf"(2[0-9]{{3}}-({_MONTHS})|{_LEAP})"
_OFFSET = r"([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
_OF_OTHER_YEARS = r"(?!(2000-01-01|2999-12-31)T.*[+-][0-9:]{5}$)"
"""Times that may be of another year in UTC."""
TIME_PATTERN = (
    f"{_OF_OTHER_YEARS}{_DAY}" + r"([Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?" + f"{_OFFSET})?"
)
EXPORT_CURSOR = r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}(_[0-9]{1,15})?"
"""A place in an export: a game, perhaps with an event."""


class ExportQuery(Query):
    """Many games."""

    after = fields.String(
        load_default=_get_no_default,
        validate=validate.Regexp(
            EXPORT_CURSOR + r"\Z", error="Send the cursor of a line, or follow the address in Link."
        ),
        metadata={"description": "Only lines after this `cursor`.", "pattern": f"^{EXPORT_CURSOR}$"},
    )
    games = _make_whole_number(
        1, 10_000, "The most games in one answer; `Link` leads to the others.", load_default=1000
    )
    status = fields.String(
        load_default=_get_no_default,
        validate=validate.OneOf(["open", "running", "finished", "abandoned"]),
        metadata={
            "description": "Only games of this status. `abandoned` means that they ended without a result."
            " They are also `finished`, except those that never began."
        },
    )
    title = Name("Only games of this title.")
    version = _make_whole_number(
        1, 2**31 - 1, "Only games with this version of their title.", load_default=_get_no_default
    )
    player = AccountId(
        load_default=_get_no_default,
        metadata={"description": "Only games in which this account holds a seat."},
    )
    bot = Name("Only games in which this bot holds a seat.")
    analysis = Flag(
        load_default=_get_no_default, metadata={"description": "Only analysis games, or only other games."}
    )
    since = Time(
        load_default=_get_no_default,
        metadata={"description": "Only games created at this time or later."},
    )
    until = Time(
        load_default=_get_no_default, metadata={"description": "Only games created before this time."}
    )


class LeaderboardQuery(Query):
    """A part of a leaderboard."""

    limit = _make_limit(50)
    after = _make_after("Only players after so many lines of the whole list.")


POOL_REGEX = re.compile(response_structs.POOL.removesuffix("$") + r"\Z")


class RatingPoolQuery(Query):
    """A pool of ratings."""

    pool = fields.String(
        required=True,
        validate=validate.Regexp(POOL_REGEX, error="Send a pool such as colonial_empires.3-4.live."),
        metadata={
            "description": "The pool.",
            "pattern": response_structs.POOL,
            "example": "colonial_empires.3-4.live",
        },
    )


class TournamentsQuery(Query):
    """A list of tournaments."""

    limit = _make_limit(50)
    after = GameId(
        load_default=_get_no_default,
        metadata={"description": "Only tournaments older than this one (see `next`)."},
    )
    status = fields.String(
        load_default=_get_no_default,
        validate=validate.OneOf(["draft", "open", "running", "finished", "cancelled"]),
        metadata={"description": "Only tournaments of this status."},
    )
    title = Name("Only tournaments of this title.")
    club = GameId(
        load_default=_get_no_default,
        metadata={"description": "Only tournaments of this club of yours (needs a token)."},
    )
    mine = Flag(
        load_default=False,
        metadata={"description": "Only tournaments that you entered or run (needs a token)."},
    )


class TournamentLogQuery(Query):
    """A part of the log of a tournament."""

    after = _make_after("Only entries after this event.")
    limit = _make_limit()


class TournamentStreamQuery(Query):
    """The live stream of a tournament."""

    after = _make_stream_start("event")


class StandingsQuery(Query):
    """Standings."""

    round = _make_whole_number(
        1,
        4096,
        "The standings after this round (default: the newest that has started).",
        load_default=_get_no_default,
    )
    format = fields.String(
        load_default="json",
        validate=validate.OneOf(["json", "csv", "ndjson", "cross_table", "trf16"]),
        metadata={
            "description": "`json`: one value. `csv`: a spreadsheet. `ndjson`: one entrant per line. "
            "`cross_table`: a spreadsheet with the pairings and results of every round. "
            "`trf16`: FIDE's format for tournaments of two at a table."
        },
    )


class TournamentExportQuery(Query):
    """An export."""

    format = fields.String(
        load_default="ndjson",
        validate=validate.OneOf(["csv", "ndjson"]),
        metadata={"description": "One table per line: as JSON (`ndjson`), or for a spreadsheet (`csv`)."},
    )


class TitleVersionQuery(Query):
    """One version of a title."""

    version = _make_whole_number(
        1, MAX_INTEGER, "The version of the title (default: the newest).", load_default=_get_no_default
    )


class EventQuery(Query):
    """A game at one of its events."""

    at = _make_whole_number(
        1, MAX_INTEGER, "The state after this event (default: the newest).", load_default=_get_no_default
    )


class HandleQuery(Query):
    """A handle."""

    handle = fields.String(
        required=True,
        validate=validate.Regexp(
            HANDLE_PATTERN.removesuffix("$") + r"\Z", error="Send a handle such as vasco_da-gama."
        ),
        metadata={"description": "The handle of the account.", "pattern": HANDLE_PATTERN},
    )


class ConsistencyQuery(Query):
    """Two sizes of the log of all games."""

    old = _make_whole_number(0, MAX_INTEGER, "The number of entries of the smaller log.", required=True)
    new = _make_whole_number(0, MAX_INTEGER, "The number of entries of the larger log.", required=True)


class ProofQuery(Query):
    """An event of a game."""

    n = _make_whole_number(
        1, MAX_INTEGER, "The number of the event, which must be the last of its command.", required=True
    )


class ImaginedQuery(_SeatQuery):
    """A state that a seat cannot tell from the real one."""

    seed = _make_whole_number(
        0, MAX_INTEGER, "The seed for the hidden parts: the same seed gives the same position.", required=True
    )


class OddsQuery(_SeatQuery):
    """The odds of a war."""

    target = _make_whole_number(0, 99, "The seat that you would attack.", required=True)
    simulations = _make_whole_number(1, 5000, "The number of wars to simulate.", load_default=400)


def _make_thinker(usual: str, description: str) -> fields.String:
    """Return the field of a bot that plays games out; by default the *usual* one."""
    return fields.String(
        load_default=usual,
        validate=validate.OneOf(sorted(THINKERS)),
        metadata={"description": description},
    )


class AdviceQuery(EventQuery):
    """A request for a bot's advice."""

    seat = _make_whole_number(
        0, 99, "The seat that decides (default: the first that must decide).", load_default=_get_no_default
    )
    bot = _make_thinker("brisk", "The bot that thinks: `brisk` takes a moment, `strong` some seconds.")


class ReviewQuery(Query):
    """A request for the review of a player."""

    seat = _make_whole_number(
        0, 99, "The seat that is reviewed (default: your first one, else 0).", load_default=_get_no_default
    )
    bot = _make_thinker(
        "strong", "The bot that thinks: `strong` takes seconds a move, `brisk` a part of that."
    )


FIELD_SCHEMAS: dict[type, dict[str, Any]] = {
    SeatOrSpectator: {"anyOf": [{"type": "integer", "minimum": 0, "maximum": 99}, {"const": "spectator"}]},
    GameId: {"type": "string", "format": "uuid"},
    Time: {
        "type": "string",
        "pattern": f"^{TIME_PATTERN}$",
        "examples": ["2026-03-01", "2026-03-01T12:00:00Z"],
    },
    AccountId: {"type": "string", "format": "uuid"},
}
"""The schemas in the API description of parameters that are more than a number or a word."""
