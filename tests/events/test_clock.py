"""Clocks: hours that count, what commands leave in their notes, and what holds whatever is played."""

import json
from datetime import datetime
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.base.timestamps import count_micros, format_timestamp, parse_timestamp
from events.clocks import clock
from events.clocks.clock import ClockChange, CorrespondenceClock, LiveClock, QuietHours

VECTORS = json.loads((Path(__file__).parents[1] / "vectors" / "clocks.json").read_text())
START = parse_timestamp("2026-03-02T12:00:00.000000Z")


def instant(seconds):
    """So many seconds after the beginning of a game."""
    return START + round(seconds * 1_000_000)


def by_seat(step, name):
    """Milliseconds by seat: in JSON keys are texts."""
    return {int(seat): span for seat, span in step.get(name, {}).items()}


@pytest.mark.parametrize("case", VECTORS["hours"], ids=lambda case: case["why"])
def test_hours_that_count(case):
    """Quiet hours and days are left out; the deadline is the first instant by which so much has counted."""
    quiet = msgspec.convert(case["quiet"], QuietHours | None)
    since, until, deadline = (
        count_micros(datetime.fromisoformat(case[name])) for name in ("since", "until", "deadline")
    )  # also of years in which no game is played
    assert clock.count_elapsed_ms(quiet, since, until) == case["counted"]
    assert clock.instant_after(quiet, since, case["counted"]) == deadline


@pytest.mark.parametrize("case", VECTORS["games"], ids=lambda case: case["why"])
def test_notes_of_games(case):
    """Each step leaves the note that the vector says, and the clocks can be read from the notes alone."""
    settings = msgspec.convert(case["settings"], clock.ClockSettings).with_defaults()
    clocks = read = clock.start_clocks(settings, case["seats"])
    for step in case["steps"]:
        at = instant(step["at"])
        change = ClockChange(
            at=at,
            asked=frozenset(step["asked"]),
            still=frozenset(step.get("still", ())),
            answered=step.get("answered"),
            added=by_seat(step, "added"),
            armed=by_seat(step, "armed"),
        )
        clocks, note = clock.advance(settings, clocks, change)
        wanted = dict(step["note"])
        wanted["on"] = {
            name: None if until is None else format_timestamp(instant(until))
            for name, until in wanted.get("on", {}).items()
        }
        assert note == {name: told for name, told in wanted.items() if told}
        read = clock.apply_note(settings, read, note, at, frozenset(change.armed))
        assert read == clocks


quiets = st.builds(
    QuietHours,
    offset_min=st.integers(-720, 840),
    from_min=st.integers(0, 1439),
    to_min=st.integers(0, 1439),
    days=st.lists(st.integers(1, 7), max_size=6, unique=True).map(tuple),
)
instants = st.integers(START - 10**15, START + 10**15)


@given(st.none() | quiets, instants, st.integers(0, 40 * clock.DAY))
def test_a_deadline_is_the_inverse_of_what_counted(quiet, since, span):
    """So much has counted at the deadline to the microsecond, and not yet a microsecond before."""
    until = clock.instant_after(quiet, since, span)
    assert clock.count_elapsed_ms(quiet, since, until) == span
    assert until == since or clock.count_elapsed_ms(quiet, since, until - 1) == span - 1


@given(quiets, instants, st.lists(st.integers(0, 10**13), min_size=2, max_size=2))
def test_what_counts_adds_up(quiet, since, spans):
    """Time that is cut in two counts as much as in one piece, but for started milliseconds."""
    middle = since + spans[0]
    end = middle + spans[1]
    parts = clock.count_elapsed_ms(quiet, since, middle) + clock.count_elapsed_ms(quiet, middle, end)
    assert 0 <= clock.count_elapsed_ms(quiet, since, end) - parts <= 1


