"""The talk of games: streams like games and tournaments, written by the same loop."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from events.base.bounded_cache import BoundedCache
from events.proof.randomness import ReverseChain, Secrets
from events.rules.fact import Seat
from events.rules.steps import Command
from events.store.event_log import EventLog, VersionConflict
from events.store.games import READ_PAGE, Games, Guard
from events.store.stream_writer import Appended, CommandResult, StreamWriter, WriteRequest, new_command_id
from events.table.record import BatchCause, Record
from events.talk import rules
from events.talk.folding import fold
from events.talk.state import VERSION, Talk, initial_talk, talk_id

OPENING_TYPE = "TalkOpened"
"""The first event of a talk."""
_NO_SECRETS = Secrets(b"", b"", b"", b"")
"""A talk draws nothing, and what is hidden of it stands beside the log."""


class UnknownTalk(LookupError):
    """Nothing was said yet at the table of that game."""


class TalkResult(CommandResult[Talk], frozen=True):
    """Something that was said: its event, and the talk after it."""


class Talks(StreamWriter[Talk, TalkResult]):
    """The one way in which something is said at a table."""

    def __init__(
        self,
        log: EventLog,
        games: Games,
        *,
        appended: Appended = lambda _talk, _seq, _awaits: None,
    ) -> None:
        super().__init__(log, self._read_clock, appended)
        self._games = games
        self._newest: BoundedCache[Talk] = BoundedCache(500)

    def _read_clock(self) -> str:
        """Return the time by the clock of the games."""
        return self._games.now()

    def records(self, stream: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*, oldest first; none where nothing was said."""
        return self.retry_on_disconnect(lambda: self.log.read(stream, after, limit))

    def find(self, game_id: str) -> Talk | None:
        """Return the talk of a game; None where nothing was said yet."""
        try:
            return self.retry_on_disconnect(lambda: self.load_newest(talk_id(game_id)))
        except UnknownTalk:
            return None

    def say(
        self,
        game_id: str,
        seat: Seat,
        to: Sequence[Seat] | None,
        digest: str,
        *,
        phrase: bool,
        command_id: str | None,
        allowed: Guard,
    ) -> TalkResult:
        """Append that *seat* said something, and open the talk before the first message.

        *allowed* checks that the seat still belongs to the one who speaks. Raises :class:`Rejected`,
        :class:`ReusedKey`.
        """
        self._open(game_id)

        def decide(talk: Talk, at: str) -> Any:
            game = self._games.load(game_id)
            allowed(game)
            return rules.say(talk, game, seat, to, digest, at, phrase=phrase)

        return self.write(
            WriteRequest(
                stream=talk_id(game_id),
                actor=seat,
                decide=decide,
                command_id=command_id,
                said={"digest": digest, "to": None if to is None else list(to)},
            )
        )

    def _open(self, game_id: str) -> None:
        """Append the opening of the talk of a game, unless it is there."""
        stream = talk_id(game_id)
        if self._newest.get(stream) is not None or self.find(game_id) is not None:
            return
        game = self._games.load(game_id)
        first = self._games.records(game_id, 0, 1)[0].hash
        state = initial_talk(stream)
        cause = BatchCause(max(self.now(), game.at), None, new_command_id())
        records = self.seal_batch(state, rules.open_talk(game, first), cause, _NO_SECRETS)
        try:
            self.retry_on_disconnect(lambda: self.log.append(stream, records))
        except VersionConflict:
            return  # another message was the first
        self.publish(fold(state, records))

    # --- as the one loop asks for it -------------------------------------------------------------

    def next_time(self, state: Talk) -> str:
        """Return the time of the next event: never before the newest of the talk, nor of the game."""
        return max(super().next_time(state), self._games.load(state.game).at)

    def get_cached_state(self, stream: str) -> Talk | None:
        """Return the newest in memory, perhaps behind the log."""
        return self._newest.get(stream)

    def load_newest(self, stream: str) -> Talk:
        """Return the newest in the log. Raises :class:`UnknownTalk`."""
        state = self._newest.get(stream) or initial_talk(stream)
        while records := self.log.read(stream, state.seq, READ_PAGE):
            state = fold(state, records)
            if len(records) < READ_PAGE:
                break
        if not state.seq:
            raise UnknownTalk(stream)
        self.remember(state)
        return state

    def remember(self, state: Talk) -> None:
        """Remember *state* as the newest, unless a newer one is known."""
        known = self._newest.get(state.id)
        if known is None or known.seq < state.seq:
            self._newest.put(state.id, state)

    def keys(self, state: Talk) -> tuple[Secrets, ReverseChain]:
        """No secrets, and a chain of which nothing is drawn."""
        return _NO_SECRETS, ReverseChain(b"", b"", 1)

    def record_version(self, state: Talk) -> int:
        """Return the version that the next records name."""
        return VERSION

    def fold_records(self, state: Talk, records: Sequence[Record]) -> Talk:
        """*state* after *records*."""
        return fold(state, records)

    def make_result(self, records: tuple[Record, ...], after: Talk, *, replayed: bool = False) -> TalkResult:
        """Return the result for the caller."""
        return TalkResult(records, after, replayed)

    def command_type(self, state: Talk) -> Callable[[str], type[Command] | None]:
        """Return a lookup that finds no type: a talk has no commands in its log."""
        return lambda _name: None
