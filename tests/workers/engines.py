"""Lists of engines for tests: real programs, which are begun as an operator's are."""

import hashlib
import json
import os
import sys
import tomllib
from pathlib import Path

import msgspec

from events.base.settings import RUTTER_ENGINES
from tests.installation import PYTHON, module, paths
from workers.bots import find_bot
from workers.bots.engines import reference as reference_engine

REFERENCE = Path(reference_engine.__file__)


def digest(*files):
    """As ``cat FILES | sha256sum``."""
    return hashlib.sha256(b"".join(Path(file).read_bytes() for file in files)).hexdigest()


def toml(value):
    """A value as it stands in TOML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml(inner)}" for key, inner in value.items()) + "}"
    return msgspec.json.encode(value).decode()


def entry(name, file, /, *, titles=("example",), **changed):
    """An `[[engine]]` whose program is the Python file *file*."""
    told = {
        "name": name,
        "version": 1,
        "command": [sys.executable, str(file)],
        "files": [str(file)],
        "sha256": digest(file),
        "titles": list(titles),
        "simulations": 5,
        "cpu_seconds": 10,
        "memory_mb": 512,
        **changed,
    }
    return "[[engine]]\n" + "".join(f"{key} = {toml(value)}\n" for key, value in told.items())


def as_reference(title_id, bot, name="reference", **changed):
    """The `[[engine]]` of our own bot."""
    found = find_bot(title_id, bot)
    told = {
        "titles": [title_id],
        "version": found.version,
        "command": [PYTHON, "-m", module("workers.bots.engines.reference"), title_id, bot, name],
        "simulations": found.budget,
        "environment": {**paths(), "RUTTER_EXTRA_TITLES": os.environ["RUTTER_EXTRA_TITLES"]},
        **changed,
    }
    return entry(name, REFERENCE, **told)


HELLO = """import hashlib, json, sys

def say(**told):
    print(json.dumps(told), flush=True)

def hear():
    return json.loads(sys.stdin.readline())

digest = hashlib.sha256(open(__file__, "rb").read()).hexdigest()
say(type="hello", name=sys.argv[1], version=1, sha256=digest)
"""
"""The beginning of an engine that behaves so far."""


def script(folder, name, text, **changed):
    """The `[[engine]]` of a program that does what *text* says after its hello."""
    file = folder / f"{name}.py"
    file.write_text(HELLO + text)
    return entry(name, file, **{"command": [sys.executable, str(file), name], **changed})


def with_moves(name):
    """What an entry says that promises the same move for the same seed; :func:`listing` makes the file."""
    return {"reproducible": True, "moves": f"{name}.moves"}


def listing(folder, monkeypatch, *entries):
    """Has these engines listed, as RUTTER_ENGINES names them; the file.

    Where one promises its moves and has none recorded a file without any is made, which is as good as any.
    """
    file = folder / "engines.toml"
    file.write_text("\n".join(entries))
    for told in tomllib.loads(file.read_text())["engine"]:
        if "moves" in told and not (folder / told["moves"]).exists():
            first = {name: told[name] for name in ("name", "version", "sha256", "simulations")}
            (folder / told["moves"]).write_text(json.dumps(first) + "\n")
    listed(monkeypatch, file)
    return file


def listed(monkeypatch, file):
    """Has the engines of *file* listed."""
    monkeypatch.setenv(RUTTER_ENGINES.name, str(file))
