"""Live streams: complete, resumable, through the eyes of a seat, and ended in order."""

import json
import threading
from dataclasses import replace

import pytest

from ops.server.wsgi import create_app
from tests.service.client import Api
from tests.service.factories import GameRequest, join_all
from tests.waiting import PATIENCE, until

pytestmark = pytest.mark.integration


class Stream:
    """A stream that is read message by message; *turns*: also what it says that a seat may do."""

    def __init__(self, api, game_id, query="", *, turns=False, **headers):
        self.turns = turns
        self.answer = api.send("GET", f"/v1/games/{game_id}/stream{query}", **headers)
        assert self.answer.status_code == 200, self.answer.text
        assert self.answer.content_type == "text/event-stream; charset=utf-8"
        self._chunks = self.answer.iter_encoded()
        self.comments = 0

    def next(self):
        """The next message that is not a comment: (event, id, data)."""
        while True:
            text = next(self._chunks).decode()
            if text.startswith(":"):
                self.comments += 1
                continue
            if text.startswith("retry:"):
                continue
            fields = dict(line.split(": ", 1) for line in text.strip().split("\n"))
            if fields["event"] == "turn" and not self.turns:
                continue
            return fields["event"], fields.get("id"), json.loads(fields["data"])

    def events(self, until):
        """Events up to the seq *until*."""
        found = []
        while not found or found[-1]["seq"] < until:
            event, seq, data = self.next()
            assert (event, seq) == ("event", str(data["seq"]))
            found.append(data)
        return found

    def wait_for_comment(self):
        while True:
            if next(self._chunks).startswith(b":"):
                return

    def signs_of_life(self, number):
        """All that comes up to the next so many comments."""
        found = []
        while sum(chunk.startswith(b":") for chunk in found) < number:
            found.append(next(self._chunks))
        return found

    def close(self):
        self.answer.close()


def move(api, game_id):
    """One command of someone who can; its answer."""
    for one in api if isinstance(api, tuple) else (api,):
        legal = one.get(f"/v1/games/{game_id}/decisions")["legal"]
        if legal:
            return one.post(
                f"/v1/games/{game_id}/commands", {**legal[0]["command"], "seat": legal[0]["seat"]}
            )
    raise AssertionError("nobody can move")


def test_it_begins_with_the_whole_game_and_goes_on_with_events(ada, bob):
    game_id = join_all(ada, bob)
    stream = Stream(bob, game_id)
    event, seq, game = stream.next()
    assert (event, seq) == ("game", None)
    assert game == bob.get(f"/v1/games/{game_id}")
    happened = [move((ada, bob), game_id) for _ in range(5)]
    events = stream.events(happened[-1]["seq"])
    assert events == bob.get(f"/v1/games/{game_id}/events?after={game['seq']}")["events"]
    stream.close()


