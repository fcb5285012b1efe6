"""Reads `mutations.toml`, and applies one of its faults to a copy of the program."""

from __future__ import annotations

import tomllib
from pathlib import Path

import msgspec

ROOT = Path(__file__).resolve().parents[2]


class Mutation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fault, and the tests of which at least one must fail with it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]

    def apply(self, root: Path) -> None:
        """Put the fault into the copy of the program at *root*."""
        path = root / self.file
        text = path.read_text()
        assert text.count(self.old) == 1, f"{self.file} has not once: {self.old}"
        path.write_text(text.replace(self.old, self.new))


def mutations() -> list[Mutation]:
    """Return all of them."""
    found = tomllib.loads(Path(__file__).with_name("mutations.toml").read_text())["mutation"]
    return msgspec.convert(found, list[Mutation])
