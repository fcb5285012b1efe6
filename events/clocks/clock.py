"""Clocks: how much time each seat has, in whole numbers only and without looking at any clock.

Instants are microseconds since 1970, spans milliseconds. A seat's time is booked when it answers, leaves the
clock, or is given time; until then only the instant is known from which on it runs, so that nothing drifts by
rounding. What a command changes stands in the note of its first event (:func:`advance`), from which alone the
clocks of a game are read again (:func:`apply_note`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from events.base.timestamps import format_timestamp, parse_timestamp
from events.rules.fact import Seat

SECOND = 1000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
DAYS = 7

IDLE_SPAN_MS = 5 * SECOND
"""A time without an event that a game remembers: an outage of the service may lie in it."""
MAX_IDLE_SPANS = 16
"""The number of such spans, the newest, that a game remembers."""

_US = 1000
"""Microseconds of a millisecond."""
_DAY_US = DAY * _US
_WEEK_US = DAYS * _DAY_US
_MONDAY_US = 4 * _DAY_US
"""From the beginning of 1970, a Thursday, to the first Monday."""


# --- settings ----------------------------------------------------------------------------------------


class QuietHours(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Hours in which the clock stops, such as nights and weekends."""

    offset_min: Annotated[int, Meta(ge=-720, le=840)] = 0
    """The offset of the local time from UTC, in minutes. It is not a time zone, whose rules may change."""
    from_min: Annotated[int, Meta(ge=0, le=1439)] = 0
    """The minute of the local day at which the clock stops."""
    to_min: Annotated[int, Meta(ge=0, le=1439)] = 0
    """The minute of the local day at which it runs again; if before `from_min`, on the next day. If both are
    the same, it never stops."""
    days: Annotated[tuple[Annotated[int, Meta(ge=1, le=7)], ...], Meta(max_length=6)] = ()
    """Days of the week (1 Monday .. 7 Sunday) on which the clock stops all day."""

    def __post_init__(self) -> None:
        if len(set(self.days)) >= DAYS:
            raise ValueError("at least one day of the week must count")


class LiveClock(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind", tag="live"
):
    """The clock of a game in one session: each seat has a total time, and an increment for each answer."""

    base_ms: Annotated[int, Meta(ge=10 * SECOND, le=DAY)]
    """Milliseconds that each seat has at the start."""
    increment_ms: Annotated[int, Meta(ge=0, le=10 * MINUTE)] = 0
    """Milliseconds that a seat gets for each answer to a decision."""
    cap_ms: Annotated[int, Meta(ge=10 * SECOND, le=7 * DAY)] | None = None
    """The greatest time that a seat can reach by increments. Default: twice `base_ms`."""
    first_ms: Annotated[int, Meta(ge=0, le=DAY)] = 0
    """Milliseconds that each seat gets once, when the game begins."""
    lag_ms: Annotated[int, Meta(ge=0, le=2 * SECOND)] = 300
    """Milliseconds that do not count for each answer, to make up for the network."""

    def __post_init__(self) -> None:
        if self.cap_ms is not None and self.cap_ms < self.base_ms:
            raise ValueError("`cap_ms` must not be less than `base_ms`")

    def with_defaults(self) -> LiveClock:
        """With what was left out."""
        return replace(self, cap_ms=2 * self.base_ms if self.cap_ms is None else self.cap_ms)


class CorrespondenceClock(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    kw_only=True,
    tag_field="kind",
    tag="correspondence",
):
    """The clock of a game over days: each decision has its time, and any excess comes from a bank."""

    per_decision_ms: Annotated[int, Meta(ge=MINUTE, le=30 * DAY)]
    """Milliseconds for each decision."""
    bank_ms: Annotated[int, Meta(ge=0, le=60 * DAY)] = 0
    """Milliseconds in the bank of each seat at the start."""
    bank_add_ms: Annotated[int, Meta(ge=0, le=30 * DAY)] = 0
    """Milliseconds that the bank gets for each answer that took nothing from it."""
    bank_cap_ms: Annotated[int, Meta(ge=0, le=60 * DAY)] | None = None
    """The greatest size of the bank. Default: `bank_ms`."""
    stretch_ms: Annotated[int, Meta(ge=MINUTE, le=90 * DAY)] | None = None
    """The longest uninterrupted time on the clock, with any number of answers. The excess comes from the
    bank. Default: three times `per_decision_ms`."""
    first_ms: Annotated[int, Meta(ge=0, le=DAY)] = 0
    """Milliseconds that the bank gets once, when the game begins."""
    vacation_ms: Annotated[int, Meta(ge=0, le=60 * DAY)] = 0
    """The total vacation that a seat may take, in milliseconds."""
    quiet: QuietHours | None = None
    """The hours in which the clock stops, or null for none."""

    def __post_init__(self) -> None:
        if self.bank_cap_ms is not None and self.bank_cap_ms < self.bank_ms:
            raise ValueError("`bank_cap_ms` must not be less than `bank_ms`")
        if self.stretch_ms is not None and self.stretch_ms < self.per_decision_ms:
            raise ValueError("`stretch_ms` must not be less than `per_decision_ms`")

    def with_defaults(self) -> CorrespondenceClock:
        """With what was left out."""
        cap = self.bank_ms if self.bank_cap_ms is None else self.bank_cap_ms
        stretch = 3 * self.per_decision_ms if self.stretch_ms is None else self.stretch_ms
        return replace(self, bank_cap_ms=cap, stretch_ms=stretch)


