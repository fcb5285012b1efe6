"""The keys and notes that a caller of the verifier trusts or holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from events.tlog.notes import Verifier
from events.tlog.policy import Policy


class Trust(msgspec.Struct, frozen=True):
    """The evidence from outside the file. Without any the file can be checked, but not its signer."""

    keys: Sequence[Verifier] = ()
    """Log keys that are pinned."""
    raw_key: bytes | None = None
    """A pinned public key without a name: its name is the one in the header."""
    policy: Policy | None = None
    directors: Collection[str] = ()
    """Commitments (hex) of directors, which they told before the game began."""
    receipts: Sequence[str] = ()
    """Notes of receipts that players hold, of this game and others."""
    drops: Sequence[str] = ()
    """Notes of witnesses to whom a reveal was posted because the service gave no answer."""
    revoked: Mapping[Verifier, int] = {}
    """Log keys that were stolen: from this size of the log on their statements count for nothing."""
    successors: Sequence[tuple[Verifier, Verifier]] = ()
    """``(old, new)``: the log of *new* took over from that of *old*."""

    def list_pinned_keys(self) -> list[Verifier]:
        """Return all log keys that may sign, those of the policy and successors included."""
        found = dict.fromkeys([*self.keys, *(self.policy.logs if self.policy else [])])
        for _ in self.successors:  # each may be succeeded in turn, in whatever order they are named
            found |= {new: None for old, new in self.successors if old in found}
        return list(found)

    def list_names(self, origin: str) -> list[str]:
        """The names under which the log *origin* signs or signed: its own, and of logs that it succeeded.

        Only what a log says under these names can contradict it: another log may say what it likes.
        """
        found = {origin: None}
        for _ in self.successors:
            found |= {old.name: None for old, new in self.successors if new.name in found}
        return list(found)
