"""Games as the service uses them: every request is decided by the engine and appended to the log.

Several processes may do this at once; the log's compare-and-set decides who was first, and the
loser decides again on the newer state. Nothing is remembered here that the log does not hold.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from events import engine, entropy, expiry, opening, signed, table, table_commands, timing
from events.engine import Batch
from events.fact import Json, Seat
from events.fast_chance import FastChance
from events.folding import fold
from events.game import Game, start
from events.log import CommandKnown, EventLog, VersionConflict
from events.moments import later
from events.proof import ReverseChain, Secrets, Seed
from events.recent import Recent
from events.record import (
    Actor,
    BotRun,
    Cause,
    Record,
    Signature,
    as_recorded,
    pseudonym,
    seal,
    seat_of,
)
from events.replay import Replay, UnknownGame
from events.steps import Command, Rejected
from events.terms import Sitting, Terms, settle
from events.tied import Tied
from events.title import Title
from events.writing import (
    CommandReused,
    Request,
    SeatsDiffer,
    StaleVersion,
    Writer,
    Written,
    new_id,
    own_command_id,
    utc_now,
)


class Accepted(Written[Game], frozen=True):
    """A command that was appended: its events, and the game after them."""

    @property
    def game(self) -> Game:
        """The game after them."""
        return self.after


class SeatPlan(msgspec.Struct, frozen=True):
    """Who is to sit at one seat of a new game."""

    bot: str | None = None
    taken: bool = True
    """False for an open seat."""
    commitment: str | None = None
    """To a contribution to the randomness."""
    key: str | None = None
    """The public key (hex) that is to sign the seat's commands."""


Decide = Callable[[Game, str], Batch]
"""What is to be appended to a game at a time. Raises :class:`Rejected`."""
Allowed = Callable[[Game], None]
"""Refuses who may not act in the very state on which is decided, whoever he was when he was looked up."""
Seated = Callable[[], Mapping[Seat, str]]
"""Writes down who holds the seats of a new game; by seat the ``who`` that the log is to tell of each."""


def anybody(_game: Game) -> None:
    """Who acts was settled by the caller, and nothing can change it."""


def nobody_known() -> Mapping[Seat, str]:
    """The log is to tell nothing of whoever sits down."""
    return {}


def fresh_secrets(game_id: str) -> Secrets:
    """Draw the keys of a new game."""
    return Secrets(*(entropy.draw(f"{game_id}/{name}") for name in ("anchor", "deal", "hide", "bot")))


