"""The log of all games as it is served: read by a client that knows only the public specifications."""

import base64
import hashlib
import json
from dataclasses import replace

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from events.store.games import new_id
from events.tlog import checkpoints, leaves, tree
from events.tlog.notes import COSIGNATURE, SigningKey, Verifier
from ops.server.wsgi import create_app
from projections.tree.grower import Grower
from projections.tree.log_state import LogState, SignedTree
from tests.playing import advance
from tests.service.client import Api
from tests.service.factories import GameRequest, You
from tests.service.robot import Robot

pytestmark = pytest.mark.integration

WITNESS = SigningKey("organiser.example/w1", bytes([7] * 32), COSIGNATURE)
OTHER = SigningKey("organiser.example/w2", bytes([8] * 32), COSIGNATURE)
STRANGER = SigningKey("organiser.example/w3", bytes([9] * 32), COSIGNATURE)


@pytest.fixture(scope="module")
def settings(settings):
    return replace(settings, witnesses=(WITNESS.vkey, OTHER.vkey))


@pytest.fixture(scope="module")
def grower(app, settings):
    process = app.extensions["rutter"]
    return Grower(process.pool, process.keyring, LogState.locate(None, settings.data))


@pytest.fixture
def publish(api, grower):
    """Number, grow and sign what there is."""

    def run():
        api.project()
        grower.run()

    return run


def play(api, game, moves):
    for _ in range(moves):
        move = api.get(f"/v1/games/{game['id']}/decisions")["legal"][0]
        api.post(f"/v1/games/{game['id']}/commands", {**move["command"], "seat": move["seat"]})


def ends(api, game_id):
    """Number and hash of the last event of each command, from the public events."""
    records = api.app.extensions["rutter"].games.records(game_id)
    last = {record.command_id: record for record in records}
    return [(record.seq, record.hash) for record in last.values()]


