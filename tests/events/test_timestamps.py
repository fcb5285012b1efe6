"""One reader of times for everything: RFC 3339, from 2000 to 2999. No reckoning leaves these years."""

import ast
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.base import timestamps
from events.base.timestamps import FarTime, add_milliseconds, format_timestamp, parse_timestamp, read_time
from events.tlog import notes
from events.tlog.notes import receipt_time
from tests.tools import ROOT

FIRST, LAST = "2000-01-01T00:00:00.000000Z", "2999-12-31T23:59:59.999999Z"


def normalize(at: str) -> str:
    return format_timestamp(parse_timestamp(at))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000000Z"),
        ("2026-03-01t12:00:00z", "2026-03-01T12:00:00.000000Z"),
        ("2026-03-01T13:30:00+01:30", "2026-03-01T12:00:00.000000Z"),
        ("2026-02-28T23:00:00-13:00", "2026-03-01T12:00:00.000000Z"),
        ("2026-03-01T12:00:00-00:00", "2026-03-01T12:00:00.000000Z"),
        ("2026-03-01T12:00:00.5Z", "2026-03-01T12:00:00.500000Z"),
        ("2026-03-01T12:00:00.1234569999Z", "2026-03-01T12:00:00.123456Z"),
        ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000000Z"),
        ("2016-12-31T15:59:60.25-08:00", "2017-01-01T00:00:00.250000Z"),
        ("2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000000Z"),
        ("1999-12-31T23:00:00-02:00", "2000-01-01T01:00:00.000000Z"),
        ("3000-01-01T00:30:00+01:00", "2999-12-31T23:30:00.000000Z"),
        (FIRST, FIRST),
        (LAST, LAST),
    ],
)
def test_times_of_rfc_3339_are_read(text, read):
    assert normalize(text) == read
    assert timestamps.format_time(read_time(text)) == read


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "2026-03-01",
        "2026-03-01T12:00Z",
        "2026-03-01T12:00:00",
        "2026-03-01 12:00:00Z",
        "20260301T120000Z",
        "2026-W09-7T12:00:00Z",
        "2026-060T12:00:00Z",
        "2026-03-01T12Z",
        "2026-03-01T12:00:00+01",
        "2026-03-01T12:00:00+0100",
        "2026-03-01T12:00:00+01:00:00",
        "2026-03-01T12:00:00+24:00",
        "2026-03-01T12:00:00,5Z",
        "2026-03-01T12:00:00.Z",
        "2026-03-01T24:00:00Z",
        "2026-03-01T12:60:00Z",
        "2026-03-01T12:00:61Z",
        "2026-03-01T12:00:60Z",
        "2026-03-01T23:59:60+01:00",
        "2026-02-29T12:00:00Z",
        "2100-02-29T12:00:00Z",
        "2026-13-01T12:00:00Z",
        "2026-03-00T12:00:00Z",
        "+2026-03-01T12:00:00Z",
        "12026-03-01T12:00:00Z",
        "2026-03-01T12:00:00Z\n",
        " 2026-03-01T12:00:00Z",
        "٢٠٢٦-03-01T12:00:00Z",
        "2026-03-01T12:00:00.٥Z",
    ],
)
def test_other_forms_are_refused(text):
    with pytest.raises(ValueError, match=r".") as error:
        read_time(text)
    assert not isinstance(error.value, FarTime)
    assert not timestamps.is_recorded_form(text)


@pytest.mark.parametrize(
    "text",
    [
        "0000-02-29T12:00:00Z",
        "0999-12-31T23:59:59Z",
        "1999-12-31T23:59:59.999999Z",
        "2000-01-01T00:00:00+00:01",
        "2999-12-31T23:59:00-00:01",
        "2999-12-31T23:59:60Z",
        "9999-12-31T23:59:59Z",
        "9999-12-31T23:59:59-23:59",
        "0000-01-01T00:00:00+23:59",
    ],
)
def test_times_of_other_years_are_told_apart(text):
    with pytest.raises(FarTime):
        read_time(text)
    assert not timestamps.is_recorded_form(text)


@pytest.mark.parametrize("milliseconds", [1, 10**9, 10**18, 10**40])
def test_no_reckoning_leaves_these_years(milliseconds):
    assert add_milliseconds(LAST, milliseconds) == LAST
    assert add_milliseconds(FIRST, -milliseconds) == FIRST
    assert format_timestamp(milliseconds * 10**17) == LAST
    assert format_timestamp(-milliseconds) == FIRST


SECONDS_OF_ALL_YEARS = (datetime(3000, 1, 1, tzinfo=UTC) - datetime(2000, 1, 1, tzinfo=UTC)).total_seconds()


@given(st.integers(0, int(SECONDS_OF_ALL_YEARS) * 1_000_000 - 2))
def test_what_is_written_is_read(micros):
    """In the one form of all records, which compares as the times do."""
    at = datetime(2000, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros)
    written = timestamps.format_time(at)
    assert read_time(written) == at
    assert timestamps.is_recorded_form(written)
    later = timestamps.format_time(at + timedelta(microseconds=1))
    assert written < later
    assert len(written) == len(later) == len(LAST)


def test_a_day_is_its_beginning():
    assert timestamps.read_day_or_time("2026-03-01") == datetime(2026, 3, 1, tzinfo=UTC)
    assert timestamps.read_day_or_time("2026-03-01t01:00:00+01:00") == datetime(2026, 3, 1, tzinfo=UTC)


@given(st.integers(0, int(SECONDS_OF_ALL_YEARS) * 1_000_000 - 1))
def test_a_receipt_has_the_second_of_its_event(micros):
    """The one other reader, for times that the log has written: it says the same."""
    written = timestamps.format_time(datetime(2000, 1, 1, tzinfo=UTC) + timedelta(microseconds=micros))
    assert receipt_time(written) == timestamps.whole_seconds(written)


OTHER_READERS = {"fromisoformat", "strptime", "fromtimestamp", "utcfromtimestamp", "DateTime"}


def test_nothing_else_reads_times():
    """What reads a text, or a number, as a time goes by the years and forms of this reader."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in ("events", "projections", "service", "workers", "ops")
        for path in Path(ROOT, folder).rglob("*.py")
        if path not in (Path(timestamps.__file__), Path(notes.__file__))
        for text in [path.read_text()]
        if any(name in text for name in OTHER_READERS)  # to parse all files takes seconds
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr in OTHER_READERS
    ]
    assert not found
