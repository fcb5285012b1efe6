"""The database does what it is told and the answer never arrives: nothing is lost, nothing happens twice.

Each writing call is made again and again, each time without the answer to another of its statements.
"""

import uuid
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from events.proof.randomness import commit, seat_commitment
from events.store.games import new_id
from ops.server.wsgi import create_app
from tests.clock import Clock
from tests.service.client import Api
from tests.service.factories import GameRequest, join_all
from tests.service.proxy import StatementProxy, before_postgres

pytestmark = pytest.mark.integration

KEYS = pytest.mark.parametrize(
    "keyed",
    [pytest.param(True, id="with a key"), pytest.param(False, marks=pytest.mark.slow, id="without a key")],
)
CONTRIBUTION = "07" * 32
CLOCK = Clock()


@pytest.fixture(scope="module")
def address(database):
    """The proxy, and where the database is behind it."""
    with before_postgres(database, StatementProxy) as address:
        yield address


@pytest.fixture(scope="module")
def proxy(address):
    return address[0]


@pytest.fixture(scope="module")
def api(settings, address):
    """The application behind the proxy, with nothing in memory that another process wrote.

    Its clock stands still unless a test sets it.
    """
    app = create_app(replace(settings, database_url=address[1], connections=3))
    app.extensions["rutter"].games.now = CLOCK
    yield Api(app)
    app.extensions["rutter"].close()


@pytest.fixture
def events(pool):
    """How many events a game has (all games: None), seen without the proxy."""

    def count(game_id=None):
        with pool.connection() as connection:
            return connection.execute(
                "SELECT count(*) FROM es.event WHERE %s::uuid IS NULL OR game_id = %s", (game_id, game_id)
            ).fetchone()[0]

    return count


def every_statement(proxy, call, check, least=2):
    """*call* without the answer to its first statement, to its second, and so on; *check* after each.

    *call* prepares what it needs and answers a function that makes the request, of *least* statements.
    """
    for number in range(1, 100):
        request = call()
        proxy.lose(number)
        answer = request()
        lost = proxy.forget()
        assert answer.status_code in (200, 201, 204), (number, answer.status_code, answer.text)
        assert "Idempotency-Replayed" not in answer.headers, "it was asked for once"
        check(answer)
        if not lost:
            assert number > least, "every call has some statements"
            return
    raise AssertionError("a call has no end of statements")


def with_key(keyed):
    return {"Idempotency_Key": str(uuid.uuid4())} if keyed else {}


def repeated(api, path, body, headers, first):
    """Sent again with its key, the request gives the first result."""
    again = api.send("POST", path, body, **headers)
    assert again.status_code == first.status_code, again.text
    assert again.headers["Idempotency-Replayed"] == "true"
    return again.get_json()


def mine(game):
    return [seat["seat"] for seat in game["seats"] if seat["you"]]


@KEYS
def test_found(proxy, ada, events, keyed):
    """One game, and its maker has all seats."""
    body = GameRequest(table=True)
    state = {}

    def call():
        state.update(headers=with_key(keyed), before=events())
        return lambda: ada.send("POST", "/v1/games", body, **state["headers"])

    def check(answer):
        game = answer.get_json()
        assert mine(game) == [0]
        assert events() - state["before"] == events(game["id"]) == game["seq"] == 2
        if keyed:
            assert repeated(ada, "/v1/games", body, state["headers"], answer)["id"] == game["id"]
        assert mine(ada.get(f"/v1/games/{game['id']}")) == [0]
        assert events() - state["before"] == 2
        assert ada.refused("POST", f"/v1/games/{game['id']}/start") == (409, "seats_open"), (
            "they are its owner"
        )

    every_statement(proxy, call, check)


