"""Seats with a key of their own: what they sign nobody can deny, repeat elsewhere, or invent."""

from __future__ import annotations

import base64
import json
import uuid
from typing import Any

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.rules.catalogue import find_title, title_ids
from events.rules.fast_chance import FastChance
from events.table import command_signatures
from events.table.record import decode_command, decode_signature
from events.verify import check_bundle, verify
from events.verify.trust import Trust
from tests.service.client import Api
from tests.service.factories import GameRequest, Open, You
from tests.service.play.test_play import commands, house

pytestmark = pytest.mark.integration


class Signer:
    """A player with a key for one game."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.key = Ed25519PrivateKey.generate()
        self.seat = 1
        self.game = ""

    @property
    def public(self) -> str:
        return self.key.public_key().public_bytes_raw().hex()

    def at(self, n: int | None = None) -> tuple[int, bytes]:
        """Number and hash of an event (default: the newest)."""
        path = f"/v1/games/{self.game}"
        n = n or self.api.get(path)["seq"]
        (event,) = self.api.get(f"{path}/events?after={n - 1}&limit=1")["events"]
        return n, bytes.fromhex(event["hash"])

    def sign(self, command: dict[str, Any], cmd: str, n: int | None = None, **other: Any) -> str:
        """The header for *command* under the id *cmd*; *other* signs for something else instead."""
        seq, head = self.at(n)
        said = {"cmd": cmd, "command": command, "game": self.game, "head": head, "n": seq, "seat": self.seat}
        raw = self.key.sign(command_signatures.make_signed_message(**{**said, **other}))
        return f"{seq} {base64.b64encode(raw).decode()}"

    def give(self, command: dict[str, Any], header: str | None, cmd: str) -> Any:
        headers = {"Idempotency_Key": cmd, **({"Rutter_Signature": header} if header else {})}
        return self.api.send("POST", commands(self.game), command, **headers)

    def legal(self) -> list[dict[str, Any]]:
        return [m["command"] for m in self.api.get(f"/v1/games/{self.game}/decisions")["legal"]]


@pytest.fixture
def table(api, request):
    """A running game of an ordinary seat 0 and a signing seat 1: ``(ada, signer)``."""
    title = getattr(request, "param", "colonial_empires")
    ada, bob = api.account("Ada"), Signer(api.account("Bob"))
    seats = [You(), Open(), *[You()] * (find_title(title).seats[0] - 2)]
    bob.game = ada.post("/v1/games", GameRequest(title=title, seats=seats), status=201)["id"]
    bob.api.post(f"/v1/games/{bob.game}/join", {"seat": 1, "key": bob.public})
    return ada, bob


def turn_of(ada: Api, bob: Signer, wanted=lambda _command: True) -> dict[str, Any]:
    """Play until the signing seat may give a *wanted* command; that command."""
    rng = FastChance(1)
    for _ in range(600):
        house(ada, bob.game)
        if ada.get(f"/v1/games/{bob.game}")["status"] == "finished":
            break
        mine = [command for command in bob.legal() if wanted(command)]
        if mine:
            return mine[0]
        own, others = bob.legal(), ada.get(f"/v1/games/{bob.game}/decisions")["legal"]
        if own:
            cmd = str(uuid.uuid4())
            move = own[rng.draw_below(len(own))]
            assert bob.give(move, bob.sign(move, cmd), cmd).status_code == 200
        else:
            ada.post(commands(bob.game), others[rng.draw_below(len(others))]["command"])
    raise AssertionError("no such command came up")


def test_a_signed_command_stands_in_the_log_with_its_signature(table, api, app):
    """Anybody can check it: key in the event that took the seat, hash in the chain, id in the body."""
    ada, bob = table
    (taken,) = [
        e
        for e in api.get(f"/v1/games/{bob.game}/events")["events"]
        if e["type"] == "SeatTaken" and e["data"]["key"]
    ]
    assert taken["data"]["key"] == bob.public
    move = turn_of(ada, bob)
    cmd = str(uuid.uuid4())
    answer = bob.give(move, bob.sign(move, cmd), cmd)
    assert answer.status_code == 200, answer.text
    first = answer.get_json()["events"][0]
    record = app.extensions["rutter"].games.records(bob.game, first["seq"] - 1, 1)[0]
    envelope = record.envelope()
    signature = decode_signature(record, envelope)
    assert first["sig"] == {"n": signature.n, "s": signature.s}
    _, head = bob.at(signature.n)
    assert envelope.cmd == cmd
    assert command_signatures.is_valid(bob.public, signature, cmd, move, bob.game, head, 1)
    assert all("sig" not in event for event in answer.get_json()["events"][1:])


def test_what_is_not_rightly_signed_is_refused_and_nothing_is_appended(table):
    """No signature; one for another id, command, game, seat or history; one without an id; a damaged one."""
    ada, bob = table
    move = turn_of(ada, bob)
    cmd, other = str(uuid.uuid4()), str(uuid.uuid4())
    before = ada.get(f"/v1/games/{bob.game}")["seq"]
    path = commands(bob.game)
    assert bob.api.refused("POST", path, move) == (403, "signature_required")
    assert bob.api.refused("POST", path, move, Idempotency_Key=cmd) == (403, "signature_required")
    good = bob.sign(move, cmd)
    stranger = Signer(bob.api)
    stranger.game = bob.game
    for header in (
        bob.sign(move, other),
        bob.sign({**move, "type": "pass"}, cmd),
        bob.sign(move, cmd, game=other),
        bob.sign(move, cmd, seat=0),
        bob.sign(move, cmd, head=bytes(32)),
        bob.sign(move, cmd, n=before - 1).replace(str(before - 1), str(before), 1),
        stranger.sign(move, cmd),
        good.replace(f"{before} ", f"{before + 1} "),
        f"{before} {base64.b64encode(bytes(64)).decode()}",
    ):
        assert bob.api.refused("POST", path, move, Idempotency_Key=cmd, Rutter_Signature=header) == (
            403,
            "signature_invalid",
        ), header
    assert bob.api.refused("POST", path, move, Rutter_Signature=good) == (403, "signature_invalid")
    for damaged in (
        "",
        "1",
        good[:-1],
        good + "=",
        f"0{good}",
        good.replace(" ", "  "),
        f"0 {good.split()[1]}",
    ):
        assert bob.api.refused("POST", path, move, Idempotency_Key=cmd, Rutter_Signature=damaged) == (
            400,
            "invalid_parameters",
        ), damaged
    assert ada.get(f"/v1/games/{bob.game}")["seq"] == before
    assert bob.give(move, good, cmd).status_code == 200


def test_a_signature_older_than_the_seats_newest_batch_is_refused(table):
    """An old command cannot be played later: one signs for what one has seen since one's own last move."""
    ada, bob = table
    move = turn_of(ada, bob)
    cmd = str(uuid.uuid4())
    assert bob.give(move, bob.sign(move, cmd), cmd).status_code == 200
    last = bob.at()[0]
    move = turn_of(ada, bob)
    own = [e["seq"] for e in ada.get(f"/v1/games/{bob.game}/events?limit=1000")["events"] if e["seat"] == 1][
        -1
    ]
    assert own >= last
    cmd = str(uuid.uuid4())
    answer = bob.give(move, bob.sign(move, cmd, n=own - 1), cmd)
    assert (answer.status_code, answer.get_json()["code"]) == (403, "signature_invalid")
    assert bob.give(move, bob.sign(move, cmd, n=own), cmd).status_code == 200


