"""Engines of others on the whole service: listed in a file, played by its workers, verified by anybody."""

from __future__ import annotations

import re
import stat
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.rules.bot_names import ENGINE
from ops import cli
from tests.acceptance.client import Client
from tests.acceptance.up import RutterUp
from tests.conftest import ROOT
from tests.servers import reachable_folder, ready_data
from tests.waiting import until
from tests.workers.engines import as_reference, digest, listed, toml

pytestmark = pytest.mark.integration
REFERENCE, FIRST = f"{ENGINE}reference", f"{ENGINE}first"


def block(kind: str) -> str:
    """The last block of that kind on the page about bots, which is about engines."""
    text = (ROOT / "workers/bots/README.md").read_text(encoding="utf-8")
    return str(re.findall(rf"^```{kind}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)[-1])


def of_the_page(folder: Path) -> str:
    """The engine of that page in *folder*, and its entry as it stands there, save for what depends on it."""
    program = folder / "first.py"
    program.write_text(block("python"))
    program.chmod(program.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
    (told,) = tomllib.loads(block("toml"))["engine"]
    changed = {"sha256": digest(program), "titles": ["example"], "reproducible": True, "moves": "first.moves"}
    return "[[engine]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in {**told, **changed}.items())


def rutter(*words: str) -> tuple[int, str]:
    """Exit status and words of a command."""
    done = CliRunner().invoke(cli.rutter, list(words))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the engines are, for the user that the workers run as."""
    folder = reachable_folder(tmp_path_factory.mktemp("engines") / "listed")
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    return folder


@pytest.fixture(scope="module")
def engines(folder: Path) -> Iterator[Path]:
    """A list of two engines that promise their moves, which are recorded by the command that does it."""
    file = folder / "engines.toml"
    reference = as_reference("example", "brisk", reproducible=True, moves="reference.moves")
    file.write_text("\n".join([of_the_page(folder), reference]))
    with pytest.MonkeyPatch.context() as patch:
        listed(patch, file)
        for name in ("first", "reference"):
            moves = str(folder / f"{name}.moves")
            assert rutter("engines", name, "--record", moves, "--moves", "3")[0] == 0
    again = folder / "again.toml"  # what was read is kept in memory under its name
    again.write_text(file.read_text())
    with pytest.MonkeyPatch.context() as patch:
        listed(patch, again)
        yield again


@pytest.fixture(scope="module")
def ada(engines: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A player at a service that lists them."""
    running = RutterUp(
        ready_data(tmp_path_factory.mktemp("up") / "data"), settings={"RUTTER_ENGINES": str(engines)}
    )
    running.start()
    yield Client(running.address).account("Ada")
    running.discard()


@pytest.mark.slow
def test_a_rated_game_of_engines_is_proved_to_the_last_move(
    ada: Client, engines: Path, tmp_path: Path
) -> None:
    """That of the page against our own search behind the same lines; all who have the files verify it."""
    status, said = rutter("engines", "--check")
    assert status == 0, said
    assert said.count("; reproducible") == 2
    offered = {title["id"]: title["bots"] for title in ada.get("/v1/titles")["titles"]}
    assert {REFERENCE, FIRST} <= set(offered["example"])
    body = {"title": "example", "seats": [{"bot": FIRST}, {"bot": REFERENCE}]}
    game = ada.post("/v1/games", body, status=201)["id"]
    until(lambda: ada.get(f"/v1/games/{game}")["status"] == "finished", "the bots end their game")
    moved = [event["bot"] for event in ada.get(f"/v1/games/{game}/events")["events"] if "bot" in event]
    assert {bot["name"] for bot in moved} == {FIRST, REFERENCE}
    assert max(bot["simulations"] for bot in moved) > 10
    file = tmp_path / "game.ndjson"
    file.write_bytes(ada.send("GET", f"/v1/games/{game}/audit").body)
    words = ["verify", str(file), "--bots", "--jobs", "2"]
    status, said = rutter(*words, "--require", "whole,bots")
    assert status == 3, said  # it holds; the key that signed is none that was named
    assert "seat 0 engine:first 1" in said
    assert " 0 fallbacks" in said
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RUTTER_ENGINES")
        status, said = rutter(*words)
        moves = sum(bot["name"] == FIRST for bot in moved)
        assert f"{moves} moves of seat 0: engine:first 1 is not installed here" in said
        assert rutter(*words, "--require", "whole,bots")[0] == 3


@pytest.mark.slow
def test_a_list_that_is_none_keeps_the_service_from_starting(tmp_path: Path) -> None:
    """With the sentence that says what is wrong, at once."""
    file = tmp_path / "engines.toml"
    file.write_text('[[engine]]\nname = "Strong"\n')
    data = reachable_folder(tmp_path / "data")
    with pytest.raises(AssertionError, match="is not a list of engines"):
        RutterUp(data, settings={"RUTTER_ENGINES": str(file)}).start()