@pytest.mark.slow
@KEYS
@pytest.mark.parametrize("body", [{}, {"seat": 2}], ids=["anywhere", "at seat 2"])
def test_join(proxy, ada, bob, events, keyed, body):
    """One seat, and it belongs to who asked."""
    state = {}

    def call():
        game = ada.post("/v1/games", GameRequest(table=True, hotseat=4), status=201)
        state.update(headers=with_key(keyed), path=f"/v1/games/{game['id']}/join", seq=game["seq"])
        return lambda: bob.send("POST", state["path"], body, **state["headers"])

    def check(answer):
        game = answer.get_json()
        assert mine(game) == [body.get("seat", 1)]
        assert events(game["id"]) == game["seq"] == state["seq"] + 1
        if keyed:
            assert mine(repeated(bob, state["path"], body, state["headers"], answer)) == mine(game)
            other = {"seat": 3}
            assert bob.refused("POST", state["path"], other, **state["headers"]) == (
                409,
                "idempotency_key_reused",
            )
        assert events(game["id"]) == game["seq"]

    every_statement(proxy, call, check)


def committed(ada, bob):
    """A game of two whose seats are taken, of which seat 1 has committed."""
    game = ada.post("/v1/games", GameRequest(table=True, hotseat=3), status=201)
    path = f"/v1/games/{game['id']}"
    commitment = seat_commitment(uuid.UUID(game["id"]).bytes, "p1", bytes.fromhex(CONTRIBUTION)).hex()
    bob.post(f"{path}/join", {"seat": 1, "commitment": commitment})
    return bob.post(f"{path}/join", {"seat": 2})


def begun(pool, game_id):
    """How often a game has begun."""
    with pool.connection() as connection:
        return connection.execute(
            'SELECT count(*) FROM es.event WHERE game_id = %s AND body LIKE \'%%"t":"TableBegun"%%\'',
            (game_id,),
        ).fetchone()[0]


@pytest.mark.slow
@KEYS
def test_found_with_a_commitment(proxy, ada, events, keyed):
    """One game under the id that was chosen, which waits for the reveal; with the same answer again."""
    state = {}

    def call():
        game_id = new_id()
        commitment = seat_commitment(uuid.UUID(game_id).bytes, "p0", bytes.fromhex(CONTRIBUTION)).hex()
        body = GameRequest(id=game_id, seats=[{"you": True, "commitment": commitment}, {"bot": "random"}])
        state.update(headers=with_key(keyed), body=body)
        return lambda: ada.send("POST", "/v1/games", body, **state["headers"])

    def check(answer):
        game = answer.get_json()
        assert (game["id"], game["status"]) == (state["body"]["id"], "open")
        assert events(game["id"]) == game["seq"] == 4
        again = repeated(ada, "/v1/games", state["body"], state["headers"], answer)
        assert again["seats"] == game["seats"]
        (named,) = ada.get(f"/v1/games/{game['id']}/roster")["seats"]
        assert named["who"] in ada.get(f"/v1/games/{game['id']}/events")["events"][1]["data"].values()
        assert events(game["id"]) == 4

    every_statement(proxy, call, check)


@KEYS
def test_reveal(proxy, ada, bob, events, pool, keyed):
    """One contribution, and the game, which waited for no other, begins once."""
    state = {}
    body = {"contribution": CONTRIBUTION, "seat": 1}

    def call():
        game = committed(ada, bob)
        state.update(headers=with_key(keyed), path=f"/v1/games/{game['id']}/reveal", seq=game["seq"])
        return lambda: bob.send("POST", state["path"], body, **state["headers"])

    def check(answer):
        game = answer.get_json()
        assert events(game["id"]) == game["seq"] > state["seq"] + 1
        assert (game["status"], begun(pool, game["id"])) == ("running", 1)
        if keyed:
            assert repeated(bob, state["path"], body, state["headers"], answer) == game
            other = {**body, "contribution": "08" * 32}
            assert bob.refused("POST", state["path"], other, **state["headers"]) == (
                409,
                "idempotency_key_reused",
            )
        assert events(game["id"]) == game["seq"]

    every_statement(proxy, call, check)


