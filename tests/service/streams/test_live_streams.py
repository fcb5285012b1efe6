"""The one loop of all live streams: what it sends, when it looks again, and what ends it."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from projections.messages.hints import Hints
from service.application.live_streams import ANYTHING, stream_messages
from service.streaming.stream_hub import StreamHub, StreamListener
from tests.waiting import PATIENCE

BEGIN, HERE = b"retry: 2000\n\n", b": here\n\n"


class Numbers:
    """A stream of numbers: one a look, as many as may be seen."""

    def __init__(self, listener: StreamListener, allowed: int) -> None:
        self.listener, self.left = listener, allowed
        self.heard: list[frozenset[str]] = []

    def first_messages(self) -> Iterator[bytes]:
        yield b"first"

    def is_allowed(self, heard: frozenset[str]) -> bool:
        self.left -= 1
        return self.left >= 0

    def new_messages(self, heard: frozenset[str]) -> Iterator[bytes]:
        self.heard.append(heard)
        yield b"%d" % len(self.heard)

    def wait(self) -> Generator[bytes, None, frozenset[str]]:
        yield HERE
        return frozenset({f"word {len(self.heard)}"})


class Place:
    """A lease that counts how often it is renewed."""

    renewed = 0

    def renew_if_due(self) -> None:
        self.renewed += 1


def test_it_looks_after_each_hint_until_the_viewer_may_see_no_more():
    hub, place = StreamHub(1), Place()
    listener = hub.listen("game")
    content = Numbers(listener, 2)
    told = list(stream_messages(content, listener, place))
    assert told == [BEGIN, b"first", b"1", HERE, b"2", HERE, b"event: closing\ndata: {}\n\n"]
    assert content.heard == [ANYTHING, frozenset({"word 1"})]
    assert (place.renewed, hub.count) == (2, 0)


def test_it_ends_when_its_process_goes():
    hub = StreamHub(1)
    listener = hub.listen("game")
    stream = stream_messages(Numbers(listener, 9), listener, None)
    assert [next(stream) for _ in range(3)] == [BEGIN, b"first", b"1"]
    hub.stop()
    assert list(stream) == [HERE, b"event: closing\ndata: {}\n\n"]


def test_one_that_is_replaced_says_so():
    hub = StreamHub(2)
    listener, newer = hub.listen("token"), hub.listen("token")
    stream = stream_messages(Numbers(listener, 9), listener, None)
    next(stream)
    hub.end_streams_of("token", by=newer)
    assert list(stream)[-1] == b'event: closing\ndata: {"replaced":true}\n\n'
    assert not newer.closing


def test_it_leaves_the_hub_when_its_reader_goes():
    hub = StreamHub(1)
    listener = hub.listen("game")
    stream = stream_messages(Numbers(listener, 9), listener, None)
    next(stream)
    assert isinstance(stream, Generator)
    stream.close()
    assert hub.count == 0


def test_what_is_announced_wakes_those_who_follow_it_here():
    hints = Hints(None)
    hub = StreamHub(2, hints)
    listener, other = hub.listen("game"), hub.listen("another")
    hints.announce("game", 5, awaits_server=False)
    hints.announce("nobody's", 1, awaits_server=False)
    assert listener.wait(PATIENCE) == {"game"}
    assert other.wait(0) == frozenset()


def test_what_was_announced_before_anybody_followed_it_is_counted():
    """An answer from before a hint is older than it, whether somebody follows the word or not."""
    hints = Hints(None)
    hub = StreamHub(2, hints)
    before = hub.last_notified("game")
    hints.announce("game", 1, awaits_server=False)
    began = hub.last_notified("game")
    assert began > before
    first = hub.listen("game")
    hub.listen("game")
    hints.announce("another", 1, awaits_server=False)
    assert hub.last_notified("game") == began
    hints.announce("game", 1, awaits_server=False)
    told = hub.last_notified("game")
    assert told > began
    first.close()
    assert hub.last_notified("game") == told, "the other one still follows it"
