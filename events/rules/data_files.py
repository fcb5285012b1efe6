"""Data files of titles: TOML checked against a schema when it is loaded."""

from __future__ import annotations

import hashlib
import tomllib
from importlib.resources import files
from typing import TypeVar

import msgspec

T = TypeVar("T")


def load(package: str, name: str, kind: type[T]) -> T:
    """Read the TOML file *name* of *package* as a *kind* (a msgspec Struct).

    Raises msgspec.ValidationError naming the place where the file does not fit.
    """
    text = files(package).joinpath(name).read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), kind)


def fingerprint(package: str, *names: str) -> str:
    """SHA-256 (hex) over the parsed data of the files: a game pins it, comments do not count."""
    digest = hashlib.sha256()
    encoder = msgspec.json.Encoder(order="sorted")
    for name in sorted(names):
        text = files(package).joinpath(name).read_text(encoding="utf-8")
        digest.update(name.encode() + b"\0" + encoder.encode(tomllib.loads(text)) + b"\0")
    return digest.hexdigest()
