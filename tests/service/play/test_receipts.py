"""Receipts: what was accepted is acknowledged, by a signature that a stranger can check."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator

import msgspec
import pytest
from flask import Flask

from events.tlog.notes import Verifier, open_receipt
from ops.server.wsgi import create_app
from service.base.settings import Settings
from service.client.contribution import Contribution
from tests.service.client import Api
from tests.service.factories import Bot, GameRequest, Open, You
from tests.service.play.test_play import commands, first_move

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def key(api):
    """The service's key, as a client pins it."""
    keys = api.get("/v1/keys")
    (one,) = keys["keys"]
    verifier = Verifier.read(one["vkey"])
    assert verifier.name == keys["origin"]
    return verifier


@pytest.fixture
def read(key, app):
    """``read(answer)``: its receipt, which the service signed for events that stand in the log."""

    def opened(answer):
        note = answer["receipt"]
        assert len(msgspec.json.encode(note)) <= 330, "as it stands in the body of the answer"
        receipt, signer = open_receipt(note, [key])
        assert signer == key
        assert receipt.deadline == receipt.time + 60
        log = app.extensions["rutter"].games.records(receipt.game)
        event = log[receipt.n - 1]
        assert event.envelope().at[:19] == time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(receipt.time))
        assert (event.hash, event.command_id) == (receipt.hash, receipt.cmd)
        after = log[receipt.n : receipt.n + 1]
        assert not after or after[0].command_id != receipt.cmd, "the command's last event"
        assert receipt.n <= answer.get("seq", receipt.n)
        return receipt

    return opened


def test_every_answer_that_accepted_something_carries_a_receipt(ada, bob, api, read):
    """Create, join, reveal, start, command, fork: each for the last event of what was asked for."""
    game = ada.post("/v1/games", GameRequest(seats=[You(), Open()]), status=201)
    path = f"/v1/games/{game['id']}"
    made = read(game)
    assert (made.game, made.n) == (game["id"], game["seq"])
    mine = Contribution.make(game["id"], 1)
    joined = bob.post(f"{path}/join", mine.join_request)
    assert read(joined).n == joined["seq"] == made.n + 2
    revealed = bob.post(f"{path}/reveal", mine.reveal_request)
    assert read(revealed).n == made.n + 3
    begun = ada.post(f"{path}/start")
    assert read(begun).n == begun["seq"] > made.n + 3
    mover = next(one for one in (ada, bob) if one.get(f"{path}/decisions")["legal"])
    happened = mover.post(commands(game["id"]), first_move(mover, game["id"])[0])
    assert read(happened).n == happened["seq"]
    assert read(happened).hash.hex() == happened["events"][-1]["hash"]
    newest = api.get(f"{path}/receipt")
    assert set(newest) == {"receipt"}
    assert read(newest).n == api.get(path)["seq"]
    fork = ada.post(f"{path}/forks", status=201)
    assert read(fork).game == fork["id"]


def test_a_repetition_gets_a_receipt_for_the_same_event(ada, bob, read):
    """The answer that was lost comes again, whatever has happened since."""
    asked = []

    def once(one, where, body, status=200):
        key = str(uuid.uuid4())
        answer = one.call("POST", where, body, status=status, Idempotency_Key=key)
        asked.append((one, where, body, key, read(answer)))
        return answer

    game = once(ada, "/v1/games", GameRequest(seats=[You(), Open()]), 201)
    path = f"/v1/games/{game['id']}"
    mine = Contribution.make(game["id"], 1)
    once(bob, f"{path}/join", mine.join_request)
    if once(bob, f"{path}/reveal", mine.reveal_request)["status"] == "open":
        once(ada, f"{path}/start", {})
    for _ in range(2):
        mover = next(one for one in (ada, bob) if one.get(f"{path}/decisions")["legal"])
        once(mover, commands(game["id"]), first_move(mover, game["id"])[0])
    for one, where, body, key, first in asked:
        again = one.send("POST", where, body, Idempotency_Key=key)
        assert again.headers["Idempotency-Replayed"] == "true"
        assert read(again.get_json()) == first


def test_a_game_that_begins_at_once_is_acknowledged_from_its_creation_on(ada, read):
    """With no open seat the receipt is for the creation, and the newest one for what followed by itself."""
    game = ada.post("/v1/games", GameRequest(seats=[You(), Bot()]), status=201)
    made = read(game)
    assert made.n == 3  # TableOpened, two SeatTaken
    newest = read(ada.get(f"/v1/games/{game['id']}/receipt"))
    assert newest.n == game["seq"] > made.n
    assert newest.cmd != made.cmd