@KEYS
def test_begin(proxy, ada, bob, events, pool, keyed):
    """It begins once, without the contribution that nobody revealed."""
    state = {}

    def call():
        game = committed(ada, bob)
        CLOCK.wait(60)
        state.update(headers=with_key(keyed), path=f"/v1/games/{game['id']}/start")
        return lambda: ada.send("POST", state["path"], {}, **state["headers"])

    def check(answer):
        game = answer.get_json()
        assert game["status"] == "running"
        if keyed:
            assert repeated(ada, state["path"], {}, state["headers"], answer) == game
        assert events(game["id"]) == game["seq"]
        assert begun(pool, game["id"]) == 1

    every_statement(proxy, call, check)


@KEYS
def test_the_director_reveals(proxy, ada, events, pool, keyed):
    """One contribution of the director, and the game begins once."""
    state = {}
    body = {"director_contribution": CONTRIBUTION}

    def call():
        game_id = new_id()
        director = commit("director", uuid.UUID(game_id).bytes, bytes.fromhex(CONTRIBUTION)).hex()
        game = ada.post("/v1/games", GameRequest(id=game_id, director_commitment=director), status=201)
        assert game["opening"]["closed"], "nobody else contributes"
        state.update(headers=with_key(keyed), path=f"/v1/games/{game_id}/reveal")
        return lambda: ada.send("POST", state["path"], body, **state["headers"])

    def check(answer):
        game = answer.get_json()
        assert events(game["id"]) == game["seq"]
        assert (game["status"], begun(pool, game["id"])) == ("running", 1)
        if keyed:
            assert repeated(ada, state["path"], body, state["headers"], answer) == game

    every_statement(proxy, call, check)


@pytest.mark.parametrize("at_hand", [True, False], ids=["the newest in memory", "overtaken elsewhere"])
@KEYS
def test_command(proxy, ada, bob, events, keyed, at_hand):
    """It is carried out once, and the answer tells what happened; unless it was overtaken nothing is read."""
    state = {}

    def call():
        game_id = join_all(ada, bob)
        legal = ada.get(f"/v1/games/{game_id}/decisions")["legal"]
        api = ada if legal else bob
        body = (legal or bob.get(f"/v1/games/{game_id}/decisions")["legal"])[0]["command"]
        if not at_hand:
            ada.app.extensions["rutter"].receive_hint(game_id)
        state.update(
            headers=with_key(keyed),
            path=f"/v1/games/{game_id}/commands",
            id=game_id,
            seq=events(game_id),
            api=api,
            body=body,
        )
        return lambda: api.send("POST", state["path"], body, **state["headers"])

    def check(answer):
        happened = answer.get_json()
        assert [event["seq"] for event in happened["events"]] == [
            *range(state["seq"] + 1, happened["seq"] + 1)
        ]
        if keyed:
            again = repeated(state["api"], state["path"], state["body"], state["headers"], answer)
            assert again == happened
        assert events(state["id"]) == happened["seq"]

    every_statement(proxy, call, check, least=1 if at_hand else 2)


@pytest.mark.slow
@KEYS
def test_fork(proxy, ada, bob, events, keyed):
    """One fork, and it belongs to who asked."""
    path = f"/v1/games/{join_all(ada, bob)}/forks"
    state = {}

    def call():
        state.update(headers=with_key(keyed), before=events())
        return lambda: ada.send("POST", path, {}, **state["headers"])

    def check(answer):
        game = answer.get_json()
        assert mine(game) == [0, 1]
        if keyed:
            assert repeated(ada, path, {}, state["headers"], answer)["id"] == game["id"]
        assert events() - state["before"] == events(game["id"]) == game["seq"]

    every_statement(proxy, call, check)


@KEYS
def test_command_of_the_table(proxy, ada, bob, events, keyed):
    """An offer is made once, and the answer tells what happened."""
    state = {}

    def call():
        game_id = join_all(ada, bob)
        body = {"type": "table_offer", "what": "end"}
        state.update(
            headers=with_key(keyed), path=f"/v1/games/{game_id}/commands", id=game_id, body=body, seq=0
        )
        state["seq"] = events(game_id)
        return lambda: ada.send("POST", state["path"], body, **state["headers"])

    def check(answer):
        happened = answer.get_json()
        assert happened["seq"] == events(state["id"]) == state["seq"] + 1
        if keyed:
            assert repeated(ada, state["path"], state["body"], state["headers"], answer) == happened
        assert events(state["id"]) == happened["seq"]

    every_statement(proxy, call, check)


