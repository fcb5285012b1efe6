"""Delayed spectators: one number bounds every address, and rises with time alone."""

import base64

import pytest

from tests.clock import Clock
from tests.playing import advance, play_to_the_end
from tests.service.addresses import walk
from tests.service.factories import GameRequest, Open, You
from tests.service.streams.test_stream import Stream

pytestmark = pytest.mark.integration

TEN_MINUTES = {"ms": 600_000}


@pytest.fixture(scope="module")
def games(app):
    return app.extensions["rutter"].games


@pytest.fixture(autouse=True)
def clock(games, monkeypatch):
    """The time of the application."""
    made = Clock()
    monkeypatch.setattr(games, "now", made)
    return made


@pytest.fixture(scope="module")
def eve(api):
    return api.account("Eve")


def make(api, delay, **more):
    body = {**GameRequest(title="example", hotseat=2), "delay": delay, **more}
    return api.post("/v1/games", body, status=201)["id"]


def in_list(api, game, query=""):
    found = api.get(f"/v1/games?limit=1000{query}")["games"]
    return next((one for one in found if one["id"] == game), None)


def beyond(games, game, seq):
    """What must not be told of the events after *seq*: their hashes, commands and times."""
    known = {r.envelope().at for r in games.records(game) if r.seq <= seq}
    for record in games.records(game, seq):
        envelope = record.envelope()
        yield record.hash.hex().encode()
        yield base64.b64encode(record.hash)
        yield envelope.cmd.encode()
        if envelope.at not in known:
            yield envelope.at.encode()


@pytest.mark.slow
def test_every_address_stands_at_the_same_event(api, ada, eve, games, clock):
    """A spectator of a game with ten minutes' delay learns nothing that is younger, wherever they ask.

    While no time goes by no answer changes in a byte, whatever is played, and be it the end.
    """
    game = make(ada, TEN_MINUTES)
    advance(games, games.load(game), 3)
    seq = games.load(game).seq
    clock.wait(300)
    advance(games, games.load(game), 2)
    clock.wait(301)
    ada.project()
    more = ("at=1", f"at={seq + 1}", "seat=spectator", "seat=0", "limit=1000")
    before = {who: (walk(who, game, more), in_list(who, game)) for who in (api, eve)}
    for who, (answers, listed) in before.items():
        shown = who.get(f"/v1/games/{game}")
        assert (shown["seq"], shown["last"], shown["status"]) == (seq, seq, "running")
        assert shown["delay"] == {"ms": 600_000, "until_end": False}
        assert shown["view"] is not None
        for what in ("events", "history", "decisions", "table"):
            assert who.get(f"/v1/games/{game}/{what}")["seq"] == seq
        assert listed["seq"] == seq
        secrets = list(beyond(games, game, seq))
        for place, (status, data, headers) in answers.items():
            assert status < 500, place
            told = data + repr(headers).encode()
            assert [one for one in secrets if one in told] == [], place
        assert who.refused("GET", f"/v1/games/{game}?at={seq + 1}") == (404, "no_such_event")
        assert who.refused("GET", f"/v1/games/{game}/proof?n={seq + 1}") == (404, "no_such_event")
    ended = play_to_the_end(games, games.load(game))
    ada.project()
    for who, (answers, listed) in before.items():
        again = walk(who, game, more)
        assert {place: again[place] for place in answers if again[place] != answers[place]} == {}
        assert in_list(who, game) == listed
        assert in_list(who, game, "&status=running")
        assert in_list(who, game, "&status=finished") is None
    assert ada.get(f"/v1/games/{game}")["seq"] == ended.seq
    assert in_list(ada, game, "&status=finished")["seq"] == ended.seq
    clock.wait(600)
    for who in before:
        assert who.get(f"/v1/games/{game}")["status"] == "finished"
        assert in_list(who, game, "&status=finished")["seq"] == ended.seq


def test_lists_by_player_tell_nothing_of_who_came_and_went(api, ada, eve, clock):
    """A player who leaves, and one who takes the seat: strangers see both when the delay is over."""
    bob = api.account("Bob")
    seats = [You(), Open(), Open()]
    body = {**GameRequest(seats=seats), "delay": TEN_MINUTES, "absence": {"then": "open", "least_people": 1}}
    game = ada.post("/v1/games", body, status=201)["id"]
    for one in (bob, api.account("Cid")):
        one.post(f"/v1/games/{game}/join", {})
    clock.wait(700)
    ada.project()

    def seen(who, player, where="games"):
        if where == "games":
            return in_list(who, game, f"&player={player.me['id'].upper()}") is not None
        lines = who.send("GET", f"/v1/export/games?player={player.me['id']}").text
        return game in lines

    assert seen(api, bob)
    assert not seen(api, eve)
    bob.post(f"/v1/games/{game}/commands", {"type": "table_leave"})
    clock.wait(1)
    ada.project()
    strangers = (api, api.account("Dan"))
    for who in strangers:
        assert seen(who, bob), "nobody has left yet"
        assert not seen(who, bob, "export")
        page = who.get(f"/v1/games?limit=1&player={bob.me['id']}")
        assert [one["id"] for one in page["games"]] == [game]
    assert not seen(ada, bob)
    clock.wait(700)
    assert not any(seen(who, bob) for who in strangers)
    eve.post(f"/v1/games/{game}/commands", {"type": "table_seat", "seat": 1})
    clock.wait(1)
    ada.project()
    for who in strangers:
        assert not seen(who, eve), "nobody has come"
        assert not seen(who, eve, "export")
    assert seen(ada, eve)
    clock.wait(700)
    ada.project()
    assert seen(api, eve)
    assert not seen(api, bob)


