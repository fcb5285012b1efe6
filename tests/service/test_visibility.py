"""Who may know of a game: public, unlisted, private."""

import uuid

import pytest

from tests.service.factories import GameRequest, Open, You, join_all

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def ada(api):
    return api.account("Ada")


@pytest.fixture(scope="module")
def eve(api):
    return api.account("Eve")


def make(api, visibility, **more):
    return api.post("/v1/games", {**GameRequest(**more), "visibility": visibility}, status=201)


WRITES = ("join", "reveal", "start", "commands", "forks", "visibility")
BODIES = {
    "reveal": {"contribution": "00" * 32},
    "commands": {"type": "pass"},
    "visibility": {"visibility": "private"},
}
READS = ("", "/table", "/decisions", "/events", "/history", "/stream", "/audit", "/receipt", "/proof?n=1",
         "/roster", "/wars/odds?target=1")  # fmt: skip
VARYING = {"Date", "X-Request-ID"}


def said(answer):
    """All that an answer tells."""
    headers = {name: value for name, value in answer.headers if name not in VARYING}
    return answer.status_code, answer.data, headers


def test_a_private_game_is_for_strangers_as_one_that_there_is_not(api, ada, eve):
    """Every address answers the same 404 as a random id, in bytes and headers, with and without a token."""
    game, nothing = make(ada, "private", hotseat=2)["id"], str(uuid.uuid4())
    for who in (eve, api):
        for one in READS:
            answers = [who.send("GET", f"/v1/games/{game_id}{one}") for game_id in (game, nothing)]
            assert said(answers[0]) == said(answers[1]), one
            needs_token = who is api and one.startswith(("/roster", "/wars"))
            assert answers[0].status_code == (401 if needs_token else 404), one
        for one in WRITES:
            body = BODIES.get(one, {})
            answers = [who.send("POST", f"/v1/games/{game_id}/{one}", body) for game_id in (game, nothing)]
            assert said(answers[0]) == said(answers[1]), one
            assert answers[0].status_code == (404 if who is eve else 401), one
    assert ada.get(f"/v1/games/{game}")["visibility"] == "private"
    assert ada.get(f"/v1/games/{game}/decisions")["legal"]


def listed(api, game):
    return any(one["id"] == game for one in api.get("/v1/games?limit=1000")["games"])


def test_lists_show_what_is_public_or_mine(api, ada, eve):
    games = {width: make(ada, width, hotseat=2)["id"] for width in ("public", "unlisted", "private")}
    ada.project()
    for width, game in games.items():
        assert listed(ada, game)
        assert listed(eve, game) == listed(api, game) == (width == "public")


def test_whoever_knows_the_id_of_an_unlisted_game_sits_down(ada, eve):
    game = ada.post("/v1/games", {**GameRequest(seats=[You(), Open()]), "visibility": "unlisted"}, status=201)
    assert eve.post(f"/v1/games/{game['id']}/join", {})["visibility"] == "unlisted"


def test_a_game_is_narrowed_and_never_widened(api, ada, eve):
    """By whoever made it; streams of strangers end; who sits there plays on."""
    bob = api.account("Bob")
    game = join_all(ada, bob)
    path = f"/v1/games/{game}"
    stream = api.send("GET", f"{path}/stream")
    parts = stream.iter_encoded()
    assert b"event: game" in next(parts) + next(parts)
    assert eve.refused("POST", f"{path}/visibility", {"visibility": "private"}) == (403, "not_a_director")
    assert bob.refused("POST", f"{path}/visibility", {"visibility": "private"}) == (403, "not_a_director")
    assert ada.post(f"{path}/visibility", {"visibility": "private"})["visibility"] == "private"
    assert b"event: closing" in b"".join(parts)
    stream.close()
    assert api.refused("GET", path) == (404, "unknown_game")
    assert bob.get(f"{path}?seat=1")["visibility"] == "private"
    assert ada.refused("POST", f"{path}/visibility", {"visibility": "public"}) == (409, "not_narrower")


def test_a_fork_is_as_visible_as_its_game(api, ada):
    game = make(ada, "private", hotseat=2)["id"]
    fork = ada.post(f"/v1/games/{game}/forks", {}, status=201)
    assert fork["visibility"] == "private"
    assert api.refused("GET", f"/v1/games/{fork['id']}") == (404, "unknown_game")


def test_who_has_left_a_private_game_still_knows_of_it(ada, api):
    bob = api.account("Bob")
    game = join_all(ada, bob, api.account("Cid"))
    ada.post(f"/v1/games/{game}/visibility", {"visibility": "private"})
    bob.post(f"/v1/games/{game}/commands", {"type": "table_leave"})
    assert bob.send("GET", f"/v1/games/{game}").status_code == 200
