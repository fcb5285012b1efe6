"""Invitations to games: who is let in, how often, until when; seats that are kept."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.stores.tokens import is_well_formed
from tests.clock import Clock
from tests.service.factories import GameRequest, Open, You

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def eve(api):
    return api.account("Eve")


def make(api, *seats, **more):
    return api.post("/v1/games", {**GameRequest(seats=[You(), *seats]), **more}, status=201)["id"]


def invite(api, game, **wish):
    return api.post(f"/v1/games/{game}/invitations", wish, status=201)


def join(api, game, made, **more):
    return api.send("POST", f"/v1/games/{game}/join", {"invitation": made["invitation"], **more})


def used(api, game):
    return [one["used"] for one in api.get(f"/v1/games/{game}/invitations")["invitations"]]


INVITED = {"invited": True}


def test_anyone_who_has_an_invitation_sits_down_in_a_private_game(ada, bob, eve):
    """It is shown once, has the form of a token, and is kept as a hash only; without it there is no game."""
    game = make(ada, Open(), Open(), visibility="private")
    made = invite(ada, game, uses=2)
    assert is_well_formed(made["invitation"], "inv_")
    (listed,) = ada.get(f"/v1/games/{game}/invitations")["invitations"]
    assert {**listed, "invitation": made["invitation"]} == made
    assert (listed["uses"], listed["used"], listed["seat"]) == (2, 0, None)
    assert eve.refused("POST", f"/v1/games/{game}/join", {}) == (404, "unknown_game")
    for wrong in ("inv_x", made["invitation"][:-1] + "0", "rut" + made["invitation"][3:]):
        if wrong != made["invitation"]:
            body = {"invitation": wrong}
            assert eve.refused("POST", f"/v1/games/{game}/join", body) == (404, "unknown_game")
    assert join(bob, game, made).get_json()["seats"][1]["you"]
    assert used(ada, game) == [1]
    assert bob.get(f"/v1/games/{game}")["visibility"] == "private"


def test_an_invitation_with_one_use_lets_one_in(api, ada):
    """Of several who use it at once one sits down, and the others are told that it is spent."""
    for _ in range(3):
        game = make(ada, INVITED, INVITED, INVITED)
        made = invite(ada, game)
        people = [api.account(f"Guest {number}") for number in "abcdef"]
        together = threading.Barrier(len(people))

        def sit(one, game=game, made=made, together=together):
            together.wait()
            return join(one, game, made)

        with ThreadPoolExecutor(len(people)) as pool:
            answers = list(pool.map(sit, people))
        assert sorted(a.status_code for a in answers) == [200] + [403] * (len(people) - 1)
        assert {a.get_json()["code"] for a in answers if a.status_code == 403} == {"invitation_spent"}
        assert used(ada, game) == [1]


def test_a_request_sent_again_uses_it_once(ada, bob, api):
    """With the same key it is the same seat and one use, even when the invitation was revoked meanwhile."""
    game = make(ada, INVITED, INVITED, visibility="private")
    made = invite(ada, game, uses=2)
    path, body = f"/v1/games/{game}/join", {"invitation": made["invitation"]}
    first = bob.send("POST", path, body, Idempotency_Key="k")
    again = bob.send("POST", path, body, Idempotency_Key="k")
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert first.get_json()["seats"] == again.get_json()["seats"]
    assert used(ada, game) == [1]
    ada.call("DELETE", f"/v1/games/{game}/invitations/{made['id']}", status=204)
    assert bob.send("POST", path, body, Idempotency_Key="k").status_code == 200
    assert api.account("Late").refused("POST", path, body) == (404, "unknown_game")


def test_what_is_refused_uses_nothing(ada, bob, eve):
    """The seat is taken, or there is none of that number: the invitation is as good as before."""
    game = make(ada, INVITED, INVITED)
    made = invite(ada, game)
    path = f"/v1/games/{game}/join"
    assert eve.refused("POST", path, {**body_of(made), "seat": 0}) == (409, "seat_taken")
    assert eve.refused("POST", path, {**body_of(made), "seat": 9}) == (409, "unknown_seat")
    assert used(ada, game) == [0]
    assert join(bob, game, made).status_code == 200
    assert eve.refused("POST", path, body_of(made)) == (403, "invitation_spent")


def body_of(made):
    return {"invitation": made["invitation"]}


def test_an_invitation_ends(ada, bob, app, monkeypatch):
    """When its time is over, by the clock that events are recorded by."""
    clock = Clock()
    monkeypatch.setattr(app.extensions["rutter"].games, "now", clock)
    game = make(ada, INVITED, visibility="private")
    made = invite(ada, game, expires_in_ms=60_000)
    clock.wait(60)
    path = f"/v1/games/{game}/join"
    assert bob.refused("POST", path, body_of(made)) == (403, "invitation_expired")
    assert used(ada, game) == [0]


def test_seats_are_kept_for_accounts_and_invitations(api, ada, bob, eve):
    """For the log they are open; `invited` tells those who look if one is for them."""
    game = make(ada, {"account": bob.me["id"]}, INVITED, Open())
    seats = [seat.get("invited") for seat in bob.get(f"/v1/games/{game}")["seats"]]
    assert seats == [None, "me", "somebody", None]
    assert [seat.get("invited") for seat in api.get(f"/v1/games/{game}")["seats"]][1:3] == ["somebody"] * 2
    path = f"/v1/games/{game}/join"
    for seat in (1, 2):
        assert eve.refused("POST", path, {"seat": seat}) == (403, "not_invited")
    for_two = invite(ada, game, seat=2)
    assert eve.refused("POST", path, {**body_of(for_two), "seat": 3}) == (403, "not_invited")
    assert eve.post(path, {})["seats"][3]["you"], "the lowest that is open to them"
    assert bob.post(path, {})["seats"][1]["you"], "their own before others"
    late = api.account("Late")
    assert late.refused("POST", path, {}) == (403, "not_invited")
    assert late.post(path, body_of(for_two))["status"] == "running"


def test_a_seat_kept_for_an_account_opens_a_private_game_to_it(ada, bob, eve):
    """It finds the game in its list as well."""
    game = make(ada, {"account": bob.me["id"].upper()}, visibility="private")
    ada.project()
    assert any(one["id"] == game for one in bob.get("/v1/games")["games"])
    assert not any(one["id"] == game for one in eve.get("/v1/games")["games"])
    assert eve.refused("GET", f"/v1/games/{game}") == (404, "unknown_game")
    assert bob.post(f"/v1/games/{game}/join", {})["status"] == "running"


def test_only_who_made_or_directs_it_invites(ada, bob, eve, api):
    """For strangers to a private game there is nothing there."""
    game = make(ada, Open(), directors=[bob.me["id"]])
    path = f"/v1/games/{game}/invitations"
    assert eve.refused("POST", path, {}) == (403, "not_a_director")
    assert eve.refused("GET", path) == (403, "not_a_director")
    made = bob.post(path, {}, status=201, Idempotency_Key="once")
    answer = bob.send("POST", path, {}, Idempotency_Key="once")
    assert (answer.status_code, answer.get_json()["code"]) == (409, "already_shown")
    assert answer.get_json()["id"] == made["id"]
    assert eve.refused("DELETE", f"{path}/{made['id']}") == (403, "not_a_director")
    assert ada.refused("DELETE", f"{path}/{game}") == (404, "unknown_invitation")
    assert ada.refused("POST", path, {"seat": 7}) == (422, "invalid_parameters")
    eve.post(f"/v1/games/{game}/join", {})
    assert ada.refused("POST", path, {}) == (409, "game_not_open")
    begun = make(ada, Open(), visibility="private")
    assert eve.refused("POST", f"/v1/games/{begun}/invitations", {}) == (404, "unknown_game")


def test_accounts_that_seats_are_kept_for_are_there(ada):
    nobody = "019a9f00-0000-7000-8000-000000000001"
    body = {**GameRequest(seats=[You(), {"account": nobody}])}
    assert ada.refused("POST", "/v1/games", body) == (409, "unknown_account")
    for wrong in ({"account": "x"}, {"invited": False}, {"invited": True, "open": True}):
        body = {**GameRequest(seats=[You(), wrong])}
        assert ada.refused("POST", "/v1/games", body) == (422, "invalid_parameters")


def test_what_is_stored_of_invitations_goes_with_the_account(api, ada):
    """It stands in the export; then its invitations are good for nothing, seats are kept for it no more."""
    dan, fay = api.account("Dan"), api.account("Fay")
    game = make(ada, {"account": dan.me["id"]}, directors=[dan.me["id"]])
    made = invite(dan, game)
    told = dan.get("/v1/me/export")
    assert [one["id"] for one in told["invitations"]] == [made["id"]]
    assert [(one["game"], one["seat"]) for one in told["reservations"]] == [(game, 1)]
    dan.call("DELETE", "/v1/me", {"confirm": "Dan"}, status=204)
    assert fay.refused("POST", f"/v1/games/{game}/join", body_of(made)) == (403, "invitation_unknown")
    assert fay.refused("POST", f"/v1/games/{game}/join", {}) == (403, "not_invited")
    assert fay.post(f"/v1/games/{game}/join", body_of(invite(ada, game)))["status"] == "running"