def test_until_the_end_status_and_seats_are_all(api, ada, games, clock):
    """Then, and after the delay of the end itself, everything."""
    game = make(ada, {"until_end": True, "ms": 1000})
    path = f"/v1/games/{game}"
    advance(games, games.load(game), 4)
    clock.wait(3600)
    ada.project()
    shown = api.get(path)
    assert (shown["status"], shown["seq"], shown["last"], shown["view"]) == ("running", 0, 0, None)
    assert [seat["name"] for seat in shown["seats"]] == ["Ada", "Ada"]
    before = walk(api, game, ("limit=10",)), in_list(api, game)
    assert before[1]["waiting_for"] == []
    assert api.get(f"{path}/events")["events"] == api.get(f"{path}/history")["history"] == []
    for what in ("audit", "receipt", "proof?n=1"):
        assert api.refused("GET", f"{path}/{what}") == (404, "no_such_event")
    ended = play_to_the_end(games, games.load(game))
    ada.project()
    assert (walk(api, game, ("limit=10",)), in_list(api, game)) == before
    clock.wait(1)
    assert api.get(path)["seq"] == ended.seq
    assert in_list(api, game)["status"] == "finished"


def test_who_plays_or_directs_sees_at_once(api, ada, bob, eve, games):
    """A director what spectators will see, never a hand; the maker who left the game to them waits."""
    seats = [{"account": bob.me["id"]}, Open()]
    body = {**GameRequest(title="example", seats=seats), "delay": TEN_MINUTES, "directors": [eve.me["id"]]}
    game = ada.post("/v1/games", body, status=201)
    assert game["seq"] == 0
    path = f"/v1/games/{game['id']}"
    bob.post(f"{path}/join", {"seat": 0})
    api.account("Cid").post(f"{path}/join", {"seat": 1})
    now = games.load(game["id"]).seq
    assert [who.get(path)["seq"] for who in (ada, bob, eve, api)] == [0, now, now, 0]
    assert eve.get(path)["view"] == bob.get(f"{path}?seat=spectator")["view"]
    assert eve.refused("GET", f"{path}?seat=1") == (403, "not_your_seat")
    assert [seat.get("name") for seat in api.get(path)["seats"]] == ["Bob", "Cid"]
    assert api.get(path)["status"] == "running"


def test_open_seats_are_told_at_once(api, ada, eve):
    """Else nobody would know where to sit down; the events that tell of it come later."""
    game = make(ada, TEN_MINUTES, seats=[You(), Open()])
    shown = eve.get(f"/v1/games/{game}")
    assert (shown["seq"], shown["status"], shown["opening"]["committed"]) == (0, "open", [])
    assert [seat.get("open") for seat in shown["seats"]] == [None, True]
    assert eve.post(f"/v1/games/{game}/join", {})["seq"] > 3


def test_a_stream_is_held_back_and_sent_when_due(api, app, ada, games, clock, monkeypatch):
    """Whole commands, with the database left alone meanwhile."""
    game = make(ada, TEN_MINUTES)
    clock.wait(600)
    stream = Stream(api, game)
    event, _, shown = stream.next()
    assert (event, shown["seq"]) == ("game", games.load(game).seq)
    clock.wait(10)
    before = games.load(game)
    advance(games, before, 2)
    last = games.load(game).seq
    stream.wait_for_comment()
    asked = []
    monkeypatch.setattr(games.log, "read", lambda *what: asked.append(what))
    monkeypatch.setattr(
        app.extensions["rutter"].spectator_delay, "_read_new_events", lambda *what: asked.append(what)
    )
    stream.wait_for_comment()
    stream.wait_for_comment()
    assert asked == []
    monkeypatch.undo()
    monkeypatch.setattr(games, "now", clock)
    clock.wait(600)
    events = stream.events(last)
    assert [one["seq"] for one in events] == list(range(before.seq + 1, last + 1))
    stream.close()


def test_anyone_who_leaves_is_a_spectator_from_then_on(api, games, clock):
    """Their stream goes on with the delay, and by their seat they see what they have seen."""
    people = [api.account(name) for name in ("Ann", "Ben", "Cyd")]
    game = make(people[0], TEN_MINUTES, title="colonial_empires", seats=[You(), Open(), Open()])
    path = f"/v1/games/{game}"
    for one in people[1:]:
        one.post(f"{path}/join", {})
    clock.wait(600)
    stream = Stream(people[1], game)
    assert stream.next()[2]["seq"] == games.load(game).seq
    people[1].post(f"{path}/commands", {"type": "table_leave"})
    left = next(r.seq for r in games.records(game) if r.type == "SeatVacated")
    assert [one["seq"] for one in stream.events(left)][-1] == left
    people[0].post(f"{path}/commands", {"type": "table_leave"})
    assert b"event: event" not in b"".join(stream.signs_of_life(2))
    stream.close()
    assert people[1].get(path)["seq"] < left
    assert people[1].get(f"{path}?seat=1&at={left}")["seq"] == left


def test_a_fork_tells_nothing_before_its_time(api, ada, games, clock):
    """What a player tries out from a position that spectators do not see yet is private, later only in no
    list."""
    game = make(ada, TEN_MINUTES)
    first = ada.post(f"/v1/games/{game}/forks", {}, status=201)
    assert first["visibility"] == "private"
    clock.wait(600)
    assert ada.post(f"/v1/games/{game}/forks", {}, status=201)["visibility"] == "unlisted"


def test_a_delay_is_recorded_and_bounded(ada, games):
    """At most a day; none is none."""
    assert games.load(make(ada, {"ms": 0})).terms.delay is None
    for wrong in ({"ms": 86_400_001}, {"ms": -1}, {"until_end": 1}, {"more": 1}):
        body = {**GameRequest(), "delay": wrong}
        assert ada.refused("POST", "/v1/games", body) == (422, "invalid_parameters")