def test_a_signed_command_is_repeated_as_any_other(table):
    """Sent again it is answered as before, though its signature has grown old meanwhile."""
    ada, bob = table
    move = turn_of(ada, bob)
    cmd = str(uuid.uuid4())
    header = bob.sign(move, cmd)
    first = bob.give(move, header, cmd)
    turn_of(ada, bob)
    again = bob.give(move, header, cmd)
    assert again.headers["Idempotency-Replayed"] == "true"
    assert again.get_json() == first.get_json()


def test_a_seat_without_key_does_not_sign(table):
    ada, bob = table
    house(ada, bob.game)
    me = Signer(ada)
    me.game, me.seat = bob.game, 0
    while not me.legal():
        move = turn_of(ada, bob)
        cmd = str(uuid.uuid4())
        bob.give(move, bob.sign(move, cmd), cmd)
    move, cmd = me.legal()[0], str(uuid.uuid4())
    answer = me.give(move, me.sign(move, cmd), cmd)
    assert (answer.status_code, answer.get_json()["code"]) == (403, "signature_invalid")
    assert me.give(move, None, cmd).status_code == 200


def test_a_key_is_part_of_the_request_to_join(api):
    """The same Idempotency-Key with another key is another request."""
    ada, bob = api.account("Ada"), Signer(api.account("Bob"))
    game = ada.post("/v1/games", GameRequest(seats=[You(), Open(), Open()]), status=201)["id"]
    path = f"/v1/games/{game}/join"
    bob.api.post(path, {"key": bob.public}, Idempotency_Key="k")
    bob.api.post(path, {"key": bob.public}, Idempotency_Key="k")
    assert bob.api.refused("POST", path, {}, Idempotency_Key="k") == (409, "idempotency_key_reused")
    for key in ("00", bob.public.upper(), bob.public + "00"):
        assert ada.refused("POST", path, {"seat": 2, "key": key}) == (422, "invalid_parameters")


