"""What is not refused here reaches everything behind it."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.proof.canonical import MAX_INTEGER
from service.http.request_data import MalformedJson, parse_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-MAX_INTEGER, MAX_INTEGER)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text("abc_"), inner),
    max_leaves=20,
)


@given(VALUES)
def test_takes_all_ordinary_json(value):
    assert parse_json(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{",
        b"nul",
        b"{'a': 1}",
        b"NaN",
        b"[Infinity]",
        b"[-Infinity]",
        b"1e999",
        b"9007199254740992",
        b"-9007199254740992",
        b"1" * 10_000,
        b'{"a": 1, "a": 2}',
        rb'"\ud800"',
        rb'{"\udc00": 1}',
        rb'"\u0000"',
        rb'{"a\u0000": 1}',
        b'"\xff"',
        b'\xef\xbb\xbf"a"',
        '"a"'.encode("utf-16"),
        b"[" * 33 + b"]" * 33,
        b"[" * 100_000,
        b'{"a":' * 50_000,
        b"01",
        b"1 2",
        b'"\x01"',
        b'"\x00"',
        b'{"\x00": 1}',
        b'{"a":' * 20 + b"[" * 13 + b"]" * 13 + b"}" * 20,
    ],
)
def test_refuses(raw):
    with pytest.raises(MalformedJson):
        parse_json(raw)


def test_takes_the_deepest_that_is_allowed():
    assert parse_json(b"[" * 32 + b"]" * 32)


@given(st.binary(max_size=200))
def test_never_fails_otherwise(raw):
    with contextlib.suppress(MalformedJson):
        parse_json(raw)
