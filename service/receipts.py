"""Receipts: the service's signed word for what it has accepted, in every answer that accepted something.

A receipt is the same for everybody: it names a game, an event, its hash and the command, and no secret.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from events.game import Game
from events.recent import Recent
from events.record import Record
from events.tlog import receipts
from events.tlog.notes import SigningKey

KEPT = 1000
"""Newest receipts of a process: a repeated request is answered with the same one, as with the same events."""


class Receipts:
    """What signs them.

    Args:
        signer: gives the log key; raises :class:`events.log.ReadOnly` where nothing may be signed.
    """

    def __init__(self, signer: Callable[[], SigningKey]) -> None:
        self.signer = signer
        self._signed: Recent[str] = Recent(KEPT)
        self._signing = threading.Lock()

    def ready(self) -> None:
        """Called before anything is appended: what is accepted must be acknowledged. Raises ReadOnly."""
        self.signer()

    def of(self, game_id: str, last: Record) -> str:
        """For a command, by its *last* event as it was appended. A repetition gets one for the same event."""
        return self._sign(game_id, last.seq, last.hash, last.command_id)

    def newest(self, game: Game) -> str:
        """For the newest event of *game*."""
        return self._sign(game.id, game.seq, game.head, game.cmd)

    def _sign(self, game_id: str, n: int, head: bytes, cmd: str) -> str:
        with self._signing:
            signed = self._signed.get(head)
            if signed is None:
                signed = receipts.sign(self.signer(), game_id, n, head, cmd, int(time.time()))
                self._signed.put(head, signed)
            return signed