ClockSettings = LiveClock | CorrespondenceClock


def parse_settings(value: Mapping[str, Any] | None) -> ClockSettings | None:
    """Return the settings that stand in a game's first event; None where no time is counted.

    >>> parse_settings({"kind": "live", "base_ms": 600_000, "increment_ms": 5_000}).base_ms
    600000
    """
    return None if value is None else msgspec.convert(value, ClockSettings)


# --- hours that count --------------------------------------------------------------------------------


def _quiet_hours(settings: ClockSettings) -> QuietHours | None:
    return settings.quiet if isinstance(settings, CorrespondenceClock) else None


def _counting_spans(quiet: QuietHours) -> list[tuple[int, int]]:
    """Return the parts of a local week that count, in microseconds from Monday's beginning, in order."""
    minute = MINUTE * _US
    start, end = quiet.to_min * minute, quiet.from_min * minute
    if start == end:
        daily = [(0, _DAY_US)]
    elif start < end:
        daily = [(start, end)]
    else:
        daily = [(0, end), (start, _DAY_US)]
    return [
        (day * _DAY_US + begin, day * _DAY_US + stop)
        for day in range(DAYS)
        if day + 1 not in quiet.days
        for begin, stop in daily
        if begin < stop
    ]


def _count_before(quiet: QuietHours, local: int) -> int:
    """Microseconds that count between a certain Monday and the *local* instant (negative before it)."""
    hours = _counting_spans(quiet)
    weeks, rest = divmod(local, _WEEK_US)
    return weeks * sum(b - a for a, b in hours) + sum(max(0, min(rest, b) - a) for a, b in hours)


def _local_shift(quiet: QuietHours) -> int:
    """Return the microseconds to add to an instant for local time, counted from the first Monday of 1970."""
    return quiet.offset_min * MINUTE * _US - _MONDAY_US


def count_elapsed_ms(quiet: QuietHours | None, since: int, until: int) -> int:
    """Whole milliseconds that count between two instants, rounded down.

    >>> night = QuietHours(from_min=22 * 60, to_min=8 * 60)
    >>> count_elapsed_ms(night, 0, 24 * 3600 * 1_000_000) // 3_600_000
    14
    """
    if quiet is None:
        return (until - since) // _US
    shift = _local_shift(quiet)
    return (_count_before(quiet, until + shift) - _count_before(quiet, since + shift)) // _US


def instant_after(quiet: QuietHours | None, since: int, span_ms: int) -> int:
    """Return the first instant by which so many milliseconds count: inverts :func:`count_elapsed_ms`."""
    if quiet is None or span_ms == 0:
        return since + span_ms * _US
    hours = _counting_spans(quiet)
    week = sum(b - a for a, b in hours)
    shift = _local_shift(quiet)
    weeks, rest = divmod(_count_before(quiet, since + shift) + span_ms * _US - 1, week)
    rest += 1
    for begin, end in hours:
        if rest <= end - begin:
            return weeks * _WEEK_US + begin + rest - shift
        rest -= end - begin
    raise AssertionError("a week has as many hours as it has")  # pragma: no cover


# --- a seat's clock ----------------------------------------------------------------------------------


class Clock(msgspec.Struct, frozen=True):
    """The time of one seat."""

    left_ms: int
    """Live: all that it has; correspondence: its bank. Booked up to `since`."""
    allot_ms: int = 0
    """Correspondence: what it has for the decision that it is asked now."""
    since: int | None = None
    """The instant from which its time runs and is not booked yet; None while it does not run."""
    spell: int | None = None
    """The instant at which it came onto the clock; later by as much as it stood still."""
    stopped: int | None = None
    """The instant since which it stands still although the seat is asked (a pause, a vacation)."""

    @property
    def budget_ms(self) -> int:
        """The milliseconds that it has from `since` on until its time is up."""
        return self.allot_ms + self.left_ms


