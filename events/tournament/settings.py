"""The settings that an organiser makes: title, tables, entry, stages, points, tie-breaks, time.

All of it stands in the tournament's first event, names and descriptions as digests only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from events.base.timestamps import is_recorded_form
from events.clocks.absence_policy import Absence
from events.clocks.clock import DAY, HOUR, MINUTE, SECOND, LiveClock
from events.clocks.clock import ClockSettings as Clock
from events.rules.data_files import load
from events.rules.fact import Json
from events.rules.steps import Rejected
from events.rules.title import InvalidPosition, Title
from events.table.terms import Talk
from events.tournament.pairing import table_sizes
from events.tournament.scoring import Forfeit

Undo = Literal["none"]
"""The ways to take commands back in games of tournaments: none."""
MAX_ENTRANTS = 512
"""The most entrants of a tournament."""
MAX_SEATS = 16
"""The most seats of a table."""

Digest = Annotated[str, Meta(pattern=r"^[A-Za-z0-9+/]{43}=$")]
"""The digest of a text that is kept elsewhere and can be erased."""
Format = Literal["swiss_pods", "rotation", "round_robin", "knockout", "ladder"]
TieBreak = Literal[
    "wins",
    "share",
    "opponents_average",
    "head_to_head",
    "places",
    "score_sum",
    "middle_rounds",
    "seat",
    "lot",
]


class _Defaults(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tie_breaks: dict[str, tuple[TieBreak, ...]]


_TIE_BREAKS = load(__package__, "defaults.toml", _Defaults).tie_breaks
_Points = Annotated[int, Meta(ge=0, le=1000)]
Points = dict[str, Annotated[tuple[_Points, ...], Meta(max_length=MAX_SEATS)]]
"""The worth of the places, by size of the table."""
Moment = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
"""A time in RFC 3339, in the log in UTC with microseconds."""
_Span = Annotated[int, Meta(ge=0, le=60 * DAY)]


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A part of the settings: members that it does not know are refused."""


class TableSize(_Part, frozen=True):
    """The number of entrants at one table: *least* to *size*."""

    size: Annotated[int, Meta(ge=2, le=MAX_SEATS)]
    """The usual number of seats of a table."""
    least: Annotated[int, Meta(ge=2, le=MAX_SEATS)]
    """The least number of seats of a table."""


class RatingBounds(_Part, frozen=True):
    """The ratings with which an account can enter. The server checks them; the log cannot."""

    least: int | None = None
    """The lowest rating; null: no limit."""
    most: int | None = None
    """The highest rating; null: no limit."""


class Entry(_Part, frozen=True):
    """The conditions of entry."""

    opens_at: Moment | None = None
    """The time at which entry opens; null: by hand."""
    closes_at: Moment | None = None
    """The time at which entry closes; null: by hand."""
    least: Annotated[int, Meta(ge=2, le=MAX_ENTRANTS)] | None = None
    """The least number of entrants with which entry can be closed. Default: one table."""
    most: Annotated[int, Meta(ge=2, le=MAX_ENTRANTS)] = MAX_ENTRANTS
    """The greatest number of entrants who play."""
    approval: bool = False
    """True if a director admits each entrant."""
    reserve: Annotated[int, Meta(ge=0, le=MAX_ENTRANTS)] = 0
    """The number of further entrants who may wait for a free place."""
    late_until_round: Annotated[int, Meta(ge=0, le=64)] = 0
    """The last round into which entrants can enter late; 0: not at all."""
    late_points: _Points = 0
    """The points of an entrant who enters late."""
    check_in_ms: Annotated[int, Meta(ge=0, le=7 * DAY)] = 0
    """Milliseconds before each round in which entrants check in; 0: no check-in."""
    reveal_by_ms: Annotated[int, Meta(ge=MINUTE, le=30 * DAY)] | None = None
    """Without check-in: the milliseconds after entry closes in which contributions are accepted."""
    contributions: bool = True
    """True if entrants may contribute to the randomness."""
    rating: RatingBounds = RatingBounds()
    """The ratings with which an account may enter."""
    bots: bool = False
    """True if programs may enter."""