def test_leaving_a_seat(proxy, ada, bob, events):
    """They leave once, and their seat is free for others."""
    state = {}

    def call():
        state["id"] = join_all(ada, bob)
        state["seq"] = events(state["id"])
        return lambda: bob.send("POST", f"/v1/games/{state['id']}/commands", {"type": "table_leave"})

    def check(answer):
        assert answer.get_json()["seq"] == events(state["id"]) > state["seq"]
        assert ada.get(f"/v1/games/{state['id']}")["seats"][1]["vacant"]

    every_statement(proxy, call, check)


def test_narrowing_a_game(proxy, ada, bob):
    """It is private, and nobody else knows of it."""
    state = {}

    def call():
        state["path"] = f"/v1/games/{ada.post('/v1/games', GameRequest(), status=201)['id']}"
        return lambda: ada.send("POST", f"{state['path']}/visibility", {"visibility": "private"})

    def check(answer):
        assert answer.get_json()["visibility"] == "private"
        assert bob.refused("GET", state["path"]) == (404, "unknown_game")

    every_statement(proxy, call, check)


TOKEN = {"label": "laptop", "scopes": ["game:read"]}


def tokens(api):
    return [token["id"] for token in api.get("/v1/me/tokens")["tokens"]]


@KEYS
def test_make_a_token(proxy, api, ada, keyed):
    """One token, and the secret that was shown is its secret; with its key again it names the token."""
    state = {}

    def call():
        eve = api.account("Eve")
        state.update(headers=with_key(keyed), eve=eve)
        return lambda: eve.send("POST", "/v1/me/tokens", TOKEN, **state["headers"])

    def check(answer):
        made, eve = answer.get_json(), state["eve"]
        assert tokens(eve)[1:] == [made["id"]]
        assert Api(api.app, made["token"]).get("/v1/me")["account"]["id"] == eve.me["id"]
        if keyed:
            assert eve.refused("POST", "/v1/me/tokens", TOKEN, **state["headers"]) == (409, "already_shown")

    every_statement(proxy, call, check)


@KEYS
def test_rotate_a_token(proxy, api, ada, keyed):
    """One token takes the place of another, whose secret is good for nothing any more."""
    state = {}

    def call():
        eve = api.account("Eve")
        state.update(headers=with_key(keyed), eve=eve, old=eve.post("/v1/me/tokens", TOKEN, status=201))
        path = f"/v1/me/tokens/{state['old']['id']}/rotate"
        return lambda: eve.send("POST", path, {}, **state["headers"])

    def check(answer):
        made, eve = answer.get_json(), state["eve"]
        assert tokens(eve)[1:] == [made["id"]]
        assert Api(api.app, made["token"]).get("/v1/me")["account"]["id"] == eve.me["id"]
        assert Api(api.app, state["old"]["token"]).refused("GET", "/v1/me") == (401, "unauthenticated")

    every_statement(proxy, call, check)


def test_revoke_a_token(proxy, api, ada):
    """It is good for nothing from then on, also where it was used a moment ago."""
    state = {}

    def call():
        made = ada.post("/v1/me/tokens", TOKEN, status=201)
        state["holder"] = Api(api.app, made["token"])
        state["holder"].get("/v1/me")
        return lambda: ada.send("DELETE", f"/v1/me/tokens/{made['id']}")

    def check(_answer):
        assert state["holder"].refused("GET", "/v1/me") == (401, "unauthenticated")

    every_statement(proxy, call, check)