Clocks = tuple[Clock, ...]
"""By seat; those of bots never run."""


ClockNote = dict[str, dict[str, Any]]
"""The changes that a command made to the clocks, each by seat (``p0`` ...).

``spent``: milliseconds that were booked; ``left``: see :attr:`Clock.left_ms`; ``on``: the time until which it
must answer (null: it is not asked any more). ``still``: what it has until then, where its time does not run
although it is asked."""


class ClockChange(msgspec.Struct, frozen=True):
    """The effects of a command on the clocks."""

    at: int
    asked: frozenset[Seat]
    """The seats that a person holds of which a decision is awaited after it."""
    still: frozenset[Seat] = frozenset()
    """Seats whose time does not run all the same."""
    answered: Seat | None = None
    """The seat that answered an awaited decision by it."""
    added: Mapping[Seat, int] = {}
    """Milliseconds that seats are given by it."""
    armed: Mapping[Seat, int] = {}
    """Milliseconds that seats have from now on, if their time was up or another player holds them now."""


def deadline(settings: ClockSettings, clock: Clock) -> int | None:
    """Return the instant at which the time of a seat is up; None while it does not run."""
    return (
        None if clock.since is None else instant_after(_quiet_hours(settings), clock.since, clock.budget_ms)
    )


def start_clocks(settings: ClockSettings, seats: int) -> Clocks:
    """Return the clocks of so many seats when the game begins; none runs yet.

    >>> start_clocks(LiveClock(base_ms=600_000), 2)[0].left_ms
    600000
    """
    given = settings.base_ms if isinstance(settings, LiveClock) else settings.bank_ms
    return (Clock(given + settings.first_ms),) * seats


def advance(settings: ClockSettings, clocks: Clocks, change: ClockChange) -> tuple[Clocks, ClockNote]:
    """Return the clocks after a command, and the note of what changed (empty where nothing did).

    >>> settings = LiveClock(base_ms=600_000, increment_ms=5_000, lag_ms=0)
    >>> asked = ClockChange(at=0, asked=frozenset({0}))
    >>> clocks, _ = advance(settings, start_clocks(settings, 2), asked)
    >>> answered = ClockChange(at=20_000_000, asked=frozenset({1}), answered=0)
    >>> clocks, _ = advance(settings, clocks, answered)
    >>> clocks[0].left_ms  # 10 minutes, less 20 seconds, and 5
    585000
    """
    note: ClockNote = {"left": {}, "on": {}, "spent": {}, "still": {}}
    after = tuple(_advance_seat(settings, seat, clock, change, note) for seat, clock in enumerate(clocks))
    return after, {name: changes for name, changes in note.items() if changes}


def note_seat(settings: ClockSettings, seat: Seat, clock: Clock, change: ClockChange) -> ClockNote:
    """Return the part of the note of a command that is about one seat, whose clock was *clock* before."""
    note: ClockNote = {"left": {}, "on": {}, "spent": {}, "still": {}}
    _advance_seat(settings, seat, clock, change, note)
    return {name: changes for name, changes in note.items() if changes}


def _advance_seat(
    settings: ClockSettings, seat: Seat, before: Clock, change: ClockChange, note: ClockNote
) -> Clock:
    clock = replace(before, left_ms=before.left_ms + change.added.get(seat, 0))
    if before.since is not None and _is_to_be_booked(seat, change):
        clock, spent = _book(settings, clock, change.at, answered=change.answered == seat)
        note["spent"][f"p{seat}"] = spent
    if seat in change.armed:
        clock = _rearm(settings, clock, change.armed[seat])
    clock = _set_asked(settings, seat, clock, change)
    _note_seat(settings, seat, before, clock, note)
    return clock


def _is_to_be_booked(seat: Seat, change: ClockChange) -> bool:
    stays = seat in change.asked and seat not in change.still
    return not stays or change.answered == seat or seat in change.added or seat in change.armed


def _book(settings: ClockSettings, clock: Clock, at: int, *, answered: bool) -> tuple[Clock, int]:
    """Return the clock with its time booked up to *at*, and what that took from it."""
    assert clock.since is not None  # noqa: S101 - its time runs
    used = max(0, count_elapsed_ms(_quiet_hours(settings), clock.since, at))
    if isinstance(settings, LiveClock):
        used -= min(used, settings.lag_ms) if answered else 0
        used = min(used, clock.left_ms)
        left = clock.left_ms - used
        credit = settings.increment_ms if answered else 0
        return replace(clock, left_ms=_add_credit(left, credit, settings.cap_ms), since=at), used
    over = max(0, used - clock.allot_ms)
    left = max(0, clock.left_ms - over)
    allot = max(0, clock.allot_ms - used)
    if answered:
        left = _add_credit(left, settings.bank_add_ms if over == 0 else 0, settings.bank_cap_ms)
        allot = _next_allotment(settings, clock, at)
    return replace(clock, left_ms=left, allot_ms=allot, since=at), used


