"""The rules for cosigning a checkpoint, the same for a log that pushes and one that is followed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from events.tlog.checkpoints import Checkpoint, merge_signatures
from events.tlog.notes import BadNote, SigningKey, Verifier, open_note, split_note
from events.tlog.text import b64
from events.tlog.tree import EMPTY_ROOT, check_consistency, is_contradiction
from ops.witness.errors import (
    Inconsistent,
    MalformedRequest,
    StaleProof,
    UnknownOrigin,
    UnsignedCheckpoint,
)
from ops.witness.folder import Folder, WitnessedGames, WitnessState


class Witness:
    """A key, the logs for which it cosigns, and what it recorded of them.

    A cosignature is a function of the recorded state, and is made only when that state is durable: whatever
    kills the process in between, no second tree of one size is ever cosigned.

    Args:
        folder: where the state is.
        key: the cosigner.
        logs: the pinned keys of the logs; several may share an origin.
        clock: POSIX seconds.
    """

    def __init__(
        self,
        folder: Folder,
        key: SigningKey,
        logs: Iterable[Verifier],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._folder = folder
        self._key = key
        self._clock = clock
        self._logs: dict[str, list[Verifier]] = {}
        for log in logs:
            self._logs.setdefault(log.name, []).append(log)

    def open(self, note: str) -> tuple[Checkpoint, str]:
        """Return a checkpoint, and its note with the signatures of the log alone.

        Raises MalformedRequest, UnknownOrigin, UnsignedCheckpoint.
        """
        try:
            text, lines = split_note(note)
            checkpoint = Checkpoint.read(text)
        except BadNote as bad:
            raise MalformedRequest(str(bad)) from bad
        keys = self._logs.get(checkpoint.origin)
        if keys is None:
            raise UnknownOrigin("this witness has no key of this origin: name it with --log")
        try:
            open_note(note, keys)
        except BadNote as bad:
            raise UnsignedCheckpoint(str(bad)) from bad
        known = {(key.name, key.id) for key in keys}
        signed = [line for name, raw, line in lines if (name, raw[:4]) in known]
        return checkpoint, f"{text}\n{''.join(signed)}"

    def get_recorded(self, origin: str) -> tuple[int, bytes]:
        """Return size and root of the newest cosigned checkpoint; before the first, of the empty tree."""
        state = self._folder.state(origin)
        return (state.checkpoint.size, state.checkpoint.root) if state else (0, EMPTY_ROOT)

    def find_newest(self, origin: str) -> str | None:
        """Return the newest checkpoint cosigned, with the cosignature."""
        state = self._read_durable_state(origin)
        return merge_signatures(state.note, [self._line(state)]) if state else None

    def cosignature(self, origin: str) -> str | None:
        """Return the newest checkpoint cosigned, with the cosignature alone: what a log is sent."""
        state = self._read_durable_state(origin)
        return f"{state.checkpoint.text()}\n{self._line(state)}" if state else None

    def add(self, old: int, proof: Sequence[bytes], note: str, games: WitnessedGames | None = None) -> str:
        """Record a checkpoint that begins with the recorded one, then cosign it: the signature line.

        Args:
            old: the size that is recorded, as the log believes.
            proof: that the tree of the checkpoint begins with the recorded one.
            note: the signed checkpoint.
            games: where the log is followed, what was found in its entries.

        Raises:
            MalformedRequest, UnknownOrigin, UnsignedCheckpoint, StaleProof, Inconsistent: see there.
            LostState: what was recorded is gone.
        """
        checkpoint, note = self.open(note)
        if old > checkpoint.size:
            raise MalformedRequest("the old size is larger than the checkpoint's")
        origin = checkpoint.origin
        with self._folder.lock(origin):
            self.refuse_held(origin)
            before = self._folder.state(origin)
            self._compare(old, proof, checkpoint, note)
            now = max(int(self._clock()), before.time if before else 0)
            state = WitnessState(note, now, games)
            if state != before:
                self._folder.record(origin, state)
            else:
                self._folder.settle()
        return self._line(state)

    def refuse_held(self, origin: str) -> None:
        """Raise Inconsistent while the origin is held."""
        evidence = self._folder.find_evidence(origin)
        if evidence is not None:
            raise Inconsistent(
                f"the log contradicted itself ({evidence}), so nothing of it is cosigned. To go on, the "
                f"operator of this witness runs: rutter witness forget {origin}"
            )

    def contradiction(self, origin: str, found: str, *, shown: bool, **more: Any) -> Inconsistent:
        """Keep evidence against a log; the refusal to be raised.

        Args:
            origin: the log's.
            found: what was found, a sentence.
            shown: what is kept proves it, no matter who sent it: the origin is held from now on. Otherwise
                anyone can have caused it, and nothing is held.
            more: what shows it.
        """
        state = self._folder.state(origin)
        content = {
            "found": found,
            "origin": origin,
            "time": int(self._clock()),
            "recorded": merge_signatures(state.note, [self._line(state)]) if state else None,
            **more,
        }
        evidence = self._folder.write_evidence(content, shown=shown)
        if shown:
            self._folder.hold(origin, evidence)
        return Inconsistent(f"{found} ({evidence or 'not written: there is enough evidence of this kind'})")

    def _compare(self, old: int, proof: Sequence[bytes], new: Checkpoint, note: str) -> None:
        size, root = self.get_recorded(new.origin)
        if old != size:
            raise StaleProof(size)
        if new.size == 0 and new.root != EMPTY_ROOT:
            raise self._make_failure(
                "the root of a tree without leaves", old, proof, note, shown=True, origin=new.origin
            )
        if check_consistency(old, new.size, proof, root, new.root):
            return
        if old == 0 or (old == new.size and root == new.root):
            raise Inconsistent("there is nothing to prove here: send an empty proof")
        shown = is_contradiction(old, new.size, proof, root, new.root)
        found = (
            f"the tree of size {new.size} does not begin with the cosigned one of size {old}"
            if shown
            else f"the proof that the tree of size {new.size} begins with the one of size {old} is wrong"
        )
        raise self._make_failure(found, old, proof, note, shown=shown, origin=new.origin)

    def _make_failure(
        self, found: str, old: int, proof: Sequence[bytes], note: str, *, shown: bool, origin: str
    ) -> Inconsistent:
        return self.contradiction(
            origin, found, shown=shown, offered=note, old=old, proof=[b64(one) for one in proof]
        )

    def _read_durable_state(self, origin: str) -> WitnessState | None:
        """Return the recorded state, once it is durable: only that may be seen with a cosignature."""
        with self._folder.lock(origin):
            state = self._folder.state(origin)
            self._folder.settle()
        return state

    def _line(self, state: WitnessState) -> str:
        return self._key.cosign(state.checkpoint.text(), state.time)
