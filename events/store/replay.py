"""The state of a game after any of its events: from snapshots, the tail after them, and memory."""

from __future__ import annotations

from events.base.bounded_cache import BoundedCache
from events.store.event_log import SNAPSHOT_EVERY, EventLog
from events.table.folding import BrokenChain, fold_one
from events.table.game import Game, initial_game
from events.table.record import Record

READ_PAGE = 1000
OPENING_TYPE = "TableOpened"
"""The first event of a game; other streams begin with another one."""


class UnknownGame(LookupError):
    """There is no game of that id."""


class NoSuchEvent(LookupError):
    """The game has no event of that number yet."""


def rules_key(game: Game) -> str:
    """Return the key of the rules of a snapshot: a change of rules or data makes older ones invisible."""
    return f"{game.title_id}/{game.version}/{game.data_hash[:16]}"


class _Newest:
    """The newest state of a game in memory."""

    __slots__ = ("game", "overtaken")

    def __init__(self, game: Game) -> None:
        self.game = game
        self.overtaken = False
        """True once it was told that the log holds a newer one."""


class Replay:
    """Loads games at their newest or at any earlier event. The values are immutable and shared.

    *past*: where earlier events are read; by default *log*, which alone tells the newest ones.
    """

    def __init__(
        self, log: EventLog, *, past: EventLog | None = None, newest: int = 2000, earlier: int = 1000
    ) -> None:
        self._log = log
        self._past = past or log
        self._newest: BoundedCache[_Newest] = BoundedCache(newest)
        self._earlier: BoundedCache[Game] = BoundedCache(earlier)

    def find_cached(self, game_id: str) -> Game | None:
        """The newest state in memory, perhaps behind the log; None where it was told that it is."""
        known = self._newest.get(game_id)
        return None if known is None or known.overtaken else known.game

    def mark_stale(self, game_id: str) -> None:
        """Another process tells that the game has grown."""
        known = self._newest.get(game_id)
        if known is not None:
            known.overtaken = True

    def remember(self, game: Game) -> None:
        """Remember *game* as the newest, unless a newer one is known."""
        known = self._newest.get(game.id)
        if known is None:
            self._newest.put(game.id, _Newest(game))
        elif known.game.seq < game.seq:
            known.game = game

    def load(self, game_id: str) -> Game:
        """The game after its newest event. Raises :class:`UnknownGame`."""
        known = self._newest.get(game_id)
        if known is not None:
            known.overtaken = False  # what is told from now on may be newer than what is read now
        game = self._advance(self._load_base(game_id) if known is None else known.game, None, self._log)
        self.remember(game)
        kept = self._newest.get(game_id)
        if kept is not None:
            self._newest.put(game_id, kept)  # those that nobody loads are forgotten first
        return game

    def load_at(self, game_id: str, seq: int) -> Game:
        """The game as it was after event *seq*. Raises :class:`UnknownGame` or :class:`NoSuchEvent`."""
        if seq < 1:
            raise NoSuchEvent(f"events are numbered from 1; there is no event {seq}")
        known = self._newest.get(game_id)
        if known is not None and known.game.seq == seq:
            return known.game
        key = (game_id, seq)
        game = self._earlier.get(key)
        if game is None:
            game = self._advance(self._nearest_before(game_id, seq), seq, self._past)
            if game.seq != seq:
                raise NoSuchEvent(f"the newest event of this game is {game.seq}")
            self._earlier.put(key, game)
        return game

    def _load_base(self, game_id: str) -> Game:
        first = self._load_opening(game_id, self._log)
        return self._log.newest_snapshot(game_id, rules_key(first), 2**62) or first

    def _load_opening(self, game_id: str, log: EventLog) -> Game:
        """The game after its first event, which tells what kind of stream it is."""
        records = log.read(game_id, 0, 1)
        if not records or records[0].type != OPENING_TYPE:
            raise UnknownGame(game_id)
        return fold_one(initial_game(game_id), records[0])

    def _nearest_before(self, game_id: str, seq: int) -> Game:
        """A state at or before *seq* to fold on from: one in memory that is near, else a snapshot."""
        for back in range(1, 33):
            near = self._earlier.get((game_id, seq - back))
            if near is not None:
                return near
        first = self._load_opening(game_id, self._past)
        return self._past.newest_snapshot(game_id, rules_key(first), seq) or first

    def _advance(self, game: Game, until: int | None, log: EventLog) -> Game:
        """Fold what the log holds after *game*, leaving snapshots behind on the way."""
        while until is None or game.seq < until:
            limit = READ_PAGE if until is None else min(READ_PAGE, until - game.seq)
            records = log.read(game.id, game.seq, limit)
            game = self._fold(game, records)
            if len(records) < limit:
                break
        return game

    def _fold(self, game: Game, records: list[Record]) -> Game:
        for record in records:
            if record.seq != game.seq + 1:
                raise BrokenChain(record.seq, f"event {record.seq} does not follow on {game.seq}")
            game = fold_one(game, record)
            if game.seq % SNAPSHOT_EVERY == 0 and len(records) > 1:
                self._log.save_snapshot(game, rules_key(game))
        return game
