"""A whole bundle: every batch is decided again by the rules and compared to the byte."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

import msgspec

from events import engine, table, table_commands, timing
from events.bundle import BadBundle
from events.engine import Batch
from events.fact import Seat, type_name
from events.folding import after
from events.game import Game
from events.proof import ReverseChain, Secrets
from events.record import (
    BOT_PART,
    BotRun,
    Cause,
    Envelope,
    Record,
    Signature,
    UnknownBot,
    actor_of,
    bodies,
    decode_command,
    decode_signature,
    seat_of,
)
from events.steps import Command, Rejected
from events.verify.course import Course
from events.verify.errors import CannotCheck

RerunBot = Callable[[Game, Seat, BotRun], Command]
"""Thinks a bot's move again: ``(game that it thought about, seat, what it thought with)``.

Raises :class:`events.record.UnknownBot` where that bot is not at hand in that version.
"""

_KEPT = 256
"""Batches back to which a bot may have begun to think."""


class Whole(Course):
    """A complete game, decided again from its first event."""

    keys: tuple[Secrets, ReverseChain]
    rerun_bot: RerunBot | None = None
    _past: deque[Game]
    _decided: Batch | None = None
    """What was decided of the batch that is checked, where it is a command's."""

    def opened(self, batch: Sequence[Record], first: Envelope, decided: Batch) -> None:
        """A batch of the opening, with the set-up that follows on it."""
        self._compare(batch, decided, first)

    def moved(self, batch: Sequence[Record], first: Envelope) -> None:
        """A command, with all that follows from it."""
        command = decode_command(batch[0], first, self.game.title.command_type)
        if command is None:
            raise BadBundle(batch[0].seq, "no command stands behind this event")
        seat = seat_of(first.by)
        if seat is None:
            self._check_house(batch[0], command)
        run = None if seat is None else self._bot(batch[0], first, seat, command)
        signature = self.check_signed(batch[0], first, command)
        self._decided = engine.decide(self.game, seat, command, *self.keys)
        self._compare(batch, self._decided, first, command, run, signature)

    def ruled(self, batch: Sequence[Record], first: Envelope) -> None:
        """A table command, with all that follows from it at its time."""
        command = self.table_command(batch[0], first)
        decided = table_commands.decide(self.game, actor_of(first.by), command, first.at, self.keys)
        self._compare(batch, decided, first, command, signature=decode_signature(batch[0], first))

    def fold(self, batch: Sequence[Record], first: Envelope) -> None:
        """The game after *batch*; a few earlier ones are kept for bots that thought about them.

        Deciding a command has folded its facts already.
        """
        decided, self._decided = self._decided, None
        if decided is None:
            super().fold(batch, first)
        else:
            self.game = after(self.game, batch, first, decided.facts, decided.state)
        if batch[0].seq == 1:
            self._past = deque(maxlen=_KEPT)
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
        note = timing.note(self.game, actor, command, decided, first.at)
        cause = Cause(first.at, actor, first.cmd, command, decided.draws, run, signature, note)
        again = bodies(
            decided.facts,
            cause,
            game_id=self.game.id,
            version=self.game.version or table.PROTOCOL,
            seq=self.game.seq,
            secrets=self.keys[0],
        )
        for record, (body, parts), fact in zip(recorded, again, decided.facts, strict=False):
            if body != record.body or parts != record.parts:
                raise _otherwise(record, f"{type_name(type(fact))} here")
        if len(recorded) > len(again):
            raise _otherwise(recorded[len(again)], "no event here")
        if len(recorded) < len(again):
            missing = type_name(type(decided.facts[len(recorded)]))
            seq = self.game.seq + len(recorded) + 1
            raise BadBundle(seq, f"the rules also demand {missing}, which is missing")

    def _check_house(self, record: Record, command: Command) -> None:
        """A house that may choose is an operator who may choose."""
        title, state = self.game.title, self.game.state
        if command not in [title.default(state, d) for d in title.awaited(state) if d.seat is None]:
            raise BadBundle(record.seq, "the house does otherwise than by its default")

    # --- bots ------------------------------------------------------------------------------------

    def _bot(self, record: Record, first: Envelope, seat: Seat, command: Command) -> BotRun | None:
        if first.bot is None:
            return None
        seed = self.keys[0].bot_seed(self.game.key, seat, self.game.seats[seat].commands).hex()
        told = record.parts.get(first.by + BOT_PART)
        if told is None or msgspec.json.decode(told.body) != {"seed": seed}:
            raise BadBundle(record.seq, "the bot's seed does not derive from the committed key")
        run = msgspec.convert({**first.bot, "seed": seed}, BotRun)
        thought = self._thought(record, seat, run)
        if run.fallback:
            self._check_fallback(record, seat, run, command, thought)
        elif self.rerun_bot is not None and self._again(record, seat, run, thought) != command:
            raise BadBundle(record.seq, f"the bot {run.name} thinks of another move with this seed")
        return run

    def _thought(self, record: Record, seat: Seat, run: BotRun) -> Game:
        """The game that the bot thought about: the newest, or where its decision was first awaited."""
        if run.thought_at == self.game.seq:
            return self.game
        first = self._first_awaited(seat)
        if first is not None and first.seq == run.thought_at:
            return first
        raise BadBundle(record.seq, "the bot thought about an event at which it was not asked")

    def _again(self, record: Record, seat: Seat, run: BotRun, thought: Game) -> Command | None:
        """The move that the bot thinks of; counted as thought again."""
        assert self.rerun_bot is not None  # noqa: S101 - for the type checker
        try:
            found = self.rerun_bot(thought, seat, run)
        except UnknownBot as unknown:
            raise CannotCheck(f"event {record.seq}: {unknown}") from unknown
        self.bots[seat].thought_again += 1
        return found

    def _check_fallback(
        self, record: Record, seat: Seat, run: BotRun, command: Command, thought: Game
    ) -> None:
        title, state = self.game.title, self.game.state
        if command not in [title.default(state, d) for d in title.awaited(state) if d.seat == seat]:
            raise BadBundle(record.seq, f"the bot {run.name} gave up, but this is not the default move")
        if self.rerun_bot is None:
            return
        try:
            own = self.rerun_bot(thought, seat, run)
        except UnknownBot as unknown:
            raise CannotCheck(f"event {record.seq}: {unknown}") from unknown
        except Exception:  # noqa: BLE001 - a bot that fails is just what a fallback is for
            return
        try:
            engine.decide(self.game, seat, own, *self.keys)
        except Rejected:
            return
        raise BadBundle(record.seq, f"the bot {run.name} gave up, though its own move was legal")

    def _first_awaited(self, seat: Seat) -> Game | None:
        """The game after the event since which a decision of *seat* is awaited without a break."""
        commands = self.game.seats[seat].commands
        kinds, first = {d.kind for d in self.game.title.awaited(self.game.state) if d.seat == seat}, None
        for game in reversed(self._past):
            if game.status != "running" or game.seats[seat].commands != commands:
                break
            kinds &= {d.kind for d in game.title.awaited(game.state) if d.seat == seat}
            if not kinds:
                break
            first = game
        return first


def _otherwise(record: Record, wanted: str) -> BadBundle:
    reason = f"{record.type} is not what was decided by the rules (the rules give {wanted})"
    return BadBundle(record.seq, reason)
