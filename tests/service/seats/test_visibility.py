"""Who may know of a game: public, unlisted, private."""

import uuid

import pytest

from events.verify import verify
from tests.service.addresses import walk
from tests.service.factories import GameRequest, Open, You, join_all

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def eve(api):
    return api.account("Eve")


def make(api, visibility, **more):
    body = {**GameRequest(**more), "visibility": visibility}
    return api.post("/v1/games", body, status=201)


QUERIES = ("at=1", "seat=0", "seat=9", "limit=1")


@pytest.mark.slow
def test_a_private_game_is_for_strangers_as_one_that_there_is_not(api, ada, eve):
    """Every address answers the same 404 as a random id, in bytes and headers, with and without a token.

    With and without a delay, and whatever is asked for or sent.
    """
    nothing = str(uuid.uuid4())
    for more in ({}, {"delay": {"ms": 1000}}, {"delay": {"until_end": True}}):
        game = make(ada, "private", hotseat=2, **more)["id"]
        for who in (eve, api):
            answers = [walk(who, game_id, QUERIES) for game_id in (game, nothing)]
            for place, answer in answers[0].items():
                assert answer == answers[1][place], place
                needs_token = who is api and (place[0] != "GET" or answer[0] == 401)
                assert answer[0] == (401 if needs_token else 404), place
            assert len(answers[0]) > 40
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


def test_mine_are_the_games_where_i_sit_and_those_that_i_made_or_direct(api, ada, eve):
    """`role` tells them apart; where nobody is named to direct it, its maker does."""
    bob = api.account("Bob")
    seats = [{"account": bob.me["id"]}, {"open": True}]
    games = {
        "made": make(bob, "private", seats=seats),
        "left to eve": bob.post(
            "/v1/games",
            {**GameRequest(seats=seats), "directors": [eve.me["id"]], "visibility": "private"},
            status=201,
        ),
        "joined": make(ada, "public", seats=[You(), Open()]),
    }
    bob.post(f"/v1/games/{games['joined']['id']}/join", {})
    make(ada, "public", hotseat=2)
    bob.project()
    names = {game["id"]: name for name, game in games.items()}

    def mine(who, role=""):
        return {
            names[one["id"]] for one in who.get(f"/v1/games?mine=true{role}")["games"] if one["id"] in names
        }

    assert mine(bob) == set(games)
    assert mine(bob, "&role=seat") == {"joined"}
    assert mine(bob, "&role=owner") == {"made", "left to eve"}
    assert mine(bob, "&role=director") == {"made"}
    assert mine(eve) == mine(eve, "&role=director") == {"left to eve"}
    assert bob.get("/v1/games?mine=true&role=owner")["games"][0]["visibility"] == "private"
    joined = bob.get("/v1/games?role=seat")["games"]
    assert [one["id"] for one in joined] == [games["joined"]["id"]], "a role is always mine"
    assert [one["id"] for one in bob.get("/v1/me")["games"]] == [games["joined"]["id"]]


def test_anyone_who_knows_the_id_of_an_unlisted_game_sits_down(ada, eve):
    game = ada.post("/v1/games", {**GameRequest(seats=[You(), Open()]), "visibility": "unlisted"}, status=201)
    assert eve.post(f"/v1/games/{game['id']}/join", {})["visibility"] == "unlisted"


def test_a_game_is_narrowed_and_never_widened(api, ada, eve):
    """By its maker; streams of strangers end; who sits there plays on."""
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


def test_the_forks_of_a_game_are_listed_to_those_who_see_them(api, ada, eve):
    """`forked_from` finds them, and tells from which event; of a game that one may not see there are none."""
    game, other = (make(ada, "private", hotseat=2)["id"] for _ in range(2))
    origin = {"game": game, "seq": ada.get(f"/v1/games/{game}")["seq"]}
    forks = {ada.post(f"/v1/games/{game}/forks", {}, status=201)["id"] for _ in range(2)}
    ada.post(f"/v1/games/{other}/forks", {}, status=201)
    ada.project()

    def found(who, source, more=""):
        return who.get(f"/v1/games?forked_from={source}{more}")["games"]

    for more in ("", "&mine=true", "&role=owner"):
        assert {(one["id"], str(one["origin"])) for one in found(ada, game, more)} == {
            (fork, str(origin)) for fork in forks
        }
    assert found(eve, game) == found(api, game) == found(ada, str(uuid.uuid4())) == []
    [plain] = (one for one in ada.get("/v1/games")["games"] if one["id"] == game)
    assert plain["origin"] is None
    assert api.refused("GET", "/v1/games?forked_from=x") == (400, "invalid_parameters")