class Stage(_Part, frozen=True):
    """A part of the tournament, played by one system."""

    format: Format
    """The format of the stage."""
    rounds: Annotated[int, Meta(ge=1, le=64)] | None = None
    """For swiss pods and rotations: the number of rounds."""
    look_ahead: bool = False
    """For swiss pods: true if the pairing takes the following rounds into account."""
    cut: Annotated[int, Meta(ge=2, le=MAX_ENTRANTS)] | None = None
    """The number of entrants of the previous stage who advance; null: all."""
    advance: Annotated[int, Meta(ge=0, le=MAX_SEATS)] = 1
    """For a knockout: the number of entrants of each table who advance."""
    seating: Literal["balanced", "choice"] = "balanced"
    """For a knockout: with `choice` the finalists choose their seats, the better seed first."""
    period_ms: Annotated[int, Meta(ge=MINUTE, le=60 * DAY)] | None = None
    """For a ladder: the milliseconds between two pairings of the entrants who are ready."""
    ends_at: Moment | None = None
    """For a ladder: the time at which its season closes."""


class Delay(_Part, frozen=True):
    """The delay with which spectators see the games."""

    ms: Annotated[int, Meta(ge=0, le=DAY)] = 0
    """Milliseconds of delay."""
    until_end: bool = False
    """True if spectators see a game only after its end."""


class Schedule(_Part, frozen=True):
    """The times of the rounds."""

    starts_at: Moment | None = None
    """The start of the first round; null: by hand."""
    round: Literal["when_done", "fixed", "manual", "parallel"] = "when_done"
    """The rule for the start of rounds.

    `when_done`: `gap_ms` after the round before is closed; `fixed`: at the times `at`; `manual`: by hand;
    `parallel`: all at once.
    """
    gap_ms: _Span = 0
    """Milliseconds between the close of a round and the start of the next."""
    at: Annotated[tuple[Moment, ...], Meta(max_length=64)] = ()
    """With `fixed`: the time of each round."""
    most_ms: Annotated[int, Meta(ge=MINUTE, le=400 * DAY)] | None = None
    """The most milliseconds that a round may last; null: no limit."""
    at_limit: Literal["directors", "shared"] = "directors"
    """The rule after that limit: directors rule, or the remaining players share the places."""


class Aids(_Part, frozen=True):
    """The aids that players may use while their game runs."""

    forks: bool = False
    """True if players may fork their running game for analysis."""
    odds: bool = True
    """True if players may ask for the odds of a war."""


class Director(_Part, frozen=True):
    """One of the directors: d1, d2, ... in this order. The first is the owner."""

    role: Literal["owner", "director", "assistant"]
    """The role: an assistant may warn and add time only."""


class Settings(_Part, frozen=True):
    """All settings of a tournament."""

    title: str
    """The id of the title."""
    table: TableSize
    """The size of a table."""
    stages: Annotated[tuple[Stage, ...], Meta(min_length=1, max_length=8)]
    """The stages, in order."""
    name: Digest | None = None
    """The digest of the name; null without one."""
    description: Digest | None = None
    """The digest of the description; null without one."""
    options: Json = {}
    """The options of the title."""
    position: Json | None = None
    """The position from which every table starts; null: the title's set-up."""
    entry: Entry = Entry()
    """The conditions of entry."""
    points: Points = {}
    """The worth of the places, by size of the table."""
    bye_points: _Points = 3
    """The points for a bye."""
    forfeit: Forfeit = "last"
    """The place of an entrant who leaves a game."""
    tie_breaks: tuple[TieBreak, ...] | None = None
    """The tie-breaks, in order. Default: those that suit the title."""
    clock: Clock | None = None
    """The clock; null: none."""
    absence: Absence | None = None
    """The consequences when the time of a seat is up."""
    delay: Delay | None = None
    """The delay with which spectators see the games; null: none."""
    schedule: Schedule = Schedule()
    """The times of the rounds."""
    protest_ms: Annotated[int, Meta(ge=0, le=30 * DAY)] = 10 * MINUTE
    """Milliseconds in which entrants can dispute a result, or appeal against a ruling."""
    rated: bool = True
    """True if the games count for ratings."""
    aids: Aids = Aids()
    """The aids that players may use."""
    undo: Undo = "none"
    """The way to take commands back in the games: `none`, since nobody can in a tournament."""
    talk: Talk = "none"
    """The way for players to talk in the games: `all`, `public`, `phrases` or `none`."""
    directors: Annotated[tuple[Director, ...], Meta(min_length=1, max_length=16)] = (Director(role="owner"),)
    """The directors; the first is the owner."""

    def with_defaults(self) -> Settings:
        """Return the settings, with the defaults of what was left out."""
        entry = replace(
            self.entry,
            least=self.table.least if self.entry.least is None else self.entry.least,
            reveal_by_ms=self._reveal_ms() if self.entry.reveal_by_ms is None else self.entry.reveal_by_ms,
        )
        breaks = _TIE_BREAKS.get(self.title, _TIE_BREAKS["other"])
        return replace(
            self,
            entry=entry,
            clock=self.clock and self.clock.with_defaults(),
            tie_breaks=breaks if self.tie_breaks is None else self.tie_breaks,
        )

    def _reveal_ms(self) -> int:
        return 60 * SECOND if isinstance(self.clock, LiveClock) else 24 * HOUR


