"""Games as the service uses them: every request is decided by the engine and appended to the log.

Several processes may do this at once; the log's compare-and-set decides who was first, and the
loser decides again on the newer state. Nothing is remembered here that the log does not hold.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec

from events.base.bounded_cache import BoundedCache
from events.base.timestamps import add_milliseconds
from events.proof.randomness import ReverseChain, Secrets, Seed
from events.rules.bot_names import BotVersion, find_no_version
from events.rules.fact import Json, Seat
from events.rules.fast_chance import FastChance
from events.rules.steps import Command, Rejected
from events.rules.title import Title
from events.store import entropy
from events.store.event_log import DuplicateCommand, EventLog, VersionConflict
from events.store.replay import Replay, UnknownGame
from events.store.stream_writer import (
    Appended,
    CommandResult,
    ReusedKey,
    SeatMismatch,
    StaleVersion,
    StreamWriter,
    WriteRequest,
    new_command_id,
    new_id,
    utc_now,
)
from events.table import clock_updates, command_signatures, commit_reveal, engine, lifecycle_facts
from events.table.commands import command_rules, expiry
from events.table.engine import Batch
from events.table.folding import fold
from events.table.game import Game, initial_game
from events.table.record import (
    Actor,
    BatchCause,
    BotRun,
    Record,
    Signature,
    canonical_command,
)
from events.table.terms import SeatOccupant, Terms, settle_terms
from events.table.tournament_link import TournamentSeed


class GameCommandResult(CommandResult[Game], frozen=True):
    """A command that was appended: its events, and the game after them."""

    @property
    def game(self) -> Game:
        """The game after them."""
        return self.after


class SeatPlan(msgspec.Struct, frozen=True):
    """The planned occupant of one seat of a new game."""

    bot: str | None = None
    taken: bool = True
    """False for an open seat."""
    commitment: str | None = None
    """To a contribution to the randomness."""
    key: str | None = None
    """The public key (hex) that is to sign the seat's commands."""


Decide = Callable[[Game, str], Batch]
"""``(game, at)``: the batch to append to a game at that time. Raises :class:`Rejected`."""
Guard = Callable[[Game], None]
"""A check on the very state that is decided on.

It refuses those who may not act there, whatever held when they were looked up."""
FindTitleBot = Callable[[Title[Any], str], BotVersion]
"""``(title, name)``: the version in which a bot of that name sits down.

Raises :class:`events.rules.bot_names.UnknownBot`.
"""
IdentityRecorder = Callable[[], Mapping[Seat, str]]
"""Writes down who holds the seats of a new game; by seat the ``who`` that the log is to tell of each."""


def allow_all(_game: Game) -> None:
    """Allow everybody: the caller has settled who acts, and nothing can change it."""


def no_identities() -> Mapping[Seat, str]:
    """The log is to tell nothing of the account that takes a seat."""
    return {}


def generate_secrets(game_id: str) -> Secrets:
    """Draw the keys of a new game."""
    return Secrets(*(entropy.draw(f"{game_id}/{name}") for name in ("anchor", "deal", "hide", "bot")))


