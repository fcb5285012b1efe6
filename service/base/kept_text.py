"""A text that takes long to make, kept in a file for the next start."""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class KeptText:
    """A text and the key that it was made under.

    It is given back only under the same *key*, and only as it was written.

    The file begins with a hash over both. Where it cannot be read or written, the text is made again.
    """

    path: Path
    key: str

    def read(self) -> bytes | None:
        """Return the text, or None where the file holds another one, a part of it, or nothing."""
        try:
            seal, _, text = self.path.read_bytes().partition(b"\n")
        except OSError:
            return None
        return text if seal == self._seal(text) else None

    def write(self, text: bytes) -> None:
        """Put *text* in the place of what the file holds.

        What two processes leave that write at once is read by none.
        """
        draft = self.path.with_name(f"{self.path.name}.draft")
        with contextlib.suppress(OSError):
            draft.write_bytes(self._seal(text) + b"\n" + text)
            draft.replace(self.path)

    def _seal(self, text: bytes) -> bytes:
        return hashlib.sha256(self.key.encode() + b"\0" + text).hexdigest().encode()
