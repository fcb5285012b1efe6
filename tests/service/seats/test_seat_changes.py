"""Between the look at a game and the append a seat may change hands: the log decides, not the look."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from service.application import account_deletion
from tests.service.factories import GameRequest, Open, You
from tests.service.play.test_clocks import others_move

pytestmark = pytest.mark.integration

LIVE = {"kind": "live", "base_ms": 600_000}


@pytest.fixture(scope="module")
def people(api):
    return [api.account(name) for name in ("Ada", "Bob", "Cid", "Dan")]


@pytest.fixture
def games(app):
    return app.extensions["rutter"].games


@pytest.fixture
def meanwhile(games, monkeypatch):
    """Lets something happen after the next request has looked at the game and before it is decided."""

    def between(method, happens):
        original = getattr(games, method)

        def late(*args, **kwargs):
            monkeypatch.setattr(games, method, original)
            with ThreadPoolExecutor(1) as somebody_else:
                somebody_else.submit(happens).result()
            return original(*args, **kwargs)

        monkeypatch.setattr(games, method, late)

    return between


def path(game, what=""):
    return f"/v1/games/{game}{what}"


def give(api, game, kind, **members):
    return api.post(path(game, "/commands"), {"type": f"table_{kind}", **members})


def given_away(people):
    """A running game of three at seats 0 to 2, directed by the first, who has left; the fourth is to take
    seat 1, which may be given away while a request of its holder is under way.
    """
    ada, bob, cid, dan = people
    asked = GameRequest(seats=[Open(), Open(), Open()], absence={"may_return": False, "least_people": 1})
    game = ada.post("/v1/games", asked, status=201)["id"]
    for seat, one in enumerate((cid, bob, dan)):
        one.post(path(game, "/join"), {"seat": seat})
    give(dan, game, "leave")

    def happens():
        give(ada, game, "remove", seat=1, cause="conduct")
        give(dan, game, "seat", seat=1)

    return game, happens


def by(games, game, name):
    return [record for record in games.records(game) if record.envelope().by == name]


def test_a_move_of_one_whose_seat_was_given_away_meanwhile(people, games, meanwhile):
    """They held the seat when looked up, another does when the log decides: 403, and no event."""
    _, bob, _, dan = people
    game, happens = given_away(people)
    others_move(games, game, 1)
    move = bob.get(path(game, "/decisions?seat=1"))["legal"][0]["command"]
    before = len(by(games, game, "p1"))
    meanwhile("command", happens)
    assert bob.refused("POST", path(game, "/commands"), move) == (403, "not_a_player")
    assert len(by(games, game, "p1")) == before + 1, "nothing but that Dan sat down"
    assert dan.post(path(game, "/commands"), move)["events"][0]["by"] == "p1"


def test_a_command_of_the_table_of_one_whose_seat_was_given_away_meanwhile(people, games, meanwhile):
    """They mean to leave, and do not remove who sits there by now, nor propose in that name."""
    _, bob, _, _ = people
    for kind, members in (("leave", {}), ("offer", {"what": "end"})):
        game, happens = given_away(people)
        meanwhile("table_command", happens)
        body = {"type": f"table_{kind}", **members}
        assert bob.refused("POST", path(game, "/commands"), body) == (403, "not_a_player")
        now = games.load(game)
        assert now.seats[1].person
        assert not now.offers


def test_who_is_deleted_leaves_no_seat_but_their_own(api, people, meanwhile, app, games):
    """Though another was given their place while they were being deleted."""
    ada, _, cid, dan = people
    eve = api.account("Eve")
    game, happens = given_away([ada, eve, cid, dan])
    meanwhile("table_command", happens)
    account = app.extensions["rutter"].accounts.find(eve.me["id"])
    account_deletion._leave_tables(app.extensions["rutter"], account)
    assert games.load(game).seats[1].person


def test_a_director_who_sits_down_meanwhile_rules_no_more(people, games, meanwhile):
    """They held no seat when looked up; when the log decides they play at the table."""
    ada, bob, *_ = people
    game, _ = given_away(people)
    give(bob, game, "leave")
    until = "2999-01-01T00:00:00Z"
    meanwhile("table_command", lambda: give(ada, game, "seat", seat=1))
    body = {"type": "table_pause", "until": until, "cause": "schedule"}
    assert ada.refused("POST", path(game, "/commands"), body) == (403, "own_table")
    assert games.load(game).paused is None


def test_one_account_plays_for_one_seat_where_time_is_counted(people, meanwhile):
    """Not two by its creation, nor by a second join, nor by two joins at once; without a clock it may."""
    ada, bob, *_ = people
    timed = GameRequest(seats=[You(), Open(), Open(), Open()], clock=LIVE)
    assert ada.refused("POST", "/v1/games", {**timed, "seats": [You(), You()]}) == (409, "already_seated")
    game = ada.post("/v1/games", timed, status=201)["id"]
    assert ada.refused("POST", path(game, "/join"), {"seat": 1}) == (409, "already_seated")
    meanwhile("take_seat", lambda: bob.post(path(game, "/join"), {"seat": 2}))
    assert bob.refused("POST", path(game, "/join"), {"seat": 1}) == (409, "already_seated")
    free = ada.post("/v1/games", {**timed, "clock": None}, status=201)["id"]
    ada.post(path(free, "/join"), {"seat": 1})


def test_who_plays_for_another_seat_by_now_does_not_return(people):
    """Where time is counted: they left one seat, took over another, and keep that."""
    ada, bob, cid, dan = people
    asked = GameRequest(seats=[You(), Open(), Open(), Open()], clock=LIVE, absence={"then": "open"})
    game = ada.post("/v1/games", asked, status=201)["id"]
    for one in (bob, cid, dan):
        one.post(path(game, "/join"), {})
    give(bob, game, "leave")
    give(cid, game, "leave")
    give(bob, game, "seat", seat=2)
    body = {"type": "table_return", "seat": 1}
    assert bob.refused("POST", path(game, "/commands"), body) == (409, "already_seated")
