"""Accounts: names and handles, programs, and the end of one."""

import pytest

from events.verify import verify
from tests.service.client import Api
from tests.service.factories import GameRequest, join_all

pytestmark = pytest.mark.integration

SOMEONE = "someone who left"


def backdate(pool, handle, days):
    with pool.connection() as connection:
        connection.execute(
            "UPDATE handle SET since = since - make_interval(days => %(d)s),"
            " until = until - make_interval(days => %(d)s) WHERE handle = %(h)s",
            {"d": days, "h": handle},
        )


def test_a_name_that_passes_for_another_is_refused(api):
    """With a Cyrillic first letter it is a 422 that says what to do; the handle is somebody's: 409."""
    first = api.account("Player 03", handle="player03")
    assert first.me["handle"] == "player03"
    assert api.refused("POST", "/v1/accounts", {"name": "Рlayer 03"}) == (422, "invalid_parameters")
    body = {"name": "Player 03", "handle": "player03"}
    assert api.refused("POST", "/v1/accounts", body) == (409, "handle_taken")
    for handle in ("P", "Player", "_a", "a" * 21, "ада", "a b", "a\n"):
        assert api.refused("POST", "/v1/accounts", {"handle": handle}) == (422, "invalid_parameters")


def test_a_name_is_kept_in_normal_form(api):
    assert api.account("Ａｄａ\u00a0Ｌ").me["name"] == "Ada L"


def test_an_account_is_found_by_its_handle_and_its_id(api):
    one = api.account("Vasco", handle="vasco_d-g")
    shown = {**one.me, "reliability": 100}
    assert api.get("/v1/accounts?handle=vasco_d-g") == {"accounts": [shown], "next": None}
    assert api.get("/v1/accounts?handle=nobody")["accounts"] == []
    profile = {**shown, "ratings": [], "results": []}
    assert api.get(f"/v1/accounts/{one.me['id'].upper()}") == profile
    assert api.refused("GET", "/v1/accounts") == (400, "invalid_parameters")
    assert api.refused("GET", "/v1/accounts?handle=A") == (400, "invalid_parameters")
    for unknown in ("x", "019a9f00-0000-7000-8000-000000000001"):
        assert api.refused("GET", f"/v1/accounts/{unknown}") == (404, "unknown_account")


def test_a_handle_can_be_changed_now_and_then_and_stays_reserved(api, pool):
    """Every 30 days; the one before is nobody else's for 90."""
    one, two = api.account("Eve", handle="eve_1"), api.account("Eve")
    assert one.refused("PATCH", "/v1/me", {"handle": "eve_2"}) == (409, "handle_too_young")
    backdate(pool, "eve_1", 31)
    assert one.call("PATCH", "/v1/me", {"handle": "eve_2"})["handle"] == "eve_2"
    assert api.get("/v1/accounts?handle=eve_1")["accounts"] == []
    assert two.refused("PATCH", "/v1/me", {"handle": "eve_1"}) == (409, "handle_taken")
    backdate(pool, "eve_2", 31)
    assert one.call("PATCH", "/v1/me", {"handle": "eve_1"})["handle"] == "eve_1", "one's own comes back"
    backdate(pool, "eve_2", 91)
    assert two.call("PATCH", "/v1/me", {"handle": "eve_2"})["handle"] == "eve_2"


def test_a_new_name_is_seen_at_the_tables(api, ada):
    one = api.account("Eve", handle="eve_at_table")
    game = join_all(ada, one)
    seat = ada.get(f"/v1/games/{game}")["seats"][1]
    assert (seat["name"], seat["handle"], seat["kind"]) == ("Eve", "eve_at_table", "personal")
    assert one.call("PATCH", "/v1/me", {"name": "Eva"})["name"] == "Eva"
    assert one.get("/v1/me")["account"]["name"] == "Eva"
    assert ada.get(f"/v1/games/{game}")["seats"][1]["name"] == "Eva"


def test_a_program_has_an_account_of_its_own(api, ada):
    """Marked wherever it is shown, with its owner; it plays with a token of its own."""
    made = ada.post("/v1/me/service_accounts", {"name": "Deep Rutter", "handle": "deep"}, status=201)
    assert (made["account"]["kind"], made["account"]["owner"]) == ("service", ada.me["id"])
    program = Api(api.app, made["token"], made["account"])
    game = join_all(ada, program)
    seat = api.get(f"/v1/games/{game}")["seats"][1]
    assert (seat["kind"], seat["handle"]) == ("service", "deep")
    assert made["account"] in ada.get("/v1/me/service_accounts")["accounts"]
    assert program.refused("POST", "/v1/me/service_accounts", {"name": "Deeper"}) == (403, "missing_scope")
    eve = api.account("Eve")
    path = f"/v1/me/service_accounts/{program.me['id']}"
    assert eve.refused("DELETE", path) == (404, "unknown_account")
    ada.call("DELETE", path, status=204)
    assert program.refused("GET", "/v1/me") == (401, "unauthenticated")
    assert not {"account", "name"} & set(api.get(f"/v1/games/{game}")["seats"][1]), "it has left"


def test_a_program_makes_no_programs_and_there_are_at_most_twenty(api):
    one = api.account("Eve")
    body = {"name": "Bot", "scopes": ["account:write", "token:write"]}
    made = [one.post("/v1/me/service_accounts", body, status=201) for _ in range(20)]
    assert one.refused("POST", "/v1/me/service_accounts", body) == (409, "too_many_accounts")
    program = Api(api.app, made[0]["token"])
    assert program.refused("POST", "/v1/me/service_accounts", body) == (403, "forbidden")


