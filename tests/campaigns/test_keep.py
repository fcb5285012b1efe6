"""I own the board and correct a Territory: the example of the page about titles, on the whole service."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import requests

from events.rules.catalogue import find_title
from ops.runtime.ports import free_port
from tests.servers import ready_data
from tests.waiting import PATIENCE, each_look

pytestmark = pytest.mark.integration
ROOT = Path(__file__).parents[2]
PROGRAM = ("events", "projections", "service", "workers", "ops")
GIT = ("git", "-c", "user.name=Owner", "-c", "user.email=owner@example.org")


class Owner:
    """Somebody who runs Rutter from a checkout of their own."""

    def __init__(self, folder: Path) -> None:
        self.root, self.data = folder / "rutter", ready_data(folder / "data")
        for name in PROGRAM:
            shutil.copytree(ROOT / name, self.root / name)  # compiled files too: that is dear
        subprocess.run([*GIT, "init", "-q"], cwd=self.root, check=True)
        (self.root / ".git" / "info" / "exclude").write_text("__pycache__\n")
        for words in (("add", "."), ("commit", "-qm", "as it was released")):
            subprocess.run([*GIT, *words], cwd=self.root, check=True)
        left_out = {"DATABASE_URL", "REDIS_URL", "PYTHONPATH", "RUTTER_EXTRA_TITLES"}
        self.environment = {name: value for name, value in os.environ.items() if name not in left_out}
        self.port = free_port()
        self.service: subprocess.Popen[str] | None = None
        self.token = ""

    def start(self) -> None:
        """`ops/up`, until it says that it is ready."""
        words = ["up", "--no-demo", "--no-limits", "--port", str(self.port), "--data", str(self.data)]
        self.service = subprocess.Popen(
            [sys.executable, "-m", "ops", *words],
            cwd=self.root,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        said = []
        for line in self.service.stdout:
            said.append(line)
            if line.startswith("Ctrl-C"):
                return
        raise AssertionError("".join(said))

    def stop(self) -> None:
        """Ctrl-C."""
        if self.service is not None:
            self.service.send_signal(signal.SIGINT)
            self.service.communicate(timeout=PATIENCE)
            self.service = None

    def rutter(self, *words: str) -> str:
        """A command that must end well; what it says."""
        done = subprocess.run(
            [sys.executable, "-m", "ops", *words],
            cwd=self.root,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def call(self, method: str, path: str, body: object = None) -> requests.Response:
        """A request of the owner, who also plays."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        answer = requests.request(
            method, f"http://127.0.0.1:{self.port}/v1{path}", json=body, headers=headers, timeout=PATIENCE
        )
        assert answer.ok, f"{method} {path}: {answer.status_code} {answer.text[:1000]}"
        return answer

    def get(self, path: str) -> dict:
        return self.call("GET", path).json()

    def play(self, game_id: str, moves: int) -> int:
        """Give my moves when it is my turn, while the bots give theirs; the seq that the game comes to."""
        for _ in each_look("the bots move"):
            now = self.get(f"/games/{game_id}/decisions")
            mine = [d["commands"] for d in now["decisions"] if d["seat"] == 0 and not d["free"]]
            if mine:
                asked = {name for names in mine for name in names}
                command = next(m["command"] for m in now["legal"] if m["command"]["type"] in asked)
                self.call("POST", f"/games/{game_id}/commands", command)
                moves -= 1
            if not moves:
                break
        return self.get(f"/games/{game_id}")["seq"]


@pytest.fixture
def owner(tmp_path):
    owner = Owner(tmp_path)
    yield owner
    owner.stop()
    shutil.rmtree(owner.data, ignore_errors=True)


def test_i_own_the_board_and_correct_a_territory(owner):
    """Stopped, corrected, kept, started: the game in play goes on with the old map, a new one has the new."""
    owner.start()
    owner.token = owner.call("POST", "/accounts", {"name": "Owner"}).json()["token"]
    table = {"title": "colonial", "seats": [{"you": True}, *[{"bot": "steady"}] * 3]}
    old = owner.call("POST", "/games", table).json()
    before = owner.play(old["id"], 2)
    owner.stop()

    board = owner.root / "events/rules/kit/overseas/map.toml"
    text = board.read_text(encoding="utf-8")
    assert text.count('name = "Barbary"') == 1
    board.write_text(text.replace('name = "Barbary"', 'name = "Barbary Coast"'), encoding="utf-8")
    said = owner.rutter("keep", "colonial", "colonial_revised")
    kept, newest = find_title("colonial").version, find_title("colonial_revised").version + 1
    assert f"colonial: version {kept} is kept in" in said
    assert f"colonial_revised: new games begin under version {newest}." in said
    assert "not those recorded" not in owner.rutter("keep", "--check")

    owner.start()
    assert {t["id"]: t["versions"] for t in owner.get("/titles")["titles"]}["colonial"][:2] == [
        kept + 1,
        kept,
    ]
    new = owner.call("POST", "/games", table).json()
    assert (owner.get(f"/games/{old['id']}")["version"], new["version"]) == (kept, kept + 1)
    for version, game, has in ((kept, old, False), (kept + 1, new, True)):
        page = owner.get(f"/titles/colonial?version={version}")
        shown = owner.get(f"/games/{game['id']}/table")
        assert ["Barbary Coast" in str(told) for told in (page["board"], shown)] == [has, has]
        rules = owner.call("GET", f"/titles/colonial/rules?version={version}").text
        assert 'id="COL-22-07"' in rules
    assert owner.play(old["id"], 3) > before
    assert owner.play(new["id"], 2) > new["seq"]

    bundle = owner.root / "old.ndjson"
    bundle.write_bytes(owner.call("GET", f"/games/{old['id']}/audit").content)
    key = owner.get("/keys")["keys"][0]["vkey"]
    owner.stop()
    assert f"colonial {kept}" in owner.rutter("verify", str(bundle), "--partial", "--key", key)
    assert owner.rutter("replay", "--data", str(owner.data)) == "2 same, 0 changed, 0 missing, 0 broken\n"
