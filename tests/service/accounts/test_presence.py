"""Presence: who has a game open is told by seat and number, over several processes, and in no log."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ops.server.wsgi import create_app
from service.streaming.presence import GAP_SECONDS, LIFE_SECONDS, RENEWAL_SECONDS, Audience, Presence
from tests.service.client import Api
from tests.service.factories import GameRequest, join_all
from tests.service.streams.test_stream import Stream, move
from tests.waiting import until

pytestmark = pytest.mark.integration


class Hand:
    """A process with a clock that tests set, which shares by Redis and hears by *others*."""

    def __init__(self, redis, held=None, others=()):
        self.time, self.told, self.others = 1000.0, [], others
        self.presence = Presence(
            redis,
            find_seats=lambda game, accounts: {one: (held or {}).get(one, ()) for one in accounts},
            publish=lambda game: [one.presence.receive_change(game) for one in self.others],
            notify=lambda game: self.told.append(self.presence.get(game)),
            now=lambda: self.time,
        )

    def pass_time(self, seconds):
        """Let time pass in small steps, as the thread would."""
        end = self.time + seconds
        while self.time < end:
            self.time = min(end, max(self.time + 0.5, min(self.presence.refresh_due(), self.time + 1)))
            self.presence.refresh_due()


@pytest.fixture(scope="module")
def redis(app):
    return app.extensions["rutter"].hints.redis


@pytest.fixture
def quick(app, monkeypatch):
    """The presence of the application, told at once."""
    monkeypatch.setattr(app.extensions["rutter"].presence, "gap", 0.0)
    return app.extensions["rutter"].presence


class Watching(Stream):
    """A stream that asks for presence."""

    def __init__(self, api, game_id, query=""):
        super().__init__(api, game_id, f"?presence=true{query}")
        self.game, self.presence = game_id, api.app.extensions["rutter"].presence

    def hears(self, seats, spectators):
        """Read up to the presence that is meant; those on the way have no id either."""
        meant = Audience(tuple(seats), spectators)
        until(lambda: self.presence.get(self.game) == meant, f"{meant} is known")
        while True:
            event, number, data = self.next()
            if event == "presence":
                assert number is None
                if data == {"seats": seats, "spectators": spectators}:
                    return


def test_changes_are_gathered_and_told_once_in_a_while():
    one = Hand(None, {"ada": (0,), "bob": (1, 2)})
    leave = [one.presence.enter("game", who) for who in ("ada", "eve", "eve", None, None)]
    one.presence.refresh_due()
    assert one.told == []
    one.pass_time(1)
    assert one.told == [Audience((0,), 3)]  # eve counts once, each stream without an account by itself
    leave.append(one.presence.enter("game", "bob"))
    one.pass_time(GAP_SECONDS - 1)
    assert len(one.told) == 1
    leave[4]()
    one.pass_time(1)
    assert one.told[1:] == [Audience((0, 1, 2), 2)]
    leave[4]()  # harmless when done twice
    leave[1]()
    one.pass_time(60)
    assert len(one.told) == 2  # another tab of eve is open
    for each in leave:
        each()
    one.pass_time(60)
    assert (len(one.told), one.presence.get("game")) == (2, None)


def test_processes_add_up_and_a_killed_one_lapses(redis, request):
    key = f"of {request.node.name}"
    redis.delete(f"rutter:presence:{key}")
    held = {"ada": (0,), "bob": (1,)}
    one = Hand(redis, held)
    other = Hand(redis, held, [one])
    one.presence.enter(key, "ada")
    one.pass_time(2)
    leave = [other.presence.enter(key, who) for who in ("bob", "eve", None)]
    other.pass_time(2)
    one.pass_time(GAP_SECONDS)
    assert one.told == [Audience((0,), 0), Audience((0, 1), 2)]
    assert other.told == [Audience((0, 1), 2)]
    leave[0]()
    other.pass_time(GAP_SECONDS)
    one.pass_time(GAP_SECONDS)
    assert one.told[2:] == [Audience((0,), 2)]
    assert b"eve" not in b"".join(redis.hvals(f"rutter:presence:{key}"))  # who watches is not even stored
    one.pass_time(LIFE_SECONDS + RENEWAL_SECONDS)  # the other is killed: it renews nothing
    assert one.told[3:] == [Audience((0,), 0)]
    assert 0 < redis.ttl(f"rutter:presence:{key}") <= LIFE_SECONDS


def test_it_is_told_by_seat_and_number_and_moves_no_event(ada, bob, api, quick):
    game = join_all(ada, bob)
    first = Watching(ada, game)
    first.hears([0], 0)
    # A player counts by seat through whatever eyes they look; those who do not ask are not counted.
    second, silent = Watching(bob, game, "&seat=spectator"), Stream(api, game)
    third = Watching(api, game)
    for stream in (first, second, third):
        stream.hears([0, 1], 1)
    last = move((ada, bob), game)["seq"]
    before = ada.get(f"/v1/games/{game}/events")["events"]
    assert {event["type"] for event in before}.isdisjoint({"presence", "Presence"})
    assert before[-1]["seq"] == last
    assert third.next()[1] is not None  # the event, with its id
    second.close()
    first.hears([0], 1)
    again = Watching(ada, game, f"&after={last}")
    assert again.next() == ("presence", None, {"seats": [0], "spectators": 1})
    for stream in (first, silent, third, again):
        stream.close()


def test_nobody_learns_who_watches_or_through_which_seat(ada, bob, api, quick):
    """In two worlds others watch, and a player looks through other eyes: what is told is the same."""
    told = []
    for watcher, eyes in (("Eve", "spectator"), ("Zoe", "1")):
        game = join_all(ada, bob)
        streams = [
            Watching(bob, game, f"&seat={eyes}"),
            Watching(api.account(watcher), game),
            Watching(ada, game),
        ]
        streams[2].hears([0, 1], 1)
        told.append(ada.app.extensions["rutter"].presence.get(game))
        for stream in streams:
            stream.close()
    assert told == [Audience((0, 1), 1)] * 2


def test_a_spectator_who_sees_later_is_told_nothing(ada, api, quick):
    """What a delayed spectator gets is the same whether a player has the game open or nobody has."""
    body = {**GameRequest(title="example", hotseat=2), "delay": {"ms": 600_000}}
    got = []
    for present in (False, True):
        game = ada.post("/v1/games", body, status=201)["id"]
        spectator = Watching(api.account("Eve"), game)
        player = Watching(ada, game) if present else None
        if player is not None:
            player.hears([0, 1], 1)
        else:
            until(lambda game=game: quick.get(game) == Audience((), 1), "the spectator is counted")
        event, _, _ = spectator.next()
        assert event == "game"
        got.append({chunk.split(b"\n")[0] for chunk in spectator.signs_of_life(3)})
        for stream in (spectator, player):
            if stream is not None:
                stream.close()
    assert got[0] == got[1]


def test_a_private_game_tells_only_those_who_may_see_it(ada, api, quick):
    game = ada.post("/v1/games", GameRequest(visibility="private"), status=201)["id"]
    stream = Watching(ada, game)
    stream.hears([0, 1, 2], 0)
    assert api.refused("GET", f"/v1/games/{game}/stream?presence=true")[0] in {401, 404}
    eve = api.account("Eve")
    assert eve.refused("GET", f"/v1/games/{game}/stream?presence=true")[0] == 404
    assert quick.get(game) == Audience((0, 1, 2), 0)
    stream.close()


def test_two_processes_tell_one_another(ada, bob, settings, quick):
    app = create_app(replace(settings))
    app.extensions["rutter"].presence.gap = 0.0
    game = join_all(ada, bob)
    elsewhere = Watching(Api(app, bob.token, bob.me), game)
    here = Watching(ada, game)
    for stream in (here, elsewhere):
        stream.hears([0, 1], 0)
    elsewhere.close()
    here.hears([0], 0)
    here.close()
    app.extensions["rutter"].close()