def test_a_client_chooses_the_id_that_the_receipt_names(ada, read, app):
    """A UUID as key is the command id; a word, or a UUID of a kind that the service makes itself, is not."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    chosen = [str(uuid.uuid4()), "01a201c8-ac20-797d-9631-588b2897709a"]
    derived = ["k", str(uuid.uuid4()).upper(), str(uuid.uuid5(uuid.NAMESPACE_URL, "x"))]
    for key in chosen + derived:
        move, _ = first_move(ada, game["id"])
        happened = ada.post(commands(game["id"]), move, Idempotency_Key=key)
        assert (read(happened).cmd == key) == (key in chosen)


def test_no_id_of_the_log_can_be_chosen_again(ada, app):
    """Ids stand in audit files for all to read; a batch under one of them would spoil the proof."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    for keyed in (False, True):
        move, _ = first_move(ada, game["id"])
        headers = {"Idempotency_Key": str(uuid.uuid4())} if keyed else {}
        ada.post(commands(game["id"]), move, **headers)
    log = app.extensions["rutter"].games.records(game["id"])
    for known in {record.command_id for record in log}:
        move, _ = first_move(ada, game["id"])
        ada.send("POST", commands(game["id"]), move, Idempotency_Key=known)
    runs: list[str] = []
    for record in app.extensions["rutter"].games.records(game["id"]):
        if not runs or runs[-1] != record.command_id:
            runs.append(record.command_id)
    assert len(runs) == len(set(runs))


def test_a_receipt_is_the_same_for_everybody(ada, bob, api, read):
    """It depends on no viewer, so it can betray nothing to one."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    path = f"/v1/games/{game['id']}/receipt"
    seen = [one.get(path) for one in (ada, bob, api)]
    assert seen[0] == seen[1] == seen[2]
    read(seen[0])
    assert api.refused("GET", f"/v1/games/{uuid.uuid4()}/receipt") == (404, "unknown_game")


def test_views_and_their_tags_know_nothing_of_receipts(ada):
    """Only what accepted something is acknowledged: a view stays what it was, and is not sent twice."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    answer = ada.send("GET", f"/v1/games/{game['id']}")
    assert "receipt" not in answer.get_json()
    tag = answer.headers["ETag"]
    assert ada.send("GET", f"/v1/games/{game['id']}", If_None_Match=tag).status_code == 304


@pytest.fixture
def mute(settings: Settings, tmp_path) -> Iterator[Flask]:
    """The service on the same database, with a key that cannot be read."""
    (tmp_path / "signing.key").write_text("no key\n")
    made = create_app(Settings(settings.database_url, settings.redis_url, tmp_path, log_requests=False))
    yield made
    made.extensions["rutter"].close()


def test_who_cannot_sign_accepts_nothing(ada, bob, mute, app):
    """503 before anything is appended, whatever is asked for; games can still be read."""
    waiting = ada.post("/v1/games", GameRequest(seats=[You(), Open()]), status=201)["id"]
    running = ada.post("/v1/games", GameRequest(hotseat=2), status=201)["id"]
    committed = ada.post("/v1/games", GameRequest(seats=[You(), Open()]), status=201)["id"]
    theirs = Contribution.make(committed, 1)
    bob.post(f"/v1/games/{committed}/join", theirs.join_request)
    move, _ = first_move(ada, running)
    process = app.extensions["rutter"]
    with process.pool.connection() as connection:
        before = connection.execute("SELECT count(*), count(DISTINCT game_id) FROM es.event").fetchone()
    ada_there, bob_there = (Api(mute, one.token, one.me) for one in (ada, bob))
    for one, path, body in (
        (ada_there, "/v1/games", GameRequest(hotseat=2)),
        (bob_there, f"/v1/games/{waiting}/join", {}),
        (bob_there, f"/v1/games/{committed}/reveal", theirs.reveal_request),
        (ada_there, f"/v1/games/{committed}/start", {}),
        (ada_there, commands(running), move),
        (ada_there, f"/v1/games/{running}/forks", {}),
    ):
        answer = one.send("POST", path, body)
        assert (answer.status_code, answer.get_json()["code"]) == (503, "cannot_sign"), path
        assert answer.headers["Retry-After"]
    for path in (f"/v1/games/{running}/receipt", f"/v1/games/{running}/audit"):
        assert ada_there.refused("GET", path) == (503, "cannot_sign")
    assert ada_there.get(f"/v1/games/{running}")["status"] == "running"
    with process.pool.connection() as connection:
        after = connection.execute("SELECT count(*), count(DISTINCT game_id) FROM es.event").fetchone()
    assert after == before


def test_a_receipt_for_another_history_does_not_verify(ada, key):
    """One bit changed, or another key of the same name: refused."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    note = game["receipt"]
    for bad in (note.replace(f"\n{game['id']}\n", f"\n{uuid.uuid4()}\n"), note.replace("\n3\n", "\n4\n")):
        with pytest.raises(ValueError, match="does not hold"):
            open_receipt(bad if bad != note else note + "x", [key])
