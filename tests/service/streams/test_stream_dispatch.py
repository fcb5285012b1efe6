"""A reader of a stream gets answers without being woken; other cases are left to the stream's thread."""

import socket
import threading
from contextlib import ExitStack, contextmanager

import pytest

from service.streaming.broadcaster import StreamOutlet, StreamPosition, StreamUpdate
from service.streaming.stream_hub import StreamHub
from tests.waiting import PATIENCE, until

START = StreamPosition(0, ended=False)
TEXT = b"event: event\ndata: {}\n\n"


class Stream:
    """A stream as the service has it: a thread that waits, a connection, and its client."""

    def __init__(self, hub, news, *, eyes="spectator", may_hear=lambda: True):
        self.connection, self.client = socket.socketpair()
        for end in (self.connection, self.client):
            end.settimeout(PATIENCE)
        self.listener = hub.listen("game")
        self.outlet = StreamOutlet(self.connection, eyes, START, news, may_hear)
        self.listener.outlet = self.outlet
        self.heard = None
        self.thread = threading.Thread(target=self._wait)

    def _wait(self):
        self.heard = self.listener.wait(PATIENCE)

    def waits(self):
        self.thread.start()
        until(lambda: self.outlet.is_open, "the stream waits")

    def is_woken(self):
        """What for."""
        self.thread.join(PATIENCE)
        return self.heard

    def is_told(self, count=1):
        """What comes on the connection, so many times the text."""
        return self.read(len(chunk(TEXT)) * count)

    def read(self, size):
        """So many bytes, as they come."""
        found = b""
        while len(found) < size and (more := self.client.recv(size - len(found))):
            found += more
        return found


def chunk(text):
    return b"%x\r\n%b\r\n" % (len(text), text)


def follows(since):
    """One event after the last."""
    return StreamUpdate(TEXT, StreamPosition(since.seq + 1, ended=False))


@contextmanager
def streams(hub, *news, **more):
    with ExitStack() as stack:
        found = [Stream(hub, one, **more) for one in news]
        for stream in found:
            stack.callback(stream.connection.close)
            stack.callback(stream.client.close)
            stack.callback(lambda s=stream: s.thread.is_alive() and s.thread.join(PATIENCE))
            stack.callback(stream.listener.wake, "end")
            stream.waits()
        yield found


def test_anyone_who_waits_is_told_and_not_woken():
    """A reader that wakes later finds its place."""
    hub = StreamHub(5)
    with streams(hub, follows) as (stream,):
        for _ in range(3):
            hub.notify("game")
        assert stream.is_told(3) == chunk(TEXT) * 3
        assert stream.thread.is_alive()
        stream.listener.wake("other")
        assert stream.is_woken() == {"other"}
        assert stream.outlet.standing.seq == 3


def test_what_is_new_is_asked_once_for_all_who_see_the_same():
    """Those with other eyes get something else."""
    hub, asked = StreamHub(100), []

    def news(since):
        asked.append(since)
        return follows(since)

    with streams(hub, *[news] * 30) as spectators, streams(hub, news, eyes=0) as (seat,):
        hub.notify("game")
        for stream in [*spectators, seat]:
            assert stream.is_told() == chunk(TEXT)
        assert asked == [START, START]


def test_what_a_client_does_not_take_at_once_comes_once_and_whole():
    """The stream's own thread waits for them, nobody else."""
    hub, much = StreamHub(5), bytes(range(256)) * 10_000
    with (
        streams(hub, lambda since: StreamUpdate(much, StreamPosition(since.seq + 1, ended=False))) as (slow,),
        streams(hub, follows, eyes="other") as (other,),
    ):
        hub.notify("game")
        assert other.is_told() == chunk(TEXT)
        assert slow.read(len(chunk(much))) == chunk(much)
        assert slow.is_woken() == {"game"}
        assert slow.outlet.standing.seq == 1


@pytest.mark.parametrize("seconds", [PATIENCE, 0.2])
def test_who_never_takes_it_ends_their_stream(seconds):
    """As a client that does not read its answer does elsewhere; others are told meanwhile."""
    hub, much = StreamHub(5), b"m" * 3_000_000
    with streams(hub, follows, eyes="other") as (other,):
        slow = Stream(hub, lambda since: StreamUpdate(much, StreamPosition(since.seq + 1, ended=False)))
        slow.connection.settimeout(seconds)
        failed = []

        def wait():
            try:
                slow.listener.wait(PATIENCE)
            except OSError as error:
                failed.append(error)

        slow.thread = threading.Thread(target=wait)
        slow.waits()
        hub.notify("game")
        assert other.is_told() == chunk(TEXT)
        until(lambda: not slow.outlet.is_open, "some of it is sent")
        if seconds == PATIENCE:
            slow.client.close()
        slow.is_woken()
        assert len(failed) == 1
        slow.connection.close()
        slow.client.close()


def _fails(_since):
    raise RuntimeError("the database has moved")


@pytest.mark.parametrize(
    ("news", "may_hear"),
    [(lambda _since: None, True), (_fails, True), (follows, False)],
    ids=["much is new", "it cannot be told", "they may hear no more"],
)
def test_what_is_not_plain_is_left_to_the_stream(news, may_hear):
    """It is woken, and nothing has been written."""
    hub = StreamHub(5)
    with streams(hub, news, may_hear=lambda: may_hear) as (stream,):
        hub.notify("game")
        assert stream.is_woken() == {"game"}
        assert stream.outlet.standing == START
        stream.client.setblocking(False)
        with pytest.raises(BlockingIOError):
            stream.client.recv(1)


def test_who_is_not_waiting_is_woken_when_they_do():
    """A hint that comes while a stream is at work is not lost."""
    hub = StreamHub(5)
    stream = Stream(hub, follows)
    with streams(hub, follows) as (other,):
        other.listener.follow("after it")
        hub.notify("game")
        hub.notify("after it")
        assert other.is_told(2) == chunk(TEXT) * 2
    stream.thread.start()
    assert stream.is_woken() == {"game"}
    assert stream.outlet.standing == START
    stream.connection.close()
    stream.client.close()


def test_who_has_gone_is_woken():
    """Their stream notices, and ends."""
    hub = StreamHub(5)
    with streams(hub, follows) as (stream,):
        stream.client.close()
        hub.notify("game")
        assert stream.is_woken() == {"game"}
        assert stream.outlet.standing == START
