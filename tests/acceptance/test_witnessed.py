"""A game that convinces a stranger: played by the whole service, its log followed by two witnesses, its
bundle verified by a policy that demands both.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from events.tlog.checkpoints import open_checkpoint
from events.tlog.drops import Drop, drop_box, open_drop
from events.tlog.notes import Verifier
from tests.acceptance.client import Client
from tests.acceptance.players import begin
from tests.acceptance.up import RutterUp
from tests.conftest import ROOT
from tests.ops.witness.logs import Program, Serving, environment, make_witness
from tests.servers import ready_data
from tests.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.slow]


@dataclass
class Witnessed:
    """A finished game of a service whose log two witnesses follow."""

    log: Verifier
    witnesses: list[Verifier]
    states: list[Path]
    game: str
    bundle: Path

    def policy(self, *directives: str) -> str:
        """The log and both witnesses as `a` and `b`, and what is demanded of them."""
        named = [f"witness {name} {one.vkey}" for name, one in zip("ab", self.witnesses, strict=True)]
        return "\n".join([f"log {self.log.vkey}", *named, *directives]) + "\n"

    def verify(self, policy: str, *words: str) -> subprocess.CompletedProcess[str]:
        """`rutter verify` of the bundle under that policy."""
        file = self.bundle.with_suffix(".policy")
        file.write_text(policy)
        return subprocess.run(
            [sys.executable, "-P", "-m", "ops", "verify", str(self.bundle), "--policy", str(file), *words],
            cwd=ROOT,
            env=environment(),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture(scope="module")
def witnessed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Witnessed]:
    """Two witnesses are made, the service is told their keys, they follow it, and a game is played."""
    folder = tmp_path_factory.mktemp("witnessed")
    states = [folder / "a", folder / "b"]
    witnesses = [make_witness(state, f"organiser.example/{state.name}") for state in states]
    rutter = RutterUp(ready_data(folder / "data"), settings={"RUTTER_API_PROCESSES": "1"})
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RUTTER_WITNESS_KEYS", " ".join(one.vkey for one in witnesses))
        patch.setenv("RUTTER_QUORUM", "2")
        rutter.start()
    try:
        log = Verifier.read(Client(rutter.address).get("/v1/keys")["keys"][-1]["vkey"])
        followers = [
            Program("follow", log.vkey, rutter.address, "--state", state, "--every", 0.5) for state in states
        ]
        try:
            yield _played(rutter.address, log, witnesses, states, folder)
        finally:
            ended = [one.end() for one in followers]
        assert ended == [0, 0]
    finally:
        rutter.discard()


def _played(
    address: str, log: Verifier, witnesses: list[Verifier], states: list[Path], folder: Path
) -> Witnessed:
    nobody = Client(address)
    title = next(one for one in nobody.get("/v1/titles")["titles"] if one["id"] == "example")
    match = begin(nobody, title, bots=0)
    assert match.play()
    bundle = folder / "game.ndjson"

    def cosigned() -> bool:
        bundle.write_bytes(nobody.send("GET", f"{match.path}/audit").body)
        last = json.loads(bundle.read_bytes().splitlines()[-1])
        if last["kind"] != "proof":
            return False
        checkpoint = "\n\n".join(last["proof"].split("\n\n")[1:])
        return set(witnesses) <= set(open_checkpoint(checkpoint, log, witnesses)[1].signers)

    until(cosigned, "the bundle's proof is cosigned by both")
    return Witnessed(log, witnesses, states, match.game_id, bundle)


def test_a_stranger_is_convinced_by_both_witnesses(witnessed):
    """An auditor who trusts neither the service nor either organiser alone demands both, and gets exit status
    0.

    Nobody chose the luck either: each player contributed, the one who made the game and those who joined it.
    """
    both = witnessed.policy("group both 2 a b", "quorum both")
    done = witnessed.verify(both, "--require", "whole,log,contributions")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "quorum holds (2 of 2)" in done.stdout


def test_a_witness_that_never_cosigned_is_missed(witnessed, tmp_path):
    """A policy that also demands a third one is not met; one that demands two of the three is."""
    third = make_witness(tmp_path / "third", "organiser.example/c")
    added = f"witness c {third.vkey}"
    policy = witnessed.policy(added, "group all all a b c", "quorum all")
    assert witnessed.verify(policy, "--require", "log").returncode == 1
    policy = witnessed.policy(added, "group two 2 a b c", "quorum two")
    assert witnessed.verify(policy, "--require", "log").returncode == 0


def test_witnesses_show_what_they_cosigned(witnessed):
    """What the service shows and what a witness shows of its own is one history: the same newest tree."""
    name = hashlib.sha256(witnessed.log.name.encode()).hexdigest()
    for state, witness in zip(witnessed.states, witnessed.witnesses, strict=True):
        with Serving(state) as serving:
            status, note, _ = serving.get(f"/{name}/checkpoint")
        checkpoint, opened = open_checkpoint(note, witnessed.log, [witness])
        assert (status, witness in opened.signers) == (200, True)
        assert checkpoint.size > 0


def test_a_drop_note_reaches_the_verifier(witnessed, tmp_path):
    """The drop box of a witness that follows, and its note among the receipts: of a seat that was not called
    missing it says nothing, and the bundle holds as before.
    """
    drop = Drop(witnessed.log.name, witnessed.game, 0, bytes(32))
    with Serving(witnessed.states[0]) as serving:
        status, note, _ = serving.post(drop.text().encode(), "/drop")
    assert status == 200
    assert open_drop(note, [drop_box(witnessed.witnesses[0])])[0].drop == drop
    held = tmp_path / "held.ndjson"
    held.write_text(json.dumps({"kind": "drop", "note": note}) + "\n")
    policy = witnessed.policy("group both 2 a b", "quorum both")
    done = witnessed.verify(policy, "--receipts", str(held), "--require", "log")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "withheld although dropped" not in done.stdout
