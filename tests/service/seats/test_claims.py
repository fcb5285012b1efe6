"""Claims that no event ever named are swept up; no seat is freed or given by that."""

from __future__ import annotations

import threading
import uuid

import psycopg
import pytest

from projections import claim_cleanup
from projections.claim_cleanup import ClaimCleanup
from service.base.people import Account
from tests.service.client import Api
from tests.service.factories import GameRequest, join_all
from tests.waiting import until

pytestmark = pytest.mark.integration


@pytest.fixture
def ada(api):
    return api.account("Ada")


@pytest.fixture
def bob(api):
    return api.account("Bob")


def grow_old(pool):
    """All claims were made two hours ago."""
    with pool.connection() as connection:
        connection.execute("UPDATE seat_claim SET made_at = now() - interval '2 hours'")


@pytest.fixture(autouse=True)
def swept(pool):
    """Nothing is left over from other tests."""
    grow_old(pool)
    sweep = ClaimCleanup(pool)
    while sweep():
        pass


def stored(pool, game_id):
    """The claims of a game: account and seat."""
    with pool.connection() as connection:
        rows = connection.execute(
            "SELECT account_id::text, seat FROM seat_claim WHERE game_id = %s", (game_id,)
        ).fetchall()
    return sorted(rows)


def stray(pool, game_id, account, seat, age="2 hours"):
    """A claim that nothing came of."""
    with pool.connection() as connection:
        connection.execute(
            "INSERT INTO seat_claim (game_id, claim, seat, account_id, made_at)"
            " VALUES (%s, %s, %s, %s, now() - %s::interval)",
            (game_id, str(uuid.uuid4()), seat, account, age),
        )


def mine(api, game_id):
    return [seat["seat"] for seat in api.get(f"/v1/games/{game_id}")["seats"] if seat["you"]]


def test_only_old_claims_that_no_event_names_are_swept(pool, ada, bob):
    """Of a maker, of joiners with and without a key, of a fork, of an account's own seats: all stay."""
    games = [
        ada.post("/v1/games", GameRequest(table=True, hotseat=3), status=201)["id"],
        ada.post("/v1/games", GameRequest(hotseat=2), status=201, Idempotency_Key="one")["id"],
        join_all(ada, bob),
    ]
    bob.post(f"/v1/games/{games[0]}/join", {"seat": 1})
    bob.post(f"/v1/games/{games[0]}/join", {"seat": 2}, Idempotency_Key="two")
    games.append(ada.post(f"/v1/games/{games[2]}/forks", {}, status=201)["id"])
    before = {game: (stored(pool, game), mine(ada, game), mine(bob, game)) for game in games}
    grow_old(pool)
    for game in games:
        stray(pool, game, bob.me["id"], 0)
    nothing = str(uuid.uuid4())
    stray(pool, nothing, ada.me["id"], -1)
    stray(pool, nothing, ada.me["id"], 0, age="59 minutes")
    assert ClaimCleanup(pool)() == len(games) + 1
    assert {game: (stored(pool, game), mine(ada, game), mine(bob, game)) for game in games} == before
    assert stored(pool, nothing) == [(ada.me["id"], 0)], "somebody may just be about to name it"
    assert ClaimCleanup(pool)() == 0
    assert ada.post(f"/v1/games/{games[0]}/start", {})["status"] == "running", "they are its maker"


def test_all_claims_are_gone_round_a_page_at_a_time(pool, ada, monkeypatch):
    """However many there are, a look costs the same; after the last page it begins again."""
    monkeypatch.setattr(claim_cleanup, "PAGE", 3)
    sweep = ClaimCleanup(pool)
    while sweep():
        pass
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    for _ in range(7):
        stray(pool, game, ada.me["id"], 1)
    with pool.connection() as connection:
        pages = connection.execute("SELECT count(*) / 3 + 2 FROM seat_claim").fetchone()[0]
    assert sum(sweep() for _ in range(2 * pages)) == 7
    assert mine(ada, game) == [0, 1]


def test_a_claim_that_is_made_again_is_not_swept_under_the_hands_of_its_maker(pool, app, ada, bob):
    """A repetition hours later finds the row of the first try: it is renewed, and so stays until it is named.

    The sweep comes between the claim and its event, and once while the renewal is not committed.
    """
    game = ada.post("/v1/games", GameRequest(table=True, hotseat=2), status=201)["id"]
    seats, path = app.extensions["rutter"].seat_claims, f"/v1/games/{game}/join"
    account = seats_account(bob)
    claim = seats.derive_claim_id(account, game, "later")
    seats.claim(claim, game, account, [1])
    grow_old(pool)
    seats.claim(claim, game, account, [1])
    assert ClaimCleanup(pool)() == 0
    grow_old(pool)
    with pool.connection() as connection, connection.transaction():
        connection.execute("UPDATE seat_claim SET made_at = now() WHERE claim = %s", (claim,))
        swept = []
        sweeping = threading.Thread(target=lambda: swept.append(ClaimCleanup(pool)()))
        sweeping.start()
        until_it_waits(pool)
    sweeping.join()
    assert swept == [0]
    assert bob.post(path, {"seat": 1}, Idempotency_Key="later")["id"] == game
    grow_old(pool)
    assert ClaimCleanup(pool)() == 0
    assert mine(bob, game) == [1]


def seats_account(api: Api):
    return Account(api.me["id"], api.me["name"])


def until_it_waits(pool):
    """Until a statement waits for a lock of another."""
    waiting = (
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE wait_event_type = 'Lock' AND datname = current_database()"
    )
    with psycopg.connect(pool.conninfo, autocommit=True) as connection:
        until(lambda: connection.execute(waiting).fetchone()[0] > 0, "the sweep waits")


def test_after_a_sweep_a_repetition_of_what_came_to_nothing_still_works(pool, app, ada, bob):
    """It claims again, and sits."""
    game = ada.post("/v1/games", GameRequest(table=True, hotseat=2), status=201)["id"]
    seats, account = app.extensions["rutter"].seat_claims, seats_account(bob)
    claim = seats.derive_claim_id(account, game, "again")
    seats.claim(claim, game, account, [1])
    grow_old(pool)
    assert ClaimCleanup(pool)() == 1
    bob.post(f"/v1/games/{game}/join", {"seat": 1}, Idempotency_Key="again")
    assert mine(bob, game) == [1]
