"""Following a log: every entry is read, each game must be one chain, then the checkpoint is cosigned.

Works from behind a home router: the witness asks the log, and hands its cosignature to it.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event

from events.tlog.checkpoints import Checkpoint, Proof
from events.tlog.monitor import Misbehaviour
from events.tlog.notes import Verifier
from events.tlog.text import b64, escape_controls
from events.tlog.tree import (
    WIDTH,
    Tiles,
    check_consistency,
    check_inclusion,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    root_hash,
)
from ops.witness.client import LogClient, UnreachableLog
from ops.witness.core import Witness
from ops.witness.errors import CosignatureRefusal, Inconsistent
from ops.witness.folder import Folder
from ops.witness.games import Memory

DONE, UNAVAILABLE, INCONSISTENT = 0, 3, 4
"""Exit codes."""
LONGEST_PAUSE = 300.0
"""Seconds between two looks at a log that cannot be reached."""


class Follower:
    """One log, followed.

    Args:
        witness: cosigns.
        folder: the witness's.
        log: the pinned key; its name is the log's origin.
        client: reads the log.
        tell: takes sentences for the keeper of the witness.
    """

    def __init__(
        self,
        witness: Witness,
        folder: Folder,
        log: Verifier,
        client: LogClient,
        tell: Callable[[str], object],
    ) -> None:
        self._witness = witness
        self._folder = folder
        self._origin = log.name
        self._client = client
        self._tell = tell
        self._memory = self._load_state()
        self._delivered = ""

    def look(self) -> None:
        """Look at the log once: cosign its newest checkpoint if it is another, and hand the cosignature over.

        Raises:
            UnreachableLog, CosignatureRefusal: nothing was cosigned, or the log did not take it; it may pass.
            Inconsistent: the log contradicts what was cosigned, or itself.
            LostState: see there.
        """
        self._witness.refuse_held(self._origin)
        note = self._client.checkpoint()
        checkpoint, note = self._witness.open(note)
        size, known = self._witness.get_recorded(self._origin)
        is_new = (size, known) != (checkpoint.size, checkpoint.root)
        if is_new or self._witness.find_newest(self._origin) is None:
            self._cosign(checkpoint, note)
        self._deliver()

    def _cosign(self, new: Checkpoint, note: str) -> None:
        size, known = self._witness.get_recorded(self._origin)
        if new.size < size:
            raise self._witness.contradiction(
                self._origin, f"the log went back from size {size} to {new.size}", shown=False, offered=note
            )
        tiles = Tiles(self._client.tile, new.size)
        proof = self._proof(tiles, size, known, new, note)
        self._read_entries(tiles, new, note)
        self._witness.add(size, proof, note, self._memory.keep())
        self._memory.delete_old_files()
        self._tell(f"cosigned size {new.size} of {self._origin} ({len(self._memory.monitor.heads)} games)")

    def _proof(self, tiles: Tiles, old: int, known: bytes, new: Checkpoint, note: str) -> list[bytes]:
        """Return the proof of consistency from the recorded tree to the new one, from tiles."""
        proof = consistency_proof(tiles.read, old, new.size)
        if check_consistency(old, new.size, proof, known, new.root):
            return proof
        ours = root_hash(tiles.read, new.size) == new.root
        shown = old == new.size or (ours and root_hash(tiles.read, old) != known)
        raise self._witness.contradiction(
            self._origin,
            f"the tree of size {new.size} does not begin with the cosigned one of size {old}"
            if shown
            else f"the tiles of the log are not those of its checkpoint of size {new.size}",
            shown=shown,
            offered=note,
            old=old,
            proof=[b64(one) for one in proof],
        )

    def _read_entries(self, tiles: Tiles, new: Checkpoint, note: str) -> None:
        """Read all entries up to *new* and check that each game is one chain.

        What was read stays read when the network fails in between. It is not yet known to belong to the tree
        then; that the root is the checkpoint's says so in the end.
        """
        if self._memory.monitor.size > new.size:
            self._memory = self._load_state()
        monitor = self._memory.monitor
        while monitor.size < new.size:
            n, first = divmod(monitor.size, WIDTH)
            for raw in self._client.entries(n, min(WIDTH, new.size - n * WIDTH))[first:]:
                try:
                    monitor.add(monitor.size, raw)
                except Misbehaviour as found:
                    self._memory = self._load_state()
                    raise self._make_accusation(tiles, found, monitor.frontier.root(), new, note) from found
        if monitor.frontier.root() != new.root:
            self._memory = self._load_state()
            wrong = f"the entries served are not those of the tree of size {new.size}"
            raise self._witness.contradiction(self._origin, wrong, shown=False, offered=note)

    def _make_accusation(
        self, tiles: Tiles, found: Misbehaviour, before: bytes, new: Checkpoint, note: str
    ) -> Inconsistent:
        """Return the accusation: a log whose entry breaks a chain contradicts itself.

        That holds if it signed that entry and all *before* it.

        Otherwise what was read is not what the log signed, and nobody can be accused.
        """
        at = found.index
        proof = inclusion_proof(tiles.read, at, new.size)
        shown = check_inclusion(leaf_hash(found.raw), at, new.size, proof, new.root) and (
            at == 0
            or check_consistency(at, new.size, consistency_proof(tiles.read, at, new.size), before, new.root)
        )
        return self._witness.contradiction(
            self._origin,
            escape_controls(str(found)),
            shown=shown,
            offered=note,
            entry=found.raw.decode(errors="backslashreplace"),
            proof_of_inclusion=Proof(found.index, tuple(proof), note).text(),
        )

    def _deliver(self) -> None:
        cosignature = self._witness.cosignature(self._origin)
        if cosignature is not None and cosignature != self._delivered:
            self._client.deliver(cosignature)
            self._delivered = cosignature

    def _load_state(self) -> Memory:
        state = self._folder.state(self._origin)
        return Memory(self._folder, self._origin, state.games if state else None)


def follow(
    follower: Follower, *, every: float, once: bool, stop: Event, tell: Callable[[str], object]
) -> int:
    """Look at the log every so many seconds until *stop*; the exit code.

    What may pass is told when it begins and retried, at growing distances; so is its end.
    """
    trouble, pause = "", every
    while not stop.is_set():
        try:
            follower.look()
        except Inconsistent as found:
            tell(f"NOT COSIGNED: {escape_controls(str(found))}")
            return INCONSISTENT
        except (UnreachableLog, CosignatureRefusal, OSError) as error:
            said = escape_controls(str(error))
            if said != trouble and not stop.is_set():
                tell(f"trying again: {said}")
            trouble, pause = said, min(2 * pause, max(every, LONGEST_PAUSE))
        else:
            if trouble:
                tell("the log answers again")
            trouble, pause = "", every
        if once:
            return UNAVAILABLE if trouble else DONE
        stop.wait(pause)
    return DONE
