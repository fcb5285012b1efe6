"""The key of a service is lost: by the command line alone a new log takes over, and strangers believe it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.tlog.checkpoints import peek
from service.client.receipts import Key, ReceiptStore
from tests import installation
from tests.acceptance.client import Client
from tests.acceptance.players import Match, begin
from tests.acceptance.up import RutterUp
from tests.servers import ready_data
from tests.waiting import until

pytestmark = [pytest.mark.integration, pytest.mark.slow]


def rutter_says(*words: object, status: int = 0) -> str:
    """What a command of `rutter` prints."""
    done = subprocess.run(
        installation.rutter(*map(str, words)),
        cwd=installation.HOME,
        env={**os.environ, **installation.paths()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def rutter(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[RutterUp]:
    """A service of its own."""
    for name in ("DATABASE_URL", "REDIS_URL", "RUTTER_SIGNING_KEY", "RUTTER_ORIGIN", "RUTTER_LOG_STATE"):
        monkeypatch.delenv(name, raising=False)
    running = RutterUp(
        ready_data(tmp_path_factory.mktemp("succession") / "data"), settings={"RUTTER_API_PROCESSES": "1"}
    )
    running.start()
    yield running
    running.discard()


def started(nobody: Client) -> Match:
    """A short game of two people, begun."""
    title = next(one for one in nobody.get("/v1/titles")["titles"] if one["id"] == "example")
    match = begin(nobody, title, bots=0)
    match.play(4)
    return match


def covered(address: str, match: Match) -> bool:
    """Whether the log of all games holds the newest event of a game."""
    nobody = Client(address)
    newest = nobody.get(match.path)["seq"]
    return nobody.send("GET", f"{match.path}/proof?n={newest}").status == 200


def vkey(address: str) -> str:
    """The key that signs."""
    return str(Client(address).get("/v1/keys")["keys"][-1]["vkey"])


def test_a_lost_key(rutter: RutterUp, tmp_path: Path) -> None:
    """Games that the old log covers go on, one that reaches beyond it is frozen and says so; all of it holds
    in the eyes of who pinned the old key: the bundle with its old receipts, and the log.
    """
    nobody = Client(rutter.address)
    match, other = started(nobody), started(nobody)
    for one in (match, other):
        until(lambda one=one: covered(rutter.address, one), "the log holds both games")
    old = vkey(rutter.address)
    early = tmp_path / "early"
    early.write_text(nobody.send("GET", "/log/checkpoint").text)
    held = tmp_path / "held.ndjson"
    note = nobody.get(f"{match.path}/receipt")["receipt"]
    held.write_text(json.dumps({"kind": "receipt", "note": note}) + "\n")
    other.play(3)
    until(lambda: covered(rutter.address, other), "what was played is logged")
    rutter.stop()
    assert "Start Rutter with this key" in rutter_says("keys", "succeed", "--data", rutter.data, status=1)
    (rutter.data / "signing.key").unlink()

    # The witness's word goes only as far as `early`: what came later nobody else has seen.
    rutter_says("keys", "succeed", "--checkpoint", early, "--data", rutter.data)
    rutter_says("keys", "succeed", "--data", rutter.data)
    rutter.start()
    new = vkey(rutter.address)
    assert new != old
    taken = ("--key", old, "--successor", f"{old}={new}")
    frozen(rutter, other, match, tmp_path / "part.ndjson", taken)

    nobody = match.nobody = Client(rutter.address)
    for player in match.players:
        player.api = again(player.api, rutter)
        player.keeper = ReceiptStore([Key.read(new)])  # believed because the operator said so
    assert match.play()
    until(lambda: covered(rutter.address, match), "the new log holds the game's end")
    whole = tmp_path / "whole.ndjson"
    whole.write_bytes(nobody.send("GET", f"{match.path}/audit").body)
    told = rutter_says("verify", whole, *taken, "--receipts", held, "--require", "whole,receipts")
    assert told.startswith("OK: ")
    told = rutter_says("audit", rutter.address, *taken, "--receipts", held, "--bundle", whole)
    size = peek(early.read_text()).size
    assert f"whose last cosigned checkpoint had {size} entries; {size} of them are its beginning" in told
    rutter.stop()
    assert "OK: the log" in rutter_says("audit", "--data", rutter.data)


def frozen(rutter: RutterUp, game: Match, other: Match, bundle: Path, taken: tuple[str, ...]) -> None:
    """*game* is shown, listed and refused as frozen; what the old log holds of it can be verified."""
    nobody = Client(rutter.address)
    shown = nobody.get(game.path)
    assert shown["frozen"] < shown["seq"]
    listed = {one["id"]: one.get("frozen") for one in nobody.get("/v1/games")["games"]}
    assert listed == {game.game_id: shown["frozen"], other.game_id: None}
    asked = [again(player.api, rutter) for player in game.players]
    for mover in asked:
        for one in mover.get(f"{game.path}/decisions")["legal"][:1]:
            refused = mover.send("POST", f"{game.path}/commands", one["command"])
            assert (refused.status, refused.code) == (409, "game_frozen")
    assert asked[0].send("POST", f"{game.path}/commands", {"type": "table_leave"}).code == "game_frozen"
    assert nobody.send("GET", f"{game.path}/receipt").code == "game_frozen"
    assert nobody.get(game.path)["seq"] == shown["seq"]
    bundle.write_bytes(nobody.send("GET", f"{game.path}/audit").body)
    assert "OK (a seat's copy)" in rutter_says("verify", bundle, "--partial", *taken)


def again(client: Client, rutter: RutterUp) -> Client:
    """The same account at the service as it is now."""
    return Client(rutter.address, client.token, client.me)