class Games(Writer[Game, Accepted]):
    """The one way in which games are created, changed and read."""

    def __init__(
        self,
        log: EventLog,
        *,
        origin: Callable[[], str] = lambda: "rutter",
        now: Callable[[], str] = utc_now,
        appended: Callable[[str, int], object] = lambda _game, _seq: None,
        past: EventLog | None = None,
    ) -> None:
        super().__init__(log, now, appended)
        self._origin = origin
        self._past = past or log
        self.replay = Replay(log, past=past)
        self._keys: Recent[tuple[Secrets, ReverseChain]] = Recent(500)

    @property
    def origin(self) -> str:
        """The name under which the service signs; every game names it. Raises ReadOnly without one."""
        return self.patiently(self._origin)

    # --- reading ---------------------------------------------------------------------------------

    def load(self, game_id: str, at: int | None = None) -> Game:
        """The game after event *at* (default: the newest). Raises UnknownGame, NoSuchEvent."""
        if at is None:
            return self.patiently(lambda: self.replay.load(game_id))
        return self.patiently(lambda: self.replay.at(game_id, at))

    def records(self, game_id: str, after: int = 0, limit: int | None = None) -> list[Record]:
        """Events with seq > *after*, whole: redact with :meth:`Record.seen_by` before showing them."""
        return self.patiently(lambda: self.log.read(game_id, after, limit))

    def past(self, game: Game, after: int = 0, limit: int | None = None) -> list[Record]:
        """Like :meth:`records`, of what *game* holds and nothing later: from a copy, where there is one."""
        held = max(0, game.seq - after)
        most = held if limit is None else min(held, limit)
        return self.patiently(lambda: self._past.read(game.id, after, most)) if most else []

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
        seated: Seated = nobody_known,
        seed: Seed | None = None,
        position: dict[str, Any] | None = None,
        origin: dict[str, Any] | None = None,
        waits_ms: int = expiry.OPEN_MS,
        tied: Tied | None = None,
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
            raise Rejected("invalid_options", f"{title.name} is for {least} to {most} seats.")
        title.check_options(len(seats), options)
        settle(terms, [_sitting(plan, None) for plan in seats], seeded=seed is not None)
        terms = self._waiting(terms, game_id, waits_ms)
        key, keys = _key(game_id, seed, tied)
        who = seated()
        made = engine.create(
            title,
            key,
            msgspec.to_builtins(options, str_keys=True),
            [_sitting(plan, who.get(seat)) for seat, plan in enumerate(seats)],
            keys.commitments(key, engine.DRAWS),
            service=self.origin,
            wanted=terms,
            position=position,
            origin=origin,
            seeded=seed is not None,
            tied=None if tied is None else (tied.at, tied.rated),
        )
        game = start(game_id)
        cause = Cause(self.time(game), None, command_id or own_command_id())
        records = _sealed(game, made, cause, keys)
        game = fold(game, records)
        while opening.ready(game, self.time(game)):
            records += self._follows(game, keys, None if tied is None else tied.mixed)
            game = fold(game, records[game.seq :])
        try:
            self.patiently(lambda: self.log.append(game_id, records, keys, keyed=command_id is not None))
        except (VersionConflict, CommandKnown):
            if self.records(game_id, 0, 1)[0].hash != records[0].hash:
                raise VersionConflict from None
            # It was appended at the first attempt, and only the answer was lost.
        self.done(game)
        return game

    def _waiting(self, terms: Terms, game_id: str, waits_ms: int) -> Terms:
        """*terms* with the time until which the table waits for people. Raises :class:`Rejected`."""
        at = self.time(start(game_id))
        if terms.expires_at is None:
            return msgspec.structs.replace(terms, expires_at=later(at, waits_ms))
        if terms.expires_at < later(at, expiry.LEAST_MS):
            raise Rejected("invalid_terms", "`expires_at` is five seconds ahead at the least.")
        return terms

    def _follows(self, game: Game, keys: Secrets, mixed: bytes | None) -> list[Record]:
        """The events of what the house does with a new game for which nobody is awaited."""
        at = self.time(game)
        chain = ReverseChain(keys.anchor, game.key, game.draws)
        batch = opening.house(game, at, keys, chain, mixed=mixed)
        note = timing.note(game, None, None, batch, at)
        return _sealed(game, batch, Cause(at, None, own_command_id(), draws=batch.draws, clock=note), keys)

    def take_seat(
        self,
        game_id: str,
        seat: Seat,
        commitment: str | None = None,
        *,
        key: str | None = None,
        who: str | None = None,
        command_id: str | None = None,
        allowed: Allowed = anybody,
    ) -> Accepted:
        """An account sits down at an open seat. *command_id*: its claim to the seat.

        *key* (hex) signs its commands, *who* is the salted digest of the account.
        """

        def decide(game: Game, _at: str) -> Batch:
            allowed(game)
            return opening.take_seat(game, seat, commitment, key, who)

        return self._write(
            game_id,
            seat,
            decide,
            command_id=command_id,
            said={"commitment": commitment, "key": key},
        )

    def reveal(
        self, game_id: str, seat: Seat, contribution: str, *, command_id: str | None = None
    ) -> Accepted:
        """A seat opens its contribution to the randomness (hex)."""
        return self._write(
            game_id,
            seat,
            lambda game, _at: opening.reveal(game, seat, contribution),
            command_id=command_id,
            said={"contribution": contribution},
        )

    def reveal_director(self, game_id: str, contribution: str, *, command_id: str | None = None) -> Accepted:
        """The director opens his contribution to the randomness (hex)."""
        return self._write(
            game_id,
            None,
            lambda game, _at: opening.reveal_director(game, contribution),
            command_id=command_id,
            said={"contribution": contribution},
        )

    def draw_beacon(self, game_id: str, number: int, signature: str) -> Accepted:
        """Record the round *number* of the beacon, by its signature (hex)."""

        def draw(game: Game, at: str) -> Batch:
            if opening.awaits_round(game) != number:
                raise Rejected("nothing_to_draw", f"This game does not wait for round {number}.")
            return opening.draw_beacon(game, at, signature)

        return self._write(game_id, None, draw)

    def begin(self, game_id: str, *, command_id: str | None = None) -> Accepted:
        """Do the next that leads to the beginning of a game, asked by somebody of its table."""
        return self._house(game_id, asked=True, command_id=command_id)

    def proceed(self, game: Game) -> Game:
        """*game* after all that the house does by itself before it begins, and nobody is awaited for."""
        while opening.ready(game, self.time(game)):
            before = game.seq
            try:
                game = self._house(game.id, asked=False).game
            except Rejected:
                game = self.load(game.id)
                if game.seq == before:  # else somebody else was quicker
                    raise
        return game

    def _house(self, game_id: str, *, asked: bool, command_id: str | None = None) -> Accepted:
        return self._write(
            game_id,
            None,
            lambda game, at: opening.house(game, at, *self.keys(game), asked=asked),
            command_id=command_id,
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
        allowed: Allowed = anybody,
    ) -> Accepted:
        """Carry out *command* of *seat* (None: the house).

        *expected*: the seq on which it must follow, else :class:`StaleVersion`. *command_id*: the same
        id again gives the first result; with another command :class:`CommandReused`. *signature*: of a
        seat that has a key. *allowed* looks once more whether the seat is his who acts, where it may have
        been given away since. Raises :class:`Rejected` when the rules refuse it on the newest state,
        :class:`events.signed.BadSignature`, and UnknownGame.
        """
        command = as_recorded(command)  # nothing may hang on an order of keys that the log does not keep

        def decide(game: Game, _at: str) -> Batch:
            allowed(game)
            return engine.decide(game, seat, command, *self.keys(game))

        return self._write(
            game_id,
            seat,
            decide,
            command=command,
            expected=expected,
            command_id=command_id,
            bot=bot,
            signature=signature,
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
        allowed: Allowed = anybody,
    ) -> Accepted:
        """Carry out a command of the table, one of :mod:`events.table_commands`, as :meth:`command` does."""
        command = as_recorded(command)

        def decide(game: Game, at: str) -> Batch:
            allowed(game)
            return table_commands.decide(game, actor, command, at, self.keys(game))

        return self._write(
            game_id,
            actor,
            decide,
            command=command,
            expected=expected,
            command_id=command_id,
            signature=signature,
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
        seated: Seated = nobody_known,
        ended: bool = True,
    ) -> Game:
        """A new analysis game from event *at*: whole if the game has ended, else as *mine* may know it.

        Not *ended* where whoever forks it may not know yet that it has.

        From a running game each hidden part is drawn anew for the lowest of my seats (a spectator gets
        what seat 0 could imagine with nothing of its own: refused), so that nothing is learnt.
        """
        now = self.load(game_id)
        game = now if at is None else self.settled(game_id, at)
        if game.state is None:
            raise Rejected("game_not_running", "Fork from an event after the game has begun.")
        state = game.state
        if not (ended and now.ended):
            if not mine:
                raise Rejected("not_a_player", "While a game runs only those who play it may fork it.")
            state = game.title.imagine(state, mine[0], FastChance(seed.derived("fork")))
        return self.create(
            game.title,
            game.typed_options(),
            seats,
            game_id=new_game_id,
            command_id=command_id,
            seated=seated,
            seed=seed,
            position=game.title.position(state),
            origin={"game": game_id, "seq": game.seq},
        )

    def settled(self, game_id: str, at: int) -> Game:
        """The game after the whole command to which event *at* belongs. Raises UnknownGame, NoSuchEvent."""
        game = self.load(game_id, at)
        records = self.records(game_id, at - 1, 1000)
        same = [r for r in records if r.command_id == records[0].command_id]
        return fold(game, same[1:])

    # --- as the one loop asks for it -------------------------------------------------------------

    def known(self, stream: str) -> Game | None:
        """The newest game in memory, perhaps behind the log."""
        return self.replay.known(stream)

    def newest(self, stream: str) -> Game:
        """The newest game in the log. Raises UnknownGame."""
        return self.replay.load(stream)

    def keep(self, state: Game) -> None:
        """Remember *state* as the newest."""
        self.replay.keep(state)

    def sealed(self, state: Game, batch: Batch, cause: Cause) -> list[Record]:
        """The records of a decided batch."""
        return _sealed(state, batch, cause, self.keys(state)[0])

    def folded(self, state: Game, records: Sequence[Record]) -> Game:
        """*state* after *records*."""
        return fold(state, records)

    def written(self, records: tuple[Record, ...], after: Game, *, replayed: bool = False) -> Accepted:
        """What whoever asked is told."""
        return Accepted(records, after, replayed)

    def command_type(self, state: Game) -> Callable[[str], type[Command] | None]:
        """Finds the class of a command of the table or the title by its name."""
        return table_commands.command_type(state.title)

    def clock_note(self, state: Game, request: Request[Game], batch: Batch, at: str) -> Json | None:
        """What the batch changes on the clocks of the table."""
        return timing.note(state, request.by(state), request.command, batch, at)

    def check(self, state: Game, request: Request[Game], command_id: str) -> None:
        """What its seat must sign is signed, for this game and no other course of it.

        Raises :class:`events.signed.BadSignature`.
        """
        if request.command is None:
            return  # joins, commitments and reveals are not signed
        seat = seat_of(pseudonym(request.by(state)))
        key = signed.demanded(state, seat, request.signature)
        if key is None or request.signature is None or seat is None:
            return
        at = request.signature.n
        head = state.head if at == state.seq else self.log.read(state.id, at - 1, 1)[0].hash
        command = msgspec.to_builtins(request.command, str_keys=True)
        if not signed.check(key, request.signature, command_id, command, state.id, head, seat):
            raise signed.BadSignature(
                "The signature does not hold. Sign this command under the id that the Idempotency-Key gives,"
                " for this game, your seat and the hash of the event that you name."
            )

    def _write(self, game_id: str, actor: Actor, decide: Decide, **more: Any) -> Accepted:
        return self.write(Request(stream=game_id, actor=actor, decide=decide, **more))


def _key(game_id: str, seed: Seed | None, tied: Tied | None) -> tuple[bytes, Secrets]:
    """What stands for a new game in its randomness, and its secrets."""
    if tied is not None:
        return tied.key, tied.secrets
    if seed is not None:
        return seed.key(), seed.secrets()
    return uuid.UUID(game_id).bytes, fresh_secrets(game_id)


def _sitting(plan: SeatPlan, who: str | None) -> Sitting | None:
    return Sitting(plan.bot, who, plan.key, plan.commitment) if plan.taken else None


def _sealed(game: Game, batch: Batch, cause: Cause, keys: Secrets) -> list[Record]:
    return seal(
        batch.facts,
        cause,
        game_id=game.id,
        version=game.version or table.PROTOCOL,
        seq=game.seq,
        head=game.head,
        secrets=keys,
    )


__all__ = [
    "Accepted",
    "CommandReused",
    "Games",
    "SeatPlan",
    "SeatsDiffer",
    "StaleVersion",
    "UnknownGame",
    "new_id",
    "own_command_id",
    "utc_now",
]
