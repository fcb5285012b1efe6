"""A whole bundle: every batch is decided again by the rules and compared to the byte."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from events.proof.randomness import ReverseChain, Secrets
from events.rules.bot_names import BotMismatch, UnknownBot, is_engine
from events.rules.fact import Seat, type_name
from events.rules.steps import Command, Rejected
from events.table import clock_updates, engine, lifecycle_facts
from events.table.bundle import BadBundle
from events.table.commands import command_rules
from events.table.decision_origin import MAX_BATCHES, find_decision_origin
from events.table.engine import Batch, apply_batch
from events.table.game import Game
from events.table.record import (
    BOT_PART,
    BatchCause,
    BotRun,
    Envelope,
    Record,
    Signature,
    actor_of,
    decode_command,
    decode_signature,
    encode_bodies,
    seat_of,
)
from events.table.seated_bots import read_bot_versions
from events.verify.batch_verifier import BatchVerifier

RerunBot = Callable[[Game, Seat, BotRun], Command]
"""Thinks a bot's move again: ``(game that it thought about, seat, what it thought with)``.

Raises :class:`events.rules.bot_names.UnknownBot` where that version of the bot is not installed, and
:class:`events.rules.bot_names.BotMismatch` where it thinks otherwise than is recorded.
"""


@dataclass(frozen=True)
class BotMove:
    """A recorded move of a bot, which may be thought again at any time after."""

    seq: int
    game: Game
    """The game before the move."""
    thought: Game
    """About which the bot thought."""
    seat: Seat
    run: BotRun
    command: Command
    keys: tuple[Secrets, ReverseChain]

    def check(self, rerun: RerunBot) -> None:
        """Think again. Raises :class:`BadBundle` where that leads to another move.

        It is raised as well for a bot that gave up where it finds a legal move. Raises :class:`UnknownBot`
        for a bot that is not known here, and for an engine that may have given up for want of time.
        """
        if self.run.fallback:
            self._check_fallback(rerun)
            return
        try:
            found = rerun(self.thought, self.seat, self.run)
        except BotMismatch as otherwise:
            raise BadBundle(self.seq, f"the bot {self.run.name} thinks otherwise: {otherwise}") from otherwise
        if found != self.command:
            raise BadBundle(self.seq, f"the bot {self.run.name} thinks of another move with this seed")

    def _check_fallback(self, rerun: RerunBot) -> None:
        try:
            own = rerun(self.thought, self.seat, self.run)
        except (UnknownBot, ImportError):
            raise
        except Exception:  # noqa: BLE001 - a bot that fails is just what a fallback is for
            return
        try:
            engine.decide(self.game, self.seat, own, *self.keys)
        except Rejected:
            return
        if is_engine(self.run.name):  # it may have been out of time there: that shows nowhere
            raise UnknownBot(f"{self.run.name} gave up, though it answers here")
        raise BadBundle(self.seq, f"the bot {self.run.name} gave up, though its own move was legal")


class WholeGameVerifier(BatchVerifier):
    """A complete game, decided again from its first event."""

    keys: tuple[Secrets, ReverseChain]
    rerun_bot: RerunBot | None = None
    bot_moves: list[BotMove] | None = None
    """The list to which moves of bots are added for thinking again later; None for no list."""
    _past: deque[Game]
    _decided: Batch | None = None
    """The decision on the batch that is checked, where it is a command's."""

    def check_opening(self, batch: Sequence[Record], first: Envelope, decided: Batch) -> None:
        """Check that a batch of the opening, with the set-up that follows on it."""
        self._compare(batch, decided, first)

    def check_move(self, batch: Sequence[Record], first: Envelope) -> None:
        """Check that a command, with all that follows from it."""
        command = decode_command(batch[0], first, self.game.title.command_type)
        if command is None:
            raise BadBundle(batch[0].seq, "this event has no command")
        seat = seat_of(first.by)
        if seat is None:
            self._check_house(batch[0], command)
        run = None if seat is None else self._check_bot_run(batch[0], first, seat, command)
        signature = self.check_signature(batch[0], first, command)
        self._decided = engine.decide(self.game, seat, command, *self.keys)
        self._compare(batch, self._decided, first, command, run, signature)

    def check_ruling(self, batch: Sequence[Record], first: Envelope) -> None:
        """Check that a table command, with all that follows from it at its time."""
        command = self.table_command(batch[0], first)
        actor, find_bot = actor_of(first.by), read_bot_versions(batch)
        decided = command_rules.decide(self.game, actor, command, first.at, self.keys, find_bot)
        self._compare(batch, decided, first, command, signature=decode_signature(batch[0], first))

    def fold(self, batch: Sequence[Record], first: Envelope) -> None:
        """Set the game after *batch*; a few earlier ones are kept for bots that thought about them.

        Deciding a command has folded its facts already.
        """
        decided, self._decided = self._decided, None
        if decided is None:
            super().fold(batch, first)
        else:
            self.game = apply_batch(self.game, batch, first, decided.facts, decided.state)
        if batch[0].seq == 1:
            self._past = deque(maxlen=MAX_BATCHES)
        self._past.append(self.game)

    def _compare(
        self,
        recorded: Sequence[Record],
        decided: Batch,
        first: Envelope,
        command: Command | None = None,
        run: BotRun | None = None,
        signature: Signature | None = None,
    ) -> None:
        """The facts that were decided have the bodies and hidden parts that are recorded, to the byte."""
        actor = actor_of(first.by)
        note = clock_updates.make_clock_note(self.game, actor, command, decided, first.at)
        cause = BatchCause(first.at, actor, first.cmd, command, decided.draws, run, signature, note)
        again = encode_bodies(
            decided.facts,
            cause,
            game_id=self.game.id,
            version=self.game.version or lifecycle_facts.PROTOCOL,
            seq=self.game.seq,
            secrets=self.keys[0],
        )
        for record, (body, parts), fact in zip(recorded, again, decided.facts, strict=False):
            if body != record.body or parts != record.parts:
                raise _mismatch(record, f"{type_name(type(fact))} here")
        if len(recorded) > len(again):
            raise _mismatch(recorded[len(again)], "no event here")
        if len(recorded) < len(again):
            missing = type_name(type(decided.facts[len(recorded)]))
            seq = self.game.seq + len(recorded) + 1
            raise BadBundle(seq, f"the rules also demand {missing}, which is missing")

    def _check_house(self, record: Record, command: Command) -> None:
        """Require the default from the server: if the server could choose, its operator could."""
        title, state = self.game.title, self.game.state
        if command not in [title.default(state, d) for d in title.awaited(state) if d.seat is None]:
            raise BadBundle(record.seq, "the server did not give its default command")

    # --- bots ------------------------------------------------------------------------------------

    def _check_bot_run(self, record: Record, first: Envelope, seat: Seat, command: Command) -> BotRun | None:
        if first.bot is None:
            return None
        seed = self.keys[0].bot_seed(self.game.mixed, seat, self.game.seats[seat].bot_commands).hex()
        part = record.parts.get(first.by + BOT_PART)
        if part is None or msgspec.json.decode(part.body) != {"seed": seed}:
            raise BadBundle(record.seq, "the bot's seed does not derive from the committed key and U")
        run = msgspec.convert({**first.bot, "seed": seed}, BotRun)
        if run.fallback:
            self._check_default(record, seat, run, command)
        move = BotMove(
            record.seq, self.game, self._find_thought_game(record, seat, run), seat, run, command, self.keys
        )
        if self.bot_moves is not None:
            self.bot_moves.append(move)
        elif self.rerun_bot is not None:
            self._check_again(move, self.rerun_bot)
        return run

    def _find_thought_game(self, record: Record, seat: Seat, run: BotRun) -> Game:
        """Return the game that the bot thought about: the newest, or where its decision was first awaited."""
        if run.thought_at == self.game.seq:
            return self.game
        first = find_decision_origin(reversed(self._past), seat)
        if first is not None and first.seq == run.thought_at:
            return first
        raise BadBundle(record.seq, "the bot decided at an event where it was not asked")

    def _check_again(self, move: BotMove, rerun: RerunBot) -> None:
        bot_seat = self.bots[move.seat, move.run.name]
        try:
            move.check(rerun)
        except UnknownBot:
            bot_seat.not_at_hand += 1
        else:
            bot_seat.thought_again += not move.run.fallback

    def _check_default(self, record: Record, seat: Seat, run: BotRun, command: Command) -> None:
        title, state = self.game.title, self.game.state
        if command not in [title.default(state, d) for d in title.awaited(state) if d.seat == seat]:
            raise BadBundle(record.seq, f"the bot {run.name} gave up, but this is not the default move")


def _mismatch(record: Record, wanted: str) -> BadBundle:
    reason = f"{record.type} is not what was decided by the rules (the rules give {wanted})"
    return BadBundle(record.seq, reason)
