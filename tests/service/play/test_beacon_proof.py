"""A game with a beacon: its bundle shows that witnesses saw the reveals closed before the round was due."""

import json
from dataclasses import replace

import pytest

from events.base.timestamps import parse_timestamp
from events.proof.beacon import MICROS_PER_SECOND, QUICKNET
from events.table.bundle import BadBundle
from events.tlog import checkpoints
from events.tlog.notes import COSIGNATURE, SigningKey
from events.tlog.policy import Policy
from events.verify import verify
from events.verify.trust import Trust
from ops.server.wsgi import create_app
from projections.tree.grower import Grower
from projections.tree.log_state import LogState
from tests.clock import Clock
from tests.events.test_opening import CHAIN, ROUND, SIGNATURE
from tests.service.client import Api
from tests.service.factories import GameRequest
from tests.service.robot import Robot

pytestmark = pytest.mark.integration

WITNESSES = [SigningKey(f"organiser.example/w{n}", bytes([n] * 32), COSIGNATURE) for n in (1, 2)]
DUE = parse_timestamp(CHAIN.round_time(ROUND)) // MICROS_PER_SECOND
"""When the round is due, POSIX seconds."""


class Watched:
    """A service whose time is set, and whose log two witnesses follow; both are a quorum."""

    def __init__(self, settings, clock):
        self.clock = clock
        vkeys = tuple(witness.vkey for witness in WITNESSES)
        wanted = replace(settings, witnesses=vkeys, quorum=2, beacon_url="http://127.0.0.1:9", now=clock)
        self.api = Api(create_app(wanted))
        self.process = self.api.app.extensions["rutter"]
        self.grower = Grower(self.process.pool, self.process.keyring, LogState.locate(None, settings.data))

    def publish(self, *times):
        """Number, grow and sign what there is; the witnesses cosign it at these times."""
        self.api.project()
        self.grower.run()
        note = self.api.send("GET", "/log/checkpoint").text
        text = note.rpartition("\n\n")[0] + "\n"
        for witness, time in zip(WITNESSES, times, strict=False):
            body = f"{text}\n{witness.cosign(text, time)}".encode()
            answer = self.api.send("POST", "/log/cosignature", body, Content_Type="text/plain")
            assert answer.status_code == 200
        return checkpoints.peek(note).size

    def create(self, player):
        """A game whose reveals are closed half a minute before the recorded round."""
        self.clock.at = CHAIN.round_time(ROUND - 10)
        body = GameRequest(hotseat=2, title="example", beacon={"chain": QUICKNET, "after": 30})
        return player.post("/v1/games", body, status=201)["id"]

    def lines(self, player, game):
        """Its bundle."""
        return player.send("GET", f"/v1/games/{game}/audit").data.splitlines(keepends=True)

    def verdict(self, lines, **more):
        """What `rutter verify` says with a policy that demands both witnesses."""
        vkey = self.api.get("/v1/keys")["keys"][0]["vkey"]
        named = [f"witness {name} {one.vkey}" for name, one in zip("ab", WITNESSES, strict=True)]
        policy = Policy("\n".join([f"log {vkey}", *named, "group both 2 a b", "quorum both"]) + "\n")
        return verify(lines, trust=Trust(policy=policy), **more)

    def finish(self, player, game):
        """The round comes, the game begins and is played to its end."""
        self.clock.go_to(CHAIN.round_time(ROUND))
        self.process.games.draw_beacon(game, ROUND, SIGNATURE)
        self.process.games.advance_opening(self.process.games.load(game))
        assert Robot(player, 3).play(game)


@pytest.fixture
def watched(settings):
    """Made for one test: the time is its own."""
    found = Watched(settings, Clock())
    yield found
    found.process.close()


def proofs(lines):
    """The events that proofs are there for, and the sizes of the trees in which."""
    told = [json.loads(line) for line in lines]
    read = [(one["n"], checkpoints.Proof.read(one["proof"])) for one in told if one["kind"] == "proof"]
    return [(n, checkpoints.peek(proof.checkpoint).size) for n, proof in read]


def test_the_close_is_proved_in_the_checkpoint_that_was_cosigned_first(watched):
    """Later ones have later cosignatures, which would show nothing; `--require beacon` holds."""
    player = watched.api.account("Ada")
    game = watched.create(player)
    assert proofs(watched.lines(player, game)) == []
    watched.publish(DUE - 20)  # one of two is no quorum
    assert proofs(watched.lines(player, game)) == []
    watched.create(player)
    first = watched.publish(DUE - 9, DUE - 8)
    closed = watched.process.games.load(game).closed.n
    assert proofs(watched.lines(player, game)) == [(closed, first)]
    awaited = watched.verdict(watched.lines(player, game), partial=True)
    assert awaited.randomness.beacon == "awaited"
    watched.finish(player, game)
    last = watched.publish(DUE + 60, DUE + 61)
    lines = watched.lines(player, game)
    assert proofs(lines) == [(closed, first), (watched.process.games.load(game).seq, last)]
    report = watched.verdict(lines)
    assert report.list_unmet_requirements(["beacon", "contributions", "log"]) == []
    assert report.missing_inputs(["beacon", "contributions", "log"]) == {}
    without = [line for line in lines if f'"n":{closed},"proof"'.encode() not in line]
    assert watched.verdict(without).list_unmet_requirements(["beacon", "contributions"]) == [
        "beacon",
        "contributions",
    ]


def test_a_close_that_was_seen_too_late(watched):
    """The proof is there, and shows that nobody saw it in time."""
    player = watched.api.account("Bob")
    game = watched.create(player)
    watched.publish(DUE - 5, DUE)
    watched.finish(player, game)
    watched.publish(DUE + 60, DUE + 61)
    lines = watched.lines(player, game)
    assert len(proofs(lines)) == 2
    report = watched.verdict(lines)
    assert report.randomness.beacon == "not witnessed before its round"
    assert report.list_unmet_requirements(["beacon"]) == ["beacon"]
    forged = [line.replace(b'"n":%d,"proof"' % proofs(lines)[0][0], b'"n":1,"proof"') for line in lines]
    with pytest.raises(BadBundle):
        watched.verdict(forged)
