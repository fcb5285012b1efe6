"""The blocks of the README and of the other pages for contributors and operators, run as they stand."""

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
PAGES = (
    "events/README.md",
    "events/titles/README.md",
    "workers/bots/README.md",
    "ops/README.md",
    "ops/deploy/README.md",
    ".github/CONTRIBUTING.md",
)


START = "ops/rutter --version >/dev/null\n"
"""The first call of a checkout, which lets its environment find it."""


def blocks(page: str = "README.md", kind: str = "sh") -> list[str]:
    """The blocks of a *kind* in a page of the repository, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


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
    """A new block in one of these pages needs a test here."""
    found = {
        page: [text.splitlines()[0].split()[0] for text in blocks(page) + blocks(page, "python")]
        for page in ("README.md", *PAGES)
    }
    assert found == {
        "README.md": ["ops/up", f"API={ADDRESS}/v1;", "curl", "import"],
        "events/README.md": ["from"],
        "events/titles/README.md": ["ops/install", "ops/rutter"],
        "workers/bots/README.md": ["from", "#!/usr/bin/env"],  # the engine: test_engines.py
        "ops/README.md": ["curl"],
        "ops/deploy/README.md": [],
        ".github/CONTRIBUTING.md": ["ops/test"],
    }


def test_the_two_commands_are_there():
    for line in [*blocks()[0].splitlines(), *blocks(".github/CONTRIBUTING.md")[0].splitlines()]:
        command = ROOT / line.split()[0]
        assert os.access(command, os.X_OK), command


def test_a_first_game_and_its_audit(live_server, checkout):
    """Both blocks one after the other in one shell, as a reader would."""
    _, play, audit = blocks()
    assert ADDRESS in play
    said = run(play.replace(ADDRESS, live_server.address) + "echo == $GAME $AUTH\n" + audit, checkout)
    answers, mark, proof = said.partition("== ")
    assert mark, f"the game is shown: {said}"
    happened, earlier = values(answers)
    assert "code" not in happened, happened
    assert happened["events"]
    assert happened["seq"] > earlier["seq"] == 6
    game, _, _, token = proof.splitlines()[0].split()
    client = Client(live_server.address, token)
    assert client.get(f"/v1/games/{game}?at=6")["view"] == earlier["view"] is not None
    assert (
        f"OK (a seat's copy): colonial_empires {client.get(f'/v1/games/{game}')['version']}, game {game}"
        in proof
    )
    assert ", pinned" in proof, "the key was given"


def test_the_bot_plays_a_whole_game(live_server, checkout):
    """Twelve lines at most, run by the environment of the checkout."""
    (bot,) = blocks(kind="python")
    assert len(bot.splitlines()) <= 12
    said = run(
        f"{START}.venv/bin/python - <<'END'\n{bot.replace(ADDRESS, live_server.address)}\nEND\n", checkout
    )
    assert "'winners': [" in said


def test_a_finished_game_reads_like_the_sample(live_server, checkout):
    """The block about verifying again, without `--partial` as the text says: each line is explained."""
    play, audit = blocks()[1:3]
    helper = "\n".join(
        line for line in play.splitlines() if line.startswith("pick()") or "rutter.key" in line
    )
    nobody = Client(live_server.address)
    title = next(t for t in nobody.get("/v1/titles")["titles"] if t["id"] == "colonies")
    match = begin(nobody, title, bots=0)
    assert match.play()
    before = f"API={live_server.address}/v1; GAME={match.game_id}; AUTH='X-Nothing: -'\n{helper}\n"
    said = run(before + audit.replace(" --partial", ""), checkout).splitlines()
    assert said[0].startswith(f"OK: colonies {title['version']}, game {match.game_id} (whole game)")
    sample = next(text for text in blocks(kind="text") if text.startswith("OK: ")).splitlines()
    names = [line[2:16].strip() for line in sample[1:]]
    assert names == [line[2:16].strip() for line in said[1:]]


def test_a_game_is_played_on_the_core_alone(checkout):
    """The block of the core's page, in a process without a database."""
    (block,) = blocks("events/README.md", "python")
    said = run(f"{START}.venv/bin/python - <<'END'\n{block}\nEND\n", checkout)
    assert said.splitlines()[-1].startswith("Outcome(")


def test_a_whole_bot_is_one(checkout):
    """The first bot of the bots' page plays a game."""
    block = blocks("workers/bots/README.md", "python")[0]
    play = (
        "from rutter.events.rules.catalogue import find_title\n"
        "from rutter.events.rules.fast_chance import FastChance\n"
        "title, chance = find_title('colonialism'), FastChance(1)\n"
        "state = title.open(2, title.Options(), chance).state\n"
        "seat = title.awaited(state)[0].seat\n"
        "title.decide(state, seat, STEADY.choose(title, state, seat, chance, STEADY.budget), chance)\n"
    )
    run(f"{START}.venv/bin/python - <<'END'\n{block}\n{play}END\n", checkout)


def test_readiness_is_asked_by_the_block(live_server, checkout):
    (block,) = blocks("ops/README.md")
    assert json.loads(run(block.replace(ADDRESS, live_server.address), checkout))["database"] == "ok"


def test_a_title_is_added_by_the_page(checkout):
    """Its blocks one after the other, up to where a server is started; the tests of the new title pass, and
    so they do when its game was recorded again.
    """
    added, recorded = blocks("events/titles/README.md")
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
