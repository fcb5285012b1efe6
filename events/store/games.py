"""Games as the server uses them: read from the log at any event, and changed by commands.

Every request is decided by the engine and appended to the log. Several processes may do this at once; the
log's compare-and-set decides who was first, and the loser decides again on the newer state. Nothing is
remembered here that the log does not hold: a state comes from snapshots, the tail after them, and memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import msgspec

from events.base.bounded_cache import BoundedCache
from events.proof.randomness import ReverseChain, Secrets
from events.rules.bot_names import find_no_version
from events.rules.fact import Json, Seat
from events.rules.steps import Command
from events.store.event_log import SNAPSHOT_EVERY, EventLog
from events.store.new_games import (
    FindTitleBot,
    GameCommandResult,
    Guard,
    IdentityRecorder,
    NewGames,
    SeatPlan,
    allow_all,
)
from events.store.stream_writer import (
    Appended,
    ReusedKey,
    SeatMismatch,
    StaleVersion,
    WriteRequest,
    new_command_id,
    new_id,
    utc_now,
)
from events.table import clock_updates, command_signatures, engine, lifecycle_facts
from events.table.commands import command_rules
from events.table.engine import Batch, BrokenChain, fold_batch, fold_one
from events.table.game import Game, initial_game
from events.table.record import Actor, BotRun, Record, Signature, canonical_command

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
        """Return the newest state in memory, perhaps behind the log; None where it was told that it is."""
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
        """Return the game after its newest event. Raises :class:`UnknownGame`."""
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
        """Return the game after event *seq*. Raises :class:`UnknownGame` or :class:`NoSuchEvent`."""
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
        """Return the game after its first event, which tells what kind of stream it is."""
        records = log.read(game_id, 0, 1)
        if not records or records[0].type != OPENING_TYPE:
            raise UnknownGame(game_id)
        return fold_one(initial_game(game_id), records[0])

    def _nearest_before(self, game_id: str, seq: int) -> Game:
        """Return a state at or before *seq* to fold on from: one in memory that is near, else a snapshot."""
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


class Games(NewGames):
    """The one way in which games are changed and read."""

    def __init__(
        self,
        log: EventLog,
        *,
        origin: Callable[[], str] = lambda: "rutter",
        now: Callable[[], str] = utc_now,
        appended: Appended = lambda _game, _seq, _awaits: None,
        past: EventLog | None = None,
        find_bot: FindTitleBot = lambda _title, name: find_no_version(name),
    ) -> None:
        super().__init__(log, now, appended, origin, find_bot)
        self._past = past or log
        self.replay = Replay(log, past=past)
        self._keys: BoundedCache[tuple[Secrets, ReverseChain]] = BoundedCache(500)

    def awaits_server(self, state: Game) -> bool:
        """Return True if a decision of a bot or of the server is awaited now."""
        if state.status != "running" or state.paused is not None or state.state is None:
            return False
        by_server = {None, *(seat for seat, sits in enumerate(state.seats) if sits.bot is not None)}
        return not by_server.isdisjoint(state.title.list_awaited_seats(state.state))

    # --- reading ---------------------------------------------------------------------------------

    def load(self, game_id: str, at: int | None = None) -> Game:
        """Return the game after event *at* (default: the newest). Raises UnknownGame, NoSuchEvent."""
        if at is None:
            return self.retry_on_disconnect(lambda: self.replay.load(game_id))
        return self.retry_on_disconnect(lambda: self.replay.load_at(game_id, at))

    def records(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*, whole: redact with :meth:`Record.redact_for` before showing them."""
        return self.retry_on_disconnect(lambda: self.log.read(game_id, after, limit))

    def read_past(self, game: Game, after: int = 0, limit: int | None = None) -> list[Record]:
        """Like :meth:`records`, of what *game* holds and nothing later: from a copy, where there is one."""
        held = max(0, game.seq - after)
        most = held if limit is None else min(held, limit)
        return self.retry_on_disconnect(lambda: self._past.read(game.id, after, most)) if most else []

    def keys(self, game: Game) -> tuple[Secrets, ReverseChain]:
        """Return the game's secrets, and the reverse chain made from them."""
        found = self._keys.get(game.id)
        if found is None:
            secrets = self.log.keys(game.id)
            found = (secrets, ReverseChain(secrets.anchor, game.key, game.draws))
            self._keys.put(game.id, found)
        return found

    # --- writing ---------------------------------------------------------------------------------

    def command(
        self,
        game_id: str,
        seat: Seat | None,
        command: Command,
        *,
        expected: int | None = None,
        command_id: str | None = None,
        bot: BotRun | None = None,
        signature: Signature | None = None,
        allowed: Guard = allow_all,
        checked: Game | None = None,
    ) -> GameCommandResult:
        """Carry out *command* of *seat* (None: the server).

        *expected*: the seq on which it must follow, else :class:`StaleVersion`. *command_id*: the same
        id again gives the first result; with another command :class:`ReusedKey`. *signature*: of a
        seat that has a key. *allowed* checks once more that the seat still belongs to the actor, where it
        may have been given away since: on every state but the one that the caller has *checked*. Raises
        :class:`Rejected` when the rules refuse it on the newest state,
        :class:`events.table.command_signatures.BadSignature`, and UnknownGame.
        """
        command = canonical_command(
            command
        )  # the log does not keep the order of keys: nothing may hang on it

        def decide(game: Game, _at: str) -> Batch:
            if game is not checked:
                allowed(game)
            if bot is not None and seat is not None and not game.seats[seat].is_played_by(bot):
                raise StaleVersion(game.seq)  # the seat has been given away, or its bot raised
            return engine.decide(game, seat, command, *self.keys(game))

        return self.write(
            WriteRequest(
                stream=game_id,
                actor=seat,
                decide=decide,
                command=command,
                expected=expected,
                command_id=command_id,
                bot=bot,
                signature=signature,
            )
        )

    def table_command(
        self,
        game_id: str,
        actor: Actor,
        command: Command,
        *,
        expected: int | None = None,
        command_id: str | None = None,
        signature: Signature | None = None,
        allowed: Guard = allow_all,
    ) -> GameCommandResult:
        """Carry out a command of the table, one of :mod:`command_rules`, as :meth:`command` does."""
        command = canonical_command(command)

        def decide(game: Game, at: str) -> Batch:
            allowed(game)
            find_bot = partial(self._find_bot, game.title)
            return command_rules.decide(game, actor, command, at, self.keys(game), find_bot)

        return self.write(
            WriteRequest(
                stream=game_id,
                actor=actor,
                decide=decide,
                command=command,
                expected=expected,
                command_id=command_id,
                signature=signature,
            )
        )

    # --- as the one loop asks for it -------------------------------------------------------------

    def get_cached_state(self, stream: str) -> Game | None:
        """Return the newest game in memory, perhaps behind the log."""
        return self.replay.find_cached(stream)

    def load_newest(self, stream: str) -> Game:
        """Return the newest game in the log. Raises UnknownGame."""
        return self.replay.load(stream)

    def remember(self, state: Game) -> None:
        """Remember *state* as the newest."""
        self.replay.remember(state)

    def record_version(self, state: Game) -> int:
        """Return the version that the next records name."""
        return state.version or lifecycle_facts.PROTOCOL

    def fold_records(self, state: Game, records: Sequence[Record]) -> Game:
        """*state* after *records*."""
        return fold_batch(state, records)

    def make_result(
        self, records: tuple[Record, ...], after: Game, *, replayed: bool = False
    ) -> GameCommandResult:
        """Return the result for the caller."""
        return GameCommandResult(records, after, replayed)

    def command_type(self, state: Game) -> Callable[[str], type[Command] | None]:
        """Finds the class of a command of the table or the title by its name."""
        return command_rules.command_type(state.title)

    def clock_note(
        self, state: Game, actor: Actor, command: Command | None, batch: Batch, at: str
    ) -> Json | None:
        """Return the note of the batch's changes to the clocks; None where no time is counted."""
        if state.terms.clock is None:
            return None
        return clock_updates.make_clock_note(state, actor, command, batch, at)

    def check_request(self, state: Game, request: WriteRequest[Game], actor: Actor, command_id: str) -> None:
        """Check the signature of the command, if its seat must sign: for this game and no other course of it.

        Raises :class:`events.table.command_signatures.BadSignature`.
        """
        if request.command is None:
            return  # joins, commitments and reveals are not signed
        seat = actor if isinstance(actor, int) else None
        if request.signature is None and (seat is None or state.seats[seat].key is None):
            return  # neither wanted nor sent
        key = command_signatures.find_required_key(state, seat, request.signature)
        if key is None or request.signature is None or seat is None:
            return
        at = request.signature.n
        head = state.head if at == state.seq else self.log.read(state.id, at - 1, 1)[0].hash
        command = msgspec.to_builtins(request.command, str_keys=True)
        if not command_signatures.is_valid(key, request.signature, command_id, command, state.id, head, seat):
            raise command_signatures.BadSignature(
                "The signature is not valid for this command. Sign it with the Idempotency-Key as its id, "
                "for this game, your seat and the hash of the named event."
            )


__all__ = [
    "FindTitleBot",
    "GameCommandResult",
    "Games",
    "Guard",
    "IdentityRecorder",
    "NoSuchEvent",
    "Replay",
    "ReusedKey",
    "SeatMismatch",
    "SeatPlan",
    "StaleVersion",
    "UnknownGame",
    "new_command_id",
    "new_id",
    "utc_now",
]