def test_recover_an_account(proxy, api):
    """One code is spent, one token is left, and those from before are good for nothing."""
    state = {}

    def call():
        eve = api.account("Eve")
        codes = eve.post("/v1/me/recovery", {}, status=201)["codes"]
        state.update(eve=eve)
        eve.get("/v1/me")
        wish = {"account": eve.me["id"], "code": codes[0]}
        return lambda: api.send("POST", "/v1/accounts/recover", wish)

    def check(answer):
        made = answer.get_json()
        again = Api(api.app, made["token"])
        assert tokens(again) == [made["id"]]
        assert again.get("/v1/me/recovery")["left"] == 9
        assert state["eve"].refused("GET", "/v1/me") == (401, "unauthenticated")

    every_statement(proxy, call, check)


def test_make_recovery_codes(proxy, api):
    """Those that were shown open the account."""
    state = {}

    def call():
        state["eve"] = api.account("Eve")
        return lambda: state["eve"].send("POST", "/v1/me/recovery", {})

    def check(answer):
        made = answer.get_json()
        assert state["eve"].get("/v1/me/recovery")["id"] == made["id"]
        wish = {"account": state["eve"].me["id"], "code": made["codes"][9]}
        assert api.post("/v1/accounts/recover", wish, status=201)

    every_statement(proxy, call, check)


@KEYS
def test_make_the_last_account_of_a_program(proxy, api, keyed):
    """One account, whose token was shown, although there is no room for another then."""
    state = {}

    def call():
        eve = api.account("Eve")
        for number in range(19):
            eve.post("/v1/me/service_accounts", {"name": f"Bot {number}"}, status=201)
        state.update(headers=with_key(keyed), eve=eve)
        return lambda: eve.send("POST", "/v1/me/service_accounts", {"name": "Last"}, **state["headers"])

    def check(answer):
        made = answer.get_json()
        listed = state["eve"].get("/v1/me/service_accounts")["accounts"]
        assert [one["id"] for one in listed][19:] == [made["account"]["id"]]
        assert Api(api.app, made["token"]).get("/v1/me")["account"]["id"] == made["account"]["id"]

    every_statement(proxy, call, check)


@pytest.mark.slow
def test_delete_an_account(proxy, api, ada):
    """With its seats, its programs and all its tokens, also those that were used a moment ago."""
    state = {}

    def call():
        eve = api.account("Eve")
        others = [
            eve.post("/v1/me/tokens", TOKEN, status=201)["token"],
            eve.post("/v1/me/service_accounts", {"name": "Bot"}, status=201)["token"],
        ]
        state.update(game=join_all(ada, eve), holders=[eve, *(Api(api.app, token) for token in others)])
        for holder in state["holders"]:
            holder.get("/v1/me")
        return lambda: eve.send("DELETE", "/v1/me", {"confirm": "Eve"})

    def check(answer):
        assert answer.status_code == 204
        for holder in state["holders"]:
            assert holder.refused("GET", "/v1/me") == (401, "unauthenticated")
        assert ada.get(f"/v1/games/{state['game']}")["seats"][1]["vacant"]

    every_statement(proxy, call, check)


def test_change_a_handle(proxy, api):
    """It is changed, and not too young to be changed to itself."""
    state = {}

    def call():
        name = f"eve-{uuid.uuid4().hex[:12]}"
        state.update(eve=api.account("Eve"), handle=name)
        return lambda: state["eve"].send("PATCH", "/v1/me", {"handle": name, "name": "Eva"})

    def check(answer):
        assert answer.get_json()["handle"] == state["handle"]
        assert state["eve"].get("/v1/me")["account"]["name"] == "Eva"

    every_statement(proxy, call, check)


def test_vacation(proxy, api):
    """It is taken once from the days of the year, and given back once."""
    state = {}

    def call():
        state["eve"] = api.account("Eve")
        until = (datetime.fromisoformat(CLOCK()) + timedelta(days=10)).isoformat()
        return lambda: state["eve"].send("POST", "/v1/me/vacation", {"until": until})

    def check(answer):
        assert answer.get_json()["left_ms"] == 20 * 86_400_000

    every_statement(proxy, call, check)

    def call_back():
        call()()
        return lambda: state["eve"].send("DELETE", "/v1/me/vacation")

    def check_back(answer):
        assert answer.get_json()["left_ms"] == 30 * 86_400_000

    every_statement(proxy, call_back, check_back)
