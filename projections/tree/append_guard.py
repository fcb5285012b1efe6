"""The guard of appends: none to a database that was set back, nor without a key of its log.

In the API it also signs receipts, the server's word for what was appended. A receipt is the same for
everybody, whenever it is asked for. It names a game, an event, its hash and the command, and is dated by the
event. So a repeated request is answered with the same bytes, and nobody learns anything from it but that.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from events.rules.steps import Rejected
from events.store.event_log import Pool, ReadOnly
from events.store.signing_keys import Keyring
from events.table.game import Game
from events.table.record import Record
from events.tlog.notes import SigningKey, receipt_time, sign_receipt
from events.tournament.state import Tournament
from projections.tree.grower import begins_with
from projections.tree.log_state import LogState
from projections.tree.tree_store import TreeStore

CACHE_SECONDS = 1.0
"""Seconds for which an answer of the database is taken for the present."""
CATCH_UP_SECONDS = 3.0
"""Seconds for which, at a start, a tree is waited for that has yet to catch up with what was signed."""

_REASON = (
    "The database was set back: it holds less than the server has signed, so games can only be read. Restore "
    "the lost part from a replica or a newer backup."
)


_FROZEN = (
    "The earlier log of all games was lost, and it did not cover the newest events of this game. So the game "
    "cannot continue: read it, fork it, or begin another game."
)


class AppendGuard:
    """Asked before each append; looks into the database once a second at most.

    A process that can see the log's *state* compares it with the database before its first append. *keyring*:
    None for processes that sign nothing.
    """

    def __init__(self, pool: Pool, keyring: Keyring | None = None, state: LogState | None = None) -> None:
        self._pool = pool
        self._keyring = keyring
        self._signer: SigningKey | None = None
        self._signer_asked = float("-inf")
        self._state = state
        self._asked = float("-inf")
        self._set_back = False
        self._frozen: dict[str, int] = {}
        self._compared = state is None
        self._waits_until: float | None = None
        """The time until which a tree is waited for that has yet to catch up; None before the first look."""
        self._comparing = threading.Lock()

    def check(self, game_id: str | None = None) -> None:
        """Raise :class:`ReadOnly` where nothing may be appended or signed now.

        Raises :class:`Rejected` (``game_frozen``) where nothing may be appended to that game for ever.
        """
        if self._keyring is not None and time.monotonic() - self._signer_asked > CACHE_SECONDS:
            self._signer = self._keyring.signer  # raises for a key that is not the log's
            self._signer_asked = time.monotonic()
        if self.is_set_back():
            raise ReadOnly("database_set_back", _REASON)
        if game_id is not None and game_id in self._frozen:
            raise Rejected("game_frozen", _FROZEN)

    def find_frozen(self, game_id: str) -> int | None:
        """Return the last event that a log covers of a frozen game, 0 for none.

        None for any other game.
        """
        self._ask()
        return self._frozen.get(game_id)

    def require_covered(self, game_id: str, n: int) -> None:
        """Raise :class:`Rejected` (``game_frozen``) for an event of which no log will ever tell."""
        last = self.find_frozen(game_id)
        if last is not None and n > last:
            raise Rejected("game_frozen", _FROZEN)

    def is_set_back(self) -> bool:
        """Return True if the database holds less, or something else, than was signed."""
        self._ask()
        return self._set_back

    def _ask(self) -> None:
        if time.monotonic() - self._asked > CACHE_SECONDS:
            with self._comparing:
                if not self._compared:
                    self._compared = self._agrees()
            with self._pool.connection() as connection:
                row = connection.execute(
                    "SELECT set_back, (SELECT count(*) FROM es.frozen) FROM es.tree"
                ).fetchone()
                if row is not None and row[1] != len(self._frozen):
                    self._frozen = dict(
                        connection.execute("SELECT game_id::text, last FROM es.frozen").fetchall()
                    )
            self._set_back = bool(row and row[0]) or not self._compared
            self._asked = time.monotonic()

    def _agrees(self) -> bool:
        """Return True if the database holds what the state says.

        A tree that has yet to catch up is waited for at the first look alone: later ones answer at once.
        """
        if self._waits_until is None:
            self._waits_until = time.monotonic() + CATCH_UP_SECONDS
        while True:
            signed = self._state.read() if self._state is not None else None
            if signed is None:
                return True
            with self._pool.connection() as connection:
                size = connection.execute("SELECT size FROM es.tree").fetchone()
                if size and size[0] >= signed.size:
                    return begins_with(TreeStore(connection), size[0], signed)
            if time.monotonic() > self._waits_until:
                return False
            time.sleep(0.1)


def _call_once(action: Callable[[str | None], None]) -> Callable[[str | None], None]:
    """Return *action*, which is tried no second time."""
    return action


class ReceiptSigner(AppendGuard):
    """A guard that also signs for what was appended.

    *retry* makes a check that tries again where the database is away for a moment.
    """

    def __init__(
        self,
        pool: Pool,
        keyring: Keyring,
        state: LogState | None = None,
        *,
        retry: Callable[[Callable[[str | None], None]], Callable[[str | None], None]] = _call_once,
    ) -> None:
        super().__init__(pool, keyring, state)
        self._check_with_retry = retry(self.check)

    def require_signer(self, game_id: str | None = None) -> SigningKey:
        """Return the key that signs, where something may be appended now: raises as :meth:`check` does.

        Asked before anything is appended: what is accepted must be acknowledged.
        """
        if time.monotonic() - min(self._asked, self._signer_asked) > CACHE_SECONDS:
            self._check_with_retry(game_id)
        else:
            self.check(game_id)
        if self._signer is None:
            raise LookupError("this process signs nothing")
        return self._signer

    def sign_command(self, game_id: str, last: Record) -> str:
        """Sign for a command, by its *last* event as it was appended. A repetition gets the same receipt."""
        return self._sign(game_id, last.seq, last.hash, last.command_id, last.envelope().at)

    def sign_newest(self, game: Game | Tournament) -> str:
        """Sign for the newest event of *game*, which may be a tournament."""
        return self._sign(game.id, game.seq, game.head, game.cmd, game.at)

    def _sign(self, game_id: str, seq: int, head: bytes, command_id: str, at: str) -> str:
        """Sign for event *seq*, recorded at the time *at*. Raises Rejected if no log will ever tell of it."""
        signer = self.require_signer()
        self.require_covered(game_id, seq)
        return sign_receipt(signer, game_id, seq, head, command_id, receipt_time(at))
