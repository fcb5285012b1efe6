"""A stranger's check where one log took over from another: nothing altered, nothing left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from events.tlog.checkpoints import Checkpoint, peek
from events.tlog.leaves import KeyEntry, read_entry
from events.tlog.notes import Verifier
from events.tlog.text import unb64
from events.tlog.tree import Frontier, leaf_hash


class BadSuccession(Exception):
    """A succession that does not hold; the message says why."""


class Takeover:
    """Reads the entries of a log in their order, and remembers what they say of a log before it.

    Attributes:
        note: the last checkpoint of the log before, entry 1; None where this log succeeds no other.
        old: what that says.
        first: the first entry that is taken over from the log before.
        end: the first entry of this log's own behind them.
        revoked: the key that counts for nothing from the size :attr:`kept_count` on, where a part was lost.
    """

    def __init__(self) -> None:
        self.note: str | None = None
        self.old: Checkpoint | None = None
        self.key: object = None
        """The key that entry 0 names."""
        self.revoked: object = None
        self.first = self.end = 0
        self._taken = Frontier()

    @property
    def kept_count(self) -> int:
        """The number of entries that were taken over."""
        return self.end - self.first

    @property
    def is_complete(self) -> bool:
        """True if all entries of the log before it were taken over: none is said to be lost."""
        return self.old is not None and self.kept_count == self.old.size

    def is_own(self, index: int) -> bool:
        """Return True if the entry is this log's own, rather than one that it took over."""
        return not self.first <= index < self.end

    def add(self, index: int, raw: bytes) -> None:
        """Take the next entry, which has the form of one. Raises :class:`BadSuccession`."""
        if index < 3:
            self._begin(index, read_entry(raw))
        if self.old is not None and self.first <= index < self.end:
            self._taken.add(leaf_hash(raw))

    def _begin(self, index: int, entry: object) -> None:
        members: Mapping[str, object] = entry.members if isinstance(entry, KeyEntry) else {}
        if index == 0:
            self.key = members.get("add")
        elif index == 1 and "old" in members:
            self.note, self.old = read_last_checkpoint(members["old"])
            self.first, self.end = 2, 2 + self.old.size
        elif index == 2 and self.old is not None and self._is_loss(members):
            self.revoked = members["revoke"]
            size = members["size"]
            assert isinstance(size, int)  # noqa: S101 - see _is_loss
            self.first, self.end = 3, 3 + min(size, self.old.size)

    def _is_loss(self, members: Mapping[str, object]) -> bool:
        """Return True if entry 2 says that a part of the log before was lost: it revokes that log's key."""
        if not isinstance(members.get("size"), int) or self.old is None:
            return False
        try:
            return Verifier.read(str(members["revoke"])).name == self.old.origin
        except ValueError:
            return False

    def judge(self, size: int, keys: Iterable[tuple[int, KeyEntry]]) -> str | None:
        """After the last entry of *size*: what cannot be told for sure, else None.

        *keys*: index and members of all entries about keys. Raises :class:`BadSuccession`.
        """
        said = [index for index, entry in keys if "old" in entry.members and self.is_own(index)]
        if said and said != [1]:
            raise BadSuccession(f"entry {max(said)}: only entry 1 of a log names the one that it succeeds")
        if self.old is None:
            return None
        if size < self.end:
            raise BadSuccession(
                f"only {max(0, size - self.first)} of the {self.old.size} entries of the earlier log are "
                "here: the others were left out"
            )
        if self.kept_count < self.old.size:
            return (
                f"{self.kept_count} of the {self.old.size} entries of the earlier log are here: this log "
                "does not show if the others were lost or left out"
            )
        if self._taken.root() != self.old.root:
            raise BadSuccession(
                f"entries {self.first} to {self.end - 1} differ from those of the earlier log: something was "
                "altered or left out"
            )
        return None


def read_last_checkpoint(text: object) -> tuple[str, Checkpoint]:
    """Return the checkpoint that an entry `old` holds. Raises :class:`BadSuccession`."""
    try:
        note = unb64(text if isinstance(text, str) else "?").decode()
        return note, peek(note)
    except ValueError as error:
        raise BadSuccession(f"entry 1 has no checkpoint of another log: {error}") from None
