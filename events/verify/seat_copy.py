"""A seat's copy: what can be checked without the secrets of others, above all the public draws."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile

import msgspec

from events.proof import canonical
from events.proof.randomness import (
    Keys,
    PublicDraw,
    ReverseChain,
    Secrets,
    UniformStream,
    derive_public_draw_key,
    step_back,
)
from events.rules.fact import Fact, type_name
from events.rules.steps import Command
from events.table import clock_updates, lifecycle_facts
from events.table.bundle import BadBundle
from events.table.commands import command_rules
from events.table.commands.time_outs import TableTimeOut, settle_time_out
from events.table.engine import Batch, apply_envelope, begin_batch, fold_one, meet_fact
from events.table.game import Game
from events.table.lifecycle_facts import SeatTimedOut
from events.table.record import (
    BESIDE_FACT,
    BOT_PART,
    COMMAND_PART,
    Envelope,
    Record,
    actor_of,
    decode_command,
    decode_fact,
    seat_of,
    split_fact,
)
from events.table.seated_bots import read_bot_versions, settle_bot_versions
from events.table.vacancies import halt_table
from events.tlog.text import unhex
from events.verify.batch_verifier import BatchVerifier
from events.verify.bodies import ENDING_TYPES

_NAMING_VERSIONS = frozenset({"SeatTaken", "SeatGiven", "BotRaised"})
"""The types of event that name the version of a bot."""
_CHANGING_PLAY = frozenset({"TableBegun", "CommandUndone"})
"""The types of event of the platform that change who is asked."""
_NO_KEYS = (Secrets(b"", b"", b"", b""), ReverseChain(b"", b"", 0))
"""Keys for commands that need none."""
_NO_SECRETS = Secrets(bytes(32), bytes(32), bytes(32), bytes(32))
_UNKNOWN_KEYS = _NO_SECRETS, ReverseChain(bytes(32), bytes(16), 1)
"""For commands of the table in a game that has not ended: whatever would disclose them is not there."""


def _is_of_platform(record: Record) -> bool:
    """Return True if an event is the platform's own, and nothing of it is hidden."""
    return record.type in lifecycle_facts.FACTS and record.type != "PositionSet"


