"""The drops that a drop box has signed for, until the server that they are for has collected them.

A drop is kept before its note is given away. So a holder of a note can be sure that the server had a chance
to take the contribution in, and a box that is full signs nothing.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Lock

from events.tlog import drops
from events.tlog.drops import Drop
from events.tlog.notes import BadNote, SigningKey
from ops.base.durable_files import replace

KEPT_SECONDS = 31 * 86_400
"""Seconds for which a drop is kept: no table gives its seats more than 30 days to reveal."""
MOST = 100_000
MOST_OF_GAME = 64
"""Drops in all and of one game; a game has at most 16 seats, and anybody can drop anything for it."""


class FullDropBox(Exception):
    """No more drops are taken, of this game or of any."""


class DropStore:
    """The drops of one witness, in a file of its folder and in memory. Safe for use by many threads.

    Args:
        path: the file, a line {"kind":"drop","note":...} each, as `rutter verify --receipts` reads it.
        key: the key of the drop box.
    """

    def __init__(self, path: Path, key: SigningKey) -> None:
        self._path = path
        self._key = key
        self._lock = Lock()
        self._notes: dict[tuple[str, str], dict[Drop, str]] = {}
        """By origin and game the note about each drop."""
        self._count = 0
        for note in self._read():
            self._remember(drops.peek(note).drop, note)

    def add(self, drop: Drop, time: int) -> str:
        """Keep a drop that came at *time* (POSIX seconds) and return its note.

        A drop that is there already keeps its first note. Raises :class:`FullDropBox`.
        """
        with self._lock:
            there = self._notes.get((drop.origin, drop.game), {})
            if drop in there:
                return there[drop]
            if self._count >= MOST:
                self._forget_before(time - KEPT_SECONDS)
            if self._count >= MOST or len(there) >= MOST_OF_GAME:
                raise FullDropBox
            note = drops.sign(self._key, drop, time)
            self._append(note)
            self._remember(drop, note)
            return note

    def list_notes(self, origin: str, game: str) -> list[str]:
        """Return the notes about the drops for a game, the oldest first."""
        with self._lock:
            return list(self._notes.get((origin, game), {}).values())

    def _remember(self, drop: Drop, note: str) -> None:
        self._notes.setdefault((drop.origin, drop.game), {})[drop] = note
        self._count += 1

    def _forget_before(self, time: int) -> None:
        """Forget the drops that are older than *time*, and write the others again."""
        every = [note for notes in self._notes.values() for note in notes.values()]
        kept = [(found.drop, note) for note in every if (found := drops.peek(note)).time >= time]
        replace(self._path, "".join(_write_line(note) for _, note in kept).encode())
        self._notes, self._count = {}, 0
        for drop, note in kept:
            self._remember(drop, note)

    def _append(self, note: str) -> None:
        with os.fdopen(os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
            file.write(_write_line(note).encode())
            file.flush()
            os.fsync(file.fileno())

    def _read(self) -> list[str]:
        """Return the notes that are kept; what a process that was killed has left half written is cut off."""
        try:
            text = self._path.read_bytes()
        except FileNotFoundError:
            return []
        whole = text[: text.rfind(b"\n") + 1]
        if whole != text:
            os.truncate(self._path, len(whole))
        found = []
        for line in whole.splitlines():
            try:
                note = json.loads(line)["note"]
                drops.open_drop(note, [self._key.verifier])
            except (BadNote, ValueError, LookupError, TypeError):
                continue  # not of this box
            found.append(note)
        return found


def write_lines(notes: list[str]) -> str:
    """Return notes as a drop box shows them, a line {"kind":"drop","note":...} each."""
    return "".join(map(_write_line, notes))


def _write_line(note: str) -> str:
    return json.dumps({"kind": "drop", "note": note}, ensure_ascii=False, separators=(",", ":")) + "\n"