def test_a_fork_is_put_away_by_its_maker(api, ada, eve, process):
    """Then there is none at any address, in no list, on nobody's turn; its log stands, as does its source."""
    game = make(ada, "public", hotseat=2)["id"]
    fork = ada.post(f"/v1/games/{game}/forks", {}, status=201)["id"]
    path = f"/v1/games/{fork}"
    assert api.refused("DELETE", path) == (401, "unauthenticated")
    assert eve.refused("DELETE", path) == (403, "not_a_director")
    assert ada.refused("DELETE", f"/v1/games/{game}") == (409, "not_a_fork")
    api.project()
    assert fork in [turn["game"] for turn in ada.get("/v1/me/turns")["turns"]]
    [first, *_] = ada.get(f"{path}/decisions")["legal"]
    ada.call("DELETE", path, status=204)
    for address in (path, f"{path}/table", f"{path}/history", f"{path}/events"):
        assert ada.refused("GET", address) == (404, "unknown_game")
    assert ada.refused("DELETE", path) == (404, "unknown_game")
    assert ada.refused("POST", f"{path}/forks", {}) == (404, "unknown_game")
    assert ada.refused("POST", f"{path}/commands", first["command"]) == (404, "unknown_game")
    assert fork not in [each["id"] for each in ada.get("/v1/games?mine=true&limit=100")["games"]]
    assert fork not in [turn["game"] for turn in ada.get("/v1/me/turns")["turns"]]
    assert process.games.load(fork).seq > 0
    assert ada.get(f"/v1/games/{game}")["status"] == "running"


def test_who_has_left_a_private_game_still_knows_of_it(ada, api):
    bob = api.account("Bob")
    game = join_all(ada, bob, api.account("Cid"))
    ada.post(f"/v1/games/{game}/visibility", {"visibility": "private"})
    bob.post(f"/v1/games/{game}/commands", {"type": "table_leave"})
    assert bob.send("GET", f"/v1/games/{game}").status_code == 200


def test_of_two_who_narrow_at_once_the_narrower_counts(ada, process):
    """A process that comes later with less does not widen what the first has settled."""
    game = process.games.load(make(ada, "unlisted", hotseat=2)["id"])
    process.visibility.narrow(game.id, game.opened, "private")
    process.visibility.narrow(game.id, game.opened, "unlisted")
    assert process.visibility.get(game) == "private"


def test_what_is_private_is_not_rated_unless_a_club_asks_for_it(ada):
    """Said at the creation and recorded there; a process that sees less of it later changes nothing."""

    def asked(**more):
        return ada.post("/v1/games", {**GameRequest(hotseat=2), **more}, status=201)

    club = ada.post("/v1/clubs", {"name": "Club"}, status=201)["id"]
    assert asked()["rated"]
    unrated = asked(rated=False)
    assert not unrated["rated"]
    copy = ada.send("GET", f"/v1/games/{unrated['id']}/audit").data.splitlines(keepends=True)
    assert verify(copy, partial=True).events == unrated["seq"]
    assert not asked(visibility="private")["rated"]
    assert not asked(club=club)["rated"]
    assert asked(club=club, rated=True)["rated"]
    assert not asked(seed="0a")["rated"]
    for refused in ({"visibility": "private"}, {"seed": "0a"}):
        body = {**GameRequest(hotseat=2), "rated": True, **refused}
        assert ada.refused("POST", "/v1/games", body) == (409, "invalid_terms")
    game = asked()
    narrowed = ada.post(f"/v1/games/{game['id']}/visibility", {"visibility": "private"})
    assert narrowed["rated"]
    opened = ada.get(f"/v1/games/{game['id']}/events?limit=1")["events"][0]
    assert opened["data"]["rated"]
