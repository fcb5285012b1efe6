"""Receipts: the service's signed word for what it has accepted, in every answer that accepted it.

A receipt is the same for everybody, whenever it is asked for. It names a game, an event, its hash and the
command, and is dated by the event. So a repeated request is answered with the same bytes, and nobody learns
anything from it but that.
"""

from __future__ import annotations

from collections.abc import Callable

from events.base.timestamps import whole_seconds
from events.table.game import Game
from events.table.record import Record
from events.tlog import receipts
from events.tlog.notes import SigningKey
from events.tournament.state import Tournament


class ReceiptSigner:
    """A signer of receipts.

    Args:
        signer: called with None or a game (or tournament); gives the log key. It raises :class:`ReadOnly`
            where nothing may be signed, and :class:`Rejected` where nothing may be appended to that game.
        covers: called with game and event, after *signer*; raises where no log will ever tell of it.
    """

    def __init__(
        self,
        signer: Callable[[str | None], SigningKey],
        covers: Callable[[str, int], object] = lambda _game, _n: None,
    ) -> None:
        self.signer = signer
        self._covers = covers

    def check_ready(self, game_id: str | None = None) -> None:
        """Raise ReadOnly where nothing may be signed, Rejected where nothing may be appended to that game.

        Called before anything is appended: what is accepted must be acknowledged.
        """
        self.signer(game_id)

    def sign_command(self, game_id: str, last: Record) -> str:
        """Sign for a command, by its *last* event as it was appended. A repetition gets the same receipt."""
        signer = self.signer(None)
        self._covers(game_id, last.seq)
        time = whole_seconds(last.envelope().at)
        return receipts.sign(signer, game_id, last.seq, last.hash, last.command_id, time)

    def sign_newest(self, game: Game | Tournament) -> str:
        """Sign for the newest event of *game*, which may be a tournament."""
        signer = self.signer(None)
        self._covers(game.id, game.seq)
        return receipts.sign(signer, game.id, game.seq, game.head, game.cmd, whole_seconds(game.at))