def _add_credit(left: int, credit: int, cap: int | None) -> int:
    """*left* with a credit that does not lift it over the cap; what is over it already stays."""
    return max(left, left + credit if cap is None else min(cap, left + credit))


def _next_allotment(settings: CorrespondenceClock, clock: Clock, at: int) -> int:
    """Return the milliseconds that a seat has for its next decision in the same spell."""
    assert clock.spell is not None  # noqa: S101 - it is on the clock
    stretch = 3 * settings.per_decision_ms if settings.stretch_ms is None else settings.stretch_ms
    return min(settings.per_decision_ms, max(0, stretch - count_elapsed_ms(settings.quiet, clock.spell, at)))


def _rearm(settings: ClockSettings, clock: Clock, span_ms: int) -> Clock:
    """Return a clock that begins again with so much time at the least; it is off until the seat is asked."""
    if isinstance(settings, LiveClock):
        return Clock(max(clock.left_ms, span_ms))
    return Clock(clock.left_ms, span_ms)


def _set_asked(settings: ClockSettings, seat: Seat, clock: Clock, change: ClockChange) -> Clock:
    """Return the clock as the seat is asked, or is not, after the command."""
    if seat not in change.asked:
        return Clock(clock.left_ms)
    if clock.spell is None:
        allot = 0
        if isinstance(settings, CorrespondenceClock):
            allot = change.armed.get(seat, settings.per_decision_ms)
        clock = Clock(clock.left_ms, allot, since=change.at, spell=change.at)
    if seat in change.still:
        stopped = change.at if clock.stopped is None else clock.stopped
        return replace(clock, since=None, stopped=stopped)
    return _resume(clock, change.at)


def _resume(clock: Clock, at: int) -> Clock:
    """Return the clock, going on where it stood still."""
    if clock.stopped is None or clock.spell is None:
        return clock
    return replace(clock, since=at, spell=clock.spell + at - clock.stopped, stopped=None)


def _note_seat(settings: ClockSettings, seat: Seat, before: Clock, clock: Clock, note: ClockNote) -> None:
    """Add the changes at one seat to *note*."""
    name = f"p{seat}"
    if clock.left_ms != before.left_ms:
        note["left"][name] = clock.left_ms
    if clock.stopped is not None:
        if clock != before:
            note["still"][name] = clock.budget_ms
    elif clock.since is not None:
        if clock.since != before.since or name in note["spent"]:
            note["on"][name] = format_timestamp(
                instant_after(_quiet_hours(settings), clock.since, clock.budget_ms)
            )
    elif before.spell is not None:
        note["on"][name] = None


def apply_note(
    settings: ClockSettings,
    clocks: Clocks,
    note: ClockNote,
    at: int,
    fresh: frozenset[Seat] = frozenset(),
) -> Clocks:
    """Return the clocks after an event with this *note*; *fresh*: the seats whose spell begins again."""
    after = list(clocks)
    for name, left in note.get("left", {}).items():
        after[int(name[1:])] = replace(after[int(name[1:])], left_ms=left)
    for name, until in note.get("on", {}).items():
        seat = int(name[1:])
        after[seat] = _run_until(settings, after[seat], at, until, fresh=seat in fresh)
    for name, budget in note.get("still", {}).items():
        seat = int(name[1:])
        after[seat] = _stand_still(settings, after[seat], at, budget)
    return tuple(after)


def _run_until(settings: ClockSettings, clock: Clock, at: int, until: str | None, *, fresh: bool) -> Clock:
    if until is None:
        return Clock(clock.left_ms)
    budget = count_elapsed_ms(_quiet_hours(settings), at, parse_timestamp(until))
    if clock.spell is None or fresh:
        spell = at
    else:
        spell = clock.spell + (0 if clock.stopped is None else at - clock.stopped)
    return Clock(clock.left_ms, _allotment(settings, clock, budget), since=at, spell=spell)


def _stand_still(settings: ClockSettings, clock: Clock, at: int, budget: int) -> Clock:
    return Clock(
        clock.left_ms,
        _allotment(settings, clock, budget),
        spell=at if clock.spell is None else clock.spell,
        stopped=at if clock.stopped is None else clock.stopped,
    )


def _allotment(settings: ClockSettings, clock: Clock, budget: int) -> int:
    return budget - clock.left_ms if isinstance(settings, CorrespondenceClock) else 0