class Foreign:
    """A reader of a log by the letter of signed-note, tlog-checkpoint, tlog-tiles and RFC 6962."""

    def __init__(self, api, vkey):
        self.api = api
        self.name, self.id, key = vkey.split("+", 2)
        self.key = Ed25519PublicKey.from_public_bytes(base64.b64decode(key)[1:])

    def get(self, path):
        answer = self.api.send("GET", f"/log/{path}")
        assert answer.status_code == 200, (path, answer.text)
        return answer

    def checkpoint(self):
        answer = self.get("checkpoint")
        assert answer.content_type.startswith("text/plain")
        text, _, signatures = answer.text.rpartition("\n\n")
        first = signatures.split("\n")[0].split(" ")
        raw = base64.b64decode(first[2])
        assert first[:2] == ["\u2014", self.name]
        assert raw[:4].hex() == self.id
        self.key.verify(raw[4:], f"{text}\n".encode())
        origin, size, root = text.split("\n")
        assert origin == self.name
        return int(size), base64.b64decode(root)

    @staticmethod
    def number(n):
        digits = f"{n:03d}" if n < 1000 else f"{n:0{-(-len(str(n)) // 3) * 3}d}"
        groups = [digits[i : i + 3] for i in range(0, len(digits), 3)]
        return "/".join([*(f"x{group}" for group in groups[:-1]), groups[-1]])

    def entries(self, size):
        found = []
        for n in range((size + 255) // 256):
            width = min(256, size - 256 * n)
            raw = self.get(f"tile/entries/{self.number(n)}" + (f".p/{width}" if width < 256 else "")).data
            while raw:
                length = int.from_bytes(raw[:2], "big")
                found.append(raw[2 : 2 + length])
                raw = raw[2 + length :]
        return found

    def hashes(self, level, count):
        found = []
        for n in range((count + 255) // 256):
            width = min(256, count - 256 * n)
            raw = self.get(f"tile/{level}/{self.number(n)}" + (f".p/{width}" if width < 256 else "")).data
            found += [raw[i : i + 32] for i in range(0, len(raw), 32)]
        return found

    def root(self, hashes):
        """MTH of RFC 6962, of hashes of leaves."""
        if len(hashes) == 1:
            return hashes[0]
        half = 1
        while half * 2 < len(hashes):
            half *= 2
        return hashlib.sha256(b"\1" + self.root(hashes[:half]) + self.root(hashes[half:])).digest()


@pytest.mark.slow
def test_a_client_that_knows_only_the_specifications_reads_the_log(ada, publish):
    """Checkpoint, entries and tiles of both levels fit together, and each game of ours is in it."""
    foreign = Foreign(ada, ada.get("/v1/keys")["keys"][0]["vkey"])
    games, size = ada.app.extensions["rutter"].games, 0
    while size <= 256:
        game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
        advance(games, games.load(game["id"]), 300, seed=size)
        publish()
        size, root = foreign.checkpoint()
    entries = foreign.entries(size)
    hashes = [hashlib.sha256(b"\0" + entry).digest() for entry in entries]
    assert len(entries) == size > 256
    assert foreign.hashes(0, size) == hashes
    assert foreign.root(hashes) == root
    above = foreign.hashes(1, size // 256)
    assert above == [foreign.root(hashes[i : i + 256]) for i in range(0, size - 255, 256)]
    told = [json.loads(entry) for entry in entries]
    g = hashlib.sha256(b"bg/log-game/1\0" + bytes.fromhex(game["id"].replace("-", ""))).hexdigest()[:32]
    mine = [(entry["n"], bytes.fromhex(entry["h"])) for entry in told if entry["g"] == g]
    assert mine == ends(ada, game["id"])


def test_what_never_changes_may_be_kept_for_ever(ada, publish):
    ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    publish()
    for path in ("tile/0/000.p/1", "tile/entries/000.p/1", "consistency?old=0&new=1"):
        assert "immutable" in ada.send("GET", f"/log/{path}").headers["Cache-Control"]
    assert ada.send("GET", "/log/checkpoint").headers["Cache-Control"] == "public, max-age=2"
    assert ada.send("GET", "/log/checkpoint").headers["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "path", ["tile/0/0", "tile/x/000", "tile/0/000.p/0", "tile/0/000.p/256", "tile/entries/1"]
)
def test_a_tile_has_one_name(api, path):
    assert api.refused("GET", f"/log/{path}") == (404, "not_found")


@pytest.mark.parametrize(
    "path", ["tile/0/x999/999.p/1", "tile/63/000", "tile/entries/x999/000", "consistency?old=1&new=999999"]
)
def test_what_no_checkpoint_covers_is_not_there_yet(ada, publish, path):
    publish()
    assert ada.refused("GET", f"/log/{path}") == (404, "not_yet_logged")


def test_every_published_checkpoint_is_consistent_with_all_later_ones(ada, publish, app):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    for _ in range(5):
        play(ada, game, 3)
        publish()
    with app.extensions["rutter"].pool.connection() as connection:
        rows = connection.execute("SELECT size, root FROM es.checkpoint ORDER BY size").fetchall()
    assert len(rows) >= 5
    for older in rows:
        for newer in rows:
            if older[0] <= newer[0]:
                proof = ada.get(f"/log/consistency?old={older[0]}&new={newer[0]}")
                hashes = [base64.b64decode(one) for one in proof]
                assert tree.check_consistency(older[0], newer[0], hashes, bytes(older[1]), bytes(newer[1]))
    assert ada.refused("GET", "/log/consistency?old=2&new=1") == (409, "old_is_larger")


def test_a_proof_holds_for_the_entry_that_the_game_makes(ada, publish):
    """From the game alone follow its entries; the proof shows that the last one is in a signed tree."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    play(ada, game, 4)
    last, _ = ends(ada, game["id"])[-1]
    assert ada.refused("GET", f"/v1/games/{game['id']}/proof?n={last}") == (404, "not_yet_logged")
    assert ada.send("GET", f"/v1/games/{game['id']}/proof?n={last}").headers["Retry-After"]
    publish()
    log = Verifier.read(ada.get("/v1/keys")["keys"][0]["vkey"])
    made = leaves.make_entries(game["id"], ends(ada, game["id"]))
    for (n, _), entry in zip(ends(ada, game["id"]), made, strict=True):
        proof = checkpoints.Proof.read(ada.send("GET", f"/v1/games/{game['id']}/proof?n={n}").text)
        checkpoint, _ = checkpoints.open_checkpoint(proof.checkpoint, log)
        assert proof.holds(tree.leaf_hash(entry), checkpoint)


def test_an_event_that_ends_no_command_has_no_leaf(ada, publish):
    """The answer names the event that has one."""
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    publish()
    (first, _), *_ = ends(ada, game["id"])
    answer = ada.send("GET", f"/v1/games/{game['id']}/proof?n={first - 1}")
    assert (answer.status_code, answer.get_json()["code"]) == (404, "no_leaf")
    assert answer.get_json()["seq"] == first
    assert ada.refused("GET", f"/v1/games/{game['id']}/proof?n=999999") == (404, "no_such_event")
    assert ada.refused("GET", f"/v1/games/{new_id()}/proof?n=1") == (404, "unknown_game")


@pytest.mark.slow
def test_the_bundle_of_a_finished_game_carries_its_proof(ada, publish):
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    assert Robot(ada, 3).play(game["id"])

    def last_line():
        return json.loads(ada.send("GET", f"/v1/games/{game['id']}/audit").text.splitlines()[-1])

    assert last_line()["kind"] == "receipt"
    publish()
    line = last_line()
    seq = ada.get(f"/v1/games/{game['id']}")["seq"]
    assert (line["kind"], line["n"]) == ("proof", seq)
    assert line["proof"] == ada.send("GET", f"/v1/games/{game['id']}/proof?n={seq}").text


def cosign(api, note, key, time=1_800_000_000):
    text = note.rpartition("\n\n")[0] + "\n"
    return api.send(
        "POST", "/log/cosignature", f"{text}\n{key.cosign(text, time)}".encode(), Content_Type="text/plain"
    )


def test_cosignatures_of_configured_witnesses_are_merged(ada, publish):
    """The log's own line stays the first; a witness has one line a size, the first that came."""
    ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    publish()
    note = ada.send("GET", "/log/checkpoint").text
    assert cosign(ada, note, WITNESS).status_code == 200
    assert cosign(ada, note, WITNESS, 1_800_000_001).status_code == 200
    assert cosign(ada, note, OTHER).status_code == 200
    cosigned = ada.send("GET", "/log/checkpoint").text
    log = Verifier.read(ada.get("/v1/keys")["keys"][0]["vkey"])
    _, opened = checkpoints.open_checkpoint(cosigned, log, [WITNESS.verifier, OTHER.verifier])
    assert opened.signers == {log: None, WITNESS.verifier: 1_800_000_000, OTHER.verifier: 1_800_000_000}
    assert cosigned.startswith(note)


def test_other_cosignatures_are_refused(ada, publish):
    """Strangers, false lines, other trees and texts that are no notes change nothing."""
    ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    publish()
    note = ada.send("GET", "/log/checkpoint").text
    assert cosign(ada, note, STRANGER).get_json()["code"] == "unknown_witness"
    one = checkpoints.peek(note)
    for other, code in (
        (replace(one, root=bytes(32)), (409, "other_checkpoint")),
        (replace(one, size=one.size + 1), (404, "unknown_checkpoint")),
        (replace(one, origin="elsewhere.example/log"), (409, "other_checkpoint")),
    ):
        answer = cosign(ada, f"{other.text()}\n", WITNESS)
        assert (answer.status_code, answer.get_json()["code"]) == code
    text = one.text()
    false = WITNESS.cosign(replace(one, size=1).text(), 5)
    for body in (f"{text}\n{false}".encode(), b"", text.encode(), b"x" * 200_000):
        refused = ada.refused("POST", "/log/cosignature", body, Content_Type="text/plain")
        assert refused == (403, "unknown_witness")
    refused = ada.refused("POST", "/log/cosignature", b"\xff", Content_Type="text/plain")
    assert refused == (400, "malformed_request")
    assert ada.refused("POST", "/log/cosignature", {"note": text}) == (415, "unsupported_media_type")
    assert ada.send("GET", "/log/checkpoint").text == note


def test_a_proof_prefers_a_checkpoint_with_a_quorum(ada, publish):
    """Two of two witnesses have cosigned an older checkpoint: what it covers is proved in it."""
    game = ada.post("/v1/games", GameRequest(seats=[You(), You()]), status=201)
    publish()
    note = ada.send("GET", "/log/checkpoint").text
    n = ada.get(f"/v1/games/{game['id']}")["seq"]
    for key in (WITNESS, OTHER):
        assert cosign(ada, note, key).status_code == 200
    play(ada, game, 2)
    publish()
    proof = checkpoints.Proof.read(ada.send("GET", f"/v1/games/{game['id']}/proof?n={n}").text)
    assert checkpoints.peek(proof.checkpoint).size == checkpoints.peek(note).size
    later = ada.get(f"/v1/games/{game['id']}")["seq"]
    proof = checkpoints.Proof.read(ada.send("GET", f"/v1/games/{game['id']}/proof?n={later}").text)
    assert checkpoints.peek(proof.checkpoint).size > checkpoints.peek(note).size


def test_before_the_first_checkpoint_there_is_none(servers, template, settings, tmp_path):
    """An empty log of another database."""
    from tests.conftest import _create, _url

    _create(servers.owner_url, "rutter_empty_log", template)
    app = create_app(
        replace(settings, database_url=_url(servers.database_url, "rutter_empty_log"), data=tmp_path)
    )
    try:
        api = Api(app)
        assert api.refused("GET", "/log/checkpoint") == (404, "not_yet_logged")
        process = app.extensions["rutter"]
        made = Grower(process.pool, process.keyring, LogState.locate(None, tmp_path)).run()
        assert made.size == 0
        assert api.send("GET", "/log/checkpoint").text == made.note
    finally:
        app.extensions["rutter"].close()


def test_a_database_that_was_set_back_is_never_ready(ada, publish, settings, monkeypatch):
    """However often it is asked: a tree that might catch up is waited for once, not at each question."""
    monkeypatch.setattr("projections.tree.append_guard.CATCH_UP_SECONDS", 0.2)
    monkeypatch.setattr("projections.tree.append_guard.CACHE_SECONDS", -1.0)
    ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    publish()
    state, looks = LogState.locate(None, settings.data), []
    signed, read = state.read(), LogState.read
    state.write(SignedTree(signed.size + 1000, signed.root))
    monkeypatch.setattr(LogState, "read", lambda self: looks.append(self) or read(self))
    app = create_app(settings)
    try:
        for number in range(4):
            looks.clear()
            answer = Api(app).send("GET", "/readyz")
            shown = answer.get_json()
            assert (answer.status_code, shown["status"]) == (503, "not_ready")
            assert shown["lacking"][0]["code"] == "database_set_back"
            assert number == 0 or len(looks) == 1
    finally:
        state.write(signed)
        app.extensions["rutter"].close()


def test_a_database_that_was_set_back_is_read_only(ada, publish, settings, app, monkeypatch):
    """More was signed than it holds: games can be looked at, every writing call says why it does nothing."""
    monkeypatch.setattr("projections.tree.append_guard.CATCH_UP_SECONDS", 0.1)
    game = ada.post("/v1/games", GameRequest(hotseat=2), status=201)
    publish()
    state = LogState.locate(None, settings.data)
    signed = state.read()
    state.write(SignedTree(signed.size + 1000, signed.root))
    restarted = create_app(settings)
    try:
        late = Api(restarted, ada.token, ada.me)
        move = late.get(f"/v1/games/{game['id']}/decisions")["legal"][0]
        command = {**move["command"], "seat": move["seat"]}
        for path, body in (
            (f"/v1/games/{game['id']}/commands", command),
            ("/v1/games", GameRequest(hotseat=2)),
        ):
            assert late.refused("POST", path, body) == (503, "database_set_back")
            assert late.send("POST", path, body).headers["Retry-After"]
        assert late.refused("GET", f"/v1/games/{game['id']}/audit") == (503, "database_set_back")
        assert restarted.extensions["rutter"].receipts.is_set_back()
        for path in ("", "/events", "/history", "/decisions"):
            assert late.send("GET", f"/v1/games/{game['id']}{path}").status_code == 200
        assert late.send("GET", "/v1/keys").status_code == 200
        assert late.send("GET", "/log/checkpoint").status_code == 200
        process = app.extensions["rutter"]
        Grower(process.pool, process.keyring, state).run()
        assert "rutter_database_set_back 1.0" in late.send("GET", "/metrics").text
        state.write(signed)
        Grower(process.pool, process.keyring, state).run()
        monkeypatch.setattr("projections.tree.append_guard.CACHE_SECONDS", 0.0)
        late.post(f"/v1/games/{game['id']}/commands", command)
    finally:
        restarted.extensions["rutter"].close()
