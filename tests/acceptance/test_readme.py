"""The shell blocks of the README, run as they stand against a live server."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.acceptance.client import Client
from tests.acceptance.players import begin
from tests.installation import link_checkout
from tests.tools import need

pytestmark = [pytest.mark.integration, pytest.mark.slow]
ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "http://127.0.0.1:8000"


def blocks() -> list[str]:
    """The README's shell blocks, in order."""
    return re.findall(r"^```sh\n(.*?)^```$", (ROOT / "README.md").read_text(), re.DOTALL | re.MULTILINE)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """The checkout as a folder of links, with an environment of its own."""
    folder = tmp_path / "rutter"
    link_checkout(folder)
    return folder


def run(script: str, folder: Path) -> str:
    """What *script* prints; it must go well, and so must every command in it."""
    need("curl")
    strange = ("PYTHONPATH", "PYTEST_ADDOPTS", "RUTTER_EXTRA_TITLES", "RUTTER_VENV")
    environment = {name: value for name, value in os.environ.items() if name not in strange}
    done = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder,
        env={**environment, "NO_PROXY": "*"},
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
    assert firsts == ["ops/up", f"API={ADDRESS}/v1;", "curl", "ops/install", "ops/rutter"]


def test_the_two_commands_are_there():
    for line in blocks()[0].splitlines():
        command = ROOT / line.split()[0]
        assert os.access(command, os.X_OK), command


def test_a_first_game_and_its_audit(live_server, checkout):
    """Both blocks one after the other in one shell, as a reader would."""
    _, play, audit, *_ = blocks()
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


def test_a_title_is_added_by_the_page(checkout):
    """Its blocks one after the other, up to where a server is started; the tests of the new title pass, and
    so they do when its game was recorded anew.
    """
    added, recorded = blocks()[3:]
    *lines, last = added.splitlines()
    assert last.startswith("ops/up ")
    tests = next(line for line in lines if "-m pytest" in line)
    said = run("\n".join([*lines, recorded, tests]), checkout)
    passed = [int(found) for found in re.findall(r"^(\d+) passed in ", said, re.MULTILINE)]
    assert len(passed) == 2
    assert min(passed) > 45
    assert "5 passed, 0 failed" in said, "the examples"
    assert "steady@1 against random@1: lantern, 2 seats" in said
    assert "lantern: version 1 is recorded." in said
