"""The whole service as it runs in production: several processes, real sockets, bots."""

import json
import urllib.error
import urllib.request

import pytest

from events.table import lifecycle_facts
from tests.service.factories import Bot, GameRequest, You
from tests.service.robot import Robot
from tests.waiting import PATIENCE, each_look, until

pytestmark = [pytest.mark.integration, pytest.mark.slow]


CLOSED = lifecycle_facts.TableClosed.__name__


class Http:
    """The API over a socket, as one account."""

    def __init__(self, address, token=None):
        self.address = address
        self.token = token
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))

    def account(self):
        return Http(self.address, self.call("POST", "/v1/accounts", {}, status=201)["token"])

    def open(self, method, path, body=..., **headers):
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token:
            given["Authorization"] = f"Bearer {self.token}"
        data = None if body is ... else json.dumps(body).encode()
        if data is not None:
            given["Content-Type"] = "application/json"
        request = urllib.request.Request(self.address + path, data, given, method=method)  # noqa: S310
        try:
            return self._opener.open(request, timeout=PATIENCE)
        except urllib.error.HTTPError as error:
            return error

    def call(self, method, path, body=..., *, status=200, **headers):
        with self.open(method, path, body, **headers) as answer:
            text = answer.read()
            assert answer.status == status, f"{method} {path}: {answer.status} {text[:1000]}"
            return json.loads(text) if text else None


@pytest.fixture(scope="module")
def ada(live_server):
    return Http(live_server.address).account()


def read_until(stream, condition):
    """The data of events of a stream until one of them fulfils *condition*."""
    found = []
    for line in stream:
        if line.startswith(b"data: "):
            found.append(json.loads(line[6:]))
            if condition(found[-1]):
                return found
    raise AssertionError("the stream has ended")


def test_bots_play_and_a_stream_follows_them(ada):
    game = ada.call("POST", "/v1/games", GameRequest(seats=[Bot(), Bot(bot="random")]), status=201)
    with ada.open("GET", f"/v1/games/{game['id']}/stream?after=0") as stream:
        events = read_until(stream, lambda e: e["type"] == CLOSED)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    middle = events[len(events) // 2]["seq"]
    with ada.open("GET", f"/v1/games/{game['id']}/stream", Last_Event_ID=str(middle)) as stream:
        again = read_until(stream, lambda e: e["type"] == CLOSED)
    # By now everything is open that was hidden then.
    assert [(e["seq"], e["hash"]) for e in again] == [(e["seq"], e["hash"]) for e in events[middle:]]


def test_a_person_plays_against_bots(ada):
    """The robot knows the description only; whenever nothing is for it to do, it waits for the bots."""
    game = ada.call("POST", "/v1/games", GameRequest(seats=[You(), Bot(bot="random")]), status=201)
    robot = Robot(ada, 5)
    until(lambda: robot.play(game["id"]), "the game ends")
    ended = ada.call("GET", f"/v1/games/{game['id']}")
    assert ended["status"] == "finished"
    assert ended["outcome"]["winners"]


def test_the_lobby_follows(ada):
    game = ada.call("POST", "/v1/games", GameRequest(table=True), status=201)

    def listed():
        return [g["id"] for g in ada.call("GET", "/v1/games?status=open&limit=5")["games"]]

    until(lambda: game["id"] in listed(), "the lobby shows it")


def test_the_odds_of_a_war_are_simulated_by_a_worker(ada):
    titles = [t["id"] for t in ada.call("GET", "/v1/titles")["titles"]]
    with ada.open("GET", "/v1/games/00000000-0000-0000-0000-000000000000/wars/odds?target=1") as answer:
        assert answer.status == 404
    game = ada.call("POST", "/v1/games", GameRequest(hotseat=2), status=201)
    with ada.open("GET", f"/v1/games/{game['id']}/wars/odds?target=1") as answer:
        assert json.loads(answer.read())["code"] == "no_wars"
    if "colonial" not in titles:
        pytest.skip("no title with wars is served")
    game = ada.call("POST", "/v1/games", GameRequest(title="colonial", hotseat=4), status=201)
    path = f"/v1/games/{game['id']}/wars/odds?target=1&simulations=20"
    for _ in each_look("a worker has simulated it"):
        with ada.open("GET", path) as answer:
            told = json.loads(answer.read())
            if answer.status in (200, 409):
                break
            assert answer.status == 202, told
            assert answer.headers["Retry-After"]
    assert told.get("odds") or told["code"]
