"""The files of a witness: the newest checkpoint it cosigned of each log, and findings against logs.

```
key.json              the key (0600)
use                   `follow` or `serve`: which of the two signs with this key
known, known.lock     the origins that were cosigned for, one a line
<hex H(origin)>.json  the newest checkpoint of that origin: see WitnessState
<hex>.games-<size>    where the log is followed: the newest entry of each game
<hex>.held            the log contradicted itself: nothing is cosigned until `rutter witness forget`
<hex>.lock            held while one checkpoint is compared and recorded
<hex>.followed        held as long as a process follows that log
drops.ndjson          what was dropped, as far as it may still be collected
evidence/<time>.json  both checkpoints and the proof that failed
```

There is no way to take a state back: who could, could have a second history cosigned by the same key.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from events.tlog import checkpoints
from events.tlog.checkpoints import Checkpoint
from ops.base.durable_files import replace, sync_folder, write_new
from ops.witness.errors import LostState, StartError

MOST_DOUBTS = 1000
"""Files about proofs that failed without showing anything: anybody can send those, so they must not fill the
disk. What shows that a log contradicts itself is always written."""


@dataclass(frozen=True)
class WitnessedGames:
    """The file of the newest entries of all games (see `events.tlog.monitor`), and their tree."""

    file: str
    base: int
    """Bytes of the file with one record a game; records of newer entries follow."""
    length: int
    """Bytes of the file that hold; what stands behind them was never cosigned."""
    frontier: tuple[str, ...]
    """Hex of the roots of the tree's full subtrees, the largest first."""


@dataclass(frozen=True)
class WitnessState:
    """The newest checkpoint that was cosigned: everything that a cosignature is a function of."""

    note: str
    """The checkpoint as the log signed it."""
    time: int
    """POSIX seconds of the cosignature."""
    games: WitnessedGames | None = None

    @property
    def checkpoint(self) -> Checkpoint:
        """Origin, size and root."""
        return checkpoints.peek(self.note)

    def to_json(self) -> bytes:
        """Return the state as it is kept."""
        return json.dumps(asdict(self), indent=1).encode()

    @staticmethod
    def from_json(raw: bytes) -> WitnessState:
        """Return the inverse of :meth:`to_json`. ValueError, TypeError or KeyError for anything else."""
        kept = json.loads(raw)
        games = kept["games"] and WitnessedGames(
            **{**kept["games"], "frontier": tuple(kept["games"]["frontier"])}
        )
        return WitnessState(kept["note"], kept["time"], games)


def log_id(origin: str) -> str:
    """Return the name of a log in files and addresses: hex of the hash of its origin."""
    return hashlib.sha256(origin.encode()).hexdigest()


class Folder:
    """The folder of one witness. Every method that changes something has done so durably when it returns."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def check(self) -> None:
        """Raise LostState where an origin was cosigned for and its state is gone."""
        self.settle()
        for origin in self.list_origins():
            self.state(origin)

    def settle(self) -> None:
        """Make durable what a process that was killed in :meth:`record` has left in between."""
        sync_folder(self.path)

    def bind(self, use: str) -> None:
        """Bind this key to *use* alone, ``follow`` or ``serve``: their cosignatures mean different things.

        Raises StartError if it cosigned for the other.
        """
        file = self.path / "use"
        with contextlib.suppress(FileExistsError):
            write_new(file, use.encode())
        bound = file.read_text()
        if bound != use:
            raise StartError(
                f"The key in {self.path} signs for `rutter witness {bound}`, and its cosignatures must keep "
                f"one meaning. Make another witness for `{use}` with `rutter witness init`."
            )

    def list_origins(self) -> list[str]:
        """Return the origins that were cosigned for."""
        try:
            return (self.path / "known").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return []

    def state(self, origin: str) -> WitnessState | None:
        """Return the recorded state of an origin; None before its first checkpoint.

        Raises LostState where it is gone, or cannot be read.
        """
        try:
            return WitnessState.from_json(self._file(origin, "json").read_bytes())
        except FileNotFoundError:
            if origin in self.list_origins():
                raise LostState(origin) from None
            return None
        except (OSError, ValueError, TypeError, KeyError):
            raise LostState(origin) from None

    def record(self, origin: str, state: WitnessState) -> None:
        """Keep *state* as the newest of *origin*; the caller holds its :meth:`lock`.

        The state stands before the origin is known: a crash in between must not look like a lost state.
        """
        replace(self._file(origin, "json"), state.to_json())
        if origin in self.list_origins():
            return
        with _hold_lock(self.path / "known.lock"):
            replace(
                self.path / "known", "".join(f"{one}\n" for one in (*self.list_origins(), origin)).encode()
            )

    @contextlib.contextmanager
    def lock(self, origin: str) -> Iterator[None]:
        """Hold the lock of an origin: one at a time, over all threads and processes."""
        with _hold_lock(self._file(origin, "lock")):
            yield

    @contextlib.contextmanager
    def hold_following(self, origin: str) -> Iterator[None]:
        """Let this process alone follow the log. Raises StartError where another one does."""
        with self._file(origin, "followed").open("ab") as handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise StartError(
                    f"Another process follows {origin} with the key in {self.path}. Use that one, or stop it."
                ) from None
            yield

    def games_file(self, origin: str, size: int) -> str:
        """Return the name of a file for the games of a log of that *size*."""
        return f"{log_id(origin)}.games-{size}"

    def forget_games(self, origin: str, kept: str) -> None:
        """Delete the files of games of an origin but the one *kept*."""
        for file in self.path.glob(f"{log_id(origin)}.games-*"):
            if file.name != kept:
                file.unlink()

    def write_evidence(self, content: dict[str, Any], *, shown: bool) -> str:
        """Keep what was found against a log; the name of its file, or "" where there are enough doubts.

        *shown*: it shows that the log contradicts itself, and is not only a proof that failed.
        """
        folder = self.path / "evidence"
        folder.mkdir(mode=0o700, exist_ok=True)
        sync_folder(self.path)
        if not shown and sum(1 for _ in folder.iterdir()) >= MOST_DOUBTS:
            return ""
        raw = json.dumps(content, indent=1, ensure_ascii=False).encode()
        moment = time.time_ns()
        while True:
            name = f"evidence/{moment // 10**9}.{moment % 10**9:09d}.json"
            try:
                write_new(self.path / name, raw)
            except FileExistsError:
                moment += 1
            else:
                return name

    def hold(self, origin: str, evidence: str) -> None:
        """Hold *origin*: nothing of it is cosigned from now on."""
        replace(self._file(origin, "held"), evidence.encode())

    def find_evidence(self, origin: str) -> str | None:
        """Return the file of evidence for which an origin is held."""
        try:
            return self._file(origin, "held").read_text()
        except FileNotFoundError:
            return None

    def release(self, origin: str) -> bool:
        """Cosign for *origin* again, from the recorded checkpoint on; whether it was held."""
        if self.find_evidence(origin) is None:
            return False
        self._file(origin, "held").unlink()
        sync_folder(self.path)
        return True

    def _file(self, origin: str, kind: str) -> Path:
        return self.path / f"{log_id(origin)}.{kind}"


@contextlib.contextmanager
def _hold_lock(path: Path) -> Iterator[None]:
    with path.open("ab") as handle:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield


def open_folder(path: Path) -> Folder:
    """Return the folder at *path*. Raises StartError where it cannot be written to."""
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        raise StartError(
            f"The folder {path} cannot be written to. Change its owner, or choose another with --state."
        )
    return Folder(path)
