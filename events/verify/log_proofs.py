"""Proofs that the tree of all games holds a game's events, judged by a policy.

All entries of the game are made again from the bundle, so that nothing else of it can have been logged
before.
"""

from __future__ import annotations

from collections.abc import Sequence

from events.base.timestamps import format_timestamp
from events.proof.beacon import MICROS_PER_SECOND
from events.table.bundle import BadBundle, ProofLine
from events.tlog import leaves
from events.tlog.checkpoints import Checkpoint, Proof, open_checkpoint
from events.tlog.notes import BadNote, OpenedNote, Verifier
from events.tlog.tree import leaf_hash
from events.verify.errors import UncheckableClaim
from events.verify.form import SignedLines
from events.verify.report import LoggedEvent
from events.verify.trust import Trust

_LAST = 253_402_300_799
"""POSIX seconds of the last second that a date can be written for."""


class JudgedProofs:
    """The proofs of one bundle. Raises :class:`BadBundle` where one does not hold.

    Args:
        sheet: the bundle's lines.
        hashes: of all events.
        ends: the last event of each batch.
        keys: the pinned log keys.
    """

    def __init__(
        self,
        sheet: SignedLines,
        hashes: Sequence[bytes],
        ends: Sequence[int],
        trust: Trust,
        keys: Sequence[Verifier],
    ) -> None:
        self._origin = sheet.header.origin
        self._trust = trust
        self._keys = [key for key in keys if key.name == self._origin]
        self.opened: dict[int, OpenedNote] = {}
        """By event who cosigned when."""
        self.logged: list[LoggedEvent] = []
        if not sheet.proofs:
            return
        made = leaves.make_entries(sheet.header.game, [(n, hashes[n - 1]) for n in ends])
        entries = dict(zip(ends, made, strict=True))
        for line in sheet.proofs:
            if line.n not in entries:
                raise BadBundle(line.n, "a proof for an event that does not end its batch")
            self.logged.append(self._judge(line, entries[line.n]))

    def find_leaf(self, n: int, text: str, entry: bytes) -> int:
        """Return the leaf at which a proof shows *entry* in the log of all games, for event *n*.

        Raises :class:`BadBundle` where it shows none, or the witnesses are no quorum of the policy.
        """
        proof, _, opened = self._open_proof(n, text, entry)
        policy = self._trust.policy
        if policy is not None and policy.judges and not policy.is_quorum(opened.signers):
            raise BadBundle(n, "proof: the witnesses who cosigned are not a quorum of the policy")
        return proof.index

    def _open_proof(self, n: int, text: str, entry: bytes) -> tuple[Proof, Checkpoint, OpenedNote]:
        try:
            proof = Proof.read(text)
            checkpoint, opened = self._open_checkpoint(proof)
        except BadNote as error:
            raise BadBundle(n, f"proof: {error}") from error
        if not proof.holds(leaf_hash(entry), checkpoint):
            raise BadBundle(n, "the proof does not show this history in the tree of all games")
        return proof, checkpoint, opened

    def _judge(self, line: ProofLine, entry: bytes) -> LoggedEvent:
        proof, checkpoint, opened = self._open_proof(line.n, line.proof, entry)
        self.opened[line.n] = opened
        logged = LoggedEvent(line.n, proof.index, checkpoint.size)
        policy = self._trust.policy
        if policy is not None and policy.judges:
            if not policy.is_quorum(opened.signers):
                raise BadBundle(line.n, "proof: the witnesses who cosigned are not a quorum of the policy")
            logged.judged = True
            logged.cosigned, logged.witnesses = policy.count_witnesses(opened.signers)
            logged.earliest = _earliest_time(opened)
        return logged

    def _open_checkpoint(self, proof: Proof) -> tuple[Checkpoint, OpenedNote]:
        policy = self._trust.policy
        if not self._keys:
            if policy is not None:
                raise BadNote(f"the policy has no log {self._origin}")
            raise UncheckableClaim(
                "a proof can be checked only against a key that you know: --key or --policy"
            )
        witnesses = policy.witnesses.values() if policy else ()
        problem: BadNote | None = None
        for key in self._keys:
            try:
                return open_checkpoint(proof.checkpoint, key, witnesses)
            except BadNote as error:
                problem = problem or error
        assert problem is not None  # noqa: S101 - for the type checker
        raise problem

    def has_quorum_before(self, n: int, time: int) -> bool:
        """Return True if a quorum had cosigned event *n* before *time* (POSIX seconds)."""
        policy, opened = self._trust.policy, self.opened.get(n)
        if policy is None or opened is None:
            return False
        early = [one for one, when in opened.signers.items() if when is not None and when < time]
        return bool(early) and policy.is_quorum(early)

    def is_logged_before(self, n: int, size: int) -> bool:
        """Return True if event *n* stood in the log before its *size*, in the eyes of a quorum."""
        return any(event.n == n and event.judged and event.leaf < size for event in self.logged)


def judge_proofs(
    sheet: SignedLines, hashes: Sequence[bytes], ends: Sequence[int], trust: Trust
) -> tuple[JudgedProofs | None, list[str]]:
    """Return the judged proofs of a bundle, and what could not be checked; None where nothing could.

    Raises :class:`BadBundle` where a proof does not hold, or where the key that signed was revoked and no
    proof shows the newest event before that.
    """
    keys = [*trust.list_pinned_keys(), *([sheet.signer] if sheet.signer else [])]
    try:
        judged = JudgedProofs(sheet, hashes, ends, trust, list(dict.fromkeys(keys)))
    except UncheckableClaim as problem:
        return None, [str(problem)]
    last = sheet.header.events
    size = trust.revoked.get(sheet.signer) if sheet.signer else None
    if size is not None and not judged.is_logged_before(last, size):
        raise BadBundle(last, "its key was revoked, and no proof shows this event in the log before")
    unchecked = []
    judges = trust.policy is not None and trust.policy.judges
    if judges and not any(event.n == last for event in judged.logged):
        unchecked.append("the file has no proof for the policy to judge")
    if sheet.timestamps:
        unchecked.append("timestamps cannot be checked: no library for RFC 3161 is installed")
    return judged, unchecked


def _earliest_time(opened: OpenedNote) -> str | None:
    times = [when for when in opened.signers.values() if when is not None]
    if not times or min(times) > _LAST:
        return None
    return format_timestamp(min(times) * MICROS_PER_SECOND)[:19] + "Z"