class Games(StreamWriter[Game, GameCommandResult]):
    """The one way in which games are created, changed and read."""

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
        super().__init__(log, now, appended)
        self._find_bot = find_bot
        self._origin = origin
        self._past = past or log
        self.replay = Replay(log, past=past)
        self._keys: BoundedCache[tuple[Secrets, ReverseChain]] = BoundedCache(500)

    @property
    def origin(self) -> str:
        """The name under which the service signs; every game names it. Raises ReadOnly without one."""
        return self.retry_on_disconnect(self._origin)

    def awaits_server(self, state: Game) -> bool:
        """Return True if a decision of a bot or of the server is awaited now."""
        if state.status != "running" or state.paused is not None or state.state is None:
            return False
        by_server = {None, *(seat for seat, sits in enumerate(state.seats) if sits.bot is not None)}
        return not by_server.isdisjoint(state.title.list_awaited_seats(state.state))

    # --- reading ---------------------------------------------------------------------------------

    def load(self, game_id: str, at: int | None = None) -> Game:
        """The game after event *at* (default: the newest). Raises UnknownGame, NoSuchEvent."""
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
        """The game's secrets, and the reverse chain made from them."""
        found = self._keys.get(game.id)
        if found is None:
            secrets = self.log.keys(game.id)
            found = (secrets, ReverseChain(secrets.anchor, game.key, game.draws))
            self._keys.put(game.id, found)
        return found

    # --- writing ---------------------------------------------------------------------------------

    def create(
        self,
        title: Title[Any],
        options: Any,
        seats: Sequence[SeatPlan],
        *,
        game_id: str | None = None,
        command_id: str | None = None,
        terms: Terms = Terms(),  # noqa: B008 - a value that nobody can change
        seated: IdentityRecorder = no_identities,
        seed: Seed | None = None,
        position: dict[str, Any] | None = None,
        origin: dict[str, Any] | None = None,
        waits_ms: int = expiry.OPEN_TABLE_MS,
        tied: TournamentSeed | None = None,
    ) -> Game:
        """A new game; where no seat is open and nobody contributes to its randomness it begins at once.

        *options* is the title's own type. A *seed*, a *position* or an *origin* makes it an analysis game;
        not so a *tied* one, a game of a tournament, from which its secrets derive: there nobody commits.
        *waits_ms*: how long it waits for people, where the terms do not say until when.
        *command_id*: of the first batch. *seated* is called when the rules have agreed, before the log is
        written, for what must stand before it. Raises :class:`Rejected` for options, terms or positions that
        are refused, :class:`VersionConflict` where a game of that id is there.
        """
        game_id = game_id or new_id()
        if len(seats) not in title.seats:
            least, most = title.seats[0], title.seats[-1]
            raise Rejected(
                "invalid_options",
                f"{title.name} does not have this number of seats. Choose {least} to {most} seats.",
            )
        title.check_options(len(seats), options)
        planned = [_make_occupant(plan, None) for plan in seats]
        settle_terms(terms, planned, title.bots, seeded=seed is not None)
        terms = self._with_expiry(terms, game_id, waits_ms)
        key, keys = _key_and_secrets(game_id, seed, tied)
        who = seated()
        made = engine.create_game(
            title,
            key,
            msgspec.to_builtins(options, str_keys=True),
            [_make_occupant(plan, who.get(seat)) for seat, plan in enumerate(seats)],
            keys.commitments(key, engine.PUBLIC_DRAWS),
            service=self.origin,
            wanted=terms,
            position=position,
            origin=origin,
            seeded=seed is not None,
            tied=None if tied is None else (tied.at, tied.rated),
            find_bot=partial(self._find_bot, title),
        )
        game = initial_game(game_id)
        cause = BatchCause(self.next_time(game), None, command_id or new_command_id())
        records = self.seal_batch(game, made, cause, keys)
        game = fold(game, records)
        while commit_reveal.is_due(game, self.next_time(game)):
            records += self._opening_records(game, keys, None if tied is None else tied.mixed)
            game = fold(game, records[game.seq :])
        try:
            self.retry_on_disconnect(
                lambda: self.log.append(game_id, records, keys, keyed=command_id is not None)
            )
        except (VersionConflict, DuplicateCommand):
            if self.records(game_id, 0, 1)[0].hash != records[0].hash:
                raise VersionConflict from None
            # It was appended at the first attempt, and only the answer was lost.
        self.publish(game)
        return game

    def _with_expiry(self, terms: Terms, game_id: str, waits_ms: int) -> Terms:
        """*terms* with the time until which the table waits for people. Raises :class:`Rejected`."""
        at = self.next_time(initial_game(game_id))
        if terms.expires_at is None:
            return msgspec.structs.replace(terms, expires_at=add_milliseconds(at, waits_ms))
        if terms.expires_at < add_milliseconds(at, expiry.MIN_EXPIRY_MS):
            raise Rejected(
                "invalid_terms", "`expires_at` is too early. Send a time at least five seconds from now."
            )
        return terms

    def _opening_records(self, game: Game, keys: Secrets, mixed: bytes | None) -> list[Record]:
        """The events of what the server does with a new game for which nobody is awaited."""
        at = self.next_time(game)
        chain = ReverseChain(keys.anchor, game.key, game.draws)
        batch = commit_reveal.decide_next(game, at, keys, chain, mixed=mixed)
        note = clock_updates.make_clock_note(game, None, None, batch, at)
        return self.seal_batch(
            game, batch, BatchCause(at, None, new_command_id(), draws=batch.draws, clock=note), keys
        )

    def take_seat(
        self,
        game_id: str,
        seat: Seat,
        commitment: str | None = None,
        *,
        key: str | None = None,
        who: str | None = None,
        command_id: str | None = None,
        allowed: Guard = allow_all,
    ) -> GameCommandResult:
        """An account sits down at an open seat. *command_id*: its claim to the seat.

        *key* (hex) signs its commands, *who* is the salted digest of the account.
        """

        def decide(game: Game, _at: str) -> Batch:
            allowed(game)
            return commit_reveal.take_seat(game, seat, commitment, key, who)

        return self.write(
            WriteRequest(
                stream=game_id,
                actor=seat,
                decide=decide,
                command_id=command_id,
                said={"commitment": commitment, "key": key},
            )
        )

    def reveal(
        self, game_id: str, seat: Seat, contribution: str, *, command_id: str | None = None
    ) -> GameCommandResult:
        """A seat opens its contribution to the randomness (hex)."""
        return self.write(
            WriteRequest(
                stream=game_id,
                actor=seat,
                decide=lambda game, _at: commit_reveal.reveal(game, seat, contribution),
                command_id=command_id,
                said={"contribution": contribution},
            )
        )

    def reveal_director(
        self, game_id: str, contribution: str, *, command_id: str | None = None
    ) -> GameCommandResult:
        """Open the director's contribution to the randomness (hex)."""
        return self.write(
            WriteRequest(
                stream=game_id,
                actor=None,
                decide=lambda game, _at: commit_reveal.reveal_director(game, contribution),
                command_id=command_id,
                said={"contribution": contribution},
            )
        )

    def draw_beacon(self, game_id: str, number: int, signature: str) -> GameCommandResult:
        """Record the round *number* of the beacon, by its signature (hex)."""

        def draw(game: Game, at: str) -> Batch:
            if commit_reveal.find_awaited_round(game) != number:
                raise Rejected(
                    "nothing_to_draw",
                    f"This game does not wait for round {number}. Nothing needs to be done.",
                )
            return commit_reveal.draw_beacon(game, at, signature)

        return self.write(WriteRequest(stream=game_id, actor=None, decide=draw))

    def begin(self, game_id: str, *, command_id: str | None = None) -> GameCommandResult:
        """Do the next that leads to the beginning of a game, asked by somebody of its table."""
        return self._advance_by_server(game_id, asked=True, command_id=command_id)

    def advance_opening(self, game: Game) -> Game:
        """*game* after all that the server does by itself before it begins, and nobody is awaited for."""
        while commit_reveal.is_due(game, self.next_time(game)):
            before = game.seq
            try:
                game = self._advance_by_server(game.id, asked=False).game
            except Rejected:
                game = self.load(game.id)
                if game.seq == before:  # else somebody else was quicker
                    raise
        return game

    def _advance_by_server(
        self, game_id: str, *, asked: bool, command_id: str | None = None
    ) -> GameCommandResult:
        return self.write(
            WriteRequest(
                stream=game_id,
                actor=None,
                decide=lambda game, at: commit_reveal.decide_next(game, at, *self.keys(game), asked=asked),
                command_id=command_id,
            )
        )

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

    def fork(
        self,
        game_id: str,
        at: int | None,
        mine: Sequence[Seat],
        seats: Sequence[SeatPlan],
        seed: Seed,
        *,
        new_game_id: str | None = None,
        command_id: str | None = None,
        seated: IdentityRecorder = no_identities,
        ended: bool = True,
    ) -> Game:
        """A new analysis game from event *at*: whole if the game has ended, else as *mine* may know it.

        Not *ended* if the account that forks it may not know yet that it has.

        From a running game each hidden part is drawn again for the lowest of my seats (a spectator gets
        what seat 0 could imagine with nothing of its own: refused), so that nothing is learnt.
        """
        now = self.load(game_id)
        game = now if at is None else self.load_whole_command(game_id, at)
        if game.state is None:
            raise Rejected(
                "game_not_running", "The game had not begun at this event. Fork from a later event."
            )
        state = game.state
        if not (ended and now.has_ended):
            if not mine:
                raise Rejected(
                    "not_a_player", "Only its players may fork a running game. Wait until the game has ended."
                )
            state = game.title.imagine(state, mine[0], FastChance(seed.derive("fork")))
        return self.create(
            game.title,
            game.get_typed_options(),
            seats,
            game_id=new_game_id,
            command_id=command_id,
            seated=seated,
            seed=seed,
            position=game.title.position(state),
            origin={"game": game_id, "seq": game.seq},
            terms=Terms(undo="own"),
        )

    def load_whole_command(self, game_id: str, at: int) -> Game:
        """The game after the whole command to which event *at* belongs. Raises UnknownGame, NoSuchEvent."""
        game = self.load(game_id, at)
        records = self.records(game_id, at - 1, 1000)
        same = [r for r in records if r.command_id == records[0].command_id]
        return fold(game, same[1:])

    # --- as the one loop asks for it -------------------------------------------------------------

    def get_cached_state(self, stream: str) -> Game | None:
        """The newest game in memory, perhaps behind the log."""
        return self.replay.find_cached(stream)

    def load_newest(self, stream: str) -> Game:
        """The newest game in the log. Raises UnknownGame."""
        return self.replay.load(stream)

    def remember(self, state: Game) -> None:
        """Remember *state* as the newest."""
        self.replay.remember(state)

    def record_version(self, state: Game) -> int:
        """The version that the next records name."""
        return state.version or lifecycle_facts.PROTOCOL

    def fold_records(self, state: Game, records: Sequence[Record]) -> Game:
        """*state* after *records*."""
        return fold(state, records)

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


def _key_and_secrets(game_id: str, seed: Seed | None, tied: TournamentSeed | None) -> tuple[bytes, Secrets]:
    """Return the key that stands for a new game in its randomness, and its secrets."""
    if tied is not None:
        return tied.key, tied.secrets
    if seed is not None:
        return seed.key(), seed.secrets()
    return uuid.UUID(game_id).bytes, generate_secrets(game_id)


def _make_occupant(plan: SeatPlan, who: str | None) -> SeatOccupant | None:
    return SeatOccupant(plan.bot, who, plan.key, plan.commitment) if plan.taken else None


__all__ = [
    "GameCommandResult",
    "Games",
    "ReusedKey",
    "SeatMismatch",
    "SeatPlan",
    "StaleVersion",
    "UnknownGame",
    "new_command_id",
    "new_id",
    "utc_now",
]
