"""`rutter audit`: the operator's own comparison, and a stranger who reads a log over HTTP."""

import json
from types import SimpleNamespace

import psycopg
import pytest
from click.testing import CliRunner

from events.store.games import new_id
from events.tlog import checkpoints, leaves, tree
from events.tlog.checkpoints import Checkpoint
from events.tlog.notes import COSIGNATURE, SigningKey, Verifier, open_receipt, sign_receipt
from ops.cli.log.audit import command
from ops.verify import log_monitor
from projections.tree.tree_check import check_tree
from tests.batches import append
from tests.http_server import QuietHandler, QuietServer, start
from tests.tree.conftest import ORIGIN, SEED, number

pytestmark = pytest.mark.integration
KEY = SigningKey(ORIGIN, SEED)
WITNESS = SigningKey("organiser.example/w1", bytes([7] * 32), COSIGNATURE)
GAME = "019a9f00-0000-7000-8000-000000000001"
CMD = "0198f3b2-7c1a-7d3e-9a41-3f2b6c7d8e90"
NOW = 1_900_000_000


class Served:
    """A log of any entries whatever, signed as they are: what a liar with the key can serve."""

    def __init__(self, entries, games=(), key=KEY):
        self.entries, self.games, self.cosigned = list(entries), list(games), None
        self.key = key
        served = self

        class Handler(QuietHandler):
            def do_GET(self):
                found = served.answer(self.path)
                self.send_response(200 if found is not None else 404)
                self.end_headers()
                self.wfile.write(found or b"")

        self.server = QuietServer(Handler)
        start(self.server)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def note(self):
        grown = tree.MemoryTree([tree.leaf_hash(entry) for entry in self.entries])
        text = Checkpoint(self.key.name, len(grown), grown.root()).text()
        return self.key.sign(text) + (WITNESS.cosign(text, self.cosigned) if self.cosigned else "")

    def answer(self, path):
        if path == "/log/checkpoint":
            return self.note().encode()
        if path.startswith("/v1/games"):
            return json.dumps({"games": self.games, "next": None}).encode()
        if path == "/v1/keys":
            return json.dumps({"origin": ORIGIN, "keys": [{"vkey": KEY.vkey}]}).encode()
        level, n, width = tree.parse_path(path.removeprefix("/log/"))
        if level == "entries":
            return leaves.pack(self.entries[256 * n : 256 * n + width])
        hashes = tree.MemoryTree([tree.leaf_hash(entry) for entry in self.entries])
        return b"".join(hashes.read(8 * int(level), 256 * n + i) for i in range(width))


@pytest.fixture(autouse=True)
def now(monkeypatch):
    """An auditor has one moment for it."""
    monkeypatch.setattr(log_monitor, "time", SimpleNamespace(time=lambda: NOW))


@pytest.fixture
def serve():
    running = []

    def start(entries, **settings):
        running.append(Served(entries, **settings))
        return running[-1]

    yield start
    for one in running:
        one.server.shutdown()
        one.server.server_close()


def audit(*words):
    return CliRunner().invoke(command, [str(word) for word in words])


def honest(game=GAME, count=4):
    ends = [(2 * n + 1, bytes([n + 1] * 32)) for n in range(count)]
    return ends, leaves.make_entries(game, ends)


def others(count):
    return [entry for _ in range(count) for entry in honest(new_id(), 3)[1]]