class SeatCopyVerifier(BatchVerifier):
    """A game as one seat may know it."""

    _last: bytes
    """The newest element of the reverse chain that was shown; at first what event 1 anchors."""
    _mixed: bytes = b""
    """U, once the table has begun."""

    def check_opening(self, batch: Sequence[Record], first: Envelope, decided: Batch) -> None:
        """Decide the platform's public facts of the opening again, like in a whole bundle.

        The set-up that follows in the same batch is not: the secrets behind it are not in the copy.
        """
        wanted = list(takewhile(lambda fact: type_name(type(fact)) in lifecycle_facts.FACTS, decided.facts))
        self._compare_facts(batch, wanted)
        if first.command is not None or first.bot is not None or first.sig is not None:
            raise BadBundle(batch[0].seq, "an event of the opening has no command")
        begun = [fact for fact in wanted if isinstance(fact, lifecycle_facts.TableBegun)]
        if first.draws is not None and not begun:
            raise BadBundle(batch[0].seq, "nothing is drawn before the game begins")
        self._mixed = bytes.fromhex(begun[0].mix) if begun else b""
        self._check_facts(batch[len(wanted) :], follows=bool(begun))
        self._check_draws(batch[0].seq, first)

    def _compare_facts(self, batch: Sequence[Record], wanted: Sequence[Fact]) -> None:
        """Check that a batch begins with these facts of the platform, of which nothing is hidden."""
        for record, fact in zip(batch, wanted, strict=False):
            envelope = record.envelope()
            encoded = canonical.encode(split_fact(fact)[0])
            if record.type != type_name(type(fact)) or bytes(envelope.data) != encoded or envelope.hid:
                raise BadBundle(record.seq, f"{record.type} is not what was decided by the rules")
        if len(batch) < len(wanted):
            raise BadBundle(batch[-1].seq + 1, f"{type_name(type(wanted[len(batch)]))} is missing")

    def check_move(self, batch: Sequence[Record], first: Envelope) -> None:
        """Check that the command exists, the form of its facts, and its public draws by the chain."""
        record = batch[0]
        command = self._check_command(record, first)
        self.check_signature(record, first, command)
        seat = seat_of(first.by)
        if command is not None and command.house != (seat is None):
            raise BadBundle(record.seq, "the server gives only its own commands, and players give all others")
        if first.bot is not None and first.by + BOT_PART not in (first.hid or {}):
            raise BadBundle(record.seq, "the bot's seed is not committed to")
        self._check_facts(batch, follows=True)
        self._check_draws(record.seq, first)

    def check_ruling(self, batch: Sequence[Record], first: Envelope) -> None:
        """A table command is decided like in a whole bundle; only a title's default is not known here."""
        command = self.table_command(batch[0], first)
        actor, keys = actor_of(first.by), self.keys or _UNKNOWN_KEYS
        find_bot = read_bot_versions(batch)
        if isinstance(command, TableTimeOut):
            command_rules.check_actor(self.game, actor, command)
            settled, follows = self._settle_time_out(batch, first, command, keys)
            facts = settle_bot_versions(self.game.bots, settled, find_bot)
        else:
            facts = command_rules.decide(self.game, actor, command, first.at, keys, find_bot).facts
            follows = False
        self._compare_facts(batch, facts)
        rest = batch[len(facts) :]
        if follows and not rest:
            raise BadBundle(batch[-1].seq + 1, "what the default of the title leads to is missing")
        if not follows and first.draws is not None:
            raise BadBundle(batch[0].seq, "nothing is drawn for a command of the table")
        self._check_facts(rest, follows=follows)
        self._check_draws(batch[0].seq, first)

    def _settle_time_out(
        self, batch: Sequence[Record], first: Envelope, command: TableTimeOut, keys: Keys
    ) -> tuple[list[Fact], bool]:
        """The facts of a time-out that the table settles, and if those of the title's default follow on them.

        Only the title's state tells which decisions were awaited, and if the rules refused the default.
        """
        timed_out = decode_fact(batch[0], first, SeatTimedOut) if batch[0].type == "SeatTimedOut" else None
        kinds = timed_out.kinds if isinstance(timed_out, SeatTimedOut) else ()
        known = {step.kind for step in self.creation.title.steps}
        if not kinds or list(kinds) != sorted(kinds) or not known.issuperset(kinds):
            raise BadBundle(batch[0].seq, "it does not name what was awaited of the seat")
        facts, follows = settle_time_out(self.game, command, kinds, first.at, keys)
        if follows and len(batch) > 1 and batch[1].type == "SeatVacated":
            return [*facts, *halt_table(self.game, command.seat, first.at)], False
        return facts, follows

    def fold(self, batch: Sequence[Record], first: Envelope) -> None:
        """Seats and draws as the platform's own events tell them; the title's state stays out."""
        if batch[0].seq == 1:
            self._last = bytes.fromhex(self.creation.opened.chance["s_0"])
        else:
            self._check_clocks(batch, first)
        for record in batch:
            if _is_of_platform(record):
                self.game = fold_one(self.game, record)
            else:
                self.game = self._pass_over(record, record.envelope())

    def _pass_over(self, record: Record, envelope: Envelope) -> Game:
        """Return the game after an event whose effect on the title's state is not known here."""
        seat = seat_of(envelope.by)
        game = begin_batch(self.game, envelope, seat)
        kind = self.creation.title.fact_type(record.type)
        game = game if kind is None else meet_fact(game, kind)
        return apply_envelope(game, record, envelope, seat)

    def _check_clocks(self, batch: Sequence[Record], first: Envelope) -> None:
        """The note about each seat is one that there can be: a copy cannot tell which seats were asked."""
        if self.game.clock is None:
            return
        facts = [
            decode_fact(record, record.envelope(), lifecycle_facts.FACTS[record.type])
            for record in batch
            if _is_of_platform(record)
        ]
        seat = clock_updates.find_impossible_seat(
            self.game,
            actor_of(first.by),
            Batch(facts),
            first.at,
            first.clock or {},
            given=first.command is not None or first.by + COMMAND_PART in (first.hid or {}),
            plays=len(facts) < len(batch) or not _CHANGING_PLAY.isdisjoint(r.type for r in batch),
        )
        if seat is not None:
            raise BadBundle(batch[0].seq, f"what it notes about the clock of p{seat} cannot be")

    def _check_command(self, record: Record, first: Envelope) -> Command | None:
        """Return the command; None where it is sealed and not shown."""
        sealed = first.by + COMMAND_PART in (first.hid or {})
        if sealed == (first.command is not None):
            raise BadBundle(record.seq, "a batch has one command, open or sealed")
        if sealed and first.by + COMMAND_PART not in record.parts:
            return None
        command = decode_command(record, first, self.creation.title.command_type)
        if command is None:
            raise BadBundle(record.seq, "this title has no such command")
        given = canonical.encode(msgspec.to_builtins(command, str_keys=True))
        part = record.parts.get(first.by + COMMAND_PART)
        if command.sealed != sealed or given != (part.body if part else canonical.encode(first.command)):
            raise BadBundle(record.seq, "its command is not in the form of this title's commands")
        return command

    def _check_facts(self, batch: Sequence[Record], *, follows: bool) -> None:
        """Facts of the title, then perhaps the end."""
        for record in batch:
            if not follows:
                raise BadBundle(record.seq, f"{record.type} is not what was decided by the rules")
            kind = self.creation.title.fact_type(record.type)
            if kind is None and record.type == ENDING_TYPES[0] and record.seq == len(self.records):
                kind = lifecycle_facts.FACTS[record.type]
            if kind is None:
                raise BadBundle(record.seq, f"{self.creation.title.id} has no event of type {record.type}")
            self._check_fact(record, record.envelope(), kind)

    def _check_fact(self, record: Record, envelope: Envelope, kind: type[Fact]) -> None:
        """Public data of their form; whole facts where nothing of them is hidden from this copy."""
        digests = {name for name in envelope.hid or {} if not name.endswith(BESIDE_FACT)}
        if not kind.secrets and digests:
            raise BadBundle(record.seq, f"{record.type} hides nothing")
        if digests <= set(record.parts):
            try:
                fact = decode_fact(record, envelope, kind)
            except msgspec.MsgspecError as error:
                raise BadBundle(record.seq, f"its data do not fit {record.type}: {error}") from error
            data, hidden = split_fact(fact)
            encoded = {name: canonical.encode(part) for name, part in hidden.items()}
            if canonical.encode(data) != bytes(envelope.data) or digests != set(encoded):
                raise BadBundle(record.seq, f"its data are not those of {record.type}")
            if any(record.parts[name].body != part for name, part in encoded.items()):
                raise BadBundle(record.seq, f"its hidden parts are not those of {record.type}")
            return
        data = msgspec.json.decode(envelope.data)
        names = {field.encode_name for field in msgspec.structs.fields(kind)}
        if set(data) != names - set(kind.secrets):
            raise BadBundle(record.seq, f"its data are not those of {record.type}")

    # --- public draws ----------------------------------------------------------------------------

    def _check_draws(self, seq: int, first: Envelope) -> None:
        """Each public draw follows on the one before in the reverse chain, and gives what it says."""
        for k, draw in enumerate(first.draws.public if first.draws else (), self.game.public_draws + 1):
            if draw.k != k:
                raise BadBundle(seq, f"public draw {draw.k} follows on {k - 1}")
            self._check_draw(seq, draw)

    def _check_draw(self, seq: int, draw: PublicDraw) -> None:
        opened = self.creation.opened
        if draw.k > opened.draws:
            if draw.s:
                raise BadBundle(seq, f"public draw {draw.k} has an element, but the chain is used up")
            return  # derives from the hidden key; checked when the game has ended
        element = unhex(draw.s, 32) if draw.s else b""
        if step_back(self.creation.key, draw.k, element) != self._last:
            raise BadBundle(seq, f"the element of public draw {draw.k} does not hash to the one before")
        self._last = element
        stream = UniformStream(derive_public_draw_key(element, self._mixed, draw.k))
        if tuple(stream.draw_below(bound) for bound in draw.of) != draw.got:
            raise BadBundle(seq, f"public draw {draw.k} gives another outcome")
