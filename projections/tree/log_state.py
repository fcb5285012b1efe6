"""The newest signed tree, remembered outside the database: one that was set back is not believed."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from events.tlog.text import b64, parse_decimal, unb64

FILE = "log.state"


class SignedTree(msgspec.Struct, frozen=True):
    """The newest tree that was signed."""

    size: int
    root: bytes


class LogState:
    """The file of the newest signed tree; it belongs to the process that signs, beside the key."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @staticmethod
    def locate(path: Path | None, data: Path | None) -> LogState | None:
        """Return the file *path*, else the one in the folder *data*; None without either."""
        if path is not None:
            return LogState(path)
        return LogState(data / FILE) if data is not None else None

    def read(self) -> SignedTree | None:
        """Return the tree that the file names; None without the file.

        Raises ValueError for a damaged file: it is never guessed.
        """
        try:
            text = self.path.read_text(encoding="ascii")
        except FileNotFoundError:
            return None
        size, _, rest = text.partition("\n")
        try:
            return SignedTree(parse_decimal(size), unb64(rest.removesuffix("\n"), 32))
        except ValueError as error:
            raise ValueError(f"{self.path} is damaged ({error}): put back the file as it was") from error

    def write(self, signed: SignedTree) -> None:
        """Remember *signed*: when this returns, no crash of the machine forgets it."""
        draft = self.path.with_name(f"{self.path.name}.draft")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(f"{signed.size}\n{b64(signed.root)}\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(self.path)
        folder = os.open(self.path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
