"""However many follow a game, its log is read once for each command; and who hangs up makes room at once."""

import contextlib
import os
import socket
import threading
from dataclasses import replace

import pytest

from ops.runtime.ports import free_port
from ops.runtime.processes import ChildProcess, Program
from ops.server.wsgi import create_app
from service.base.single_flight import SingleFlight
from service.streaming.event_cache import PAGE, EventCache
from tests.installation import CODE, HOME, PYTHON, module, paths
from tests.servers import reachable_folder
from tests.service.client import Api
from tests.service.factories import join_all
from tests.service.streams.test_stream import Stream, move
from tests.waiting import PATIENCE, until

LISTENERS = 200
PLACES = 60


class Log:
    """A log of which it is counted how often it is read."""

    def __init__(self, size):
        self.size, self.reads, self.hints = size, 0, 0

    def read(self, _game, after, limit):
        self.reads += 1
        return [_Event(seq) for seq in range(after + 1, min(self.size, after + limit) + 1)]

    def tails(self):
        return EventCache(self.read, lambda _game: None, lambda _game: self.hints)


class _Event:
    def __init__(self, seq):
        self.seq = seq


def test_a_short_page_ends_it():
    """Those who have read it need not ask whether there is more, and nobody else need read it."""
    log = Log(3)
    tails = log.tails()
    for _ in range(5):
        assert [event.seq for event in tails.records_after("g", 0, hinted=True)] == [1, 2, 3]
        assert tails.records_after("g", 3, hinted=True) == []
    assert log.reads == 1


def test_after_a_hint_it_is_looked_again():
    """What was the end before is not believed any more."""
    log = Log(3)
    tails = log.tails()
    tails.records_after("g", 0, hinted=True)
    log.size, log.hints = 4, 1
    assert [event.seq for event in tails.records_after("g", 3, hinted=True)] == [4]
    assert tails.records_after("g", 4, hinted=True) == []
    assert log.reads == 2


def test_without_a_hint_it_is_looked_again_after_a_while(monkeypatch):
    """A hint may have been lost."""
    log = Log(3)
    tails = log.tails()
    assert tails.records_after("g", 3, hinted=False) == []
    log.size = 4
    monkeypatch.setattr("service.streaming.event_cache.TRUST_SECONDS", 0.0)
    assert tails.records_after("g", 3, hinted=True) == []
    assert [event.seq for event in tails.records_after("g", 3, hinted=False)] == [4]


def test_a_full_page_is_not_the_end():
    """What follows on it is read too."""
    log = Log(PAGE)
    tails = log.tails()
    assert len(tails.records_after("g", 0, hinted=True)) == PAGE
    assert tails.records_after("g", PAGE, hinted=True) == []
    assert log.reads == 2


def test_an_answer_of_before_the_hint_is_not_taken():
    """Those who join a question that was asked before their hint came ask again."""
    log = Log(3)
    asked, go_on = threading.Event(), threading.Event()
    plain = log.read

    def slow(game, after, limit):
        page = plain(game, after, limit)
        asked.set()
        assert go_on.wait(PATIENCE)
        return page

    log.read = slow
    tails = log.tails()
    first = threading.Thread(target=tails.records_after, args=("g", 3), kwargs={"hinted": True})
    first.start()
    assert asked.wait(PATIENCE)
    log.size, log.hints = 4, 1
    found = []
    second = threading.Thread(target=lambda: found.extend(tails.records_after("g", 3, hinted=True)))
    second.start()
    go_on.set()
    first.join(PATIENCE)
    second.join(PATIENCE)
    assert [event.seq for event in found] == [4]


def test_an_error_is_had_together():
    """Nobody waits for the same failure one after the other; the next question is asked again."""
    together, under_way, go_on, calls = SingleFlight(), threading.Event(), threading.Event(), []

    def fail():
        calls.append(1)
        under_way.set()
        assert go_on.wait(PATIENCE)
        raise OSError("away")

    def ask():
        with pytest.raises(OSError, match="away"):
            together.do("k", fail)
        ended.append(1)

    ended = []
    threads = [threading.Thread(target=ask)]
    threads[0].start()
    assert under_way.wait(PATIENCE)
    threads += [threading.Thread(target=ask) for _ in range(10)]
    for thread in threads[1:]:
        thread.start()
    go_on.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(ended) == 11
    assert together.do("k", lambda: 7) == 7