@pytest.mark.parametrize("weak", ["01" + "00" * 31, "00" * 31 + "80", "ec" + "ff" * 30 + "7f"])
def test_a_key_for_which_anybody_can_sign_is_refused(api, weak):
    """When a game is made, and when a seat is taken in it."""
    ada, bob = api.account("Ada"), api.account("Bob")
    wish = GameRequest(seats=[{"you": True, "key": weak}, Open()])
    assert ada.refused("POST", "/v1/games", wish) == (422, "invalid_parameters")
    game = ada.post("/v1/games", GameRequest(seats=[You(), Open()]), status=201)["id"]
    join = f"/v1/games/{game}/join"
    assert bob.refused("POST", join, {"seat": 1, "key": weak}) == (422, "invalid_parameters")
    assert ada.get(f"/v1/games/{game}")["seats"][1]["open"]


SEALING = [
    title_id for title_id in title_ids() if title_id in ("colonial_empires", "colonialism", "colonies")
]


@pytest.mark.parametrize("table", SEALING, indirect=True)
def test_of_a_sealed_signed_command_others_see_the_digest_only(table, api, app):
    """An open signature would let anybody test guesses of what was sealed."""
    ada, bob = table
    games = app.extensions["rutter"].games
    find = games.load(bob.game).title.command_type
    move = turn_of(ada, bob, lambda command: find(command["type"]).sealed)
    cmd = str(uuid.uuid4())
    header = bob.sign(move, cmd)
    happened = bob.give(move, header, cmd).get_json()
    assert happened["events"][0]["sig"]["s"] == header.split()[1]
    record = games.records(bob.game, happened["events"][0]["seq"] - 1, 1)[0]
    body = json.loads(record.body)
    assert "sig" not in body
    assert {"p1_command", "p1_sig"} <= set(body["hid"])
    mine = decode_signature(record, record.envelope())
    assert command_signatures.is_valid(bob.public, mine, cmd, move, bob.game, bob.at(mine.n)[1], 1)
    assert decode_signature(record.redact_for(0), record.envelope()) is None
    for reader in (ada, api):
        for path in ("events?limit=1000", "audit", "history"):
            assert mine.s not in reader.send("GET", f"/v1/games/{bob.game}/{path}").text, path
        (event,) = [
            e
            for e in reader.get(f"/v1/games/{bob.game}/events?limit=1000")["events"]
            if e["seq"] == record.seq
        ]
        assert set(event["hidden"]["p1_sig"]) == {"digest"}
        assert "sig" not in event
    copy = bob.api.send("GET", f"/v1/games/{bob.game}/audit").data
    own = check_bundle(copy.splitlines(keepends=True), Trust())
    assert json.loads(own.records[record.seq - 1].parts["p1_sig"].body) == {"n": mine.n, "s": mine.s}


@pytest.mark.parametrize("table", ["example"], indirect=True)
def test_a_whole_game_with_a_signing_seat_verifies(table):
    """Every command of the seat was signed, open or sealed; in the end anybody checks each of them."""
    ada, bob = table
    with pytest.raises(AssertionError, match="no such command"):
        turn_of(ada, bob, lambda _command: False)
    text = ada.send("GET", f"/v1/games/{bob.game}/audit").data.splitlines(keepends=True)
    assert verify(text).whole
    read = check_bundle(text, Trust())
    heads = {record.seq: record.hash for record in read.records}
    find = find_title("example").command_type
    verified = 0
    for record in read.records:
        envelope = record.envelope()
        command = decode_command(record, envelope, find)
        signature = decode_signature(record, envelope)
        assert (signature is not None) == (command is not None and envelope.by == "p1")
        if signature is not None:
            given = msgspec.to_builtins(command, str_keys=True)
            head = heads[signature.n]
            assert command_signatures.is_valid(bob.public, signature, envelope.cmd, given, bob.game, head, 1)
            verified += 1
    assert verified > 2
