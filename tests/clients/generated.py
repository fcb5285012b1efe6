"""Clients that generators make of the description: how they are made, checked, and played with.

What was proven with them holds for exactly the description and the generators that it was proven with; their
digests stand in `proven.json`. Where one of them differs, `test_generated.py` proves all of it again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from events.rules.catalogue import packages
from tests.installation import ROOT, rutter
from tests.tools import need, need_generated

HERE = Path(__file__).parent
PROVEN = HERE / "proven.json"
INPUTS = (
    "openapi_generator/package.json",
    "openapi_generator/player.py",
    "openapi_generator/player.ts",
    "openapi_generator/requirements.txt",
    "openapi_generator/tsconfig.json",
    "python/player.py",
    "python/requirements.txt",
    "typescript/package-lock.json",
    "typescript/package.json",
    "typescript/player.ts",
    "typescript/tsconfig.json",
)
"""Besides the description: the generators' pins, and the programs that use what they make."""
TITLES = [title for title, package in packages().items() if package.startswith("events.titles.")]
LINES_ALONE = [
    "GET /v1/games/{id}/audit",
    "GET /v1/games/{id}/messages/audit",
    "GET /v1/export/events",
    "GET /v1/export/games",
    "GET /v1/tournaments/{tournament}/audit",
    "GET /v1/ratings/export",
]
"""Answers that are lines of JSON, which the generator knows no type for."""


def description() -> bytes:
    """Return the description as `rutter openapi` writes it."""
    environment = {**os.environ, "RUTTER_EXTRA_TITLES": "", "PYTHONPATH": str(ROOT)}
    return subprocess.run(rutter("openapi"), env=environment, capture_output=True, check=True).stdout


def digests(described: bytes) -> dict[str, str]:
    """Return the SHA-256 of the description, and of everything else that a proof depends on."""
    files = {name: (HERE / name).read_bytes() for name in INPUTS}
    return {
        name: hashlib.sha256(content).hexdigest()
        for name, content in {"description": described, **files}.items()
    }


def is_proven(described: bytes) -> bool:
    """Return True if all of it was proven with exactly this."""
    return PROVEN.exists() and json.loads(PROVEN.read_text()) == digests(described)


def write_down(described: bytes) -> None:
    """Note that all of it was proven with this."""
    PROVEN.write_text(json.dumps(digests(described), indent=2) + "\n")


def run(*words: str | Path, folder: Path) -> str:
    """Return what a program says; it must go well."""
    done = subprocess.run(
        [str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False
    )
    said = done.stdout + done.stderr
    assert done.returncode == 0, said[-6000:]
    return said


class InPython:
    """A client in Python, made in *folder*."""

    def __init__(self, described: bytes, folder: Path) -> None:
        self.programs = need_generated("python/bin/openapi-python-client").parent
        self.folder = folder
        (folder / "openapi.json").write_bytes(described)
        words = ("generate", "--path", "openapi.json", "--output-path", "rutter_client", "--meta", "none")
        path = f"PATH={self.programs}{os.pathsep}{os.environ['PATH']}"
        self.said = run("env", path, self.programs / "openapi-python-client", *words, folder=folder)
        (folder / "rutter_client" / "py.typed").touch()
        shutil.copy(HERE / "python" / "player.py", folder)

    def check_that_it_is_whole(self) -> None:
        """The generator warned of nothing but answers that it knows no type for."""
        warned = re.findall(r"WARNING parsing (.*?) within", self.said)
        assert sorted(warned) == sorted(LINES_ALONE), self.said[-4000:]
        assert self.said.count("(Unsupported content_type application/x-ndjson)") == len(warned)
        assert "Unable to" not in self.said

    def check_types(self, part: int = 0, parts: int = 1) -> None:
        """mypy --strict finds nothing in it, nor in a program that uses it: in one part of its modules."""
        modules = sorted(self.folder.rglob("*.py"))
        mine = modules[part::parts]
        said = run(self.programs / "mypy", "--strict", "--follow-imports=silent", *mine, folder=self.folder)
        assert f"no issues found in {len(mine)} source files" in said

    def play(self, address: str, title_id: str) -> None:
        """Play a whole game, by generated calls only."""
        said = run(self.programs / "python", "player.py", address, title_id, "1", folder=self.folder)
        assert said.split()[0] == title_id


def in_typescript(described: bytes, folder: Path, address: str) -> None:
    """Make a client in TypeScript; it compiles strictly, without a cast, and plays a whole game."""
    node, modules = need("node"), need_generated("node_modules/openapi-typescript").parent
    for name in ("player.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / "typescript" / name, folder)
    (folder / "node_modules").symlink_to(modules)
    (folder / "openapi.json").write_bytes(described)
    assert not re.search(r"\bas (?!const\b)|<any>|: any\b", (folder / "player.ts").read_text())
    run(modules / ".bin" / "openapi-typescript", "openapi.json", "-o", "api.ts", folder=folder)
    run(modules / ".bin" / "tsc", folder=folder)
    said = run(node, "built/player.js", address, "colonies", folder=folder)
    assert "colonies" in said


def _generate(described: bytes, folder: Path, generator: str, *settings: str) -> None:
    """Run openapi-generator in *folder*; it must end well."""
    java, jar = need("java"), need_generated("openapi_generator/openapi_generator_cli/openapi-generator.jar")
    (folder / "openapi.json").write_bytes(described)
    words = ("-g", generator, "-i", "openapi.json", "-o", ".", "--global-property", WITHOUT_DOCS, *settings)
    run(java, "-jar", jar, "generate", *words, folder=folder)


WITHOUT_DOCS = "apiTests=false,modelTests=false,apiDocs=false,modelDocs=false"


def by_openapi_generator_in_python(described: bytes, folder: Path, address: str) -> None:
    """Make a client in Python with openapi-generator; all of it can be imported, and it plays a game."""
    python = need_generated("openapi_generator/python/bin/python")
    _generate(described, folder, "python", "--package-name", "rutter_api")
    shutil.copy(HERE / "openapi_generator" / "player.py", folder)
    run(python, "-c", "from rutter_api.models import *", folder=folder)
    assert run(python, "player.py", address, "1", folder=folder).startswith("colonies ")


def by_openapi_generator_in_typescript(described: bytes, folder: Path, address: str) -> None:
    """Make a client in TypeScript with openapi-generator; it compiles strictly and plays a whole game."""
    node, modules = need("node"), need_generated("node_modules/typescript").parent
    _generate(described, folder, "typescript-fetch", "--additional-properties=importFileExtension=.js")
    for name in ("player.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / "openapi_generator" / name, folder)
    (folder / "node_modules").symlink_to(modules)
    run(modules / ".bin" / "tsc", folder=folder)
    assert run(node, "built/player.js", address, folder=folder).startswith("colonies ")
