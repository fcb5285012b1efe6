"""Clients that generators make of the description: they compile, and play whole games by generated calls.

The generators stand in a folder of their own, which `.ci/run` makes (tests/clients/install); elsewhere
RUTTER_GENERATORS names it.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from events.catalogue import title_ids
from tests.conftest import LiveServer
from tests.installation import ROOT, rutter

HERE = Path(__file__).parent
TOOLS = Path(os.environ.get("RUTTER_GENERATORS", ROOT / ".generators"))
PYTHON, NODE_MODULES = TOOLS / "python" / "bin", TOOLS / "node_modules"
TITLES = [title for title in title_ids() if title != "example"]

pytestmark = [pytest.mark.integration, pytest.mark.slow, pytest.mark.timeout(3600)]
in_python = pytest.mark.skipif(
    not (PYTHON / "openapi-python-client").exists(),
    reason="openapi-python-client is not installed: tests/clients/install makes the folder .generators",
)
in_typescript = pytest.mark.skipif(
    not (NODE_MODULES / "openapi-typescript").exists() or shutil.which("node") is None,
    reason="openapi-typescript is not installed: tests/clients/install makes the folder .generators",
)


def run(*words: str | Path, folder: Path) -> str:
    """What a program says; it must go well."""
    done = subprocess.run(
        [str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False, timeout=3000
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-6000:]
    return said


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The description as `rutter openapi` writes it."""
    folder = tmp_path_factory.mktemp("described")
    environment = {**os.environ, "RUTTER_EXTRA_TITLES": "", "PYTHONPATH": str(ROOT)}
    text = subprocess.run(rutter("openapi"), env=environment, capture_output=True, check=True).stdout
    (folder / "openapi.json").write_bytes(text)
    return folder / "openapi.json"


@pytest.fixture(scope="module")
def in_python_made(described: Path) -> tuple[Path, str]:
    """The folder of a client in Python, and what its generator said."""
    made = described.parent / "made"
    words = ("generate", "--path", described, "--output-path", made, "--meta", "none")
    environment_path = f"{PYTHON}{os.pathsep}{os.environ['PATH']}"
    said = run(
        "env", f"PATH={environment_path}", PYTHON / "openapi-python-client", *words, folder=described.parent
    )
    package = described.parent / "rutter_client"
    made.rename(package)
    (package / "py.typed").touch()
    return package, said


@in_python
def test_a_client_in_python_is_generated_whole(in_python_made: tuple[Path, str]) -> None:
    """It warns of nothing but answers that are lines of JSON alone, which it knows no type for."""
    _, said = in_python_made
    warned = re.findall(r"WARNING parsing (.*?) within", said)
    assert warned == [
        "GET /v1/games/{id}/audit",
        "GET /v1/export/events",
        "GET /v1/export/games",
        "GET /v1/tournaments/{tournament}/audit",
        "GET /v1/ratings/export",
    ], said[-4000:]
    assert said.count("(Unsupported content_type application/x-ndjson)") == len(warned)
    assert "Unable to" not in said


@in_python
def test_a_client_in_python_is_typed(in_python_made: tuple[Path, str]) -> None:
    """mypy --strict finds nothing in it, nor in a program that uses it."""
    package, _ = in_python_made
    shutil.copy(HERE / "python" / "player.py", package.parent)
    said = run(PYTHON / "mypy", "--strict", "rutter_client", "player.py", folder=package.parent)
    assert "no issues" in said


@in_python
@pytest.mark.parametrize("title_id", TITLES)
def test_a_client_in_python_plays(
    in_python_made: tuple[Path, str], live_server: LiveServer, title_id: str
) -> None:
    """A whole game of each title, by generated calls only."""
    package, _ = in_python_made
    shutil.copy(HERE / "python" / "player.py", package.parent)
    said = run(PYTHON / "python", "player.py", live_server.address, title_id, "1", folder=package.parent)
    assert said.split()[0] == title_id


@in_typescript
def test_a_client_in_typescript_compiles_and_plays(described: Path, live_server: LiveServer) -> None:
    """Strictly, without a cast; a whole game."""
    folder = described.parent / "typescript"
    folder.mkdir()
    for name in ("player.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / "typescript" / name, folder)
    (folder / "node_modules").symlink_to(NODE_MODULES)
    assert not re.search(r"\bas (?!const\b)|<any>|: any\b", (folder / "player.ts").read_text())
    run(NODE_MODULES / ".bin" / "openapi-typescript", described, "-o", "api.ts", folder=folder)
    run(NODE_MODULES / ".bin" / "tsc", folder=folder)
    said = run("node", "built/player.js", live_server.address, "colonies", folder=folder)
    assert "colonies" in said
