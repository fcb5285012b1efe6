"""The keys and notes that a caller of the verifier trusts or holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    receipts: Sequence[str] = ()
    """Notes of receipts that players hold, of this game and others."""
    drops: Sequence[str] = ()
    """Notes of witnesses to whom a reveal was posted because the service gave no answer."""
    revoked: Mapping[Verifier, int] = {}
    """Log keys that were stolen: from this size of the log on their statements count for nothing."""
    successors: Sequence[tuple[Verifier, Verifier]] = ()
    """``(old, new)``: the log of *new* took over from that of *old*."""

    def list_pinned_keys(self) -> list[Verifier]:
        """All log keys that may sign, those of the policy and successors included."""
        logs = self.policy.logs if self.policy else []
        new = [new for old, new in self.successors if old in self.keys or old in logs]
        return list(dict.fromkeys([*self.keys, *logs, *new]))

    def list_former_names(self, signer: Verifier | None) -> list[str]:
        """Return the names of the logs that the log of *signer* took over from."""
        return [old.name for old, new in self.successors if new == signer]
