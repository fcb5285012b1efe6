"""Where a request ends, however its bytes arrive."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ops.server.request_buffer import LONGEST_HEADER, LONGEST_LINE, RequestBuffer, RequestTooLong

LARGEST = 1000
POST = b"POST /x HTTP/1.1\r\nHost: x\r\n"
WHOLE = [
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
    POST + b"Content-Length: 5\r\n\r\nhello",
    POST + b"content-length:\t5 \r\n\r\nhello",
    POST + b"Content-Length: 0\r\n\r\n",
    POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    POST + b"transfer-encoding:  CHUNKED \r\n\r\n5;x=y\r\nhello\r\n1\r\n!\r\n0\r\n\r\n",
    POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nTrailer: x\r\n\r\n",
    POST + b"Transfer-Encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n",
]
REFUSED_BY_THE_PARSER = [
    b"\r\n\r\n",
    POST + b"Content-Length: -5\r\n\r\n",
    POST + b"Content-Length: five\r\n\r\n",
    POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
    POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    POST + b"Transfer-Encoding: brotli\r\n\r\n",
    POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n",
    POST + b"Transfer-Encoding: chunked\r\n\r\n-1\r\n",
    POST + b"Content-Length: 1001\r\n\r\n",
    POST + b"Content-Length: 99999999999999999999\r\n\r\n",
]


@pytest.mark.parametrize("request_", WHOLE, ids=repr)
def test_it_is_whole_at_its_last_byte_and_not_before(request_):
    buffer = RequestBuffer(LARGEST)
    for place in range(len(request_)):
        assert not buffer.is_whole, place
        buffer.add(request_[place : place + 1])
    assert buffer.is_whole
    assert buffer.data == request_


@pytest.mark.parametrize("request_", REFUSED_BY_THE_PARSER, ids=repr)
def test_what_will_be_refused_waits_for_nothing(request_):
    buffer = RequestBuffer(LARGEST)
    buffer.add(request_)
    assert buffer.is_whole


@given(st.sampled_from(WHOLE), st.data())
def test_the_pieces_do_not_matter_nor_what_comes_behind(request_, data):
    everything = request_ + b"GET /next HTTP/1.1\r\n"
    cuts = sorted(data.draw(st.lists(st.integers(0, len(everything)), max_size=6)))
    buffer = RequestBuffer(LARGEST)
    for begin, end in zip([0, *cuts], [*cuts, len(everything)], strict=True):
        buffer.add(everything[begin:end])
        assert buffer.is_whole == (end >= len(request_))
    assert buffer.data == everything


def test_chunks_beyond_the_limit_wait_for_nothing():
    """As soon as more has come than will be taken, whatever is announced, however small the chunks are."""
    buffer = RequestBuffer(LARGEST)
    buffer.add(POST + b"Transfer-Encoding: chunked\r\n\r\nfffff\r\n")
    buffer.add(b"x" * LARGEST)
    assert not buffer.is_whole
    buffer.add(b"x")
    assert buffer.is_whole
    assert buffer.is_cut
    small = RequestBuffer(LARGEST)
    small.add(POST + b"Transfer-Encoding: chunked\r\n\r\n")
    for _ in range(LARGEST):
        small.add(b"1\r\nx\r\n")
        assert not small.is_whole
    small.add(b"1\r\nx\r\n")
    assert small.is_whole
    assert small.is_cut


def test_the_parser_gets_a_body_in_one_chunk():
    """What comes behind it stays as it is: trailers, the next request, or what is wrong."""
    begin = POST + b"Transfer-Encoding: chunked\r\n\r\n"
    for rest in (b"0\r\n\r\n", b"0\r\nTrailer: x\r\n\r\nGET /next HTTP/1.1\r\n", b"zz\r\n"):
        buffer = RequestBuffer(LARGEST)
        buffer.add(begin + b"2\r\nhe\r\n3;x\r\nllo\r\n" + rest)
        assert buffer.is_whole
        assert buffer.request() == begin + b"5\r\nhello\r\n" + rest
    cut = RequestBuffer(LARGEST)
    cut.add(begin + b"ffff\r\n" + b"x" * 1500)
    assert cut.request() == begin + b"5dc\r\n" + b"x" * 1500 + b"\r\n0\r\n\r\n"


def test_more_words_about_chunks_than_chunks_are_given_up():
    buffer = RequestBuffer(10)
    buffer.add(POST + b"Transfer-Encoding: chunked\r\n\r\n")
    with pytest.raises(RequestTooLong) as too_long:
        buffer.add(b"".join(b"1;" + b"x" * 8000 + b"\r\nx\r\n" for _ in range(9)))
    assert too_long.value.args == (413,)


@pytest.mark.parametrize(
    ("begin", "more", "status"),
    [
        (b"GET /", b"a" * LONGEST_LINE, 414),
        (b"GET / HTTP/1.1\r\n", b"X: y\r\n" * (LONGEST_HEADER // 6 + 1), 431),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n", b"1" * (LONGEST_LINE + 1), 400),
        (POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\n", b"X: y\r\n" * (LONGEST_HEADER // 6 + 1), 431),
    ],
)
def test_what_never_ends_is_given_up(begin, more, status):
    buffer = RequestBuffer(LARGEST)
    buffer.add(begin)
    with pytest.raises(RequestTooLong) as too_long:
        buffer.add(more)
    assert too_long.value.args == (status,)


def test_a_client_that_waits_for_the_word_is_told_once():
    """The expectation is taken out, so that the server does not meet it a second time."""
    buffer = RequestBuffer(LARGEST)
    buffer.add(POST + b"Expect: 100-Continue\r\nContent-Length: 5\r\n\r\n")
    assert buffer.asks_to_continue
    buffer.strip_expectation()
    assert not buffer.asks_to_continue
    assert not buffer.is_whole
    buffer.add(b"hello")
    assert buffer.is_whole
    assert buffer.data == POST + b"Content-Length: 5\r\n\r\nhello"
    chunked = RequestBuffer(LARGEST)
    chunked.add(POST + b"Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n")
    assert chunked.asks_to_continue
    chunked.strip_expectation()
    chunked.add(b"5\r\nhello\r\n0\r\n\r\n")
    assert chunked.is_whole
    for body in (b"hello", b""):
        here = RequestBuffer(LARGEST)
        here.add(POST + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        assert not here.asks_to_continue
