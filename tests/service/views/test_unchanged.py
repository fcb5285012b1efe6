"""304 only where nothing has changed: not for what may change while the seq that is shown stands still."""

import pytest

from tests.playing import advance, play_to_the_end
from tests.service.factories import TITLE, Bot, GameRequest, Open, You, join_all
from tests.service.organising import Event

pytestmark = pytest.mark.integration

TEN_MINUTES = {"ms": 600_000}
CLOCK = {"kind": "live", "base_ms": 600_000, "increment_ms": 10_000}


def test_who_sits_down_is_told_to_delayed_spectators_who_ask_whether_anything_changed(api, ada, bob):
    """They stay at the same event for ten minutes, while the seats and the status of the game go on."""
    body = {**GameRequest(title="example", seats=[You(), Open()]), "delay": TEN_MINUTES}
    path = f"/v1/games/{ada.post('/v1/games', body, status=201)['id']}"
    before = api.send("GET", path)
    assert before.get_json()["seats"][1]["open"]
    bob.post(f"{path}/join", {"seat": 1})
    after = api.send("GET", path, If_None_Match=before.headers["ETag"])
    assert after.status_code == 200
    assert (before.get_json()["seq"], after.get_json()["seq"]) == (0, 0)
    assert after.get_json()["status"] == "running"
    assert after.get_json()["seats"][1]["name"] == "Bob"


def test_what_stands_still_is_not_sent_again(app, ada):
    games = app.extensions["rutter"].games
    game = ada.post("/v1/games", GameRequest(title="example", hotseat=2), status=201)
    path = f"/v1/games/{game['id']}"
    tag = ada.send("GET", path).headers["ETag"]
    assert ada.send("GET", path, If_None_Match=tag).status_code == 304
    advance(games, games.load(game["id"]), 1)
    assert ada.send("GET", path, If_None_Match=tag).status_code == 200


def test_all_that_a_page_redraws_is_not_sent_again(app, ada, bob, clock):
    """With `after` the table has a tag as well: the time passes under it, an event does not."""
    games = app.extensions["rutter"].games
    game = join_all(ada, bob, title="example", clock=CLOCK)
    path = f"/v1/games/{game}/table?after=1"
    first = ada.send("GET", path)
    assert first.get_json()["history"]["history"]
    clock.wait(5)
    assert ada.send("GET", path, If_None_Match=first.headers["ETag"]).status_code == 304
    advance(games, games.load(game), 1)
    again = ada.send("GET", path, If_None_Match=first.headers["ETag"])
    assert again.status_code == 200
    assert again.headers["ETag"] != first.headers["ETag"]


def test_a_tag_is_of_the_answer_and_not_of_one_thing_in_it(app, api):
    """After a rename, and after an account is gone, nobody keeps the old name of a game, now or then."""
    ada, bob = api.account("Ada"), api.account("Bob")
    game = join_all(ada, bob, title="example")
    path = f"/v1/games/{game}"
    addresses = [path, f"{path}?at={ada.get(path)['seq']}"]
    games = app.extensions["rutter"].games
    for ends in (False, True):
        if ends:
            play_to_the_end(games, games.load(game))
            ada.project()
        name = "Barbara" if ends else "Robert"
        for who in (ada, api):
            before = {one: who.send("GET", one) for one in addresses}
            assert all("no-cache" in answer.headers["Cache-Control"] for answer in before.values())
            bob.call("PATCH", "/v1/me", {"name": f"{name} of {'A' if who is ada else 'B'}"})
            after = {one: ask_again(who, one, before[one]) for one in addresses}
            assert {answer.status_code for answer in after.values()} == {200}
            assert all(name in answer.text for answer in after.values())
            assert {ask_again(who, one, after[one]).status_code for one in addresses} == {304}
    known = {one: ada.send("GET", one) for one in addresses}
    bob.call("DELETE", "/v1/me", {"confirm": "Barbara of B"}, status=204)
    for one, before in known.items():
        after = ask_again(ada, one, before)
        assert after.status_code == 200
        assert "Barbara" not in after.text


def ask_again(who, path, before):
    """Who has an answer asks whether it changed."""
    return who.send("GET", path, If_None_Match=before.headers["ETag"])


def test_the_clock_that_passes_changes_no_tag(ada, clock):
    """The time stands in an answer, but a client has it of its own: it is not sent again for that alone."""
    live = {"kind": "live", "base_ms": 600_000, "increment_ms": 0}
    seats = [You(), Bot()]
    game = ada.post("/v1/games", {**GameRequest(title=TITLE, seats=seats), "clock": live}, status=201)
    path = f"/v1/games/{game['id']}"
    before = ada.send("GET", path)
    clock.wait(5)
    assert ask_again(ada, path, before).status_code == 304
    assert ada.get(path)["clock"]["now"] != before.get_json()["clock"]["now"]


def test_standings_are_tagged_with_their_names(api):
    """In each form; and so are a tournament and its rounds."""
    olga, players = api.account("Olga"), [api.account(f"P{number}") for number in range(4)]
    event = Event(olga, players)
    event.begin()
    for table in event.tables():
        event.play(table)
        event.house()
    addresses = [f"{event.path}/standings{query}" for query in ("", "?format=ndjson", "?format=csv")]
    before = {one: api.send("GET", one) for one in [event.path, *addresses]}
    assert {ask_again(api, one, answer).status_code for one, answer in before.items()} == {304}
    players[0].call("PATCH", "/v1/me", {"name": "Penelope"})
    for one in addresses:
        after = ask_again(api, one, before[one])
        assert (after.status_code, "Penelope" in after.text) == (200, True)
    olga.call("PATCH", "/v1/me", {"name": "Olympia"})
    assert "Olympia" in ask_again(api, event.path, before[event.path]).text