PLACEHOLDER = Settings(title="", table=TableSize(size=2, least=2), stages=())
"""The settings of a tournament before its first event."""
OPEN_TO_CHANGE = frozenset({"schedule", "name", "description"})
"""The members that may be changed after entry is closed."""
FIXED = frozenset({"directors"})
"""The members that have commands of their own to change them."""


class InvalidSettings(Rejected):
    """The rejection of settings that cannot be. *errors*: by field a sentence."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        text = " ".join(f"{field}: {reason}" for field, reason in errors.items())
        super().__init__("invalid_settings", f"These settings are not possible. {text}")
        self.errors = dict(errors)


_AT = re.compile(r"^(?P<reason>.*) - at `\$\.?(?P<field>[^`]*)`$", re.DOTALL)


def parse_settings(given: Mapping[str, Any]) -> Settings:
    """Return the settings of a request, with defaults. Raises :class:`InvalidSettings`."""
    try:
        return msgspec.convert(given, Settings).with_defaults()
    except msgspec.ValidationError as error:
        found = _AT.match(str(error))
        field, reason = (found["field"], found["reason"]) if found else ("settings", str(error))
        raise InvalidSettings({field or "settings": f"{reason}."}) from error
    except ValueError as error:  # of the clock's own checks
        raise InvalidSettings({"clock": f"{error}."}) from error


def apply_changes(settings: Settings, changes: Json) -> Settings:
    """Return *settings* with *changes*, whole members of them. Raises :class:`InvalidSettings`."""
    return parse_settings({**msgspec.to_builtins(settings), **changes})


def choose_absence(size: int, absence: Json | None) -> Json | None:
    """Return the settings for absence at tables of *size* seats, where nobody chose `least_people`.

    If one of two is gone, a bot plays on for them and they forfeit. With the games' own default, two, the
    game would be abandoned, and the table would have no result.
    """
    if size > 2 or (absence or {}).get("least_people") is not None:
        return absence
    return {**(absence or {}), "least_people": 1}


def check_settings(settings: Settings, title: Title[Any]) -> None:
    """Raise :class:`InvalidSettings` unless a tournament of *title* can be played with *settings*."""
    errors = dict(
        [
            *_table_errors(settings, title),
            *_entry_errors(settings),
            *_stage_errors(settings),
            *_points_errors(settings),
            *_time_errors(settings),
        ]
    )
    if errors:
        raise InvalidSettings(errors)


Errors = Iterator[tuple[str, str]]
"""Pairs of a field and the error in it."""


def _table_errors(settings: Settings, title: Title[Any]) -> Errors:
    table = settings.table
    if table.least > table.size:
        yield "table.least", "Send at most `table.size`."
        return
    if any(seats not in title.seats for seats in range(table.least, table.size + 1)):
        yield "table", f"Send sizes from {title.seats[0]} to {title.seats[-1]}, as {title.name} needs."
        return
    try:
        options = msgspec.convert(settings.options, title.Options)
        for seats in range(table.least, table.size + 1):
            title.check_options(seats, options)
    except msgspec.ValidationError as error:
        yield "options", f"The title refuses these options: {error}. Correct them."
    except Rejected as refused:
        yield "options", f"The title refuses these options: {refused.detail} Correct them."
    if settings.position is not None:
        yield from _position_errors(settings, title)


def _position_errors(settings: Settings, title: Title[Any]) -> Errors:
    try:
        state = title.from_position(settings.position or {})
    except (InvalidPosition, Rejected) as refused:
        yield "position", f"The title refuses the position: {refused}. Correct it."
        return
    if not settings.table.least == settings.table.size == state.seats:
        yield (
            "position",
            f"The position has {state.seats} seats. Send that number as `table.size` and `table.least`.",
        )


def _entry_errors(settings: Settings) -> Errors:
    entry = settings.entry
    least = entry.least or settings.table.least
    if least < settings.table.least:
        yield "entry.least", "Send at least `table.least`."
    if entry.most < least:
        yield "entry.most", "Send at least `entry.least`."
    if entry.late_until_round and settings.stages[0].format != "swiss_pods":
        yield "entry.late_until_round", "Leave it out: late entry needs swiss pods as the first stage."


def _stage_errors(settings: Settings) -> Errors:
    for number, stage in enumerate(settings.stages):
        at = f"stages[{number}]"
        if (stage.rounds is None) == (stage.format in ("swiss_pods", "rotation")):
            yield f"{at}.rounds", "Send the number of rounds for swiss pods and rotations only."
        if stage.look_ahead and stage.format != "swiss_pods":
            yield f"{at}.look_ahead", "Send this for swiss pods only."
        if stage.seating == "choice" and stage.format != "knockout":
            yield f"{at}.seating", "Send `choice` for a knockout only."
        if stage.format == "knockout":
            yield from _knockout_errors(settings, at, stage, last=number == len(settings.stages) - 1)
        if (stage.period_ms is None) == (stage.format == "ladder"):
            yield f"{at}.period_ms", "Send the period for a ladder only; it needs one."
        if stage.ends_at is not None and stage.format != "ladder":
            yield f"{at}.ends_at", "Send this for a ladder only."
        if stage.format == "ladder" and len(settings.stages) > 1:
            yield f"{at}.format", "Make the ladder the only stage."


def _knockout_errors(settings: Settings, at: str, stage: Stage, *, last: bool) -> Errors:
    if not last:
        yield f"{at}.format", "Make the knockout the last stage."
    if stage.cut is not None and not is_single_final(settings.table, stage.cut, stage.advance):
        yield (
            f"{at}.cut",
            "This number never leads to one final. Choose a number that fills all tables of each round.",
        )


def is_single_final(table: TableSize, entrants: int, advance: int) -> bool:
    """Return True if a knockout of so many entrants ends with one table, without byes."""
    while True:
        tables = table_sizes(entrants, table.size, table.least)
        if sum(tables) != entrants:
            return False
        if len(tables) == 1:
            return True
        if not 1 <= advance < min(tables):
            return False
        entrants = len(tables) * advance


def _points_errors(settings: Settings) -> Errors:
    for size, points in settings.points.items():
        if not size.isdecimal() or size != str(int(size)) or len(points) != int(size):
            yield f"points.{size}", "Send one number for each place of the table."
        elif list(points) != sorted(points, reverse=True):
            yield f"points.{size}", "Send the numbers in descending order."
    breaks = settings.tie_breaks or ()
    if len(set(breaks)) != len(breaks):
        yield "tie_breaks", "Name each tie-break once."
    if settings.directors[0].role != "owner":
        yield "directors", "Make the first director the owner."


def _time_errors(settings: Settings) -> Errors:
    entry, schedule = settings.entry, settings.schedule
    times = {
        "entry.opens_at": entry.opens_at,
        "entry.closes_at": entry.closes_at,
        "schedule.starts_at": schedule.starts_at,
        **{f"schedule.at[{n}]": at for n, at in enumerate(schedule.at)},
        **{f"stages[{n}].ends_at": stage.ends_at for n, stage in enumerate(settings.stages)},
    }
    wrong = {field for field, at in times.items() if at is not None and not is_recorded_form(at)}
    for field in sorted(wrong):
        yield field, "Send a time in UTC with microseconds."
    if not wrong and entry.opens_at and entry.closes_at and entry.closes_at < entry.opens_at:
        yield "entry.closes_at", "Send a time after `entry.opens_at`."
    if (schedule.round == "fixed") != bool(schedule.at):
        yield "schedule.at", "Send times with `round` `fixed` only; it needs them."
    elif not wrong and list(schedule.at) != sorted(schedule.at):
        yield "schedule.at", "Send the times in ascending order."
    formats = {stage.format for stage in settings.stages}
    if schedule.round == "manual" and "ladder" in formats:
        yield "schedule.round", "The server alone pairs a ladder. Send another value than `manual`."
    if schedule.round == "parallel" and not formats <= {"rotation", "round_robin"}:
        yield (
            "schedule.round",
            "Choose another value: only rotations and round robins can play all rounds at once.",
        )
    if schedule.round != "parallel" and schedule.at_limit == "shared" and schedule.most_ms is None:
        yield "schedule.at_limit", "Send `schedule.most_ms` as well."
