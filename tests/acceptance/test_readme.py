"""The shell blocks of the README, run as they stand against a live server."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.client import Client
from tests.acceptance.players import begin
from tests.tools import need

pytestmark = [pytest.mark.integration, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "http://127.0.0.1:8000"


def blocks() -> list[str]:
    """The README's shell blocks, in order."""
    return re.findall(r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The checkout as a folder of links, so that what a block writes does not stay."""
    for entry in ROOT.iterdir():
        if not entry.name.startswith("."):
            (tmp_path / entry.name).symlink_to(entry)
    return tmp_path


def run(script: str, folder: Path) -> str:
    """What *script* prints; it must go well, and so must every command in it."""
    need("curl")
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, "RUTTER_VENV": sys.prefix, "NO_PROXY": "*"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def values(text: str) -> list[Any]:
    """The JSON values that stand one after the other in *text*."""
    found, decoder = [], json.JSONDecoder()
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


def test_there_are_no_other_blocks():
    """A new block in the README wants a test here."""
    firsts = [text.splitlines()[0].split()[0] for text in blocks()]
    assert firsts == ["ops/up", f"API={ADDRESS}/v1;", "curl", "cp"]


def test_the_two_commands_are_there():
    for line in blocks()[0].splitlines():
        command = ROOT / line.split()[0]
        assert os.access(command, os.X_OK), command


def test_a_first_game_and_its_audit(live_server, checkout):
    """Both blocks one after the other in one shell, as a reader would."""
    _, play, audit, _ = blocks()
    assert ADDRESS in play
    said = run(play.replace(ADDRESS, live_server.address) + "echo == $GAME $AUTH\n" + audit, checkout)
    answers, mark, rest = said.partition("A game of ")
    assert mark, f"the history is told: {said}"
    decisions, happened, now, earlier = values(answers)
    assert decisions["decisions"]
    assert decisions["legal"]
    assert "code" not in happened, happened
    assert happened["events"]
    assert now["seq"] == happened["seq"] > decisions["seq"]
    told, _, proof = rest.partition("\n== ")
    assert len(told.splitlines()) == now["seq"], "a sentence for each event"
    assert all(line.endswith(".") for line in told.splitlines())
    game, _, _, token = proof.splitlines()[0].split()
    client = Client(live_server.address, token)
    assert client.get(f"/v1/games/{game}?at={earlier['seq']}")["view"] == earlier["view"] is not None
    assert f"OK (a seat's copy): {now['title']} {now['version']}, game {game}" in proof
    assert ", pinned" in proof, "the key was given"


def test_auditing_a_game_that_has_ended(live_server, checkout):
    """The block about auditing again, without `--partial` as the text says."""
    play, audit = blocks()[1:3]
    helper = next(line for line in play.splitlines() if line.startswith("pick()"))
    nobody = Client(live_server.address)
    title = next(t for t in nobody.get("/v1/titles")["titles"] if t["id"] == "colonies")
    match = begin(nobody, title, bots=0)
    assert match.play()
    before = f"API={live_server.address}/v1; GAME={match.game_id}; AUTH='X-Nothing: -'\n{helper}\n"
    said = run(before + audit.replace(" --partial", ""), checkout)
    assert said.startswith(f"OK: colonies {title['version']}, game {match.game_id} (whole game)")


def test_a_title_is_added_by_the_block(checkout):
    """A copy of the example under another name, up to where tests and a server are started by hand."""
    block = blocks()[3]
    copied, tested = block.split("ops/test")
    assert "tests/titles tests/vectors -k lantern" in tested
    (checkout / "tests").unlink()
    shutil.copytree(ROOT / "tests", checkout / "tests")
    script = copied.replace(".venv/bin/python", sys.executable) + tested.splitlines()[1] + "\n"
    assert "5 passed, 0 failed" in run(script, checkout)
    assert (checkout / "tests/titles/lantern/golden/lantern.txt").stat().st_size > 1000