def kept(path, *lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def receipt(n, digest, age):
    note = sign_receipt(KEY, GAME, n, digest, CMD, NOW - age)
    return {"kind": "receipt", "note": note}


def test_an_honest_log_holds(serve):
    """A log of several tiles; without its key nobody can tell whose it is."""
    _, mine = honest()
    log = serve(others(100) + mine, games=[])
    told = audit(log.url, "--key", KEY.vkey)
    assert told.exit_code == 0, told.output
    assert "304 entries of 101 games" in told.output
    assert audit(f"{log.url}/log").exit_code == 3
    said = audit(log.url).output
    assert "NOT PINNED" in said
    assert "INCOMPLETE: " in said
    assert "OK" not in said
    assert audit(log.url, "--key", SigningKey(ORIGIN, bytes(32)).vkey).exit_code == 1
    assert audit("http://127.0.0.1:1/log", "--key", KEY.vkey).exit_code == 2


def test_games_that_were_opened_and_are_not_shown_are_counted(serve):
    """Who opens a thousand tables and shows one is counted."""
    log = serve(
        others(50), games=[{"id": GAME, "status": "finished", "seq": 9, "created_at": "2026-01-01T00:00:00Z"}]
    )
    told = json.loads(audit(log.url, "--key", KEY.vkey, "--json").output)
    assert (told["games"], told["shown"]) == (50, {"finished": 1})
    assert "49 not listed" in audit(log.url, "--key", KEY.vkey).output


def second_history(ends, mine):
    name = leaves.log_name(GAME)
    return {
        "one event, two hashes": leaves.make_entry(name, ends[-1][0], bytes(32), mine[-1]),
        "q is not the entry before": leaves.make_entry(name, 99, bytes(32), mine[0]),
        "a second first leaf": leaves.make_entry(name, 1, bytes(32), None),
    }


@pytest.mark.parametrize("how", ["one event, two hashes", "q is not the entry before", "a second first leaf"])
def test_two_histories_of_a_game_convict_the_log(serve, tmp_path, how):
    """The evidence alone shows it: two entries, each proved to be in one signed tree."""
    ends, mine = honest()
    log = serve([*mine, *others(90), second_history(ends, mine)[how]])
    told = audit(log.url, "--key", KEY.vkey, "--evidence", tmp_path / "evidence.json")
    assert told.exit_code == 4, told.output
    assert leaves.log_name(GAME) in told.output
    evidence = json.loads((tmp_path / "evidence.json").read_text())
    for one in evidence["entries"]:
        proof = checkpoints.Proof.read(one["proof"])
        checkpoint, _ = checkpoints.open_checkpoint(proof.checkpoint, KEY.verifier)
        assert proof.holds(tree.leaf_hash(one["entry"].encode()), checkpoint)
    assert {leaves.read_entry(one["entry"].encode()).g for one in evidence["entries"]} == {
        leaves.log_name(GAME)
    }


def test_a_receipt_that_is_overdue_convicts_the_log(serve, tmp_path):
    """Acknowledged, its deadline over, and not in what is signed now: omission."""
    ends, mine = honest()
    log = serve(mine)
    good = kept(tmp_path / "good", receipt(*ends[1], 3600), receipt(*ends[3], 3600), {"kind": "header"})
    told = audit(log.url, "--key", KEY.vkey, "--receipts", good)
    assert told.exit_code == 0, told.output
    assert "2 logged" in told.output
    early = kept(tmp_path / "early", receipt(9, bytes(32), 5))
    assert "1 not yet due" in audit(log.url, "--key", KEY.vkey, "--receipts", early).output
    late = kept(tmp_path / "late", receipt(9, bytes(32), 3600))
    told = audit(log.url, "--key", KEY.vkey, "--receipts", late, "--evidence", tmp_path / "evidence")
    assert told.exit_code == 4
    assert "OMISSION" in told.output
    evidence = json.loads((tmp_path / "evidence").read_text())
    assert open_receipt(evidence["receipt"], [KEY.verifier])[0].n == 9
    assert evidence["checkpoint"] == log.note()
    assert len(evidence["entries"]) == 4
    other = kept(tmp_path / "other", receipt(ends[2][0], bytes(32), 5))
    assert audit(log.url, "--key", KEY.vkey, "--receipts", other).exit_code == 4
    stranger = sign_receipt(SigningKey("x.example/log", bytes(32)), GAME, 1, bytes(32), CMD, 1)
    unknown = kept(tmp_path / "unknown", {"kind": "receipt", "note": stranger})
    assert "1 of unknown keys" in audit(log.url, "--key", KEY.vkey, "--receipts", unknown).output
    (tmp_path / "broken").write_text("{")
    assert audit(log.url, "--key", KEY.vkey, "--receipts", tmp_path / "broken").exit_code == 2


def test_with_a_policy_the_time_is_the_witnesses(serve, tmp_path):
    """Whether a deadline is over is told by who cosigned; without a quorum the verdict stays open."""
    policy = tmp_path / "policy"
    policy.write_text(f"log {KEY.vkey}\nwitness w1 {WITNESS.vkey}\nquorum w1\n")
    _, mine = honest()
    log = serve(mine)
    assert audit(log.url, "--policy", policy).exit_code == 3
    late = kept(tmp_path / "late", receipt(9, bytes(32), 3600))
    log.cosigned = NOW - 3590
    assert audit(log.url, "--policy", policy, "--receipts", late).exit_code == 3
    log.cosigned = NOW
    assert audit(log.url, "--policy", policy, "--receipts", late).exit_code == 4


def test_entries_that_do_not_give_the_signed_root(serve, monkeypatch):
    log = serve(honest()[1])
    note = log.note()
    monkeypatch.setattr(log, "note", lambda: note)
    log.entries[1] = log.entries[1].replace(b'"n":3', b'"n":2')
    assert audit(log.url, "--key", KEY.vkey).exit_code in (1, 4)
    log.entries = honest(new_id())[1]
    told = audit(log.url, "--key", KEY.vkey)
    assert told.exit_code == 1
    assert "root" in told.output


# --- one's own database ------------------------------------------------------------------------------------


def made_again(pool, state):
    with pool.connection() as connection:
        return check_tree(connection, [Verifier.read(KEY.vkey)], state)


@pytest.fixture
def filled(log, grower):
    """Leaves beyond a full tile, signed several times."""
    games = [new_id() for _ in range(20)]
    for turn in range(16):
        for game in games:
            append(log, game, 1 + turn % 3)
        number(log)
        grower.run()
    return games


def test_what_is_kept_is_what_the_events_give(pool, filled, state, store):
    told = made_again(pool, state)
    assert (told.findings, told.parked, told.waiting) == ([], [], 0)
    assert (told.leaves, told.tiles) == (320, 1)
    assert told.checkpoints == 16


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("event SET body = replace(body, '\"port\":0', '\"port\":5') WHERE seq = 2", "does not follow from"),
        ("leaf SET entry = replace(encode(entry, 'escape'), '\"n\":1', '\"n\":9')::bytea", "entry"),
        ("tile SET hashes = root || substring(hashes from 33)", "tile 0/0"),
        ("checkpoint SET root = sha256('x') WHERE size = 40", "checkpoint of 40"),
        ("leaf SET index = 1000000 WHERE index = 77", "leaf 77 is missing"),
        ("tree SET size = size - 1", "beyond the tree"),
    ],
)
def test_every_difference_is_named(pool, owner, filled, state, change, said):
    """Whatever the owner of the tables changes behind our back."""
    with psycopg.connect(owner) as connection:
        for table in ("event", "leaf", "tile", "checkpoint"):
            connection.execute(f"ALTER TABLE es.{table} DISABLE TRIGGER immutable")
        connection.execute(f"UPDATE es.{change}")
        told = check_tree(connection, [Verifier.read(KEY.vkey)], state)
        connection.rollback()
    assert told.findings
    assert any(said in finding for finding in told.findings), told.findings