lives = st.builds(
    LiveClock,
    base_ms=st.integers(10_000, 90_000),
    increment_ms=st.integers(0, 20_000),
    first_ms=st.integers(0, 60_000),
    lag_ms=st.integers(0, 2_000),
)
letters = st.builds(
    CorrespondenceClock,
    per_decision_ms=st.integers(60_000, 200_000),
    bank_ms=st.integers(0, 200_000),
    bank_add_ms=st.integers(0, 20_000),
    quiet=st.none() | quiets,
)
steps = st.lists(
    st.tuples(
        st.integers(0, 10**8),
        st.frozensets(st.integers(0, 2)),
        st.none() | st.integers(0, 2),
        st.dictionaries(st.integers(0, 2), st.integers(1, 50_000), max_size=1),
        st.frozensets(st.integers(0, 2), max_size=1),
    ),
    max_size=25,
)


@given(lives | letters, steps)
def test_notes_tell_the_clocks_whatever_happens(settings, moves):
    """Whatever is asked, answered, added or stands still: the notes alone give the same clocks."""
    settings = settings.with_defaults()
    clocks = read = clock.start_clocks(settings, 3)
    at = START
    for wait, asked, answered, added, still in moves:
        at += wait
        clocks, note = clock.advance(settings, clocks, ClockChange(at, asked, still, answered, added))
        read = clock.apply_note(settings, read, note, at)
        assert read == clocks
        for seat, one in enumerate(clocks):
            assert one.left_ms >= 0
            assert one.allot_ms >= 0
            assert (one.since is not None) == (seat in asked - still)


@given(lives, steps)
def test_live_time_is_conserved(settings, moves):
    """What a seat has spent and has left is what it was given, to the millisecond."""
    settings = settings.with_defaults()
    clocks = clock.start_clocks(settings, 3)
    given_ms, spent = [settings.base_ms + settings.first_ms] * 3, [0] * 3
    at = START
    for wait, asked, answered, added, still in moves:
        at += wait
        before = clocks
        clocks, note = clock.advance(settings, clocks, ClockChange(at, asked, still, answered, added))
        for seat in range(3):
            name = f"p{seat}"
            used = note.get("spent", {}).get(name, 0)
            spent[seat] += used
            given_ms[seat] += added.get(seat, 0)
            if name in note.get("spent", {}) and answered == seat:
                left = before[seat].left_ms + added.get(seat, 0) - used
                given_ms[seat] += max(0, min(settings.increment_ms, settings.cap_ms - left))
            assert spent[seat] + clocks[seat].left_ms == given_ms[seat]


@given(letters, steps)
def test_nobody_is_slowed_or_hurried_by_others(settings, moves):
    """The deadline of a seat that neither answers nor is given time does not move as long as it is asked."""
    settings = settings.with_defaults()
    clocks = clock.start_clocks(settings, 3)
    at = START
    for wait, asked, answered, added, still in moves:
        at += wait
        before = clocks
        clocks, _ = clock.advance(settings, clocks, ClockChange(at, asked, still, answered, added))
        for seat in asked - still - {answered} - set(added):
            if before[seat].since is not None:
                assert clocks[seat] == before[seat]


@given(letters, st.lists(st.integers(0, 10**8), max_size=20))
def test_a_turn_of_many_commands_ends(settings, waits):
    """However often a seat answers in one spell, its deadline never lies beyond the stretch and the bank.

    But for what rounding down to milliseconds forgives at each answer.
    """
    settings = msgspec.structs.replace(settings, bank_add_ms=0, quiet=None).with_defaults()
    asked = frozenset({0})
    clocks, _ = clock.advance(settings, clock.start_clocks(settings, 1), ClockChange(START, asked))
    at, last = START, START + (settings.stretch_ms + settings.bank_ms) * 1000
    for wait in waits:
        at = min(at + wait, clock.deadline(settings, clocks[0]))
        clocks, _ = clock.advance(settings, clocks, ClockChange(at, asked, answered=0))
        last += 999
        assert clock.deadline(settings, clocks[0]) <= last
