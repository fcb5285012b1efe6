"""Canonical JSON is RFC 8785 within the profile."""

import msgspec
import pytest
import rfc8785
from hypothesis import given, settings
from hypothesis import strategies as st

from events.proof import canonical

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
KEYS = st.from_regex(r"[a-z0-9_]{1,12}", fullmatch=True)
NUMBERS = st.integers(-canonical.MAX_INTEGER, canonical.MAX_INTEGER)
DOCUMENTS = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=40)
@given(DOCUMENTS)
def test_same_bytes_as_rfc_8785(document):
    """Our bytes are those of an independent implementation."""
    canonical.check(document)
    assert canonical.encode(document) == rfc8785.dumps(document)


@pytest.mark.parametrize("text", ["\b\f\n\r\t\x00\x1f\x7f", 'a\\u0008"b', "\\\b", "é😀\u2028", "/"])
def test_escapes(text):
    """Control characters have the short escapes that RFC 8785 asks for, all else stands as it is."""
    assert canonical.encode(text) == rfc8785.dumps(text)
    assert msgspec.json.decode(canonical.encode(text)) == text


@pytest.mark.parametrize(
    "value", [1.5, {"Ab": 1}, {"": 1}, {1: 2}, 2**53, "\ud800", b"x", {"a" * 65: 1}, {"a": {"b-c": 1}}]
)
def test_outside_the_profile(value):
    """What has no canonical form is named."""
    with pytest.raises(canonical.UncanonicalValue):
        canonical.check(value)


def test_depth():
    """Nothing nests deeper than 32 levels."""
    deep = []
    for _ in range(40):
        deep = [deep]
    with pytest.raises(canonical.UncanonicalValue, match="deeper"):
        canonical.check(deep)