def test_the_limits_are_those_of_the_account_whatever_the_token(api):
    from service.application.throttling import get_client

    one = api.account("Eve")
    other = one.post("/v1/me/tokens", {"label": "x", "scopes": ["game:read"]}, status=201)["token"]
    tokens = api.app.extensions["rutter"].tokens
    assert get_client(tokens.find(one.token).account) == get_client(tokens.find(other).account)


def test_an_export_holds_all_that_is_stored(api, ada, pool):
    """Every table that names the account is in it; no secret is."""
    one = api.account("Eve", handle="eve_export")
    game = join_all(ada, one)
    key = {"Idempotency_Key": "my-key"}
    made = one.call("POST", "/v1/games", GameRequest(hotseat=2), status=201, **key)
    one.post("/v1/me/recovery", status=201, Idempotency_Key="my-codes")
    one.post("/v1/me/service_accounts", {"name": "Bot"}, status=201)
    one.project()
    told = one.get("/v1/me/export")
    assert told["account"]["name"] == "Eve"
    assert [handle["handle"] for handle in told["handles"]] == ["eve_export"]
    assert [token["label"] for token in told["tokens"]] == ["first token"]
    assert told["recovery"]["left"] == 10
    assert [account["name"] for account in told["service_accounts"]] == ["Bot"]
    seats = {(seat["game"], seat["seat"]) for seat in told["seats"]}
    assert seats == {(game, 1), (made["id"], -1), (made["id"], 0), (made["id"], 1)}
    assert told["requests"] == [{"key": "my-key", "game": made["id"]}]
    assert [shown["key"] for shown in told["secrets_shown"]] == ["my-codes"]
    salts = {named["salt"] for named in one.get(f"/v1/games/{game}/roster")["seats"]}
    assert salts <= {seat["salt"] for seat in told["seats"]}
    assert one.token not in str(told)
    streams = {notice["stream"] for notice in told["notices"]}
    assert {game, made["id"], one.me["id"]} >= streams > {one.me["id"]}
    covered = {"account", "handle", "token", "recovery_code", "shown_once", "seat_claim", "founding", "lobby"}
    covered.add("notice")
    assert _tables_that_name(pool, one.me["id"]) == covered


def _tables_that_name(pool, account_id):
    """Every table of which a row has this id somewhere."""
    with pool.connection() as connection:
        tables = connection.execute(
            "SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r'"
            " AND relnamespace IN ('es'::regnamespace, 'public'::regnamespace)"
        ).fetchall()
        query, words = "SELECT FROM {} t WHERE t::text LIKE %s", (f"%{account_id}%",)
        return {table for (table,) in tables if connection.execute(query.format(table), words).rowcount}


def test_a_deleted_account_breaks_no_proof(api, ada, pool, games):
    """In three running games its seat is vacated and a bot sits there; a table that it opened lacks a player.

    What the log held stays; all bundles verify; nothing tells any more who it was.
    """
    one = api.account("Eve", handle="eve_gone")
    running = [join_all(ada, one, api.account("Cid")) for _ in range(3)]
    own = one.post("/v1/games", GameRequest(table=True), status=201, Idempotency_Key="own")["id"]
    one.post("/v1/me/service_accounts", {"name": "Bot"}, status=201, Idempotency_Key="bot")
    one.post("/v1/me/recovery", status=201)
    one.project()
    before = {game: games.load(game) for game in (*running, own)}
    assert one.refused("DELETE", "/v1/me", {"confirm": "Eve"}) == (409, "not_confirmed")
    one.call("DELETE", "/v1/me", {"confirm": "eve_gone"}, status=204)
    assert one.refused("GET", "/v1/me") == (401, "unauthenticated")
    assert api.refused("GET", f"/v1/accounts/{one.me['id']}") == (404, "unknown_account")
    assert _tables_that_name(pool, one.me["id"]) == set()
    for game, was in before.items():
        records = games.log.read(game, was.seq - 1, 100)
        assert records[0].hash == was.head
        left = {record.type for record in records[1:]}
        assert ("SeatVacated" if game in running else "SeatFreed") in left
        bundle = ada.send("GET", f"/v1/games/{game}/audit").data
        verify(bundle.splitlines(keepends=True), partial=True)
    for game in running:
        assert api.get(f"/v1/games/{game}")["seats"][1]["bot"]
    assert api.get(f"/v1/games/{own}")["seats"][0]["open"]
    assert api.refused("POST", "/v1/accounts", {"handle": "eve_gone"}) == (409, "handle_taken"), "for 90 days"


def test_the_seats_of_games_that_ended_show_somebody_who_left(api, ada):
    one = api.account("Eve")
    game = join_all(ada, one)
    ada.post(f"/v1/games/{game}/commands", {"type": "table_leave"})
    api.project()
    seats = [seat.get("name") for seat in api.get(f"/v1/games/{game}")["seats"]]
    one.call("DELETE", "/v1/me", {"confirm": "Eve"}, status=204)
    gone = [seat.get("name") for seat in api.get(f"/v1/games/{game}")["seats"]]
    assert gone == [SOMEONE if name == "Eve" else name for name in seats]
    listed = next(g for g in api.get("/v1/games?limit=1000")["games"] if g["id"] == game)
    assert listed["seats"][1].get("name") == gone[1]


def test_without_a_handle_the_name_confirms(api):
    one = api.account("Eve")
    for body in ({}, {"confirm": ""}, {"confirm": 5}):
        assert one.refused("DELETE", "/v1/me", body)[0] == 422
    assert one.refused("DELETE", "/v1/me", {"confirm": "eve"}) == (409, "not_confirmed")
    one.call("DELETE", "/v1/me", {"confirm": "Eve"}, status=204)
