"""Who may take over a seat of a game that has begun: who is invited, and nobody who is banned."""

import pytest

from ops.cli.accounts.bans import ban, unban
from tests.service.factories import GameRequest, Open, You
from tests.service.play.test_at_table import audit, give, path, types
from tests.service.seats.test_invitations import invite, used

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def people(api):
    return [api.account(name) for name in ("Ada", "Bob", "Cid", "Dan", "Eve")]


def vacant(people, **settled):
    """A running game of which seat 1 is vacant: its id."""
    ada, bob, cid, *_ = people
    absence = {"then": "open", **settled.pop("absence", {})}
    wish = GameRequest(seats=[You(), Open(), Open()], absence=absence, **settled)
    game = ada.post("/v1/games", wish, status=201)["id"]
    made = invite(ada, game, uses=2)
    for one in (bob, cid):
        one.post(path(game, "/join"), {"invitation": made["invitation"]})
    give(bob, game, "leave")
    return game


def seat(made=None, **more):
    shown = {} if made is None else {"invitation": made["invitation"]}
    return {"type": "table_seat", "seat": 1, **shown, **more}


@pytest.mark.parametrize("settled", [{"absence": {"substitutes": "invited"}}, {"visibility": "private"}])
def test_a_vacant_seat_is_taken_with_an_invitation(people, settled):
    """Without one it is refused; of a private game a stranger learns nothing. It is used once, also where the
    request is sent again; the log holds nothing of it, and verifies.
    """
    ada, _, _, dan, eve = people
    game = vacant(people, **settled)
    refused = (404, "unknown_game") if "visibility" in settled else (403, "not_invited")
    wrong = {"invitation": "inv_none"}
    assert dan.refused("POST", path(game, "/commands"), seat()) == refused
    unknown = (404, "unknown_game") if "visibility" in settled else (403, "invitation_unknown")
    assert dan.refused("POST", path(game, "/commands"), seat(wrong)) == unknown
    made = invite(ada, game, seat=1)
    for _ in range(2):
        told = dan.post(path(game, "/commands"), seat(made), Idempotency_Key="once")
    assert types(told)[0] == "SeatGiven"
    assert dan.get(path(game))["seats"][1]["you"]
    assert used(ada, game)[-1] == 1
    assert made["invitation"] not in ada.send("GET", path(game, "/audit")).text
    assert audit(ada, game, partial=True).events == dan.get(path(game))["seq"]
    assert eve.refused("POST", path(game, "/commands"), seat(made))[0] in (403, 409)


def test_an_invitation_is_for_its_seat_and_lasts_as_long_as_somebody_may_sit_down(people):
    """What is refused uses nothing; of a game without a seat to take over nobody is invited."""
    ada, bob, _, dan, _ = people
    game = vacant(people, absence={"substitutes": "invited"})
    assert ada.refused("POST", path(game, "/invitations"), {"seat": 0}) == (409, "game_not_open")
    made = invite(ada, game)
    body = seat(made)
    assert dan.refused("POST", path(game, "/commands"), {**body, "seat": 2}) == (409, "seat_taken")
    assert used(ada, game)[-1] == 0
    assert dan.refused("POST", path(game, "/commands"), {**body, "invitation": 7}) == (
        422, "invalid_parameters",
    )  # fmt: skip
    leave = {"type": "table_leave", "invitation": made["invitation"]}
    assert bob.refused("POST", path(game, "/commands"), leave) == (422, "invalid_parameters")
    dan.post(path(game, "/commands"), body)
    assert used(ada, game)[-1] == 1
    assert ada.refused("POST", path(game, "/invitations"), {}) == (409, "game_not_open")


def test_directors_alone_fill_seats_where_that_was_settled(people):
    ada, _, _, dan, _ = people
    game = vacant(people, absence={"substitutes": "directors"})
    made = invite(ada, game)
    assert dan.refused("POST", path(game, "/commands"), seat(made)) == (403, "not_invited")
    assert used(ada, game)[-1] == 0


def test_who_is_banned_sits_down_nowhere(api, people, operator):
    """At once: they and their programs make no game, join none and take no seat over. What they play they may
    finish; the reason stands in their export, and with `unban` it is over.
    """
    ada, bob, cid, *_ = people
    one = api.account("Rogue", handle="rogue")
    program = one.post("/v1/me/service_accounts", {"name": "Robot"}, status=201)
    robot = api.account("x")
    robot.token, robot.me = program["token"], program["account"]
    playing = one.post("/v1/games", GameRequest(), status=201)["id"]
    free = ada.post("/v1/games", GameRequest(seats=[You(), Open(), Open()]), status=201)["id"]
    gone = vacant([ada, bob, cid])
    assert "is banned" in operator(ban, "@rogue", "--reason", "Two accounts at one table")
    banned = (403, "banned")
    assert one.refused("POST", "/v1/games", GameRequest()) == banned
    assert one.refused("POST", path(gone, "/commands"), seat()) == banned
    for who in (one, robot):
        assert who.refused("POST", path(free, "/join"), {}) == banned
    legal = one.get(path(playing, "/decisions"))["legal"][0]["command"]
    one.post(path(playing, "/commands"), legal)
    (told,) = one.get("/v1/me/export")["bans"]
    assert told["reason"] == "Two accounts at one table"
    assert one.me["id"] in operator(ban)
    assert "is no longer banned" in operator(unban, one.me["id"])
    assert "was not banned" in operator(unban, "rogue")
    assert one.me["id"] not in operator(ban)
    one.post(path(free, "/join"), {})