def forever(stream, events, got):
    """Read a stream until its server goes."""
    with contextlib.suppress(StopIteration):
        while (message := stream.next())[0] == "event":
            events.append(message[2])
            got.release()


@pytest.mark.integration
def test_many_listeners_read_the_log_once_for_each_command(ada, bob, settings, monkeypatch):
    """Two hundred streams in a process of their own, which hears of commands by hints."""
    app = create_app(replace(settings, streams=LISTENERS, heartbeat=3600.0))
    here = app.extensions["rutter"]
    game_id = join_all(ada, bob)
    first = ada.get(f"/v1/games/{game_id}")["seq"]
    streams = [Stream(Api(app), game_id, f"?after={first}") for _ in range(LISTENERS)]
    reads, plain = [], here.games.log.read
    monkeypatch.setattr(here.games.log, "read", lambda *asked: reads.append(asked) or plain(*asked))
    told, got = [[] for _ in streams], threading.Semaphore(0)
    threads = [
        threading.Thread(target=forever, args=(*pair, got)) for pair in zip(streams, told, strict=True)
    ]
    for thread in threads:
        thread.start()
    until(lambda: here.hints.hearing, "hints are heard")
    move((ada, bob), game_id)  # from here on nobody waits for a first look any more
    last = ada.get(f"/v1/games/{game_id}")["seq"]
    for _ in range(LISTENERS * (last - first)):
        assert got.acquire(timeout=PATIENCE)
    reads.clear()
    for number in range(1, 6):
        before, last = last, move((ada, bob), game_id)["seq"]
        for _ in range(LISTENERS * (last - before)):
            assert got.acquire(timeout=PATIENCE)
        assert len(reads) == number, reads
    here.stream_hub.stop()
    for thread in threads:
        thread.join(PATIENCE)
    assert [event["seq"] for event in told[0]] == list(range(first + 1, last + 1))
    assert all(events == told[0] for events in told)
    here.close()


class OneProcess:
    """An API of one process with few places, as the server runs it."""

    def __init__(self, settings, folder, servers):
        port = free_port()
        self.address = ("127.0.0.1", port)
        environment = {
            **os.environ,
            **paths(),
            "DATABASE_URL": settings.database_url,
            "REDIS_URL": servers.redis_url,
            "RUTTER_DATA": str(folder),
            "RUTTER_BIND": f"127.0.0.1:{port}",
            "RUTTER_LIMITS": "off",
            "RUTTER_API_PROCESSES": "1",
            "RUTTER_STREAMS": str(PLACES),
            "RUTTER_OWNER_MAY_SERVE": "1",
        }
        words = [
            "gunicorn",
            "-c",
            str(CODE / "ops" / "server" / "gunicorn_conf.py"),
            module("ops.server.wsgi:create_app()"),
        ]
        log = folder / "api.log"
        self.child = ChildProcess(Program("api", [PYTHON, "-m", *words], environment, log, folder=HOME))
        until(self.answers, "the server answers")

    def answers(self):
        try:
            with self.ask("/healthz") as connection:
                return b" 200 " in connection.recv(100)
        except OSError:
            return False

    def ask(self, path):
        connection = socket.create_connection(self.address, timeout=PATIENCE)
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        return connection

    def status(self, connection):
        return int(connection.recv(12).split()[1])


@pytest.mark.integration
@pytest.mark.slow
def test_who_hangs_up_makes_room_at_once(ada, bob, settings, servers, tmp_path):
    """As many as there are places go; as many come, and none is refused: no sign of life was due."""
    game_id = join_all(ada, bob)
    folder = reachable_folder(tmp_path / "api")
    folder.mkdir(exist_ok=True)
    one = OneProcess(settings, folder, servers)
    try:
        path = f"/v1/games/{game_id}/stream"
        listening = []
        for _ in range(2):
            for connection in listening:
                connection.close()
            listening = [one.ask(path) for _ in range(PLACES)]
            assert [one.status(connection) for connection in listening] == [200] * PLACES
        with one.ask(path) as another:
            assert one.status(another) == 503
        for connection in listening:
            connection.close()
    finally:
        one.child.end()