def test_it_is_resumed_after_the_last_event(ada, bob):
    game_id = join_all(ada, bob)
    for _ in range(6):
        last = move((ada, bob), game_id)["seq"]
    whole = ada.get(f"/v1/games/{game_id}/events")["events"]
    for after in (0, 1, last // 2, last - 1):
        for stream in (
            Stream(ada, game_id, Last_Event_ID=str(after)),
            Stream(ada, game_id, f"?after={after}"),
            Stream(ada, game_id, "?after=1", Last_Event_ID=str(after)),
        ):
            assert stream.events(last) == whole[after:]
            stream.close()
    stream = Stream(ada, game_id, Last_Event_ID=str(last))
    happened = move((ada, bob), game_id)
    assert [e["seq"] for e in stream.events(happened["seq"])] == list(range(last + 1, happened["seq"] + 1))
    stream.close()


def test_each_sees_what_they_may(ada, bob, api):
    game_id = join_all(ada, bob)
    streams = {0: Stream(ada, game_id, "?after=0"), 1: Stream(bob, game_id, "?after=0")}
    streams[None] = Stream(api, game_id, "?after=0")
    for _ in range(20):
        last = move((ada, bob), game_id)["seq"]
    for seat, stream in streams.items():
        one = {0: ada, 1: bob, None: api}[seat]
        assert stream.events(last) == one.get(f"/v1/games/{game_id}/events?limit=1000")["events"]
        stream.close()


def test_signs_of_life_carry_no_id(ada):
    game = ada.post("/v1/games", GameRequest(), status=201)
    stream = Stream(ada, game["id"])
    stream.next()
    stream.wait_for_comment()
    stream.wait_for_comment()
    happened = move(ada, game["id"])
    assert stream.events(happened["seq"])[-1]["seq"] == happened["seq"]
    stream.close()


def test_what_another_process_appends_arrives(ada, settings):
    """Hints go through Redis; a second application stands for a second process."""
    app = create_app(replace(settings, heartbeat=1e6))  # only a hint lets it look again
    elsewhere = Api(app, ada.token, ada.me)
    game = ada.post("/v1/games", GameRequest(), status=201)
    stream = Stream(elsewhere, game["id"])
    stream.next()
    until(lambda: app.extensions["rutter"].hints.hearing, "hints are heard")
    happened = move(ada, game["id"])
    stream.events(happened["seq"])
    stream.close()
    app.extensions["rutter"].close()


def test_without_redis_it_looks_into_the_log(ada, settings):
    app = create_app(replace(settings, redis_url=None, heartbeat=30.0))
    elsewhere = Api(app, ada.token, ada.me)
    game = ada.post("/v1/games", GameRequest(), status=201)
    stream = Stream(elsewhere, game["id"])
    stream.next()
    happened = move(ada, game["id"])
    assert stream.events(happened["seq"])
    stream.close()
    app.extensions["rutter"].close()


def test_too_many_are_refused_and_a_closed_one_makes_room(ada, settings):
    app = create_app(replace(settings, streams=2))
    one = Api(app, ada.token, ada.me)
    game = one.post("/v1/games", GameRequest(), status=201)
    streams = [Stream(one, game["id"]), Stream(one, game["id"])]
    refused = one.send("GET", f"/v1/games/{game['id']}/stream")
    assert (refused.status_code, refused.get_json()["code"]) == (503, "too_many_streams")
    assert refused.headers["Retry-After"]
    assert refused.headers["Connection"] == "close", "the next try may come to another process"
    streams[0].next()
    streams[0].close()
    again = Stream(one, game["id"])
    streams[1].close()  # never read
    again.close()
    assert app.extensions["hub"].count == 0
    app.extensions["rutter"].close()


def test_they_end_when_the_server_goes(ada, settings):
    app = create_app(replace(settings, heartbeat=60.0))
    one = Api(app, ada.token, ada.me)
    game = one.post("/v1/games", GameRequest(), status=201)
    stream = Stream(one, game["id"])
    stream.next()
    hub, waiting = app.extensions["hub"], threading.Event()
    (listener,) = hub._open
    wait = listener.wait
    listener.wait = lambda seconds: waiting.set() or wait(seconds)
    stops = threading.Thread(target=lambda: waiting.wait(PATIENCE) and hub.stop())
    stops.start()
    assert stream.next() == ("closing", None, {})
    stops.join(PATIENCE)
    with pytest.raises(StopIteration):
        stream.next()
    assert one.refused("GET", f"/v1/games/{game['id']}/stream") == (503, "too_many_streams")
    app.extensions["rutter"].close()


def test_a_head_request_holds_no_place(ada, app):
    game = ada.post("/v1/games", GameRequest(), status=201)
    before = app.extensions["hub"].count
    answer = ada.send("HEAD", f"/v1/games/{game['id']}/stream")
    answer.close()
    assert app.extensions["hub"].count == before


def test_an_id_that_cannot_be_is_refused(ada):
    game = ada.post("/v1/games", GameRequest(), status=201)
    path = f"/v1/games/{game['id']}/stream"
    assert ada.refused("GET", f"{path}?after={game['seq'] + 1}") == (404, "no_such_event")
    assert ada.refused("GET", path, Last_Event_ID=str(game["seq"] + 1)) == (404, "no_such_event")
    assert ada.refused("GET", path, Last_Event_ID="") == (400, "invalid_parameters")
